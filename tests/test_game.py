"""Hands and deals: what they show, and what is no deal."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from tests.hands import (
    CALLED,
    CALLING,
    DEAL,
    MIXED,
    NEST,
    RECORD,
    REPLAY,
    TRICK,
    after,
    dealt,
    refused,
    small,
)

from rookery.game import Action, BadAction, BadDeal, Hand, IllegalAction, Match, Verb
from rookery.record import of_hand
from rookery.rules import load, variant


def test_the_two_hands_come_out_as_the_contract_says() -> None:
    match = Match(load(RECORD["rules"]), RECORD["players"])
    for written in RECORD["hands"]:
        hand = Hand.deal(match.rules, written["dealer"], written["deal"], written["nest"])
        match = match.begin(hand)
        for text in written["actions"]:
            match = match.act(text)
    assert [hand.status() for hand in match.hands] == REPLAY["hands"]
    assert list(match.totals) == REPLAY["score"]
    assert match.winners is None


def test_a_hand_tells_how_it_stands() -> None:
    hand = after(dealt(), *CALLED, *TRICK)
    assert (hand.phase, hand.to_act, hand.turn, hand.dealer) == ("play", 3, 3, 0)
    assert (hand.declarer, hand.bid, hand.call) == (3, 70, "yellow")
    assert hand.sides == ((1, 3), (0, 2))
    assert hand.leader == 3
    assert hand.names(hand.tricks[0].cards) == ["G10", "G7", "G12", "G8"]
    assert tuple(map(str, hand.actions)) == (*CALLED, *TRICK)
    assert hand.names(hand.cards_held[3]) == ["R14", "G14", "Y7", "Y9", "Y10", "Y12", "Y14", "B13"]
    assert (hand.points, hand.score, hand.dummy, hand.nest_statement) == (None, None, None, None)


def test_before_the_auction_is_over_nothing_is_settled() -> None:
    hand = after(dealt(), "1 bid 75")
    assert (hand.declarer, hand.bid, hand.call, hand.sides) == (None, None, None, None)
    assert hand.leader is None


@pytest.mark.parametrize("text", ["1 PLAY g10", " 1  play   G10 ", "1 Play g10"])
def test_either_letter_case_is_read_and_one_is_kept(text: str) -> None:
    assert str(after(dealt(), *CALLED, text).actions[-1]) == "1 play G10"


def test_an_action_may_come_with_its_seat_apart() -> None:
    numbers: tuple[Any, ...] = 1, np.int64(1)
    for seat in numbers:
        assert dealt().act(seat, "bid 75").actions == (Action(1, Verb.BID, amount=75),)


@pytest.mark.parametrize(
    "words", [(1,), (None,), (1, None), (b"1 pass",), ([],), (1.0, "pass"), ("1 bid 75", "pass")]
)
def test_what_is_no_action_is_refused_as_such(words: tuple[Any, ...]) -> None:
    with pytest.raises(BadAction, match="is not an action: "):
        dealt().act(*words)


def test_a_hand_never_changes() -> None:
    hand = after(dealt(), *CALLED)
    before = hand.status()
    hand.state.phase = 0
    hand.hidden.hand[0] = 0
    hand.act("1 play G10")
    assert hand.status() == before


def test_of_several_actions_all_are_done_or_none() -> None:
    hand = after(dealt(), *CALLED)
    assert hand.act_all(["1 play G10"]).status() == hand.act("1 play G10").status()
    before = hand.status()
    with pytest.raises(IllegalAction):
        hand.act_all(["1 play G10", "1 play G5"])
    assert hand.status() == before


def test_a_hand_can_be_stored_and_brought_back() -> None:
    hand = after(dealt(), *CALLED)
    again: Hand = pickle.loads(pickle.dumps(hand))  # noqa: S301  (our own bytes)
    assert again.act("1 play G10").status() == hand.act("1 play G10").status()


def test_a_standard_pack_has_its_own_words() -> None:
    rules = variant("kd_standard_cards")
    hand = Hand.shuffled(rules, 0, 1)
    hand = hand.act("1 bid 120")
    choice = hand.legal().choice
    assert choice is not None
    cards = " ".join(hand.names(choice.cards[:5]))
    hand = hand.act(f"1 discard {cards}".lower()).act("1 trump SPADES")
    assert hand.call == "spades"
    for text in ("1 trump red", "1 play S14"):
        with pytest.raises(BadAction):
            hand.act(text)


BAD_DEALS: list[tuple[str, str, tuple[Any, list[list[str]], list[str]]]] = [
    ("bad-deal", "3 hands", (0, DEAL[:3], NEST)),
    ("bad-deal", "seat 0 has 8 cards; expected 9", (0, [DEAL[0][1:], *DEAL[1:]], NEST)),
    ("bad-deal", "the nest has 4 cards; expected 5", (0, DEAL, NEST[1:])),
    ("bad-deal", "R6 is dealt twice: seat 0, the nest", (0, DEAL, ["R6", *NEST[1:]])),
    ("bad-deal", "R2 is not in this game's deck", (0, DEAL, ["R2", *NEST[1:]])),
    ("unknown-card", "the nest: 'Z1' is not a card", (0, DEAL, ["Z1", *NEST[1:]])),
    ("bad-deal", "no dealer 4", (4, DEAL, NEST)),
    ("bad-deal", "no dealer -1", (-1, DEAL, NEST)),
    ("bad-deal", "no dealer 1.5", (1.5, DEAL, NEST)),
    ("bad-deal", "no dealer None", (None, DEAL, NEST)),
]


@pytest.mark.parametrize(("code", "words", "cards"), BAD_DEALS)
def test_cards_that_are_no_deal_are_refused(
    code: str, words: str, cards: tuple[Any, list[list[str]], list[str]]
) -> None:
    with pytest.raises(BadDeal, match=words) as caught:
        Hand.deal(variant("kd_tournament"), *cards)
    assert caught.value.code == code


@pytest.mark.parametrize("seed", [-1, 1 << 63, 7.0, "7", None])
def test_a_seed_out_of_range_deals_nothing(seed: int) -> None:
    with pytest.raises(BadDeal, match="is not a seed; expected 0 to"):
        Hand.shuffled(variant("kd_tournament"), 0, seed)


@pytest.mark.parametrize("one", [np.int8(1), np.int32(1), np.uint64(1), True])
def test_a_number_of_another_library_deals_as_pythons_own_does(one: int) -> None:
    rules = variant("kd_tournament")
    hand, same = Hand.shuffled(rules, one, one), Hand.shuffled(rules, 1, 1)
    assert hand.dealt == same.dealt
    assert json.dumps(of_hand(hand).written()) == json.dumps(of_hand(same).written())


@pytest.mark.parametrize("seat", [-1, 4, "1", []])
def test_a_seat_that_there_is_not_has_nothing_to_do(seat: int) -> None:
    with pytest.raises(ValueError, match=r"there is no seat .*; expected 0 to 3"):
        dealt().legal(seat)


def test_a_seed_deals_the_same_cards_every_time() -> None:
    one, other = (Hand.shuffled(variant("rook_two_1914"), 1, 2**63 - 1) for _ in range(2))
    assert one.dealt == other.dealt
    assert one.nest_dealt == other.nest_dealt
    assert Hand.shuffled(variant("rook_two_1914"), 1, 3).dealt != one.dealt


def test_an_error_can_be_stored_and_brought_back() -> None:
    error = refused(dealt(), "2 pass")
    again: IllegalAction = pickle.loads(pickle.dumps(error))  # noqa: S301  (our own bytes)
    assert (type(again), again.code, again.reason) == (IllegalAction, error.code, error.reason)


def test_the_engines_numbers_are_checked_too() -> None:
    with pytest.raises(IllegalAction) as caught:
        dealt().do(0)
    assert caught.value.code == "not-now"


def test_a_proven_revoke_ends_the_hand() -> None:
    hand = after(dealt(renege="penalised"), *CALLED, "1 play G10", "2 play R7")
    hand = hand.act("3 challenge 2")
    assert hand.phase == "done"
    assert hand.score == [-70, 0, -70, 0]
    assert str(hand.actions[-1]) == "3 challenge 2"


def test_the_sun_closes_the_auction() -> None:
    hand = Hand.shuffled(variant("five_person_poker"), 0, 1).act("1 bid sun")
    assert (hand.phase, hand.bid, hand.declarer) == ("trump", "sun", 1)


def test_without_a_contract_everybody_plays_alone_from_the_dealers_left() -> None:
    hand = after(
        small(MIXED, **CALLING, **{"all_pass": "no_contract"}), *(f"{s} pass" for s in (1, 2, 3, 0))
    )
    assert (hand.phase, hand.declarer, hand.bid, hand.call) == ("play", None, None, "notrump")
    assert hand.sides == ((1,), (2,), (3,), (0,))


def test_a_nest_statement_is_made_by_itself() -> None:
    rules = {"nest_statement": "yes_no"}
    quiet = after(dealt(**rules), *CALLED[:-2])
    assert quiet.status()["nest_statement"] is None
    assert after(quiet, CALLED[-2]).status()["nest_statement"] == "points"
    assert after(quiet, "3 discard R11 Y7 Y9 Y12 B8").nest_statement == "none"
    assert after(dealt(nest_statement="amount"), *CALLED).nest_statement == 15
    assert "nest_statement" not in dealt().status()
