"""A live table. It takes items from a queue, one at a time, so everything has one order.

A change is decided, appended to the store and only then applied, acknowledged and sent out.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import reduce
from typing import Final

from rookery.fairness.deal import Secret
from rookery.server.bots.engine import BotThreads
from rookery.server.clock import Clock
from rookery.server.counters import Tally
from rookery.server.live.admission import Admission
from rookery.server.live.alarm import Alarm
from rookery.server.live.company import Company
from rookery.server.live.connection import AWAY, SENT_AWAY, Audience, Connection, Outbox
from rookery.server.live.idempotency import RecentCommands
from rookery.server.live.turns import Asked, Decided, Item, Look, Turns, allowed, turn_of
from rookery.server.settings import Settings
from rookery.server.store.base import Conflict, Store, StoreError, row_of
from rookery.server.store.leases import Lease
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table import timers
from rookery.server.table.absence import stand_ins
from rookery.server.table.audit import Auditor
from rookery.server.table.decide import decide
from rookery.server.table.fold import evolve
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who
from rookery.server.work import ACCOUNT, metered, paid_by

log = logging.getLogger("rookery.server.live.actor")

MOVED: Final = 4012  # this server no longer has the table; connect again
_RETRY: Final = 1_000  # milliseconds until what the store refused is tried again


class Actor:
    """A table with its connections, timers and bots.

    Attributes:
        table: the table as it is, after the last event that is on disk.
        lease: the lease under which its events are written.
        company: who is connected.
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
        tally: Tally,
        auditor: Auditor,
        admission: Admission,
        timeline: Timeline,
        ahead: Callable[[str, int, Timeline], object],
        changed: Callable[[Table, Table], object],
    ) -> None:
        """Build the table; `ahead` hears of later events that were seen, `changed` of changes."""
        self.table = table
        self._told = Audience(table, 0, timeline).showing  # what every connection was told last
        self.lease, self._timeline = lease, timeline
        self._tally, self._auditor, self._ahead, self._changed = tally, auditor, ahead, changed
        self.gone, self._since = False, 0.0  # and when the item being handled arrived
        self._recent = RecentCommands(table.code, entries, store)
        self._store, self._thinker, self._clock = store, thinker, clock
        self._settings, self._secret, self._admission = settings, secret, admission
        self._bot = table.bot or settings.default_bot  # plays for whoever is away
        self._resumed, self._retry_at, self._look_due = clock.now(), 0, False
        self._queue: asyncio.Queue[Item] = asyncio.Queue(settings.queue)
        self._busy = asyncio.Lock()  # held by whoever changes the table
        self.company = Company()
        self._waiting = dict[Connection, cm.Sit]()  # who sits down when the hand is over
        self._main: asyncio.Task[None] | None = None
        self._alarm = Alarm(clock, self._wake)
        self._turns = Turns(thinker, clock, self._queue.put)

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
        await asyncio.gather(self._turns.stop(), self._alarm.stop())
        self.company.close(code, reason)
        self._thinker.forget(self.table.code)

    def connect(self, who: Who, blocked: frozenset[str] = frozenset()) -> Connection:
        """Return a new connection of a person. After its `hello` it gets every event."""
        connection = Connection(who, Outbox(self._settings.outbox), set(blocked))
        if self.gone:
            connection.outbox.end(MOVED, "the table is served elsewhere")
        elif self.table.silenced.get(who.id) == "away":
            connection.outbox.end(SENT_AWAY, AWAY)
        else:
            self.company.lines[connection] = None
            self.company.meet(who, self.table)
            self._look()
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Drop a connection; with the last one of a person the seat counts as away."""
        self.company.drop(connection)
        self._waiting.pop(connection, None)
        self._look()

    def rename(self, who: Who) -> None:
        """Give a connected person a new name at the table."""
        self.company.rename(who, self.table)
        self._look()

    def take(self, connection: Connection, command: cm.Command) -> None:
        """Queue a command; the answer comes through the connection's outbox."""
        try:
            self._queue.put_nowait(Asked(connection, command, time.monotonic()))
        except asyncio.QueueFull:
            connection.refuse(command, refused("busy"))

    async def _run(self) -> None:
        ACCOUNT.set(None)  # whoever woke the table does not pay for what happens there
        while not self.gone:
            item = await self._queue.get()
            if self.gone:
                return
            try:
                async with self._busy:
                    await self._handle(item)
            except Conflict as error:
                # Neither acknowledged nor refused: the client asks again and learns which.
                log.warning("table %s is read again: %s", self.table.code, error)
                self.lose()
                return
            except Exception:
                self._failed(item)
            self._set_alarm()
            self._ask_bot()
            self._queue.task_done()

    async def _handle(self, item: Item) -> None:
        self._since = item.at if isinstance(item, Asked) else time.monotonic()
        if isinstance(item, Asked):
            answer = self._answer(item.connection, item.command)
            if (payer := item.connection.payer(self.table, item.command)) is None:
                await answer
            else:
                with paid_by(payer):
                    await metered(payer, answer)
        elif isinstance(item, Decided):
            await self._bot_acts(item)
        await self._seat_waiting()
        if self._look_due:
            self._look_due = False
            await self._upkeep()
        self.company.tell(self.table)

    def _failed(self, what: object) -> None:
        log.exception("table %s: %s failed", self.table.code, type(what).__name__)
        self.company.stale = True
        self._try_later()

    def _try_later(self) -> None:
        self._retry_at = self._clock.now() + _RETRY
        self._turns.drop()

    async def _answer(self, connection: Connection, command: cm.Command) -> None:
        try:
            await self._do(connection, command)
        except Conflict:
            raise
        except Exception:
            self._failed(command)
            done = isinstance(command, cm.Change) and self._recent.seq_of(connection.key(command))
            if not done:
                connection.refuse(command, refused("failed"))

    async def _do(self, connection: Connection, command: cm.Command) -> None:
        if connection.outbox.ended:
            return  # nobody would hear the answer; whoever is being forgotten says nothing more
        if isinstance(command, cm.Hello):
            connection.greeted = True
            connection.parts, connection.changes = command.parts, command.changes
            if (seen := self._timeline.seen(self.table, command.mark)) > self.table.seq:
                self._ahead(self.table.code, seen, self._timeline)
            self._welcome([connection])
        elif isinstance(command, cm.Ping):
            connection.outbox.put(ms.Pong(self.table.seq))
        elif isinstance(command, cm.Hint):
            if not self._turns.advise(connection, self.table):
                connection.refuse(command, refused("no-hint"))
        else:
            await self._change(connection, command)

    async def _change(self, connection: Connection, command: cm.Changing) -> None:
        client = connection.key(command)
        seq = self._recent.seq_of(client)
        if seq is None:
            command = connection.meant(command, self.table)
            denied, who, now = self._recent.denied(client), connection.who, self._clock.now()
            outcome = denied or decide(self.table, who, command, self._secret, self._bot, now)
            try:
                outcome = await self._admission.checked(self.table, who, command, outcome)
                if isinstance(outcome, Refused):
                    seq = await self._recent.older(client)
                    if seq is None and (denied or not self._waits(connection, command, outcome)):
                        self._recent.deny(client, outcome)
                        connection.refuse(command, outcome)
                    if seq is None:
                        return
                elif outcome:
                    entries = await self._commit(outcome, client)
                    connection.acknowledge(command, entries[0].seq, self._since)
                    connection.acted(command)
                    self._tell(entries)
                    return
                else:  # nothing has to change: nothing is stored, and nobody is told
                    self._recent.did(client, seq := self.table.seq)
            except Conflict as error:
                seq = await self._recent.before(client, self.table.seq, error)
            except StoreError:
                connection.refuse(command, refused("storage"))
                return
        connection.acknowledge(command, seq)

    def _waits(self, connection: Connection, command: cm.Changing, why: Refused) -> bool:
        """Keep a command that waits for the end of the hand; return whether it does."""
        if not isinstance(command, cm.Sit) or why.code != "hand-under-way":
            return False
        earlier = self._waiting.pop(connection, command)
        if earlier.id != command.id:
            self._recent.deny(connection.key(earlier), why)
            connection.refuse(earlier, why)
        if command.wait and not connection.outbox.ended:
            self._waiting[connection] = command
        return command.wait

    async def _seat_waiting(self) -> None:
        """Do, between two hands, what has waited for that."""
        while self._waiting and not self.table.in_hand:
            connection = next(iter(self._waiting))
            await self._answer(connection, self._waiting.pop(connection))

    async def _commit(
        self, events: Sequence[ev.Event], client: str | None = None
    ) -> list[ev.Entry]:
        """Append events, and once they are on disk apply them."""
        now, before = self._clock.now(), self.table
        entries = ev.entered(events, before.seq + 1, now, client)
        after = reduce(evolve, entries, before)
        await self._store.append(row_of(after, now), entries, self.lease)
        self.table = after
        if client is not None:
            self._recent.did(client, entries[0].seq)
        self._changed(before, after)
        for event in events:
            self._tally.count("events", ev.tag(event))
        self._thinker.expect([event.bot for event in events if isinstance(event, ev.BotSeated)])
        return entries

    async def _own(self, events: Sequence[ev.Event]) -> None:
        """Apply events that no command caused; try again later what the store refuses."""
        if not events:
            return
        try:
            self._tell(await self._commit(events))
        except Conflict:
            raise
        except StoreError as error:
            log.warning("table %s: not stored: %s", self.table.code, error)
            self._try_later()

    def _tell(self, entries: Sequence[ev.Entry]) -> None:
        self.company.part(self.table)
        self._audience().tell_all(self.company.lines, entries, self._since)
        self._auditor.observe(self.table, entries)

    def _audience(self) -> Audience:
        steps_in = stand_ins(self.table, self._settings, self._resumed, awaited=bool(self._waiting))
        watchers = len(self.company.watchers(self.table))
        found = Audience(self.table, watchers, self._timeline, self._told, steps_in)
        self._told = found.showing
        return found

    def _welcome(self, connections: Iterable[Connection]) -> None:
        audience = self._audience()
        for connection in (one for one in connections if one.greeted):
            connection.outbox.put(audience.welcome(connection))
            self.company.begin_anew(connection)

    def _look(self) -> None:
        # Where the queue is full, the next item taken from it does this too.
        self._look_due = True
        if not self._queue.full():
            self._queue.put_nowait(Look())

    async def _upkeep(self) -> None:
        now = self._clock.now()
        if now < self._retry_at:
            return
        for person in self.company.people:
            if (name := self.company.met.get(person)) is not None:  # else they have gone meanwhile
                await self._own(timers.connected(self.table, person, name))
        for chair in self.table.chairs:
            if chair.person is not None and self._is_missed(chair.person, now):
                await self._own(timers.disconnected(self.table, chair.person))
        due = self._due()
        if due is None or self._clock.now() < max(due.at, self._retry_at):
            return
        if due.what == "clock":
            self._turns.ask(self.table, self._bot, due.at, "auto")
        else:  # what is due after that has its alarm, so commands and other tables come in between
            await self._own(timers.happens(self.table, due, self._settings, self._secret))
            await self._seat_waiting()

    def _due(self) -> timers.Due | None:
        return timers.due(self.table, self._settings, self._resumed, awaited=bool(self._waiting))

    def _is_missed(self, person: str, now: int) -> bool:
        met = person in self.company.met or now >= self._resumed + self._settings.unseen
        return met and person not in self.company.people

    def _set_alarm(self) -> None:
        moments, due = list[int](), self._due()
        if due is not None and not (due.what == "clock" and self._turns.asked(self.table)):
            moments.append(due.at)
        if any(chair.here and chair.person not in self.company.met for chair in self.table.chairs):
            moments.append(self._resumed + self._settings.unseen)
        if self._retry_at:
            moments = [max(moment, self._retry_at) for moment in (*moments, self._retry_at)]
        self._alarm.set(min(moments, default=None))

    async def _wake(self, moment: int) -> None:
        self._retry_at = 0 if self._retry_at <= moment else self._retry_at
        self._look_due = True
        await self._queue.put(Look())

    def _ask_bot(self) -> None:
        due = timers.bot_due(self.table, self._resumed, awaited=bool(self._waiting))
        bot = None if due is None else self.table.chairs[due.seat].player
        if due is not None and bot is not None and not self._retry_at:
            self._turns.ask(self.table, bot, due.at, "bot")
        elif not self._turns.asked(self.table):
            self._turns.drop()

    async def _bot_acts(self, item: Decided) -> None:
        self._turns.drop()
        table, match, seat = self.table, self.table.match, self.table.to_act
        if item.turn != turn_of(table) or seat is None or match is None or table.pending:
            return
        if item.by == "bot" and table.chairs[seat].player is None:
            return
        await self._own([ev.Acted(seat, allowed(match, item.text, table.code), item.by)])

    async def rewritten(self, rewrite: Callable[[Lease, Table], Awaitable[Table]]) -> bool:
        """Have the log rewritten, and send everybody what is another table then; False if gone."""
        async with self._busy:
            if not self.gone:
                before, self.table = self.table, await rewrite(self.lease, self.table)
                if self.table is not before:
                    self._welcome(self.company.lines)
        self._look()
        return not self.gone

    def lose(self) -> None:
        """Take no more commands: another server may have the table by now."""
        self._end_queue()
        self.company.close(MOVED, "the table is served elsewhere")

    def _end_queue(self) -> None:
        self.gone = True
        if not self._queue.full():
            self._queue.put_nowait(Look())
