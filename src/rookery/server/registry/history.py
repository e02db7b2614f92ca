"""What was played at tables, read from their events: a table itself keeps only its last hand."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from rookery.game import Hand, ScoreLine
from rookery.record import HandRecord, of_hand
from rookery.rules import Rules
from rookery.server import names
from rookery.server.clock import Clock
from rookery.server.cluster.pubsub import PubSub
from rookery.server.counters import Tally
from rookery.server.live.actor import Actor
from rookery.server.registry.calendar import Calendar
from rookery.server.settings import Settings
from rookery.server.store.base import Store, StoreError, TableRow, Unreadable
from rookery.server.store.leases import Lease, Leases
from rookery.server.table import events as ev
from rookery.server.table.fold import Cancelled, cancelled_at, next_of
from rookery.server.table.promise import Proof
from rookery.server.table.state import Table
from rookery.server.work import ACCOUNT, AT_WORK, Tab, in_one_of

CAPACITY: Final = 8_000  # hands of all tables together that are kept; one takes about 2 KB
PIECE: Final = 1_000  # events that are taken in one go; that takes less than a tenth of a second
_People: TypeAlias = tuple[tuple[str, int], ...]
TABLE_SIZE: Final = 5  # hands that take as much memory as a table without its history


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that is over; it may have ended in a redeal.

    Attributes:
        line: its line in the score sheet of the match.
        written: its deal and its actions, as a record has them.
        proof: how it was dealt; None where a record tells of it, which keeps its own proof.
        people: the people who had a seat when it ended, each with the seat.
        players: the name at each seat when it ended.
        bots: the bot at each seat when it ended; None for a person.
        sides: who played with whom, the declarer's side first; none where that was never known.
        made: whether the contract was made; after a revoke, whether its declarer scored above zero.
            None without one.
        whole: whether the people who had a seat then played all of it, from the deal on.
    """

    line: ScoreLine
    written: HandRecord
    proof: Proof | None
    people: _People
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    sides: tuple[tuple[int, ...], ...]
    made: bool | None
    whole: bool = False

    @property
    def declaring(self) -> tuple[int, ...]:
        """The seats of the declarer's side; none without a contract."""
        return next((side for side in self.sides if self.line.declarer in side), ())


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a table: those of its hands that are over.

    Attributes:
        rules: the rules it was played by.
        players: the name at each seat when it began.
        bots: the bot at each seat when it began; None for a person.
        hands: the hands that are over, in order.
        winners: the seats that have won; None while the match goes on.
        begun: when it began, milliseconds since 1970.
        strangers: whether people sat at all seats then, all of whom came by quick match.
        handed: whether it was played on a device, which may have chosen the deals.
    """

    rules: Rules
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    hands: tuple[PlayedHand, ...] = ()
    winners: tuple[int, ...] | None = None
    begun: int = 0
    strangers: bool = False
    handed: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """A table, and every match that was begun there.

    Attributes:
        table: the table after the last event that was read.
        matches: its matches in order.
        whole: the people, with their seats, who have played all of the hand under way; nobody once
            a bot has decided for one of them.
    """

    table: Table
    matches: tuple[PlayedMatch, ...] = ()
    whole: _People = ()

    @property
    def hands(self) -> int:
        """How many hands are over."""
        return sum(len(match.hands) for match in self.matches)


EMPTY: Final = History(Table(""))


def history_of(entries: Sequence[ev.Entry], since: History = EMPTY) -> History:
    """Return the history that a table's events make; or, from later events, how `since` goes on.

    Raises:
        Unreadable: the events do not follow one another.
    """
    table, matches, at = since.table, list(since.matches), 0
    hands, whole = list(matches[-1].hands) if matches else [], since.whole
    while at < len(entries):
        if run := cancelled_at(table, entries, at):
            hands += _cancelled(run)
            table, at = run.table, at + run.events
        entry = entries[at]
        if isinstance(entry.event, ev.MatchBegun):
            _close(matches, hands, table)
            hands = []
        try:
            table, events = next_of(table, entries, at)
        except (ValueError, LookupError) as error:
            what = f"event {entry.seq} of table {table.code} has no place: {type(error).__name__}"
            raise Unreadable(what) from None
        whole = _whole(whole, table, entries[at : at + events])
        at += events
        if isinstance(entry.event, ev.MatchBegun):
            strangers, handed = all(chair.matched for chair in table.chairs), entry.event.handed
            who = tuple(entry.event.players), _bots(table)
            match = PlayedMatch(table.rules, *who, (), None, entry.at, strangers, handed)
            matches.append(match)
        elif table.hand is not None and table.hand.over and len(hands) <= table.place:
            hands += _played(table, table.hand, whole)
    _close(matches, hands, table)
    return History(table, tuple(matches), whole)


def _close(matches: list[PlayedMatch], hands: Sequence[PlayedHand], table: Table) -> None:
    if matches and table.match is not None:
        matches[-1] = replace(matches[-1], hands=tuple(hands), winners=table.match.winners)


def _whole(before: _People, table: Table, entries: Sequence[ev.Entry]) -> _People:
    """Return who has played all of the hand under way, after some events; `table` is after them."""
    for event in (entry.event for entry in entries):
        if isinstance(event, ev.HandDealt):
            before = _seated(table)[0]
        elif isinstance(event, ev.Left):
            before = ()  # they may have come back, and somebody has looked at the cards meanwhile
        elif isinstance(event, ev.Acted) and event.by in ("auto", "bot"):
            before = before if table.chairs[event.seat].kind == "bot" else ()
    return before


def _played(table: Table, hand: Hand, whole: _People) -> Iterator[PlayedHand]:
    if table.proof is None or table.match is None:
        return
    written = of_hand(hand)
    # The same few texts are in every hand of every table.
    written.actions = [sys.intern(action) for action in written.actions]
    line = table.match.lines[-1]
    made = hand.made
    if hand.revoked and hand.score and hand.declarer is not None:
        made = hand.score[hand.declarer] > 0
    seated = _seated(table)
    every = hand.phase == "done" and seated[0] == whole
    yield PlayedHand(line, written, table.proof, *seated, hand.sides or (), made, every)


def _cancelled(run: Cancelled) -> Iterator[PlayedHand]:
    lines, seated = run.table.scores[-len(run.deals) :], _seated(run.table)
    for line, dealt, proof in zip(lines, run.deals, run.proofs, strict=True):
        written = HandRecord(dealt.dealer, dealt.deal, dealt.nest)
        yield PlayedHand(line, written, proof, *seated, (), None)


def _bots(table: Table) -> tuple[str | None, ...]:
    return tuple(chair.bot for chair in table.chairs)


def _seated(table: Table) -> tuple[_People, tuple[str, ...], tuple[str | None, ...]]:
    chairs = table.chairs
    people = tuple((chair.person, seat) for seat, chair in enumerate(chairs) if chair.person)
    return people, tuple(chair.name for chair in chairs), _bots(table)


class Histories:
    """The histories that were asked for last, so that only later events have to be read again."""

    def __init__(self, store: Store, capacity: int = CAPACITY) -> None:
        """Begin with none; `capacity` is how many hands are kept, or else one table alone."""
        self._store, self._capacity = store, capacity
        self._known: OrderedDict[str, tuple[Hashable, History]] = OrderedDict()
        self._reading = defaultdict[str, asyncio.Lock](asyncio.Lock)  # by the database

    async def of(
        self, code: str, mark: Hashable, wanted: Callable[[], bool] = lambda: True
    ) -> History | None:
        """Return the history of a table; None where there is no such table.

        A request that cannot pay for all of it ends; the next one goes on from there.
        While `mark` is the same, events that were read before have not changed. None is returned
        too where it is no longer `wanted`.
        """
        history, account = EMPTY, ACCOUNT.get() or Tab()
        while True:
            await account.go_on()
            # Of all tables together one piece at a time, or whoever plays would feel it. But a
            # database that hangs has no others wait.
            async with self._reading[names.place_of(code)]:
                if not wanted():
                    return None
                known, found = self._known.get(code, (mark, EMPTY))
                if known == mark and found.table.seq > history.table.seq:
                    history = found  # somebody else has read on meanwhile
                entries = await self._store.read(code, history.table.seq, PIECE)
                if entries:
                    history = await in_one_of(AT_WORK, partial(history_of, entries, history))
                if history.table.seq and wanted():
                    self.keep(code, mark, history)
            if len(entries) < PIECE:
                return history if history.table.seq else None

    def keep(self, code: str, mark: Hashable, history: History) -> None:
        """Keep a history, and as many of the others as there is room for."""
        self._known[code] = mark, history
        self._known.move_to_end(code)
        while len(self._known) > 1 and self.size > self._capacity:
            self._known.popitem(last=False)

    def forget(self, code: str | None = None) -> None:
        """Read a table, or all of them, from the first event the next time."""
        if code is None:
            self._known.clear()
        else:
            self._known.pop(code, None)

    @property
    def size(self) -> int:
        """How much is kept, in hands."""
        return sum(TABLE_SIZE + history.hands for _, history in self._known.values())


class TableReader:
    """The tables of one server: those in memory as they are, others as the store has them.

    Attributes:
        clock: the clock that all timers go by.
        leases: which of the store's tables this server has.
        pubsub: the way to tell other servers of changes.
        calendar: what has expired.
    """

    def __init__(
        self, store: Store, settings: Settings, clock: Clock, leases: Leases, pubsub: PubSub
    ) -> None:
        self.store, self.settings, self.clock = store, settings, clock
        self.leases, self.pubsub, self.tally = leases, pubsub, Tally()
        self.calendar = Calendar(store, clock, settings)
        self._actors: dict[str, Actor] = {}
        self._histories = Histories(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def actors(self) -> list[Actor]:
        """The tables in memory."""
        return list(self._actors.values())

    async def of_deleted_evenings(self) -> list[str]:
        """Return the tables in memory whose evening is deleted: another server may have done it."""
        joined = {code: one.table.evening for code, one in self._actors.items()}
        evenings = {one.evening for one in joined.values() if one is not None}
        try:
            deleted = {code for code in evenings if await self.store.sheets.of(code, 0) is None}
        except StoreError:  # the first database is lost, and maybe not that of the tables
            return []
        return [code for code, one in joined.items() if one and one.evening in deleted]

    async def table(self, code: str) -> Table | None:
        """Return the table of a code, in either letter case; None where there is none."""
        code = code.strip().upper()
        if (actor := self._alive(code)) is not None:
            return actor.table
        history = await self.history(code)
        return None if history is None else history.table

    async def tables_of(self, person: str) -> list[TableRow]:
        """Return the tables where a person has sat that are still to be found, the latest first."""
        rows = await self.store.tables_of(person)
        return [row for row in rows if self._alive(row.code) or not self.calendar.hides(row)]

    async def history(self, code: str) -> History | None:
        """Return all that was played at a table, from the store; None where there is no table."""
        code = code.strip().upper()
        if not names.is_code(code):
            return None
        # Events are rewritten only under this lock, or under another lease.
        async with self.lock(code):
            if (actor := self._alive(code)) is not None:
                return await self._histories.of(code, actor.lease)
            row = await self.store.row(code)
            if row is None or self.calendar.hides(row):
                return None
            return await self._histories.of(code, row.version)

    async def read_ahead(self, code: str) -> None:
        """Read a table's past, as fast as whoever asks can pay for it; nobody else waits for it."""
        row = await self.store.row(code) if names.is_code(code) else None
        if row is None or self.calendar.hides(row) or await self.leases.elsewhere(code):
            return
        await self._histories.of(code, row.version, lambda: not self.is_awake(code))

    def lock(self, code: str) -> asyncio.Lock:
        """Return the lock under which a table is brought to life, put to sleep or rewritten."""
        return self._locks.setdefault(code, asyncio.Lock())

    def is_awake(self, code: str) -> bool:
        """Return whether a table is in memory."""
        return code in self._actors

    def recall(self, code: str) -> None:
        """Read a table anew the next time: its events are about to change."""
        self._histories.forget(code)

    async def stop(self, code: str, closing: int, reason: str) -> None:
        """Put a table to sleep if it is in memory; its sockets are closed with that code."""
        if (actor := self._actors.pop(code, None)) is not None:
            await actor.stop(closing, reason)

    async def rewritten(
        self, code: str, rewrite: Callable[[Lease, Table], Awaitable[Table]]
    ) -> bool:
        """Have a table in memory rewritten, see `Actor`; return False for one that is not."""
        if (actor := self._alive(code)) is None:
            return False
        try:
            return await actor.rewritten(rewrite)
        except StoreError:
            actor.lose()  # more may be stored than it knows of: it is read again
            raise

    def _alive(self, code: str) -> Actor | None:
        actor = self._actors.get(code)
        return None if actor is None or actor.gone else actor
