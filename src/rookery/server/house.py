"""All tables of this server: made, found, listed, put to sleep and forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from weakref import WeakValueDictionary

from rookery.rules import Rules
from rookery.server import events as ev
from rookery.server import seating, words
from rookery.server.actor import MOVED, Actor
from rookery.server.bots import BotThreads, Thinker, known_bot
from rookery.server.clockwork import Clock, SystemClock
from rookery.server.dealing import promised
from rookery.server.deals import Secret, secret
from rookery.server.forgetting import without
from rookery.server.refusals import Refused, refused
from rookery.server.settings import DAY, PaceName, Settings
from rookery.server.store import Store, StoreError, TableRow
from rookery.server.table import Table, Who, evolve, frozen_rules

log = logging.getLogger("rookery.server.house")

_LISTED = 50
_REMEMBERED = 64
_SWEEP = 60_000
_EXPIRY = 3_600_000


class OpenTable(NamedTuple):
    """A table that strangers may join, as it is listed."""

    code: str
    title: str
    rules: str
    phase: str
    seats: int
    people: int
    free: int


class House:
    """The tables of one server process, and the only way to them.

    Attributes:
        store: where everything is kept.
        clock: what all timers go by.
        settings: how the server runs.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock | None = None,
        thinker: Thinker | None = None,
        chance: Secret = secret,
    ) -> None:
        """Begin with no table in memory; those of the store are found when they are asked for."""
        self.store = store
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self._own_threads = (
            None if thinker else BotThreads(settings.bot_threads, settings.bot_deadline)
        )
        self._thinker: Thinker = thinker or self._own_threads or BotThreads()
        self._chance = chance
        self._actors: dict[str, Actor] = {}
        self._asleep: dict[str, tuple[int, Table]] = {}  # and when it was last touched
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sweeper: asyncio.Task[None] | None = None
        self._expires_at = 0

    def open(self) -> None:
        """Begin to put idle tables to sleep."""
        self._sweeper = asyncio.create_task(self._sweeping(), name="sweeper")

    async def close(self) -> None:
        """Close all connections and the store."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
        await asyncio.gather(*(actor.stop() for actor in self._actors.values()))
        self._actors.clear()
        if self._own_threads is not None:
            self._own_threads.close()
        await self.store.close()

    async def create(
        self,
        who: Who,
        rules: Rules,
        *,
        title: str = "",
        listed: bool = False,
        bots: Sequence[str] = (),
        pace: PaceName = "normal",
        clock: int | None = None,
    ) -> Actor | Refused:
        """Return a new table with its maker as host in seat 0, and bots from seat 1 on.

        Refused with the codes ``bad-title unknown-bot bad-setting no-seat``.

        Raises:
            StoreError: it cannot be stored.
        """
        try:
            shown = words.title(title)
        except words.BadWords as error:
            return refused("bad-title", error.reason)
        if clock is not None and not 5 <= clock <= 3600:
            return refused("bad-setting", "a clock gives 5 to 3600 seconds for a turn")
        names = [known_bot(bot) for bot in bots]
        if len(names) >= rules.seats:
            return refused("no-seat", f"there is room for {rules.seats - 1} bots")
        seated: list[ev.Event] = []
        for seat, name in enumerate(names, 1):
            if name is None:
                return refused("unknown-bot", f"no bot is called {bots[seat - 1][:32]}")
            seated.append(ev.BotSeated(seat, name))
        code = words.new_code()
        events = [
            ev.TableMade(code, shown, listed, frozen_rules(rules), pace, clock),
            ev.Sat(0, who.id, who.name),
            *seated,
            promised(code, 0, self._chance),
        ]
        now = self.clock.now()
        entries = [ev.Entry(seq, now, event) for seq, event in enumerate(events, 1)]
        await self.store.append(TableRow(code, listed, "lobby", now, now), entries)
        return self._take_up(folded(entries), entries)

    async def find(self, code: str) -> Actor | None:
        """Return the table of that code, in either letter case; None where there is none.

        Raises:
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if not words.is_code(code):
            return None
        if (actor := self._alive(code)) is not None:
            return actor
        async with self._lock(code):
            if (actor := self._alive(code)) is not None:
                return actor
            if code in self._actors:
                await self._actors.pop(code).stop()
            entries = await self.store.read(code)
            if not entries:
                return None
            self._asleep.pop(code, None)
            return self._take_up(await asyncio.to_thread(folded, entries), entries)

    async def table(self, code: str) -> Table | None:
        """Return a table as it is, without bringing it to life; None where there is none.

        Raises:
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if (actor := self._alive(code)) is not None:
            return actor.table
        if not words.is_code(code):
            return None
        async with self._lock(code):
            if (actor := self._alive(code)) is not None:
                return actor.table
            return await self._looked_up(code)

    async def _looked_up(self, code: str) -> Table | None:
        """Return a table that is asleep; the last ones that were asked for are remembered."""
        row = await self.store.row(code)
        at, table = self._asleep.pop(code, (0, None))
        if row is None or table is None or at != row.touched_at:
            entries = await self.store.read(code)
            # Hundreds of events take long enough for everybody else to notice.
            table = await asyncio.to_thread(folded, entries) if entries else None
        if row is not None and table is not None:
            self._asleep[code] = row.touched_at, table
            if len(self._asleep) > _REMEMBERED:
                del self._asleep[next(iter(self._asleep))]
        return table

    async def open_tables(self) -> list[OpenTable]:
        """Return the tables that strangers may join, the liveliest first."""
        found = []
        rows = [row for row in await self.store.tables() if row.open and row.phase != "over"]
        for row in rows[:_LISTED]:
            table = await self.table(row.code)
            if table is not None:
                found.append(_listed(table))
        return found

    @property
    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._actors)

    async def forget(self, person: str, also: Iterable[str] = ()) -> None:
        """Take a person's seats, name and words from every table and from the store.

        `also` names tables where the person has just been connected and may have said something
        that the store does not know yet. Whoever is connected to one of the tables is told to come
        back at once. What is begun here is ended by `sweep`, should this process not live to do it.

        Raises:
            StoreError: the disk does not take it.
        """
        await self.store.forget(person, self.clock.now())
        await self._forget(person, also)

    async def _forget(self, person: str, also: Iterable[str] = ()) -> None:
        for code in {*also, *await self.store.traces_of(person)}:
            async with self._lock(code):
                if (actor := self._actors.pop(code, None)) is not None:
                    await actor.stop(MOVED, "a name at this table has changed")
                self._asleep.pop(code, None)
                await self._leave(code, person)
                entries = await self.store.read(code)
                await self.store.rewrite(code, await asyncio.to_thread(without, entries, person))
        await self.store.forgotten(person)

    async def _leave(self, code: str, person: str) -> None:
        """Give up a seat that its person cannot come back to, at a table that is asleep."""
        entries = await self.store.read(code)
        table = await asyncio.to_thread(folded, entries)
        seat = table.seat_of(person)
        if seat is None:
            return
        events, now = seating.leave(table, seat, self.settings.default_bot), self.clock.now()
        left = [ev.Entry(seq, now, event) for seq, event in enumerate(events, table.seq + 1)]
        for entry in left:
            table = evolve(table, entry)
        row = TableRow(code, table.open, table.phase, table.made_at, now)
        await self.store.append(row, left)

    async def _tidy(self, now: int) -> None:
        """Leave nothing of those who were forgotten: when nobody plays, or after a day at most."""
        for person in await self.store.unfinished():
            await self._forget(person)
        await self.store.compact(now - DAY if self._actors else now)

    async def sweep(self) -> None:
        """Put tables to sleep that nobody is connected to, and forget what is past its time."""
        now = self.clock.now()
        for code, actor in list(self._actors.items()):
            if not actor.connected and now - actor.table.touched_at >= self.settings.idle:
                async with self._lock(code):
                    if self._actors.get(code) is actor:
                        await self._actors.pop(code).stop()
        for row in await self.store.tables():
            if self._is_past(row, now):
                async with self._lock(row.code):
                    await self._retire(row.code, now)
        await self._tidy(now)
        if now >= self._expires_at:
            self._expires_at = now + _EXPIRY
            await self.store.expire(now - self.settings.keep_person, now)

    async def _retire(self, code: str, now: int) -> None:
        # Somebody may have come since the list was read.
        row = await self.store.row(code)
        if row is not None and self._is_past(row, now):
            self._asleep.pop(code, None)
            await self.store.retire(code)

    def _is_past(self, row: TableRow, now: int) -> bool:
        kept = self.settings.keep_lobby if row.phase == "lobby" else self.settings.keep_table
        return now - row.touched_at >= kept and row.code not in self._actors

    async def _sweeping(self) -> None:
        while True:
            await self.clock.until(self.clock.now() + _SWEEP)
            try:
                await self.sweep()
            except Exception:
                log.exception("the sweep failed")

    def _lock(self, code: str) -> asyncio.Lock:
        """Return what keeps a table from being taken up while it is, or is put to sleep."""
        return self._locks.setdefault(code, asyncio.Lock())

    def _alive(self, code: str) -> Actor | None:
        actor = self._actors.get(code)
        return None if actor is None or actor.gone else actor

    def _take_up(self, table: Table, entries: Sequence[ev.Entry]) -> Actor:
        settings = self.settings
        actor = Actor(table, entries, self.store, self._thinker, self.clock, settings, self._chance)
        self._actors[actor.table.code] = actor
        actor.start()
        return actor


def folded(entries: Sequence[ev.Entry]) -> Table:
    """Return the table that its events make.

    Raises:
        StoreError: they make none.
    """
    table = Table("")
    for entry in entries:
        try:
            table = evolve(table, entry)
        except (ValueError, LookupError) as error:
            what = f"event {entry.seq} of table {table.code} has no place: {type(error).__name__}"
            raise StoreError(what) from None
    return table


def _listed(table: Table) -> OpenTable:
    kinds = [chair.kind for chair in table.chairs]
    free = sum(chair.kind == "empty" or chair.spare for chair in table.chairs)
    name = table.rules.name
    return OpenTable(
        table.code, table.title, name, table.phase, len(kinds), kinds.count("person"), free
    )
