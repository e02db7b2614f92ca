"""In a match whoever revokes pays for it, though no bot challenges of its own accord."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.hands import CALLED, after, dealt

from rookery.bots.names import bots
from rookery.bots.player import KernelPlayer
from rookery.engine.trick import following
from rookery.game import Action, Hand, IllegalAction
from rookery.lab.duplicate.boards import BOTS, EACH, ILLEGAL
from rookery.lab.duplicate.by_hand import HandPlayed, _done
from rookery.lab.duplicate.match import Match
from rookery.rules import load

own = KernelPlayer.act


def wild(player: KernelPlayer, hand: Hand) -> Action:
    """Play as the bot does; but `random` keeps its highest cards and does not follow suit."""
    action = own(player, hand)
    if player.kind == bots("random")[0].kernel and hand.phase == "play":
        held = hand.hidden.hand[hand.state.turn]
        wrong = held & ~following(hand.table, hand.state, held)
        return hand.action_of((wrong & -wrong).bit_length() - 1) if wrong else action
    return action


def test_the_referee_challenges_a_revoke_as_soon_as_the_cards_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(KernelPlayer, "act", wild)
    told: list[HandPlayed] = []
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    job = Match(rules, "", bots("club,random"), 4, 3).job("all")
    sums = replace(job, by_hand=True, told=told.append).count(0, 4)
    revoked = [one for one in told if one.hand.revoked]
    assert len(revoked) > len(told) / 2
    for one in revoked:
        last = one.hand.actions[-1]
        assert last.target is not None
        assert str(one.bots[last.target]) == "random"
        assert str(one.bots[last.seat]) == "club"
        assert one.hand.score is not None
        assert one.hand.score[last.target] == -one.hand.state.contract
    assert [sums[BOTS + EACH * who + ILLEGAL] for who in range(2)] == [0, 0]


def test_a_bot_that_challenges_its_own_side_has_no_answer() -> None:
    hand = after(dealt(renege="penalised"), *CALLED, "1 play G10", "2 play R7", "3 play G12")
    with pytest.raises(IllegalAction, match="only the other side"):
        _done(hand, hand.parse("0 challenge 2"))
    assert _done(hand, hand.parse("0 play G8")).turn == 3


def test_lawful_bots_score_as_compiled_ones_do() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    job = Match(rules, "", bots("club,random"), 4, 3, target="python").job("all")
    assert replace(job, by_hand=True).count(0, 4).tolist() == job.count(0, 4).tolist()
