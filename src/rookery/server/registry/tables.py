"""All tables of this server: how they are made, brought to life, put to sleep and handed on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextvars import Context
from functools import partial
from typing import Final

from rookery.fairness.deal import Secret, secret
from rookery.rules import Rules
from rookery.server import names
from rookery.server.bots.engine import BotTally, BotThreads
from rookery.server.bots.opening import thinker_of
from rookery.server.clock import Clock
from rookery.server.cluster.pubsub import Changed, PubSub
from rookery.server.live.actor import MOVED, Actor
from rookery.server.live.admission import Admission
from rookery.server.registry.history import TableReader, history_of
from rookery.server.registry.listing import Lobby, differs
from rookery.server.registry.played import Records
from rookery.server.registry.ratings import StrangerRatings, TableRatings
from rookery.server.registry.retention import Retention
from rookery.server.registry.reviews import Reviews
from rookery.server.registry.strangers import Strangers
from rookery.server.settings import PaceName, Settings
from rookery.server.store.base import Leaving, Store, StoreError, Unreadable, row_of
from rookery.server.store.leases import Elsewhere, Lease, Leases
from rookery.server.store.timeline import Timeline
from rookery.server.table import events as ev
from rookery.server.table import seating
from rookery.server.table.audit import Auditor
from rookery.server.table.dealing import frozen_rules, promised, promised_anew
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who

log = logging.getLogger(__name__)

SWEEP: Final = 60_000  # milliseconds between two sweeps
RECENT: Final = 256  # events, of which a table remembers the commands


class TableRegistry(TableReader):
    """The tables of one server process, and the only way to them.

    Attributes:
        lobby: the list of open tables.
        strangers: finds tables for people who would play with strangers.
        retention: takes away what is past its time.
        relayed: how many sockets are passed on to another server at the moment.
        auditor: checks the hands that are over.
        thinker: chooses actions for the bots.
        bot_tally: counts and times what the bots do.
        reviews: the reviews of matches that are over.
        ratings: how well those play who want to be rated.
        stranger_ratings: the same of those who play with strangers.
        records: the records of matches.
        admission: says who may sit down where.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock | None = None,
        thinker: BotThreads | None = None,
        chance: Secret = secret,
        leases: Leases | None = None,
        pubsub: PubSub | None = None,
    ) -> None:
        """Begin with no table in memory; one that the store has is read when it is asked for."""
        super().__init__(store, settings, clock or Clock(), leases or Leases(), pubsub or PubSub())
        self.auditor, self.bot_tally = Auditor(), BotTally()
        self.thinker: BotThreads = thinker or thinker_of(settings, self.bot_tally)
        self.lobby = Lobby(self)
        self.strangers = Strangers(self, self.lobby)
        self.reviews = Reviews(self.bot_tally)
        self.ratings = TableRatings()
        self.stranger_ratings = StrangerRatings(self)
        self.records = Records()
        self.admission = Admission(store)
        self.relayed = 0
        self._chance = chance
        self._sweeper: asyncio.Task[None] | None = None
        self._leaving = False
        self._timelines: dict[str, Timeline] = {}  # of each of several databases, by its place
        self._doubts: set[asyncio.Task[None]] = set()
        self.retention = Retention(self)
        store.took = lambda seconds: self.tally.took("durable", seconds)

    async def open(self, gone: Callable[[str], object]) -> None:
        """Begin to put idle tables to sleep, and to share tables with other servers.

        `gone` is called with each forgotten person.
        """
        await self.calendar.look()
        await self._follow_all()
        self._sweeper = asyncio.create_task(self._sweeping(), name="sweeper")

        def heard(person: str) -> None:
            gone(person)
            self.retention.heard(person)

        await self.leases.open(
            lambda: {code: actor.lease for code, actor in self._actors.items()}, self._lose, heard
        )

    async def leave(self) -> None:
        """Close all connections and let other servers take the tables; bring none to life."""
        self._leaving = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
        while self._actors:
            # Whoever brings a table to life meanwhile is refused in `_take_up`.
            actors = list(self._actors.values())
            self._actors.clear()
            await asyncio.gather(*(actor.stop() for actor in actors))
        await self.leases.close()

    async def close(self) -> None:
        """Close all connections and the store."""
        await self.leave()
        await self.pubsub.close()
        await self.reviews.close()
        await self.ratings.close()
        await self.stranger_ratings.close()
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
        matched: bool = False,
    ) -> Actor | Refused:
        """Return a new table with its maker as host in seat 0, and bots from seat 1 on.

        With `matched` the maker would play with strangers. Refused with the codes ``bad-title
        unknown-bot bad-setting no-seat``.

        Raises:
            StoreError: the table cannot be stored.
        """
        try:
            shown = names.clean_title(title)
        except names.BadText as error:
            return refused("bad-title", error.reason)
        if clock is not None and not 5 <= clock <= 3600:
            return refused("bad-setting", "a clock gives 5 to 3600 seconds for a turn")
        if len(bots) >= rules.seats:
            return refused("no-seat", f"there is room for {rules.seats - 1} bots")
        seated: list[ev.BotSeated] = []
        for seat, bot in enumerate(bots, 1):
            name = seating.known_bot(bot)
            if isinstance(name, Refused):
                return name
            seated.append(ev.BotSeated(seat, name))
        code = names.new_code() + self.store.new_place()
        events = [
            ev.Sat(0, who.id, who.name, matched),
            *seating.named(seated, code, [who.name]),
            promised(code, 0, self._chance),
        ]
        return await self._made(
            ev.TableMade(code, shown, listed, frozen_rules(rules), pace, clock), events
        )

    async def for_evening(
        self,
        made: ev.TableMade,
        maker: str,
        joined: ev.EveningJoined,
        sitting: Sequence[seating.Sitting],
        key: str | None,
    ) -> Actor:
        """Return a new table of an evening, with its first hand dealt.

        The `maker` has made the evening, and `key` is that of its prepared deals, in hexadecimal;
        None without any.

        Raises:
            Conflict: a table of that code is there already.
            StoreError: the table cannot be stored.
        """
        events = seating.opened(made, joined, sitting, key, self._chance)
        async with self.lock(made.code):  # its people know the code already, and come
            return await self._made(made, events, ev.by_maker(maker))

    async def _made(
        self, made: ev.TableMade, events: Sequence[ev.Event], client: str | None = None
    ) -> Actor:
        """Return a new table, to which these events have happened."""
        code, timeline = made.code, await self._current(names.place_of(made.code))
        begins = [ev.TimelineBegun(timeline.id)] if timeline.id else []
        now = self.clock.now()
        entries = ev.entered([made, *begins, *events], 1, now, client)
        table = history_of(entries).table
        lease = self.leases.fresh()
        await self.store.append(row_of(table, now), entries, lease)
        self.pubsub.publish(Changed(code, lease, len(entries), made.open))
        return self._take_up(table, entries, lease, timeline)

    async def place(self, code: str) -> Actor | Elsewhere | None:
        """Return the table of a code, in either letter case, or which server has it.

        None where there is no such table.

        Raises:
            Leaving: this server is shutting down.
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if not names.is_code(code):
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
            # From here on nobody else may write, so what is read now is all that happened there.
            row = await self.store.row(code)
            if row is None or self.calendar.hides(row):
                await self.leases.give_back(code, lease)
                return None
            # Of a timeline that has ended nothing may be known any more.
            place = names.place_of(code)
            self._follow(place, timeline := await self.store.timeline(place))
            try:
                history = await self._histories.of(code, row.version)
            except Unreadable:  # another server may be able to read it
                await self.leases.give_back(code, lease)
                raise
            if history is None:
                return None
            self._histories.keep(code, lease, history)
            if history.table.timeline != timeline.id:
                await self._rejoin(history.table, timeline, lease)
                history = await self._histories.of(code, lease) or history
            table = self.calendar.shown(history.table)
            recent = await self.store.read(code, max(0, table.seq - RECENT))
            self.pubsub.publish(Changed(code, lease))
            return self._take_up(table, recent, lease, timeline)

    def changed_elsewhere(self, notice: Changed) -> None:
        """Note that another server has changed a table; this server may have lost it."""
        if notice.listed:
            self.lobby.changed()
        actor = self._alive(notice.code)
        if actor is not None and actor.lease.epoch < notice.lease.epoch:
            self.leases.look()

    async def _current(self, place: str) -> Timeline:
        """Return the timeline in which this server's tables of a database are."""
        if place not in self._timelines:
            self._timelines[place] = await self.store.timeline(place)
        return self._timelines[place]

    async def _follow_all(self) -> None:
        """Go on in the timelines of all databases; one of several may not answer."""
        for place in self.store.places:
            try:
                self._follow(place, await self.store.timeline(place))
            except StoreError as error:
                if not place:
                    raise
                log.warning("database %s does not answer: %s", place, error)

    def _follow(self, place: str, found: Timeline) -> None:
        """Go on in a database's timeline; in another one, all tables there are read again."""
        before, self._timelines[place] = self._timelines.get(place), found
        if before is not None and before.id != found.id:
            self._histories.forget()
            for actor in self.actors:
                if names.place_of(actor.table.code) == place:
                    actor.lose()

    async def _rejoin(self, table: Table, timeline: Timeline, lease: Lease) -> None:
        """Store the events by which a table goes on in another timeline."""
        now = self.clock.now()
        events = promised_anew(table, timeline.id, self._chance)
        await self.store.append(row_of(table, now), ev.entered(events, table.seq + 1, now), lease)

    def _doubt(self, code: str, seq: int, since: Timeline) -> None:
        """Look whether the database lacks an event that a client was told of in a timeline."""

        async def look() -> None:
            try:
                # Another server may have had the table meanwhile.
                if not await self.store.read(code, seq - 1):
                    place = names.place_of(code)
                    self._follow(place, await self.store.begin_timeline(since.id, place))
            except StoreError as error:
                log.warning("table %s lacks events that a client has seen: %s", code, error)

        if not self._doubts:
            task = asyncio.create_task(look(), name="doubt")
            self._doubts.add(task)
            task.add_done_callback(self._doubts.discard)

    async def sweep(self) -> None:
        """Put tables to sleep that nobody is connected to; take away what is past its time."""
        now = self.clock.now()
        for code, actor in list(self._actors.items()):
            idle = now - actor.table.touched_at >= self.settings.idle
            if actor.gone or idle:
                await self.put_away(code)
        for code in await self.of_deleted_evenings():
            await self.put_away(code)
        await self._follow_all()
        if await self.calendar.look():
            for code in list(self._actors):
                async with self.lock(code):
                    await self.stop(code, MOVED, "the clock was set back")
        if self.leases.leads:
            await self.retention.sweep()
        else:
            await self.retention.catch_up()

    async def put_away(self, code: str) -> None:
        """Put a table to sleep, if it is in memory and nobody is connected to it."""
        async with self.lock(code):
            actor = self._actors.get(code)
            if actor is not None and (actor.gone or not actor.company.lines):
                await self._actors.pop(code).stop()
                self.tally.count("leases", "put away")
                await self.leases.give_back(code, actor.lease)

    async def _sweeping(self) -> None:
        while True:
            await self.clock.until(self.clock.now() + SWEEP)
            try:
                await self.sweep()
            except StoreError as error:  # there is another one in a minute
                log.warning("not swept: %s", error)
            except Exception:
                log.exception("the sweep failed")

    def _lose(self, code: str, lease: Lease) -> None:
        """Stop serving a table whose lease is void; whoever is connected is told to come back."""
        actor = self._alive(code)
        if actor is not None and actor.lease == lease:
            actor.lose()
            self.tally.count("leases", "lost")

    def _take_up(
        self, table: Table, entries: Sequence[ev.Entry], lease: Lease, timeline: Timeline
    ) -> Actor:
        if self._leaving:
            raise Leaving("this server is shutting down")
        actor = Actor(
            table,
            entries,
            self.store,
            self.thinker,
            self.clock,
            self.settings,
            self._chance,
            lease,
            self.tally,
            self.auditor,
            self.admission,
            timeline,
            self._doubt,
            partial(self._changed, lease),
        )
        self.tally.count("leases", "taken")
        self._actors[actor.table.code] = actor
        Context().run(actor.start)  # whoever wakes a table does not pay for all that it does
        # The server that has played here may have died before the match was counted.
        self.stranger_ratings.changed(None, table)
        if self._timelines.get(names.place_of(table.code), timeline).id != timeline.id:
            actor.lose()  # another timeline has begun while the table was read
        return actor

    def _changed(self, lease: Lease, before: Table, table: Table) -> None:
        """Tell those who wait for a table that ends, and servers where it is listed otherwise."""
        if differs(before, table):
            self.pubsub.publish(Changed(table.code, lease, table.seq, listed=True))
        self.admission.tell(before, table)
        self.stranger_ratings.changed(before, table)
