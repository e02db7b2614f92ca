"""A revoke can be challenged by whoever has seen no more than the cards that were played."""

from __future__ import annotations

from random import Random

import pytest
from tests.hands import AUCTION, CALLING, MIXED, OPEN, SMALL, after, dealt, small
from tests.laws.house import CHANGES, with_changes

from rookery.bots.player import KernelPlayer
from rookery.cards import pack_cards, unpack
from rookery.engine.card_sets import count
from rookery.engine.trick import following
from rookery.game import Hand, IllegalAction, Match
from rookery.game.revokes import challenge_of, shown_revoke
from rookery.record import of_match, replay
from rookery.rules import Rules, catalog, load

EVERYBODY = 0b1111
# Seat 2 holds green, and throws a red card on it.
REVOKED = [*AUCTION, "3 discard R5 R11 B8 B10 B11", "3 trump yellow", "1 play G10", "2 play R7"]


def test_a_revoke_shows_with_a_card_that_should_have_been_played() -> None:
    hand = after(dealt(renege="penalised"), *REVOKED)
    assert hand.hidden.revoked == 1 << 2
    assert (shown_revoke(hand), challenge_of(hand, EVERYBODY)) == (None, None)
    hand = after(hand, "3 play G14", "0 play G8", "3 play Y7", "0 play Y5", "1 play Y11")
    hand = after(hand, "2 play Y13", "2 play B5", "3 play R14", "0 play R6", "1 play B6")
    assert shown_revoke(hand) is None
    hand = after(hand, "1 play B7", "2 play G6")
    assert shown_revoke(hand) == 2
    assert [str(challenge_of(hand, seats)) for seats in (EVERYBODY, 0b1000, 0b0101)] == [
        *("1 challenge 2", "3 challenge 2", "None")
    ]
    ended = hand.act(challenge_of(hand, EVERYBODY) or "")
    assert ended.over
    assert shown_revoke(ended) is None


def test_whoever_had_no_choice_has_not_revoked() -> None:
    hand = after(dealt(), *REVOKED[:-1], "2 play G7")
    assert shown_revoke(hand) is None


def test_where_revokes_are_prevented_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked before each action, and a copy of the cards takes as long as the action."""
    hand = after(dealt(), *REVOKED[:-1])

    def copied(_: Hand) -> None:
        raise AssertionError("a copy was made")

    for name in ("state", "hidden"):
        monkeypatch.setattr(Hand, name, property(copied))
    assert challenge_of(hand, EVERYBODY) is None


def wild(rules: Rules, seed: int) -> list[Hand]:
    """Return the positions of a hand in which every fourth card is any that is held."""
    rng, hand = Random(seed), Hand.shuffled(rules, seed % rules.seats, seed)
    players = [KernelPlayer("club", seed, seat) for seat in range(rules.seats)]
    found = [hand]
    while not hand.over:
        if hand.phase == "play" and rng.random() < 0.25:
            hand = hand.do(rng.choice(hand.legal_numbers()))
        else:
            hand = players[hand.to_act or 0].move(hand)
        found.append(hand)
    return found


def has_revoked(hand: Hand, seat: int, closed: int) -> bool:
    """Return whether a seat has revoked if what it has not shown by now are these cards."""
    shown, table = hand.state.played_by[seat], hand.table
    for before, action in zip(hand.positions(), hand.actions, strict=False):
        if action.verb == "play" and before.state.turn == seat:
            held = before.hidden.hand[seat] & shown | closed
            if not following(table, before.state, held) >> action.card & 1:
                return True
    return False


def test_what_shows_is_a_revoke_by_any_rules_whatever_is_not_seen() -> None:
    """No closed card says so: it is one as well with all of them dealt anew."""
    rng, seen = Random(7), 0
    changes = [one for one in CHANGES if "renege" not in one]
    for seed in range(30):
        some = [*rng.sample(changes, seed % 3), {"renege": "penalised"}]
        for hand in wild(with_changes(rng.choice(catalog()), some), seed):
            offender = shown_revoke(hand)
            if offender is not None:
                assert hand.hidden.revoked >> offender & 1
                unseen = [card for cards in hand.hidden.hand for card in unpack(cards)]
                for _ in range(2):
                    left = count(hand.hidden.hand[offender])
                    assert has_revoked(hand, offender, pack_cards(rng.sample(unseen, left)))
                seen += 1
    assert seen > 100


def refusal(hand: Hand, text: str) -> str:
    """Return why somebody who makes this challenge now is refused."""
    match = Match(hand.rules).begin(hand)
    with pytest.raises(IllegalAction) as caught:
        match.tried(text)
    assert caught.value.code == "no-revoke"
    assert text not in hand.legal(int(text[0]))
    return caught.value.reason


def accepted(hand: Hand, text: str) -> bool:
    match = Match(hand.rules).begin(hand).tried(text)
    return text in hand.legal(int(text[0])) and match.hands[-1].revoked


OWN = "only the other side may challenge"


def test_a_partner_challenges_nobody_of_their_own_side() -> None:
    hand = after(dealt(renege="penalised"), *REVOKED)
    assert [hand.may_accuse(seat) for seat in range(4)] == [[1, 3], [0, 2], [1, 3], [0, 2]]
    # Whether or not there was a revoke: the refusal must not tell.
    assert [refusal(hand, text) for text in ("0 challenge 2", "1 challenge 3")] == [OWN] * 2
    assert accepted(hand, "1 challenge 2")
    assert accepted(hand, "3 challenge 2")


def test_nobody_challenges_whoever_plays_with_them_without_a_contract() -> None:
    rules = {"renege": "penalised", "all_pass": "no_contract"}
    hand = after(small(MIXED, **rules), *(f"{seat} pass" for seat in (1, 2, 3, 0)))
    hand = after(hand, "1 play G10", "2 play Y10", "3 play B10", "0 play R10")
    assert hand.hidden.revoked == 1 << 0
    assert refusal(hand, "2 challenge 0") == OWN
    assert accepted(hand, "3 challenge 0")


def test_a_declarer_does_not_challenge_the_dummy() -> None:
    rules = {"renege": "penalised", "dummy": "partner"}
    hand = after(small(MIXED, **rules), *OPEN, "1 trump yellow", "1 play G10", "2 play R14")
    hand = after(hand, "3 play B10", "0 play R10", "1 play Y14")
    assert hand.dummy == 3
    assert hand.may_accuse(1) == [0, 2]
    assert refusal(hand, "1 challenge 3") == OWN


def test_a_called_partner_is_of_one_side_once_all_know_it() -> None:
    deal = [["R10", "R5", "G14"], ["G10", "Y5", "Y14"], ["G5", "R14", "Y10"], ["B10", "B14", "B5"]]
    three = {"ranks": [5, 10, 14], "hand_size": 3}
    hand = Hand.deal(load({**SMALL, **CALLING, **three, "renege": "penalised"}), 0, deal)
    hand = after(hand, *OPEN, "1 trump black", "1 call Y10", "1 play G10", "2 play R14")
    secret = after(hand, "3 play B10", "0 play G14")
    assert secret.hidden.revoked == 1 << 2
    assert secret.may_accuse(1) == [0, 2, 3]
    assert accepted(secret, "1 challenge 2")  # they cannot know whom they accuse
    known = after(secret, "3 play B5", "0 play R5", "1 play Y5", "2 play Y10")
    assert [known.may_accuse(seat) for seat in range(4)] == [[1, 2], [0, 3], [0, 3], [1, 2]]
    assert refusal(known, "1 challenge 2") == OWN
    assert accepted(known, "0 challenge 2")


def test_a_record_in_which_a_partner_challenged_is_still_read() -> None:
    hand = after(dealt(renege="penalised"), *REVOKED, "0 challenge 2")
    match = Match(hand.rules).begin(hand)
    assert match.totals == (-70, 0, -70, 0)
    assert replay(of_match(match)).totals == match.totals
