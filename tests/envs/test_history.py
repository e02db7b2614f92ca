"""What a seat was told, token by token: all that it saw, in order, and nothing that it did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

pytest.importorskip("numpy")

from tests.envs.following import dealt_at

from rookery.cards import parse_card, unpack
from rookery.engine.actions import ACTIONS, BID, LEADS, PASS, apply, legal
from rookery.engine.records import copy_of
from rookery.engine.state import AUCTION, CIRCUS_PASS, DONE, NEST, Hidden, State
from rookery.envs.observations import history
from rookery.envs.observations.history import (
    CALLED,
    DEALS,
    DEALT,
    DISCARDED,
    DISCARDED_ONE,
    EACH_WORD,
    FOUND,
    GAVE,
    GAVE_ONE,
    GOT,
    OPEN,
    SAID,
    VOCABULARY,
    WHATS,
    history_words,
)
from rookery.envs.tables import Tables
from rookery.game import Hand
from rookery.rules import catalog
from rookery.rules.table import RuleTable, compile_rules
from rookery.view import view_of


def cards(hand: Hand, names: list[str] | None) -> set[int]:
    """Return cards by their numbers."""
    return {parse_card(name, hand.rules.pack) for name in names or ()}


class Expected:
    """The tokens that a seat should have been told, made from its views of a hand."""

    def __init__(self, hand: Hand, seat: int) -> None:
        self.seat = seat
        self.tokens: list[int] = []
        self.say(hand.dealer, DEALS, hand)
        view = view_of(hand, seat)
        found = cards(hand, view.nest_found)
        self.say_all(seat, DEALT, cards(hand, view.hand) - found, hand)
        self.say_all(None, OPEN, cards(hand, view.nest_face_up), hand)
        self.say_all(seat, FOUND, found, hand)
        self.before = view

    def say(self, place: int | None, what: int, hand: Hand) -> None:
        seats = hand.rules.seats
        who = 0 if place is None else 9 if place == seats else 1 + (place - self.seat) % seats
        self.tokens.append(who * WHATS + what)

    def say_all(self, place: int | None, first: int, some: set[int], hand: Hand) -> None:
        for card in sorted(some):
            self.say(place, first + card, hand)

    def follow(self, before: Hand, number: int, after: Hand) -> None:
        """Add what the seat sees of an action."""
        place, mine = before.state.turn, before.state.turn == self.seat
        was, now = self.before, view_of(after, self.seat)
        if before.phase == "nest":
            self.say(place, DISCARDED + number if mine else DISCARDED_ONE, after)
        elif before.phase == "circus":
            self.say(place, GAVE + number if mine else GAVE_ONE, after)
        elif before.phase == "call" and number < BID:
            self.say(place, CALLED + number, after)
        elif before.phase == "leader":
            self.say(place, LEADS + (number - LEADS - self.seat) % after.rules.seats, after)
        else:
            self.say(place, number, after)
        blind = after.rules.seats
        if after.rules.blind:
            turned = after.state.played_by[blind] & ~before.state.played_by[blind]
            self.say_all(blind, 0, set(unpack(turned)), after)
        new = cards(after, now.nest_face_up) - cards(after, was.nest_face_up)
        self.say_all(None, OPEN, new, after)
        found = cards(after, now.nest_found) - cards(after, was.nest_found)
        self.say_all(self.seat, FOUND, found, after)
        if now.nest_statement != was.nest_statement:
            said = {"points": 1, "none": 0}.get(str(now.nest_statement), now.nest_statement)
            assert isinstance(said, int)
            self.say(place, SAID + said, after)
        if now.received and not was.received:
            self.say(self.seat, GOT + parse_card(now.received, after.rules.pack), after)
        if now.dummy_hand and not was.dummy_hand:
            self.say_all(now.dummy, OPEN, cards(after, now.dummy_hand), after)
        self.before = now


def tokens_of(tables: Tables, seat: int) -> list[int]:
    """Return what a seat of the first table was told, without the padding behind it."""
    row = tables.histories[0, seat].tolist()
    told = len(row) - next((i for i, token in enumerate(reversed(row)) if token), len(row))
    assert told < len(row), "the row is full: something may be missing"
    return list(row[:told])


def longest_auction(tables: Tables) -> Iterator[int]:
    """Yield actions that make an auction as long as the rules allow, then any legal ones."""
    draw = Random(5)
    while tables.seats[0] >= 0:
        s, mask = tables.states[0], tables.masks[0]
        bids = [i for i in range(BID, PASS) if mask[i]]
        waits = tables.rules.return_after_pass and s.passes_in_a_row < tables.rules.seats - 2
        if s.phase == AUCTION and mask[PASS] and (waits or not bids):
            yield PASS
        elif bids:
            yield bids[0]
        else:
            yield draw.choice([i for i in range(ACTIONS) if mask[i]])


def compared(tables: Tables, choose: Callable[[], int]) -> int:
    """Play a hand, and compare what every seat was told; return how many tokens there were."""
    seats = range(tables.rules.seats)
    hand = dealt_at(tables)
    expected = [Expected(hand, seat) for seat in seats]
    while not hand.over and hand.phase != "redealt":
        number = choose()
        tables.step([number])
        after = hand.do(number)
        if after.phase == "redealt":
            after = dealt_at(tables)
            expected = [Expected(after, seat) for seat in seats]
        else:
            for one in expected:
                one.follow(hand, number, after)
        hand = after
        for seat in seats:
            assert tokens_of(tables, seat) == expected[seat].tokens, (hand.actions, seat)
    return sum(len(one.tokens) for one in expected)


@pytest.mark.parametrize("name", catalog())
def test_a_seat_is_told_what_its_views_say(name: str) -> None:
    tables = Tables(name, target="python", observations=["history"])
    for seed in range(2):
        tables.begin(seed, dealer=seed)
        told = compared(tables, lambda: int(tables.draw()[0]))
        assert told > tables.rules.seats * tables.rules.hand_size
        assert int(tables.histories.max()) < VOCABULARY


@pytest.mark.parametrize("name", catalog())
def test_there_is_room_for_the_longest_auction(name: str) -> None:
    tables = Tables(name, target="python", observations=["history"])
    tables.begin(11)
    actions = longest_auction(tables)
    compared(tables, lambda: next(actions))


# Nothing hidden: what a seat cannot see is dealt again, and the hand is played again.


def replayed(
    table: RuleTable, s: State, h: Hidden, actions: list[int], swapped: tuple[int, int]
) -> list[list[int]] | None:
    """Play actions again from a deal, with two cards exchanged in what is done in secret.

    Returns what each seat was told; None where an action is not legal now.
    """
    width = history_words(table)
    told, notes = [0] * (width * table.seats), [0] * table.seats
    everybody = (1 << table.seats) - 1
    history.tell_deal(table, s, h, told, notes, 0, everybody)
    one, two = swapped
    for action in actions:
        if s.phase in (NEST, CIRCUS_PASS):
            action = {one: two, two: one}.get(action, action)
        room = [0] * ACTIONS
        if action not in room[: legal(table, s, h, room)]:
            return None
        history.act_and_tell(table, s, h, action, told, notes, 0, everybody)
    rows = [told[width * seat : width * (seat + 1)] for seat in range(table.seats)]
    return [[word >> 16 * i & 0xFFFF for word in row for i in range(EACH_WORD)] for row in rows]


def exchange(h: Hidden, one: int, two: int) -> None:
    """Let two cards change places, wherever they were dealt."""
    both = 1 << one | 1 << two

    def turned(some: int) -> int:
        return some ^ both if (some & both).bit_count() == 1 else some

    h.hand = [turned(some) for some in h.hand]
    h.nest, h.pickup = turned(h.nest), turned(h.pickup)
    h.blind = [{one: two, two: one}.get(card, card) for card in h.blind]


def unseen(s: State, h: Hidden, seat: int, table: RuleTable) -> list[tuple[int, int]]:
    """Return the cards that a seat cannot see, each with where it lies: a place, or -1."""
    seats = range(table.seats + table.blind)
    places = {place: h.hand[place] for place in seats if place != seat}
    if s.dummy >= 0:
        places.pop(s.dummy, None)
    if not (seat == s.declarer and h.pickup):
        places[-1] = h.nest
    known = s.face_up | (1 << h.gift[seat] if h.gift[seat] >= 0 else 0)
    return [(card, place) for place, some in places.items() for card in unpack(some & ~known)]


def leaks(name: str, seed: int) -> tuple[int, int, list[tuple[int, int, int]]]:
    """Return how often a seat was asked, how often another saw a difference, and who leaked."""
    tables = Tables(name, target="python")
    tables.begin(seed)
    table = compile_rules(tables.rules)
    dealt = copy_of(tables.states[0]), copy_of(tables.hiddens[0])
    draw = Random(seed)
    s, h = (copy_of(one) for one in dealt)
    actions: list[int] = []
    asked = noticed = 0
    found = []
    while s.phase < DONE:
        here = replayed(table, copy_of(dealt[0]), copy_of(dealt[1]), actions, (-1, -1))
        assert here is not None
        for seat in range(table.seats):
            pairs = [
                (a[0], b[0]) for a, b in combinations(unseen(s, h, seat, table), 2) if a[1] != b[1]
            ]
            for one, two in draw.sample(pairs, min(3, len(pairs))):
                other_s, other_h = (copy_of(r) for r in dealt)
                exchange(other_h, one, two)
                there = replayed(table, other_s, other_h, actions, (one, two))
                if there is None or other_s != s:
                    continue  # everybody would have seen that
                asked += 1
                noticed += here != there
                if here[seat] != there[seat]:
                    found.append((seat, one, two))
        room = [0] * ACTIONS
        action = draw.choice(room[: legal(table, s, h, room)])
        actions.append(action)
        apply(table, s, h, action)
        if len(actions) > 30:
            break
    return asked, noticed, found


# Closed and open nests, called partners, a dummy, a blind hand, a circus, statements.
LAW = (
    "kd_tournament", "call_partner_pagat", "rook_two_1914", "display", "circus", "rook_1906_8",
)  # fmt: skip


@pytest.mark.parametrize("name", LAW)
def test_nothing_that_is_hidden_was_told(name: str) -> None:
    asked = noticed = 0
    for seed in range(3):
        one, other, found = leaks(name, seed)
        assert found == []
        asked, noticed = asked + one, noticed + other
    assert asked > 40
    assert noticed > asked / 2  # the control: whoever was dealt another card was told so


def test_a_discard_that_everybody_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control with a fault planted: others are told which card was discarded."""
    tell: Any = history.tell

    def telling(*given: Any) -> None:  # noqa: ANN401
        *before, what, others = given
        tell(*before, what, what if others == DISCARDED_ONE else others)

    monkeypatch.setattr(history, "tell", telling)
    assert any(leaks("kd_tournament", seed)[2] for seed in range(3))


def test_cards_of_others_that_everybody_is_told_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another: everybody is told what everybody was dealt."""
    tell_cards: Any = history.tell_cards

    def telling(*given: Any) -> None:  # noqa: ANN401
        tell_cards(*given[:-1], True)

    monkeypatch.setattr(history, "tell_cards", telling)
    assert leaks("kd_tournament", 1)[2]


def test_a_table_that_nobody_asks_keeps_no_history() -> None:
    tables = Tables("kd_tournament", target="python")
    tables.begin(1)
    assert tables.histories.size == tables.oracles.size == 0
    assert tables.parts == ("compact",)
