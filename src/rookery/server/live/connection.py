"""One person's connection to a table, and the messages that wait for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import msgspec

from rookery.server.live.changes import Changes, check
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.absence import NOBODY
from rookery.server.table.messages import Closing, Message, encoded
from rookery.server.table.projection import Showing, Snapshot, public_event
from rookery.server.table.refusals import TABLE_CODES, Refused
from rookery.server.table.state import Table, Who
from rookery.server.work import ACCOUNT, Account, metered
from rookery.unicode.halves import half_at, where_half, without_halves

Reader: TypeAlias = Callable[[str], cm.Command | Refused | None]
SENT_AWAY: Final = 4007
AWAY: Final = "the host has sent you away from this table"
TOO_SLOW: Final = 4008
ROOM: Final = 65_536  # bytes
CHECKED: Final = 16  # changes: after so many a client is told what it should have come to


def heard(
    text: str | None, read: Reader = cm.read, *, greeted: bool
) -> cm.Command | ms.Refused | None:
    """Return the command in a frame that a socket was sent, or why it is none.

    Args:
        text: the frame; None for one of bytes.
        read: reads a text; None for what is no command and needs no answer.
        greeted: whether there has been a `hello`, which has to be the first.
    """
    if text is None:
        return ms.Refused(None, "bad-message", "expected a text frame")
    if len(text) > cm.LONGEST or len(text.encode("utf-8", "replace")) > cm.LONGEST:
        return ms.Refused(None, "too-long", f"a message has at most {cm.LONGEST} bytes")
    if half_at(text) is not None:
        asked = cm.id_of(without_halves(text))
        told = f"{where_half(text)}: {TABLE_CODES['not-unicode']}"
        return ms.Refused(asked, "not-unicode", told)
    command = read(text)
    if isinstance(command, Refused):
        return ms.Refused(cm.id_of(text), command.code, command.reason)
    if not greeted and command is not None and not isinstance(command, cm.Hello):
        asked = command.id if isinstance(command, cm.Change) else None
        return ms.Refused(asked, "bad-message", "expected hello first")
    return command


@dataclass(slots=True)
class _Waiting:
    """A waiting message, when the command that it answers arrived, and its encoded form."""

    message: Message
    since: float | None
    _written: bytes | None = None

    def written(self) -> bytes:
        """Return the message as it is sent; it is encoded once."""
        if self._written is None:
            self._written = encoded(self.message)
        return self._written


class Outbox:
    """A bounded queue that ends with a `Closing`.

    A message that finds no room ends the queue: waiting messages are dropped and the connection is
    told to close. The client connects again and gets a fresh snapshot. There is room while fewer
    than `limit` messages and fewer than `room` bytes wait. So a message of any length is taken
    while nothing waits.

    Attributes:
        ended: whether the queue takes no more messages.
        since: when the command arrived that the last taken message answers, seconds of the
            monotonic clock; None where it is not measured.
    """

    def __init__(self, limit: int = 64, room: int = ROOM) -> None:
        """Begin empty, with room for `limit` messages and for `room` bytes."""
        self._limit, self._room = limit, room
        # The last message is not counted: while a client reads, it is the only one.
        self._waiting: deque[_Waiting] = deque()
        self._weight = 0
        self._taken: _Waiting | None = None
        self._filled = asyncio.Event()
        self.ended = False
        self.since: float | None = None

    def put(self, message: Message, since: float | None = None) -> None:
        """Add a message, unless the queue has ended. `since` is kept with it."""
        if self.ended:
            return
        if self._waiting:
            self._weight += len(self._waiting[-1].written())
            if len(self._waiting) >= self._limit or self._weight >= self._room:
                self.end(TOO_SLOW, "the connection reads too slowly")
                return
        self._waiting.append(_Waiting(message, since))
        self._filled.set()

    def end(self, code: int, reason: str) -> None:
        """Drop the waiting messages and tell the connection to close."""
        if self.ended:
            return
        self.ended = True
        self._waiting.clear()
        self._waiting.append(_Waiting(Closing(code, reason), None))
        self._filled.set()

    async def get(self) -> Message:
        """Return the next message, in order. After a `Closing` there is none."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self.take()

    def take(self) -> Message:
        """Return the next message that waits.

        Raises:
            IndexError: no message waits.
        """
        taken = self._waiting.popleft()
        if self._waiting:
            self._weight -= len(taken.written())
        else:
            self._weight = 0
        self._taken, self.since = taken, taken.since
        return taken.message

    def text(self) -> str:
        """Return the last taken message as a text frame, and forget it."""
        if self._taken is None:
            raise ValueError("no message was taken")
        taken, self._taken = self._taken, None
        return taken.written().decode()

    def __len__(self) -> int:
        return len(self._waiting)


@dataclass(eq=False, slots=True)
class Connection:
    """One open connection of a person: a browser's tab, or a program.

    Attributes:
        who: the person.
        outbox: the messages to the person.
        blocked: whom the person does not want to hear from.
        greeted: whether the first `hello` has been answered.
        parts: whether it wants only what is new of the score sheet.
        changes: whether it wants only what is new of the table.
        shown: the table as it knows it, if it wants that.
        told: how many changes it has been told since it was shown the whole table.
        hinted: whether a hint is being prepared.
        watching: what the person was told last of who watches.
        account: who pays for what is asked and told here; None for somebody without limits.
        acted: is called with each of its commands that has changed the table.
    """

    who: Who
    outbox: Outbox
    blocked: set[str]
    greeted: bool = False
    parts: bool = False
    changes: bool = False
    shown: Snapshot | None = None
    told: int = 0
    hinted: bool = False
    watching: ms.Watching = field(default_factory=lambda: ms.Watching(0, []))
    account: Account | None = field(default_factory=ACCOUNT.get)
    acted: Callable[[cm.Change], object] = lambda _: None

    def payer(self, table: Table, item: cm.Command | Message | None) -> Account | None:
        """Return who pays for a command or a message; nobody for play where the person sits."""
        play = isinstance(item, (*cm.PLAY, ms.Update, ms.Changed))
        return None if play and table.seat_of(self.who.id) is not None else self.account

    async def paying(
        self,
        table: Table,
        command: cm.Command,
        answer: Callable[[Connection, cm.Command], Coroutine[Any, Any, None]],
    ) -> None:
        """Answer a command, at the cost of its payer."""
        payer = self.payer(table, command)
        before = ACCOUNT.set(payer)
        try:
            await metered(payer, answer(self, command))
        finally:
            ACCOUNT.reset(before)

    def apply_blocks(self, entries: Sequence[ev.Entry]) -> None:
        """Add whom the person has just blocked, here or on another connection."""
        for event in (entry.event for entry in entries):
            if isinstance(event, ev.Blocked) and event.person == self.who.id:
                self.blocked.add(event.blocked)


class Audience:
    """A table's snapshots, each made once for all connections."""

    def __init__(
        self,
        table: Table,
        watchers: int,
        timeline: Timeline,
        before: Table | None = None,
        steps_in: Mapping[int, int] = NOBODY,
    ) -> None:
        """Show `table` as it is now; `before` is what everybody was told last."""
        self._table = table
        self._mark = timeline.mark(table.code, table.seq)
        self._showing = Showing(table, watchers, steps_in)
        same = before is not None and before.matches_before == table.matches_before
        self._known = len(before.scores) if before is not None and same else 0
        self._snapshots: dict[tuple[int | None, bool], msgspec.Raw] = {}
        self._wholes: dict[int | None, Snapshot] = {}
        self._changes = Changes()

    def welcome(self, connection: Connection) -> ms.Welcome:
        """Return the answer to a connection's `hello`: the whole table."""
        seat = self._table.seat_of(connection.who.id)
        lines = [
            _line(line.seq, line.said)
            for line in self._table.lines
            if line.said.person not in connection.blocked
        ]
        connection.shown = self._whole(seat) if connection.changes else None
        connection.told = 0
        snapshot = ms.raw(self._showing.to(seat, rules=True))
        return ms.Welcome(self._table.seq, seat, snapshot, lines, self._mark)

    def tell(
        self, connection: Connection, entries: Sequence[ev.Entry], since: float | None = None
    ) -> None:
        """Put new events into a connection's outbox, in order; see `Outbox.put`."""
        seat = self._table.seat_of(connection.who.id)
        events = []
        for entry in entries:
            event = entry.event
            if isinstance(event, ev.Chatted) and event.person not in connection.blocked:
                connection.outbox.put(_line(entry.seq, event))
            else:
                events.append(public_event(entry, seat))
        if events and connection.shown is not None:
            change = self._change(connection, connection.shown, seat, events)
            connection.outbox.put(change, since)
        elif events:
            shown = self._shown(seat, parts=connection.parts)
            update = ms.Update(entries[-1].seq, events, shown, self._mark)
            connection.outbox.put(update, since)

    def _change(
        self,
        connection: Connection,
        known: Snapshot,
        seat: int | None,
        events: list[dict[str, Any]],
    ) -> ms.Changed:
        connection.shown, connection.told = now, told = self._whole(seat), connection.told + 1
        new = self._changes.between(known, now)
        proof = None if told % CHECKED else check(now)
        return ms.Changed(self._table.seq, known.seq, events, new, self._mark, proof)

    def _whole(self, seat: int | None) -> Snapshot:
        if seat not in self._wholes:
            self._wholes[seat] = self._showing.to(seat, rules=False)
        return self._wholes[seat]

    def _shown(self, seat: int | None, *, parts: bool) -> msgspec.Raw:
        if (seat, parts) not in self._snapshots:
            known = self._known if parts else 0
            shown = self._showing.to(seat, rules=False, hands_from=known)
            self._snapshots[seat, parts] = ms.raw(shown)
        return self._snapshots[seat, parts]


def _line(seq: int, line: ev.Chatted) -> ms.Chat:
    return ms.Chat(seq, line.seat, line.name, line.text, line.phrase)
