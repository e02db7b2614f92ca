"""A live table. It takes items from a queue, one at a time, so everything has one order.

A change is decided, appended to the store and only then applied, acknowledged and sent out. Nothing
else touches the table in between.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Final

from rookery.bots.player import fallback_action
from rookery.fairness.deal import Secret
from rookery.game import BadAction, Hand, IllegalAction
from rookery.server.bots.engine import BotThreads
from rookery.server.clock import Clock
from rookery.server.cluster.pubsub import Changed, PubSub
from rookery.server.counters import Tally
from rookery.server.live.connection import Audience, Connection, Outbox
from rookery.server.live.idempotency import RecentCommands
from rookery.server.live.turns import Asked, Decided, Item, Look, Stop, Turns, turn_of
from rookery.server.settings import Settings
from rookery.server.store.base import Conflict, Store, StoreError, TableRow
from rookery.server.store.leases import Lease
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table import timers
from rookery.server.table.audit import Auditor
from rookery.server.table.decide import decide
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who, evolve

log = logging.getLogger("rookery.server.live.actor")

SENT_AWAY: Final = 4007
AWAY: Final = "the host has sent you away from this table"
MOVED: Final = 4012  # this server no longer has the table; connect again
_MET: Final = 64  # people; beyond that, those who left without a seat are forgotten
_RETRY: Final = 1_000  # milliseconds until what the store refused is tried again


class Actor:
    """A table with its connections, timers and bots.

    Attributes:
        table: the table as it is, after the last event that is on disk.
        lease: the lease under which its events are written.
        gone: whether this actor takes no more commands; the table has to be looked up again.
    """

    def __init__(
        self,
        table: Table,
        entries: Sequence[ev.Entry],
        store: Store,
        thinker: BotThreads,
        clock: Clock,
        settings: Settings,
        secret: Secret,
        lease: Lease,
        pubsub: PubSub,
        tally: Tally,
        auditor: Auditor,
    ) -> None:
        """Build the table from its entries; `start` begins to take commands."""
        self.table = table
        self._told = table  # what every connection was told last
        self.lease = lease
        self._pubsub = pubsub
        self._tally, self._auditor = tally, auditor
        self._since = 0.0  # when the item being handled arrived
        self.gone = False
        self._recent = RecentCommands(table.code, entries, store)
        self._store, self._thinker, self._clock = store, thinker, clock
        self._settings, self._secret = settings, secret
        self._resumed = clock.now()
        self._retry_at = 0
        self._queue: asyncio.Queue[Item] = asyncio.Queue(settings.queue)
        self._connections: dict[Connection, None] = {}  # in the order of arrival
        self._look_due = False
        self._met: dict[str, str] = {}  # each person's latest name
        self._main: asyncio.Task[None] | None = None
        self._alarm: tuple[int, asyncio.Task[None]] | None = None
        self._turns = Turns(thinker, clock, self._queue.put)
        self._hints: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to take commands."""
        self._main = asyncio.create_task(self._run(), name=f"table {self.table.code}")
        self._thinker.expect([chair.bot for chair in self.table.chairs if chair.bot])
        self._look()

    async def stop(self, code: int = 1012, reason: str = "the server restarts") -> None:
        """Take no more commands and close all connections. Acknowledged commands are on disk."""
        self._end_queue()
        if self._main is not None and not self._main.done():
            # Wait for the store to finish, so that nobody reads the table before that.
            await self._main
        await self._turns.stop()
        going = [*self._hints, *([self._alarm[1]] if self._alarm is not None else [])]
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)
        self._close_connections(code, reason)
        self._thinker.forget(self.table.code)

    def connect(self, who: Who, blocked: frozenset[str] = frozenset()) -> Connection:
        """Return a new connection of a person. After its `hello` it gets every event."""
        connection = Connection(who, Outbox(self._settings.outbox), set(blocked))
        if self.gone:
            connection.outbox.end(MOVED, "the table is served elsewhere")
            return connection
        if self.table.silenced.get(who.id) == "away":
            connection.outbox.end(SENT_AWAY, AWAY)
            return connection
        self._connections[connection] = None
        self._meet(who)
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Drop a connection; with the last one of a person the seat counts as away."""
        self._connections.pop(connection, None)
        self._look()

    def rename(self, who: Who) -> None:
        """Give a connected person a new name at the table."""
        for connection in self._connections:
            if connection.who.id == who.id:
                connection.who = who
        self._meet(who)

    def _meet(self, who: Who) -> None:
        if len(self._met) >= _MET:
            known = self.people | {chair.person for chair in self.table.chairs}
            self._met = {person: name for person, name in self._met.items() if person in known}
        self._met[who.id] = who.name
        self._look()

    def take(self, connection: Connection, command: cm.Command) -> None:
        """Queue a command; the answer comes through the connection's outbox."""
        try:
            self._queue.put_nowait(Asked(connection, command, time.monotonic()))
        except asyncio.QueueFull:
            self._refuse(connection, command, refused("busy"))

    @property
    def watchers(self) -> int:
        """How many people are connected without a seat."""
        people = {connection.who.id for connection in list(self._connections) if connection.greeted}
        return sum(self.table.seat_of(person) is None for person in people)

    @property
    def people(self) -> set[str]:
        """The people who are connected."""
        return {connection.who.id for connection in list(self._connections)}

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._connections)

    async def _run(self) -> None:
        while not self.gone:
            item = await self._queue.get()
            if isinstance(item, Stop):
                return
            try:
                await self._handle(item)
            except Conflict as error:
                # Neither acknowledged nor refused: the client asks again and learns which.
                log.warning("table %s is read again: %s", self.table.code, error)
                self.lose()
                return
            except Exception:
                log.exception("table %s: %s failed", self.table.code, type(item).__name__)
                self._retry_at = self._clock.now() + _RETRY
                self._turns.drop()
                if isinstance(item, Asked):
                    self._refuse(item.connection, item.command, refused("failed"))
            self._set_alarm()
            self._ask_bot()
            self._queue.task_done()

    async def _handle(self, item: Asked | Decided | Look) -> None:
        self._since = item.at if isinstance(item, Asked) else time.monotonic()
        if isinstance(item, Asked):
            await self._answer(item.connection, item.command)
        elif isinstance(item, Decided):
            await self._bot_acts(item)
        if self._look_due:
            self._look_due = False
            await self._upkeep()

    async def _answer(self, connection: Connection, command: cm.Command) -> None:
        if isinstance(command, cm.Hello):
            connection.greeted, connection.parts = True, command.parts
            connection.outbox.put(Audience(self.table, self.watchers).welcome(connection))
        elif isinstance(command, cm.Ping):
            connection.outbox.put(ms.Pong(self.table.seq))
        elif isinstance(command, cm.Hint):
            self._hint(connection)
        else:
            await self._change(connection, command)

    async def _change(self, connection: Connection, command: cm.Changing) -> None:
        who = connection.who
        client = f"{who.id}:{command.id}"
        seq = self._recent.seq_of(client)
        if seq is None:
            outcome = self._recent.denied(client) or decide(
                self.table, who, command, self._secret, self._settings.default_bot
            )
            try:
                if not isinstance(outcome, Refused):
                    entries = await self._commit(outcome, client)
                    connection.outbox.put(ms.Ack(command.id, entries[0].seq), self._since)
                    self._tell(entries)
                    return
                seq = await self._recent.older(client)
                if seq is None:
                    self._recent.deny(client, outcome)
                    self._refuse(connection, command, outcome)
                    return
            except Conflict as error:
                seq = await self._recent.before(client, self.table.seq, error)
            except StoreError:
                self._refuse(connection, command, refused("storage"))
                return
        connection.outbox.put(ms.Ack(command.id, seq))

    async def _commit(
        self, events: Sequence[ev.Event], client: str | None = None
    ) -> list[ev.Entry]:
        """Append events, and once they are on disk apply them."""
        now, first = self._clock.now(), self.table.seq + 1
        entries = [
            ev.Entry(first + i, now, event, client if i == 0 else None)
            for i, event in enumerate(events)
        ]
        after = self.table
        for entry in entries:
            after = evolve(after, entry)
        row = TableRow(after.code, after.open, after.phase, after.made_at, now)
        await self._store.append(row, entries, self.lease)
        self.table = after
        for event in events:
            self._tally.count("events", ev.tag(event))
        self._thinker.expect([event.bot for event in events if isinstance(event, ev.BotSeated)])
        self._pubsub.publish(Changed(row.code, self.lease, entries[-1].seq, listed=row.open))
        if client is not None:
            self._recent.did(client, first)
        return entries

    async def _own(self, events: Sequence[ev.Event]) -> None:
        """Apply events that no command caused; try again later what the store refuses."""
        if not events:
            return
        try:
            entries = await self._commit(events)
        except StoreError as error:
            if isinstance(error, Conflict):
                raise
            log.warning("table %s: not stored: %s", self.table.code, error)
            self._retry_at = self._clock.now() + _RETRY
            self._turns.drop()
            return
        self._tell(entries)

    def _tell(self, entries: Sequence[ev.Entry]) -> None:
        away = {person for person, how in self.table.silenced.items() if how == "away"}
        for connection in [one for one in self._connections if one.who.id in away]:
            connection.outbox.end(SENT_AWAY, AWAY)
            del self._connections[connection]
        audience = Audience(self.table, self.watchers, self._told)
        self._told = self.table
        for connection in self._connections:
            connection.apply_blocks(entries)
            if connection.greeted:
                audience.tell(connection, entries, self._since)
        self._auditor.observe(self.table, entries)

    def _refuse(self, connection: Connection, command: cm.Command, why: Refused) -> None:
        asked = command.id if isinstance(command, cm.Change) else None
        connection.outbox.put(ms.Refused(asked, why.code, why.reason))

    def _look(self) -> None:
        # Where the queue is full, the next item taken from it does this too.
        self._look_due = True
        if not self._queue.full():
            self._queue.put_nowait(Look())

    async def _upkeep(self) -> None:
        now = self._clock.now()
        if now < self._retry_at:
            return
        for person in self.people:
            await self._own(timers.connected(self.table, person, self._met[person]))
        for chair in self.table.chairs:
            if chair.person is not None and self._is_missed(chair.person, now):
                await self._own(timers.disconnected(self.table, chair.person))
        due = timers.due(self.table, self._settings, self._resumed)
        if due is None or self._clock.now() < max(due.at, self._retry_at):
            return
        if due.what == "clock":
            self._turns.ask(self.table, self._settings.default_bot, due.at, "auto")
        else:  # what is due after that has its alarm, so commands and other tables come in between
            await self._own(timers.happens(self.table, due, self._settings, self._secret))

    def _is_missed(self, person: str, now: int) -> bool:
        if any(connection.who.id == person for connection in self._connections):
            return False
        return person in self._met or now >= self._resumed + self._settings.unseen

    def _set_alarm(self) -> None:
        moments = []
        due = timers.due(self.table, self._settings, self._resumed)
        if due is not None and not (due.what == "clock" and self._turns.asked(self.table)):
            moments.append(due.at)
        unseen = self._resumed + self._settings.unseen
        if any(chair.here and chair.person not in self._met for chair in self.table.chairs):
            moments.append(unseen)
        if self._retry_at:
            moments = [max(moment, self._retry_at) for moment in (*moments, self._retry_at)]
        moment = min(moments, default=None)
        if self._alarm is not None:
            if self._alarm[0] == moment and not self._alarm[1].done():
                return
            self._alarm[1].cancel()
            self._alarm = None
        if moment is not None:
            self._alarm = moment, asyncio.create_task(self._wake(moment))

    async def _wake(self, moment: int) -> None:
        await self._clock.until(moment)
        if self._retry_at <= moment:
            self._retry_at = 0
        self._look_due = True
        await self._queue.put(Look())

    def _ask_bot(self) -> None:
        due = None if self._retry_at else timers.bot_due(self.table, self._resumed)
        bot = None if due is None else self.table.chairs[due.seat].player
        if due is not None and bot is not None:
            self._turns.ask(self.table, bot, due.at, "bot")
        elif not self._turns.asked(self.table):
            self._turns.drop()

    async def _bot_acts(self, item: Decided) -> None:
        self._turns.drop()
        table, hand = self.table, self.table.hand
        seat = table.to_act
        if item.turn != turn_of(table) or seat is None or hand is None or table.pending is not None:
            return
        if item.by == "bot" and table.chairs[seat].player is None:
            return
        text = item.text
        try:
            hand.act(text)
        except (IllegalAction, BadAction) as error:
            # No card goes into a log.
            log.warning("table %s: a bot's answer is refused: %s", table.code, error.code)
            text = str(fallback_action(hand))
        await self._own([ev.Acted(seat, text, item.by)])

    def _hint(self, connection: Connection) -> None:
        hand = self.table.hand
        seat = self.table.seat_of(connection.who.id)
        if hand is None or seat is None or self.table.to_act != seat or connection.hinted:
            self._refuse(connection, cm.Hint(), refused("no-hint"))
            return
        connection.hinted = True
        task = asyncio.create_task(self._advise(connection, hand))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _advise(self, connection: Connection, hand: Hand) -> None:
        # About the hand as it was asked: by now it may be another seat's turn.
        try:
            connection.outbox.put(await self._thinker.advise(hand))
        finally:
            connection.hinted = False

    def lose(self) -> None:
        """Take no more commands: another server may have the table by now."""
        self._end_queue()
        self._close_connections(MOVED, "the table is served elsewhere")

    def _end_queue(self) -> None:
        self.gone = True
        if not self._queue.full():
            self._queue.put_nowait(Stop())

    def _close_connections(self, code: int, reason: str) -> None:
        for connection in self._connections:
            connection.outbox.end(code, reason)
        self._connections.clear()
