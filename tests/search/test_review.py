"""What a review asks of the search: the action that was taken, fair comparisons, how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import hypot, sqrt
from statistics import stdev

import pytest
from tests.search.positions import FEW, scripted

from rookery.cards import pack_cards
from rookery.engine.actions import BID, PASS
from rookery.game import Hand, IllegalAction
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.desk import Desk
from rookery.search.mover import Searcher

RULES = load("kd_tournament")
MORE = {"tries": "300", "ms": "600000"}


def seated(hand: Hand, options: dict[str, str] = MORE, desk: Desk | None = None) -> Searcher:
    player = Searcher(hand.rules, hand.to_act or 0, options, desk)
    player.begin(hand, 7)
    return player


def hands(name: str, seed: int, step: int = 1) -> Iterator[Hand]:
    return islice(scripted(Hand.shuffled(load(name), dealer=0, seed=seed)), 0, None, step)


def choice_of(choices: list[Choice], action: int) -> Choice:
    return next(one for one in choices if one.action == action)


def test_a_bid_that_was_left_out_is_weighed_to_the_end_if_asked_for() -> None:
    hand = Hand.shuffled(RULES, dealer=0, seed=1)
    alone = seated(hand).weigh(hand)
    left_out = [a for a in hand.legal_numbers() if BID <= a < PASS]
    left_out = [a for a in left_out if a not in {one.action for one in alone}]
    assert len(left_out) > 3
    for action in left_out:
        choices = seated(hand).weigh(hand, also=action)
        assert choice_of(choices, action).tries == max(one.tries for one in choices)
        assert {one.action for one in choices} == {one.action for one in alone} | {action}
    assert seated(hand).stands_for(hand, alone, left_out[0]) is None  # the control


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "one_low_180"])
def test_every_action_has_a_choice_that_stands_for_it_and_is_tried_to_the_end(name: str) -> None:
    dropped = equals = 0
    for hand in hands(name, 3, 5):
        legal = hand.legal_numbers()
        for action in legal[:: max(1, len(legal) // 4)] if len(legal) > 1 else ():
            alone, player = seated(hand).weigh(hand), seated(hand)
            choices = player.weigh(hand, also=action)
            standing = player.stands_for(hand, choices, action)
            assert standing is not None
            if len(choices) > 1:
                assert standing.tries == max(one.tries for one in choices)
            equals += standing.action != action
            usual = player.stands_for(hand, alone, action)
            dropped += usual is not None and usual.tries < alone[0].tries
    assert dropped  # the control: unasked it drops some of them
    assert equals or name != "kd_tournament"


def test_even_choices_meet_the_same_worlds() -> None:
    judged = 0
    for hand in hands("kd_tournament", 5, 4):
        desk = Desk(hand.table)
        choices = seated(hand, desk=desk).weigh(hand, even=True)
        tries = choices[0].tries
        assert tries >= 2
        assert all(one.tries == tries for one in choices)
        best = desk.rows[choices[0].action]
        for one in choices:
            row = desk.rows[one.action]
            assert one.margin == pytest.approx(sum(row) / tries / 4)
            assert one.error == pytest.approx(stdev(row) / sqrt(tries) / 4)
            apart = [a - b for a, b in zip(best, row, strict=True)]
            assert one.behind_error == pytest.approx(stdev(apart) / sqrt(tries) / 4)
            judged += (one.behind_error or 0) < hypot(one.error or 0, choices[0].error or 0)
        assert choices[0].behind_error == 0
    assert judged > 20  # differences are surer than what they are differences of


def test_unasked_nobody_knows_how_sure_a_difference_is() -> None:
    hand = next(hands("kd_tournament", 5))
    choices = seated(hand).weigh(hand)
    assert {one.behind_error for one in choices} == {None}
    assert all(one.error is not None and one.error > 0 for one in choices)
    assert len({one.tries for one in choices}) > 1


def test_a_lone_card_is_weighed_where_all_are_to_be() -> None:
    lone = next(hand for hand in hands("kd_tournament", 2) if len(hand.legal_numbers()) == 1)
    assert seated(lone).weigh(lone)[0].tries == 0
    assert seated(lone).weigh(lone, even=True)[0].tries == 300


@pytest.mark.parametrize("target", ["python", "numba"])
def test_a_discard_is_weighed_card_by_card_in_the_records_order(target: str) -> None:
    hand = next(hand for hand in hands("kd_tournament", 6) if hand.phase == "nest")
    after = next(one for one in hands("kd_tournament", 6) if one.phase not in ("auction", "nest"))
    action = after.actions[-1]
    named = list(action.cards)
    desk = Desk(hand.table, "python" if target == "python" else "numba")
    options = {"tries": "8"} if target == "python" else MORE
    weighings = seated(hand, options, desk).weigh_done(hand, action, even=True)
    assert [one.action for one in weighings] == named
    for at, one in enumerate(weighings):
        assert one.done.action == named[at]
        assert one.hand.state.discarded == at
        assert one.cost == pytest.approx(one.choices[0].margin - one.done.margin)
        assert not pack_cards(c.action for c in one.choices) & pack_cards(named[:at])
    assert weighings[-1].hand.do(named[-1]).actions == after.actions


def test_whatever_was_done_can_be_weighed() -> None:
    verbs = set()
    last = list(hands("call_partner_5", 2))[-1]
    for at, hand in enumerate(hands("call_partner_5", 2)):
        number = len(hand.actions)
        if hand.state.discarded and hand.phase == "nest":
            continue
        if number < len(last.actions) and at % 3 == 0:
            verbs.add(last.actions[number].verb)
            for one in seated(hand, FEW).weigh_done(hand, last.actions[number]):
                assert one.cost >= 0
                hand = one.hand.do(one.action)
            assert hand.actions[-1] == last.actions[number]
    assert len(verbs) > 2


def test_what_cannot_be_done_is_refused() -> None:
    hand = Hand.shuffled(RULES, dealer=0, seed=1)
    with pytest.raises(IllegalAction, match="57 is not legal") as raised:
        seated(hand.act("1 bid 90")).weigh(hand.act("1 bid 90"), also=BID)
    assert raised.value.code == "not-now"
    with pytest.raises(IllegalAction, match="not seat 2's turn"):
        seated(hand).weigh_done(hand, "2 pass")


def test_without_time_there_is_still_a_choice_that_stands_for_it() -> None:
    for hand in hands("kd_tournament", 1, 6):
        action = hand.legal_numbers()[-1]
        player = seated(hand, {"ms": "0"})
        choices = player.weigh(hand, also=action, even=True)
        assert player.stands_for(hand, choices, action) is not None
        assert {one.tries for one in choices} == {1}
        assert {one.error for one in choices} == {None}
