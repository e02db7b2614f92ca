"""All tables of this server: made, found, listed, put to sleep and forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from weakref import WeakValueDictionary

from rookery.fairness.deal import Secret, secret
from rookery.rules import Rules
from rookery.server import names as words
from rookery.server.bots.counters import BotTally
from rookery.server.bots.engine import Thinker
from rookery.server.bots.opening import thinker_of
from rookery.server.clock import Clock, SystemClock
from rookery.server.cluster.pubsub import Changed, NoPubSub, PubSub
from rookery.server.counters import Tally
from rookery.server.live.actor import MOVED, Actor
from rookery.server.registry.expiry import Expiry
from rookery.server.registry.forgetting import without
from rookery.server.registry.history import Past, Pasts, folded
from rookery.server.registry.lobby import Lobby, OpenTable
from rookery.server.registry.reviews import Reviews
from rookery.server.settings import PaceName, Settings
from rookery.server.store.base import Store, StoreError, TableRow, Timed
from rookery.server.store.leases import Alone, Elsewhere, Lease, Leases
from rookery.server.table import events as ev
from rookery.server.table import seating
from rookery.server.table.audit import Auditor
from rookery.server.table.dealing import promised
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who, evolve, frozen_rules

log = logging.getLogger(__name__)

_REMEMBERED = 64
_SWEEP = 60_000


class TableRegistry:
    """The tables of one server process, and the only way to them.

    Attributes:
        store: where everything is kept.
        clock: what all timers go by.
        settings: how the server runs.
        leases: which of the tables it has.
        pubsub: what it tells other servers.
        lobby: its list of open tables.
        relayed: how many sockets are passed on to another server at the moment.
        tally: what is counted and timed here.
        auditor: who looks at the hands that are over.
        thinker: who finds moves for its bots.
        bot_tally: what these did.
        reviews: what has been found about matches that are over.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock | None = None,
        thinker: Thinker | None = None,
        chance: Secret = secret,
        leases: Leases | None = None,
        pubsub: PubSub | None = None,
    ) -> None:
        """Begin with no table in memory; those of the store are found when they are asked for."""
        self.store = store
        self.leases: Leases = leases or Alone()
        self.pubsub: PubSub = pubsub or NoPubSub()
        self.lobby = Lobby(store, self.leases, self.pubsub, self.table)
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.bot_tally = BotTally()
        self.reviews = Reviews(self.bot_tally)
        self.thinker: Thinker = thinker or thinker_of(settings, self.bot_tally)
        self._chance = chance
        self._actors: dict[str, Actor] = {}
        self._asleep: dict[str, tuple[int, Table]] = {}  # and its version
        self._pasts = Pasts(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sweeper: asyncio.Task[None] | None = None
        self._expiry = Expiry(self)
        self._leaving = False
        self.relayed = 0
        self.tally, self.auditor = Tally(), Auditor()
        if isinstance(store, Timed):
            store.took = lambda seconds: self.tally.took("durable", seconds)

    def open(self) -> None:
        """Begin to put idle tables to sleep."""
        self._sweeper = asyncio.create_task(self._sweeping(), name="sweeper")

    async def join(self, gone: Callable[[str], object]) -> None:
        """Begin to share tables with other servers; `gone` is told who is to be forgotten.

        Raises:
            StoreError: the store cannot be written.
        """
        await self.leases.open(self._held, self._lose, gone)

    async def leave(self) -> None:
        """Close all connections and let other servers take the tables; nothing more is begun."""
        self._leaving = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
        while self._actors:
            # What is being taken up meanwhile comes to nothing: it finds the registry closed.
            actors = list(self._actors.values())
            self._actors.clear()
            await asyncio.gather(*(actor.stop() for actor in actors))
        await self.leases.close()

    async def close(self) -> None:
        """Close all connections and the store."""
        await self.leave()
        await self.pubsub.close()
        await self.reviews.close()
        await self.thinker.leave()
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
        names = [seating.known_bot(bot) for bot in bots]
        if len(names) >= rules.seats:
            return refused("no-seat", f"there is room for {rules.seats - 1} bots")
        seated: list[ev.Event] = []
        for seat, name in enumerate(names, 1):
            if name is None:
                return refused("unknown-bot", seating.why_unseated(bots[seat - 1]))
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
        lease = self.leases.fresh()
        await self.store.append(TableRow(code, listed, "lobby", now, now), entries, lease)
        self.pubsub.publish(Changed(code, lease, len(entries), listed))
        return self._take_up(folded(entries), entries, lease)

    async def find(self, code: str) -> Actor | None:
        """Return the table of that code, in either letter case; None where this server has none.

        Raises:
            StoreError: the store cannot be read.
        """
        found = await self.place(code)
        return found if isinstance(found, Actor) else None

    async def place(self, code: str) -> Actor | Elsewhere | None:
        """Return the table of that code, or which server has it; None where there is none.

        Raises:
            StoreError: the store cannot be read, or this server is shutting down.
        """
        code = code.strip().upper()
        if not words.is_code(code):
            return None
        if (actor := self._alive(code)) is not None:
            return actor
        async with self.lock(code):
            if (actor := self._alive(code)) is not None:
                return actor
            if code in self._actors:
                await self._actors.pop(code).stop()
            lease = await self.leases.take(code)
            if not isinstance(lease, Lease):
                return lease
            # What is read now is all that there is: nobody else may write from here on.
            entries = await self.store.read(code)
            if not entries:
                return None
            self._asleep.pop(code, None)
            self.pubsub.publish(Changed(code, lease))
            return self._take_up(await asyncio.to_thread(folded, entries), entries, lease)

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
        async with self.lock(code):
            if (actor := self._alive(code)) is not None:
                return actor.table
            return await self._looked_up(code)

    async def _looked_up(self, code: str) -> Table | None:
        """Return a table that is asleep; the last ones that were asked for are remembered."""
        row = await self.store.row(code)
        at, table = self._asleep.pop(code, (0, None))
        if row is None or table is None or at != row.version:
            entries = await self.store.read(code)
            # Hundreds of events take long enough for everybody else to notice.
            table = await asyncio.to_thread(folded, entries) if entries else None
        if row is not None and table is not None:
            self._asleep[code] = row.version, table
            if len(self._asleep) > _REMEMBERED:
                del self._asleep[next(iter(self._asleep))]
        return table

    async def past(self, code: str) -> Past | None:
        """Return all that was played at a table, from the store; None where there is no table.

        Raises:
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if not words.is_code(code):
            return None
        # What is rewritten is rewritten under this lock, or under another lease.
        async with self.lock(code):
            if (actor := self._alive(code)) is not None:
                return await self._pasts.of(code, actor.lease)
            row = await self.store.row(code)
            return None if row is None else await self._pasts.of(code, row.version)

    async def open_tables(self) -> list[OpenTable]:
        """Return the tables that strangers may join, the liveliest first."""
        return await self.lobby.tables()

    def heard(self, notice: Changed) -> None:
        """Take in that another server has changed a table; whether it may have is looked up."""
        if notice.listed:
            self.lobby.changed()
        actor = self._alive(notice.code)
        if actor is not None and actor.lease.epoch < notice.lease.epoch:
            self.leases.look()

    @property
    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._actors)

    @property
    def actors(self) -> list[Actor]:
        """The tables in memory."""
        return list(self._actors.values())

    @property
    def connected(self) -> int:
        """How many connections there are to its tables."""
        return sum(actor.connected for actor in self._actors.values())

    async def forget(self, person: str, also: Iterable[str] = ()) -> None:
        """Take a person's seats, name and words from every table and from the store.

        `also` names tables where the person has just been connected and may have said something
        that the store does not know yet. Whoever is connected to one of the tables is told to come
        back at once. What is begun here is ended by `sweep`, should this process not live to do it.

        Raises:
            StoreError: the disk does not take it.
        """
        await self.store.forget(person, self.clock.now())
        await self.wipe(person, also)

    async def wipe(self, person: str, also: Iterable[str] = ()) -> None:
        """Go on with what `forget` has begun.

        Raises:
            StoreError: the disk does not take it.
        """
        for code in {*also, *await self.store.traces_of(person)}:
            async with self.lock(code):
                if (actor := self._actors.pop(code, None)) is not None:
                    await actor.stop(MOVED, "a name at this table has changed")
                self.recall(code)
                # Whoever has the table finds out that it has it no more.
                lease = await self.leases.take(code, by_force=True)
                if not isinstance(lease, Lease):
                    continue
                self.pubsub.publish(Changed(code, lease))
                await self._leave(code, person, lease)
                entries = await self.store.read(code)
                after = await asyncio.to_thread(without, entries, person)
                await self.store.rewrite(code, after, lease)
                await self.leases.give_back(code, lease)
        await self.store.forgotten(person)

    async def _leave(self, code: str, person: str, lease: Lease) -> None:
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
        await self.store.append(row, left, lease)

    async def sweep(self) -> None:
        """Put tables to sleep that nobody is connected to, and forget what is past its time."""
        now = self.clock.now()
        for code, actor in list(self._actors.items()):
            idle = now - actor.table.touched_at >= self.settings.idle
            if actor.gone or (not actor.connected and idle):
                async with self.lock(code):
                    if self._actors.get(code) is actor:
                        await self._actors.pop(code).stop()
                        self.tally.count("leases", "put away")
                        await self.leases.give_back(code, actor.lease)
        if self.leases.leads:
            await self._expiry.sweep(now)

    async def _sweeping(self) -> None:
        while True:
            await self.clock.until(self.clock.now() + _SWEEP)
            try:
                await self.sweep()
            except StoreError as error:  # there is another one in a minute
                log.warning("not swept: %s", error)
            except Exception:
                log.exception("the sweep failed")

    def lock(self, code: str) -> asyncio.Lock:
        """Return what keeps a table from being taken up while it is, or is put to sleep."""
        return self._locks.setdefault(code, asyncio.Lock())

    def is_awake(self, code: str) -> bool:
        """Return whether a table is in memory."""
        return code in self._actors

    def recall(self, code: str) -> None:
        """Read a table anew the next time; what is remembered of it is about to change."""
        self._asleep.pop(code, None)
        self._pasts.forget(code)

    def _alive(self, code: str) -> Actor | None:
        actor = self._actors.get(code)
        return None if actor is None or actor.gone else actor

    def _held(self) -> dict[str, Lease]:
        return {code: actor.lease for code, actor in self._actors.items()}

    def _lose(self, code: str, lease: Lease) -> None:
        """Stop serving a table whose lease is void; whoever is connected comes back."""
        actor = self._alive(code)
        if actor is not None and actor.lease == lease:
            actor.lose()
            self.tally.count("leases", "lost")

    def _take_up(self, table: Table, entries: Sequence[ev.Entry], lease: Lease) -> Actor:
        if self._leaving:
            raise StoreError("the server is shutting down")
        actor = Actor(
            table,
            entries,
            self.store,
            self.thinker,
            self.clock,
            self.settings,
            self._chance,
            lease,
            self.pubsub,
            self.tally,
            self.auditor,
        )
        self.tally.count("leases", "taken")
        self._actors[actor.table.code] = actor
        actor.start()
        return actor
