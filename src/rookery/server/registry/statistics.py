"""What somebody has played on this server, added up from finished hands."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydantic import BaseModel

from rookery.server.store.base import Store
from rookery.server.table.events import Entry
from rookery.server.table.state import Table, evolve

TABLES: Final = 100  # of a person's tables, the last ones are counted
KEPT: Final = 512  # tables whose hands are remembered


class Statistics(BaseModel):
    """A person's figures, in hands, matches and game points.

    A hand is *declared* where the person, or a partner, won the auction, and *made* where that
    scored above zero; else it is *defended*, and *defeated* where the declarer was set.
    """

    tables: int = 0
    matches: int = 0
    matches_won: int = 0
    hands: int = 0
    points: int = 0
    best_hand: int | None = None
    declared: int = 0
    made: int = 0
    bid_total: int = 0
    defended: int = 0
    defeated: int = 0
    variants: dict[str, int] = {}


class _Hand(NamedTuple):
    """A finished hand: who sat where, and how it ended."""

    variant: str
    people: dict[str, int]
    score: tuple[int, ...]
    declarer: int | None
    bid: int | None
    declaring: frozenset[int]
    winners: tuple[int, ...] | None


class Counting:
    """Statistics of one server; a table's hands are worked out once, off the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, tuple[int, list[_Hand]]] = OrderedDict()  # by the version

    async def of(self, person: str) -> Statistics:
        """Return the figures of a person."""
        codes = (await self._store.tables_of(person))[:TABLES]
        found = [hand for code in codes for hand in await self._hands(code)]
        return _added(person, len(codes), found)

    async def _hands(self, code: str) -> list[_Hand]:
        row = await self._store.row(code)
        if row is None:
            return []
        version, hands = self._known.get(code, (None, []))
        if version != row.version:
            entries = await self._store.read(code)
            hands = await asyncio.to_thread(_hands, entries)
        self._known[code] = row.version, hands
        self._known.move_to_end(code)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return hands


def _hands(entries: Sequence[Entry]) -> list[_Hand]:
    table, found, done = Table(""), list[_Hand](), False
    for entry in entries:
        table = evolve(table, entry)
        over = table.hand is not None and table.hand.phase == "done"
        if over and not done:
            found.append(_ended(table))
        done = over
    return found


def _ended(table: Table) -> _Hand:
    hand, match = table.hand, table.match
    if hand is None or match is None or hand.score is None:
        raise ValueError("the hand is not done")
    declarer = hand.declarer
    side = next((side for side in hand.sides or () if declarer in side), ())
    return _Hand(
        variant=hand.rules.name,
        people={chair.person: seat for seat, chair in enumerate(table.chairs) if chair.person},
        score=tuple(hand.score),
        declarer=declarer,
        bid=hand.bid if isinstance(hand.bid, int) else None,
        declaring=frozenset(side) if declarer is not None else frozenset(),
        winners=match.winners,
    )


def _added(person: str, tables: int, hands: Iterable[_Hand]) -> Statistics:
    sums = Statistics(tables=tables)
    for hand in hands:
        seat = hand.people.get(person)
        if seat is None:
            continue
        score = hand.score[seat]
        sums.hands += 1
        sums.points += score
        sums.best_hand = score if sums.best_hand is None else max(score, sums.best_hand)
        sums.variants[hand.variant] = sums.variants.get(hand.variant, 0) + 1
        if hand.declarer is not None:
            made = hand.score[hand.declarer] > 0
            if seat in hand.declaring:
                sums.declared += 1
                sums.made += made
                sums.bid_total += hand.bid or 0
            else:
                sums.defended += 1
                sums.defeated += not made
        if hand.winners is not None:
            sums.matches += 1
            sums.matches_won += seat in hand.winners
    return sums
