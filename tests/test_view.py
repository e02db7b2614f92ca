"""A view holds what its seat may know, and nothing that it may not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests.laws.house import CHANGES, with_changes
from tests.laws.playing import positions

from rookery.cards import unpack
from rookery.game import Hand, Verb
from rookery.rules import catalog, load, variant
from rookery.server.table.audit import exchanged, unknown_to
from rookery.view import View, view_of

Look = Callable[[Hand, int | None], View]


def leaks(hand: Hand, rng: Random, look: Look = view_of) -> Iterator[str]:
    """Yield where a view tells two worlds apart between which its seat cannot choose."""
    for seat in (None, *range(hand.rules.seats)):
        hidden = list(unpack(unknown_to(hand, seat)))
        if hand.phase == "done" or len(hidden) < 2:
            continue
        one, other = rng.sample(hidden, 2)
        here, there = look(hand, seat), look(exchanged(hand, one, other), seat)
        if here != there:
            names = [
                f.name for f in fields(View) if getattr(here, f.name) != getattr(there, f.name)
            ]
            yield f"seat {seat} in {hand.phase}: {names}"


@pytest.mark.parametrize("name", catalog())
def test_no_view_tells_hidden_cards_apart(name: str) -> None:
    rng = Random(name)
    for hand in positions(variant(name), 11):
        assert list(leaks(hand, rng)) == []


@settings(max_examples=40)
@given(
    base=st.sampled_from(catalog()),
    changes=st.lists(st.sampled_from(CHANGES), max_size=5),
    seed=st.integers(0, 2**40),
)
def test_no_view_under_house_rules_does(
    base: str, changes: list[dict[str, Any]], seed: int
) -> None:
    rng = Random(seed)
    for hand in positions(with_changes(base, changes), seed):
        assert list(leaks(hand, rng)) == []


def everything_said(hand: Hand, seat: int | None) -> View:
    return replace(view_of(hand, seat), calls=[str(action) for action in hand.actions])


def nest_of_anyone(hand: Hand, seat: int | None) -> View:
    return replace(view_of(hand, seat), discards=hand.names(unpack(hand.hidden.nest)))


def partners_early(hand: Hand, seat: int | None) -> View:
    return replace(view_of(hand, seat), allies=list(unpack(hand.hidden.allies)))


def a_neighbours_card(hand: Hand, seat: int | None) -> View:
    return replace(view_of(hand, seat), nest_face_up=hand.names(unpack(hand.hidden.hand[0]))[:1])


@pytest.mark.parametrize(
    "leak", [everything_said, nest_of_anyone, partners_early, a_neighbours_card]
)
def test_a_planted_leak_is_caught(leak: Look) -> None:
    rng = Random(3)
    hands = [hand for seed in range(6) for hand in positions(variant("call_partner_5"), seed)]
    assert any(found for hand in hands for found in leaks(hand, rng, leak))


@pytest.mark.parametrize("name", catalog())
def test_a_view_is_what_its_schema_says_and_goes_through_json(name: str) -> None:
    adapter = TypeAdapter(View)
    names = set(adapter.json_schema()["properties"])
    for hand in positions(variant(name), 2):
        for seat in (None, hand.turn):
            written = view_of(hand, seat, totals=[0] * hand.rules.seats).as_dict()
            assert set(written) == names
            again = adapter.validate_python(json.loads(json.dumps(written)), strict=False)
            assert again.as_dict() == written


def test_the_schema_refuses_another_shape() -> None:
    hand = Hand.shuffled(load("kd_tournament"), 0, 1)
    with pytest.raises(ValidationError):
        TypeAdapter(View).validate_python({**view_of(hand, 0).as_dict(), "dealer": "nobody"})


DEAL = [
    ["R6", "R8", "R10", "G8", "G9", "G11", "Y5", "Y6", "Y8"],
    ["R9", "R13", "G5", "G10", "Y11", "B6", "B7", "B12", "RK"],
    ["R7", "R12", "G6", "G7", "G13", "Y13", "B5", "B9", "B14"],
    ["R5", "R11", "R14", "G14", "Y7", "Y10", "Y14", "B10", "B11"],
]
NEST = ["G12", "Y9", "Y12", "B8", "B13"]
TO_TRUMP = ["1 pass", "2 pass", "3 bid 70", "0 pass", "3 discard R5 R11 B8 B10 B11"]
TRICK = ["3 trump yellow", "1 play G10", "2 play G7", "3 play G12", "0 play G8"]


def after(*actions: str, **changes: str) -> Hand:
    hand = Hand.deal(load({"base": "kd_tournament", **changes}), 0, DEAL, NEST)
    for text in actions:
        hand = hand.act(text)
    return hand


def test_the_declarer_alone_knows_the_nest_and_the_discards() -> None:
    views = [view_of(after(*TO_TRUMP), seat) for seat in (0, 1, 2, 3, None)]
    assert [view.nest_found for view in views] == [None, None, None, NEST, None]
    discards = ["R5", "R11", "B8", "B10", "B11"]
    assert [view.discards for view in views] == [None, None, None, discards, None]
    assert [view.nest_size for view in views] == [5] * 5
    assert views[0].calls == TO_TRUMP[:-1]


def test_before_the_discard_there_are_none() -> None:
    view = view_of(after(*TO_TRUMP[:-1]), 3)
    assert (view.nest_found, view.discards, view.nest_size) == (NEST, None, 0)
    assert view.hand_sizes == [9, 9, 9, 14]
    assert isinstance(view.legal, dict)
    assert view.legal["discard"] == 5


def test_a_seat_that_there_is_not_sees_nothing() -> None:
    """Beyond the seats lies the blind hand."""
    hand = Hand.shuffled(load("rook_two_1914"), 0, 1)
    for seat in (-1, hand.rules.seats):
        with pytest.raises(ValueError, match="there is no seat"):
            view_of(hand, seat)
    for nobody in ("1", 1.0):
        with pytest.raises(TypeError):
            view_of(hand, nobody)  # type: ignore[arg-type]
    seen = view_of(hand, np.int64(1))  # type: ignore[arg-type]
    assert json.dumps(seen.as_dict()) == json.dumps(view_of(hand, 1).as_dict())


def test_only_the_seat_to_act_has_choices() -> None:
    views = [view_of(after("1 pass"), seat) for seat in (0, 1, 2, 3, None)]
    assert [bool(view.legal) for view in views] == [False, False, True, False, False]
    assert {view.to_act for view in views} == {2}


def test_a_redeal_is_offered_out_of_turn_to_the_seat_that_may_demand_it() -> None:
    deal = [list(cards) for cards in DEAL]
    deal[0][2], deal[0][6] = "R9", "R7"  # seat 0 gives its 10 and its 5 away
    deal[1][0], deal[2][0] = "R10", "Y5"
    hand = Hand.deal(load("kd_tournament"), 0, deal, NEST)
    assert [view_of(hand, seat).may_redeal for seat in (0, 1, 2, 3, None)] == [True, *[False] * 4]
    assert view_of(hand, 0).legal == ["redeal"]
    assert view_of(hand.act("0 redeal"), 0).phase == "redealt"


def test_a_trick_is_closed_when_the_next_one_is_complete() -> None:
    first = view_of(after(*TO_TRUMP, *TRICK), 0)
    assert [(t.leader, t.winner, t.points) for t in first.tricks] == [(1, 3, None)]
    assert first.tricks[0].cards is not None
    assert [card.card for card in first.tricks[0].cards] == ["G10", "G7", "G12", "G8"]
    assert [card.place for card in first.tricks[0].cards] == [1, 2, 3, 0]
    more = ["3 play G14", "0 play G9", "1 play G5", "2 play G6"]
    second = view_of(after(*TO_TRUMP, *TRICK, *more), 0)
    assert [trick.cards is None for trick in second.tricks] == [True, False]
    assert second.trick == []


def test_the_other_side_may_be_challenged_where_revokes_are_penalised() -> None:
    hand = after(*TO_TRUMP, *TRICK, renege="penalised")
    assert view_of(hand, 2).may_challenge == [1, 3]
    assert view_of(hand, None).may_challenge == []
    assert view_of(after(*TO_TRUMP, *TRICK), 2).may_challenge == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("five_person_poker", {1}), ("call_partner_5", {0, 1})],  # 0: the declarer's own card
)
def test_a_called_partner_knows_it_alone(name: str, expected: set[int]) -> None:
    unnamed = [
        hand
        for seed in range(12)
        for hand in positions(variant(name), seed)
        if hand.phase == "play" and hand.sides is None
    ]
    knowing = [sum(view_of(hand, seat).partner for seat in range(5)) for hand in unnamed]
    assert set(knowing) == expected
    assert all(view_of(hand, None).allies == [hand.declarer] for hand in unnamed)


def test_circus_cards_are_known_to_giver_and_receiver() -> None:
    checked = False
    for seed in range(40):
        for hand in positions(variant("circus"), seed):
            given = [action for action in hand.actions if action.verb is Verb.GIVE]
            if hand.phase in ("circus", "play") and given:
                for action in given:
                    assert [view_of(hand, action.seat).gave] == hand.names(action.cards)
                if hand.phase == "play":
                    received = {view_of(hand, seat).received for seat in range(4)}
                    assert received == set(hand.names(action.card for action in given))
                    checked = True
    assert checked


def test_a_dummy_lies_open_to_everybody_from_the_lead_on() -> None:
    hands = [hand for hand in positions(variant("display"), 5) if hand.phase == "play"]
    before, later = view_of(hands[0], 0), view_of(hands[1], None)
    assert before.dummy == later.dummy
    assert before.dummy_hand is None
    assert later.dummy_hand is not None
    turn = next(hand for hand in hands if hand.turn == hand.dummy)
    assert view_of(turn, turn.declarer).legal == turn.legal().as_json()
    assert view_of(turn, turn.dummy).legal == []


def test_everything_is_laid_open_when_the_hand_is_done() -> None:
    *_, hand = positions(variant("kd_tournament"), 0)
    for seat in (None, 0):
        laid = view_of(hand, seat, totals=(1, 2, 3, 4)).laid_open
        assert laid is not None
        assert laid.deal == [hand.names(cards) for cards in hand.dealt]
    view = view_of(hand, None, totals=(1, 2, 3, 4))
    assert view.totals == [1, 2, 3, 4]
    assert view.score == hand.score
    assert [trick.points for trick in view.tricks] == [trick.points for trick in hand.tricks]


def test_a_declared_rook_and_the_high_bid_are_seen() -> None:
    *_, hand = positions(variant("call_partner_4"), 0)
    view = view_of(hand, None)
    assert view.rook in ("high", "low")
    assert (view.rook == "low") == hand.rook_low
    assert (view.high_bid, view.high_bidder) == (hand.bid, hand.declarer)
