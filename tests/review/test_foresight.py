"""Whoever does not see through the backs shows no foresight, and whoever does is found."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
from hypothesis import given
from tests.review.matches import played

from rookery.cards import Card, unpack
from rookery.engine.state import Hidden, State
from rookery.engine.trick import following
from rookery.game import Hand
from rookery.lab.observations import PARTS, WorldSampler, foresight
from rookery.review.hand_review import is_decision, steps_of
from rookery.review.open_cards import OpenValues, Points
from rookery.rules import load


@st.composite
def positions(draw: st.DrawFn) -> tuple[Points, int]:
    """Draw what cards are worth in some hands, and which was played."""
    hands, cards = draw(st.integers(2, 9)), draw(st.integers(2, 6))
    points = st.integers(-12, 12).map(lambda value: 5 * value)
    rows = draw(
        st.lists(st.lists(points, min_size=cards, max_size=cards), min_size=hands, max_size=hands)
    )
    return np.array(rows, dtype=np.int64), draw(st.integers(0, cards - 1))


@given(positions())
def test_over_all_hands_that_may_be_the_true_one_it_comes_to_nothing(
    position: tuple[Points, int],
) -> None:
    values, done = position
    turned = [foresight(np.roll(values, shift, axis=0), done) for shift in range(len(values))]
    assert abs(sum(turned)) <= len(values)  # each is rounded to a thousandth


@given(positions(), st.permutations(range(8)), st.permutations(range(6)))
def test_neither_the_order_of_the_cards_nor_that_of_the_hands_matters(
    position: tuple[Points, int], hands: list[int], cards: list[int]
) -> None:
    values, done = position
    others = [1 + at for at in hands if at < len(values) - 1]
    order = [at for at in cards if at < values.shape[1]]
    moved = values[[0, *others]][:, order]
    assert foresight(moved, order.index(done)) == foresight(values, done)


@given(positions())
def test_where_all_cards_are_equal_there_is_none(position: tuple[Points, int]) -> None:
    values, done = position
    assert foresight(np.repeat(values[:, :1], values.shape[1], axis=1), done) == 0


def test_the_card_that_works_in_the_true_hand_alone_shows_most() -> None:
    values = np.array([[0, 20], [20, 0], [20, 0], [20, 0], [20, 0]])
    assert foresight(values, 0) == 0
    assert foresight(values, 1) == 32 * PARTS
    assert foresight(values[[1, 0, 2, 3, 4]], 1) == -8 * PARTS


def turned(hand: Hand) -> Hand:
    """Return the hand with everybody one seat on."""
    seats, names = hand.rules.seats, hand.names
    dealt = [hand.dealt[(seat - 1) % seats] for seat in range(seats)]
    new = Hand.deal(
        hand.rules, (hand.dealer + 1) % seats, [names(cards) for cards in dealt],
        names(hand.nest_dealt),
    )  # fmt: skip
    for action in hand.actions:
        new = new.act((action.seat + 1) % seats, action.words)
    return new


def test_the_same_play_in_other_seats_is_worth_the_same() -> None:
    hand = played(load("kd_tournament"), ["club", "random"] * 2, 6)
    values, worlds, seen = OpenValues(hand.table), WorldSampler(hand.table), 0
    for step, moved in zip(steps_of(hand), steps_of(turned(hand)), strict=True):
        if step.action.verb == "play" and is_decision(step) and len(step.before.tricks) > 3:
            drawn = worlds.draw(step.before, 4, 3)
            cards = choice(step.before)
            assert cards == choice(moved.before)
            here = values.of(step.before.state, [step.before.hidden, *drawn], cards)
            there = values.of(
                moved.before.state, [moved.before.hidden, *map(one_seat_on, drawn)], cards
            )
            assert here is not None
            assert there is not None
            assert here.tolist() == there.tolist()
            seen += len({*here[:, 0]}) > 1
    assert seen > 3


def one_seat_on(hidden: Hidden) -> Hidden:
    """Return closed cards of four seats, each with the seat on the left."""
    hand = [*hidden.hand[3:4], *hidden.hand[:3], *hidden.hand[4:]]
    allies = (hidden.allies << 1 | hidden.allies >> 3) & 15
    return replace(hidden, hand=hand, allies=allies)


def choice(hand: Hand) -> list[Card]:
    """Return the cards that may be played."""
    state: State = hand.state
    return list(unpack(following(hand.table, state, hand.hidden.hand[state.turn])))
