"""A check of every finished hand while the server runs: is it what the promises say?"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from itertools import accumulate, product
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from rookery.cards import Card, CardSet, Seat, pack_cards, unpack
from rookery.engine.state import Hidden
from rookery.game import BadAction, BadDeal, Hand, IllegalAction
from rookery.record import Record, RecordError, dumps, loads, of_hand, written_rules
from rookery.server.table import events as ev
from rookery.server.table.projection import public_event, snapshot
from rookery.server.table.state import Table


def unknown_to(hand: Hand, seat: Seat | None) -> CardSet:
    """Return the cards whose place `seat` cannot know; a watcher's, for None."""
    s, h = hand.state, hand.hidden
    known = s.trick_cards | s.face_up | s.exposed
    for place in range(hand.rules.hands):
        known |= s.captured[place]
    if seat is not None:
        known |= h.hand[seat]
        if h.gift[seat] >= 0:
            known |= 1 << h.gift[seat]
        if seat == hand.declarer:
            known |= h.pickup
            known |= h.nest if h.pickup else 0
    return pack_cards(hand.rules.deck) & ~known


def exchanged(hand: Hand, one: Card, other: Card) -> Hand:
    """Return the hand with two cards exchanged from the deal on: an alternate world."""
    swap = {one: other, other: one}

    def cards(mask: CardSet) -> CardSet:
        return pack_cards(swap.get(card, card) for card in unpack(mask))

    def row(cards: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(swap.get(card, card) for card in cards)

    world = copy(hand)
    h = hand.hidden
    h.hand, h.nest, h.pickup = [cards(mask) for mask in h.hand], cards(h.nest), cards(h.pickup)
    h.blind, h.gift = list(row(h.blind)), list(row(h.gift))
    h.allies = _allies(hand, h)
    world._hidden = h
    world.dealt = tuple(map(row, hand.dealt))
    world.nest_dealt = row(hand.nest_dealt)
    world.actions = tuple(
        action if action.verb.public else replace(action, cards=row(action.cards))
        for action in hand.actions
    )
    return world


def _allies(hand: Hand, h: Hidden) -> int:
    if not hand.called or hand.declarer is None:
        return h.allies
    allies = hand.state.allies
    for seat in range(hand.rules.seats):
        if any(h.hand[seat] >> card & 1 for card in hand.called):
            allies |= 1 << seat
    return allies


log = logging.getLogger("rookery.server.table.audit")

PAUSE: Final = 0.1  # seconds until a hand is looked at, and then until the next: 2 % of a core
ROOM: Final = 64  # hands that may wait; a server that is behind drops the rest

Found: TypeAlias = Literal["same", "different", "failed", "left out"]
LOOKS: Final = ("P7", "P10", "P11")


def shown(table: Table, seat: int | None) -> bytes:
    """Return what a seat, or a watcher for None, is sent of a table and of the acts at it."""
    acts = () if table.hand is None else table.hand.actions
    entries = (ev.Entry(0, 0, ev.Acted(act.seat, str(act), "person")) for act in acts)
    return msgspec.json.encode(
        [snapshot(table, seat), [public_event(one, seat) for one in entries]]
    )


class Auditor:
    """Checks the finished hands of a server's tables.

    Attributes:
        found: how many checks there were, by promise and result.
    """

    def __init__(self, below: Callable[[int], int] = secrets.randbelow) -> None:
        """Begin with no checks. `below(n)` returns a random number below n, to draw a sample."""
        self.found = Counter[tuple[str, Found]](dict.fromkeys(product(LOOKS, get_args(Found)), 0))
        self._below = below
        self._waiting: deque[Table] = deque()

    def observe(self, table: Table, entries: Sequence[ev.Entry]) -> None:
        """Check a table's hand soon, if these entries ended it."""
        if table.hand is None or not table.hand.over:
            return
        if not any(isinstance(entry.event, ev.Acted) for entry in entries):
            return
        if len(self._waiting) >= ROOM:
            self.found.update((promise, "left out") for promise in LOOKS)
            return
        self._waiting.append(table)
        if len(self._waiting) == 1:
            self._look_later()

    def _look_later(self) -> None:
        asyncio.get_running_loop().call_later(PAUSE, self._look)

    def _look(self) -> None:
        self.audit(self._waiting.popleft())
        if self._waiting:
            self._look_later()

    def audit(self, table: Table) -> None:
        """Check the finished hand of a table and count the result. Raise nothing."""
        if table.hand is None:
            return
        with self._noted("P11", table):
            positions = self._replayed(table, table.hand)
            with self._noted("P10", table):
                self._count("P10", table, same=all(map(_every_card_once, positions)))
            with self._noted("P7", table):
                self._shown_alike(table, positions)

    @contextmanager
    def _noted(self, promise: str, table: Table) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.found[promise, "failed"] += 1
            # Its words may hold a card.
            log.error("table %s: no look at %s: %s", table.code, promise, type(error).__name__)

    def _replayed(self, table: Table, hand: Hand) -> list[Hand]:
        """Play the hand's record again; return each position of it."""
        kept = Record(hand.rules, written_rules(hand.rules), None, [of_hand(hand)])
        try:
            positions = _positions(loads(dumps(kept)))
        except (RecordError, BadDeal, BadAction, IllegalAction):
            self._count("P11", table, same=False)
            return [hand]
        self._count("P11", table, same=_outcome(positions[-1]) == _outcome(hand))
        return positions

    def _shown_alike(self, table: Table, positions: Sequence[Hand]) -> None:
        """Check that a seat is shown the same in two worlds that it cannot tell apart."""
        hand = positions[self._below(len(positions))]
        seat = (None, *range(hand.rules.seats))[self._below(1 + hand.rules.seats)]
        closed = list(unpack(unknown_to(hand, seat)))
        if hand.over or len(closed) < 2:
            return
        one_card = closed.pop(self._below(len(closed)))
        other = exchanged(hand, one_card, closed[self._below(len(closed))])
        worlds = (_at(table, hand), _at(table, other))
        one, two = (shown(world, seat) for world in worlds)
        self._count("P7", table, same=one == two)

    def _count(self, promise: str, table: Table, *, same: bool) -> None:
        self.found[promise, "same" if same else "different"] += 1
        if not same:
            log.error("table %s: a hand is not as %s promises", table.code, promise)


def _outcome(hand: Hand) -> object:
    return hand.phase, hand.actions, hand.status(), hand.dealt, hand.nest_dealt


def _positions(record: Record) -> list[Hand]:
    written = record.hands[0]
    hand = Hand.deal(record.rules, written.dealer, written.deal or [], written.nest)
    return list(accumulate(written.actions, Hand.act, initial=hand))


def _every_card_once(hand: Hand) -> bool:
    (s, h), hands = hand.records, hand.rules.hands
    places = (*h.hand[:hands], h.nest, *s.captured[:hands], s.trick_cards)
    count = sum(place.bit_count() for place in places)
    return count == hand.rules.cards and sum(places) == pack_cards(hand.rules.deck)


def _at(table: Table, hand: Hand) -> Table:
    """Return the table as it was, or would have been, at a position of its last hand."""
    if table.match is None:
        raise ValueError("a hand outside a match")
    match = table.match.last_hand_only(hand)
    match.lines = match.lines[:-1]
    return msgspec.structs.replace(table, phase="playing", match=match, pending=None)
