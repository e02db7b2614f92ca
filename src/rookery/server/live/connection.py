"""One person's connection to a table, and the messages that wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from rookery.server.live.changes import Changes, check
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.messages import Closing, Message, encoded
from rookery.server.table.projection import Showing, Shown, public_event
from rookery.server.table.refusals import TABLE_CODES, Refused
from rookery.server.table.state import Table, Who
from rookery.server.work import ACCOUNT, Account
from rookery.unicode.halves import half_at, where_half, without_halves

Reader: TypeAlias = Callable[[str], cm.Command | Refused | None]
SENT_AWAY: Final = 4007
AWAY: Final = "the host has sent you away from this table"
TOO_SLOW: Final = 4008
ROOM: Final = 65_536  # bytes
_PLAY: Final = (*cm.PLAY, ms.Update, ms.Changed)
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
class Frame:
    """A message and its encoded form, for one connection or for many that are told the same."""

    message: Message
    _written: bytes | None = None

    def written(self) -> bytes:
        """Return the message as it is sent; it is encoded once."""
        if self._written is None:
            self._written = encoded(self.message)
        return self._written


class _Waiting(NamedTuple):
    """A waiting message, and when the command that it answers arrived."""

    frame: Frame
    since: float | None


class Outbox:
    """A bounded queue that ends with a `Closing`.

    A message that finds no room ends the queue: waiting messages are dropped and the connection is
    told to close. The client connects again and gets a fresh snapshot. There is room while fewer
    than `limit` messages and fewer than `room` bytes wait. So a message of any length is taken
    while nothing waits.

    Attributes:
        ended: whether the queue takes no more messages.
        at_once: sends a message while nobody has to wait, and whoever reads the queue is not woken;
            returns whether it did. None where there is no such way.
        since: when the command arrived that the last taken message answers, seconds of the
            monotonic clock; None where it is not measured.
    """

    def __init__(self, limit: int = 64, room: int = ROOM) -> None:
        self._limit, self._room = limit, room
        # The last message is not counted: while a client reads, it is the only one.
        self._waiting: list[_Waiting] = []  # a deque, even an empty one, takes ten times as much
        self._weight = 0
        self._taken: Frame | None = None
        self._reader: asyncio.Future[None] | None = None  # of whoever waits for a message
        self.ended = False
        self.at_once: Callable[[Frame, float | None], bool] | None = None
        self.since: float | None = None

    def put(self, message: Message | Frame, since: float | None = None) -> None:
        """Add a message, unless the queue has ended. `since` is kept with it."""
        if self.ended:
            return
        frame = message if isinstance(message, Frame) else Frame(message)
        if self._is_awaited and self.at_once is not None and self.at_once(frame, since):
            return
        if self._waiting:
            self._weight += len(self._waiting[-1].frame.written())
            if len(self._waiting) >= self._limit or self._weight >= self._room:
                self.end(TOO_SLOW, "the connection reads too slowly")
                return
        self._waiting.append(_Waiting(frame, since))
        self._wake()

    def end(self, code: int, reason: str) -> None:
        """Drop the waiting messages and tell the connection to close."""
        if self.ended:
            return
        self.ended = True
        self._waiting = [_Waiting(Frame(Closing(code, reason)), None)]
        self._wake()

    @property
    def _is_awaited(self) -> bool:
        """Whether all was sent, and somebody waits for the next message."""
        return self._reader is not None and not self._reader.done()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Message:
        """Return the next message, in order. After a `Closing` there is none."""
        while not self._waiting:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
            self._reader = None
        return self.take()

    def take(self) -> Message:
        """Return the next message that waits.

        Raises:
            IndexError: no message waits.
        """
        taken = self._waiting.pop(0)
        if self._waiting:
            self._weight -= len(taken.frame.written())
        else:
            self._weight = 0
        self._taken, self.since = taken.frame, taken.since
        return taken.frame.message

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
        blocked: whom the person does not want to hear from.
        greeted: whether the first `hello` has been answered.
        parts: whether it wants only what is new of the score sheet.
        changes: whether it wants only what is new of the table.
        shown: the table as it knows it, if it wants that.
        told: how many changes it has been told since it was shown the whole table.
        hinted: whether a hint is being prepared.
        watching: what the person was told last of who watches.
        account: who pays for what is asked and told here; None for somebody without limits.
        played: the number of the last `act` that was acknowledged on it.
        acted: is called with each of its commands that has changed the table.
    """

    who: Who
    outbox: Outbox
    blocked: set[str]
    greeted: bool = False
    parts: bool = False
    changes: bool = False
    shown: Shown | None = None
    told: int = 0
    hinted: bool = False
    watching: ms.Watching = field(default_factory=lambda: ms.Watching(0, []))
    account: Account | None = field(default_factory=ACCOUNT.get)
    played: int = 0
    acted: Callable[[cm.Change], object] = lambda _: None

    def payer(self, table: Table, item: cm.Command | Message | None) -> Account | None:
        """Return who pays for a command or a message; nobody for play where the person sits."""
        if self.account is None:
            return None
        play = isinstance(item, _PLAY) and table.seat_of(self.who.id) is not None
        return None if play else self.account

    def key(self, command: cm.Change) -> str:
        """Return by what a command of the person is known, on whichever connection it comes."""
        return f"{self.who.id}:{command.id}"

    def meant(self, command: cm.Changing, table: Table) -> cm.Changing:
        """Return a command as it was meant: what came before it on this connection is known.

        So a program may send two acts of one turn without waiting for what the first one leads to,
        and a card can be taken back by somebody who has not been shown yet that it was played.
        """
        if not isinstance(command, cm.Act | cm.Undo) or command.seen is None:
            return command
        if table.dealt_seq <= command.seen < self.played:
            return replace(command, seen=self.played)
        return command

    def acknowledge(self, command: cm.Changing, seq: int, since: float | None = None) -> None:
        """Say that a command is done; a copy may come over a new line, and then it is known."""
        self.outbox.put(ms.Ack(command.id, seq), since)
        if isinstance(command, cm.Act):
            self.played = max(self.played, seq)

    def refuse(self, command: cm.Command, why: Refused) -> None:
        """Say why a command is not done."""
        asked = command.id if isinstance(command, cm.Change) else None
        self.outbox.put(ms.Refused(asked, why.code, why.reason, why.about))


class Audience:
    """Those who are told of a table; whatever several are told is made and encoded once."""

    def __init__(
        self,
        table: Table,
        watchers: int,
        timeline: Timeline,
        before: Showing | None = None,
        steps_in: Mapping[int, int] = {},
    ) -> None:
        """Show `table` as it is now; `before` is what everybody was told last."""
        self._table, self._timeline = table, timeline
        self.showing = Showing(table, watchers, steps_in, before)
        was = None if before is None else before.table
        same = was is not None and was.matches_before == table.matches_before
        self._known = len(was.scores) if was is not None and same else 0
        self._changes = Changes()
        # The frames, with what was known by those whom they are for: see `Changes`.
        self._frames: dict[tuple[int | None, ...], tuple[Shown | None, Frame]] = {}
        self._events: dict[tuple[int, bool], dict[str, Any]] = {}

    @cached_property
    def _mark(self) -> str:
        return self._timeline.mark(self._table, self._table.seq)

    def welcome(self, connection: Connection) -> ms.Welcome:
        """Return the answer to a connection's `hello`: the whole table."""
        seat = self._table.seat_of(connection.who.id)
        lines = [
            _line(line.seq, line.said)
            for line in self._table.lines
            if line.said.person not in connection.blocked
        ]
        connection.shown = self.showing.shown(seat) if connection.changes else None
        connection.told = 0
        snapshot = ms.raw(self.showing.to(seat, rules=True))
        return ms.Welcome(self._table.seq, seat, snapshot, lines, self._mark)

    def tell_all(
        self, connections: Collection[Connection], entries: Sequence[ev.Entry], since: float
    ) -> None:
        """Tell all who have said hello of new events; note whom people have blocked by them."""
        for block in (entry.event for entry in entries if isinstance(entry.event, ev.Blocked)):
            for connection in (one for one in connections if one.who.id == block.person):
                connection.blocked.add(block.blocked)
        for connection in (one for one in connections if one.greeted):
            self.tell(connection, entries, since)
        self.showing.forget()

    def tell(
        self, connection: Connection, entries: Sequence[ev.Entry], since: float | None = None
    ) -> None:
        """Put new events into a connection's outbox, in order; see `Outbox.put`."""
        if connection.outbox.ended:
            return
        told = []
        for entry in entries:
            event = entry.event
            if isinstance(event, ev.Chatted) and event.person not in connection.blocked:
                connection.outbox.put(_line(entry.seq, event))
            else:
                told.append(entry)
        if told:
            connection.outbox.put(self._news(connection, told), since)

    def _news(self, connection: Connection, entries: Sequence[ev.Entry]) -> Frame:
        """Return the frame for all who know what a connection knows, and note what it knows now."""
        seat, known = self._table.seat_of(connection.who.id), connection.shown
        if known is None:
            special = connection.parts
        else:
            connection.shown, connection.told = self.showing.shown(seat), connection.told + 1
            special = not connection.told % CHECKED
        key = id(known), seat, special, *[entry.seq for entry in entries]
        if key not in self._frames:
            message = self._message(known, seat, entries, special=special)
            self._frames[key] = known, Frame(message)
        return self._frames[key][1]

    def _message(
        self, known: Shown | None, seat: int | None, entries: Sequence[ev.Entry], *, special: bool
    ) -> ms.Update | ms.Changed:
        """Return what a seat is told that knows the table as it was; or all of it, for None.

        What is `special` of a change is that it is to be checked; of the whole table, that it has
        only what is new of the score sheet.
        """
        events, seq = [self._event(entry, seat) for entry in entries], self._table.seq
        if known is None:
            shown = self.showing.to(seat, rules=False, hands_from=self._known if special else 0)
            return ms.Update(seq, events, ms.raw(shown), self._mark)
        now = self.showing.shown(seat)
        new, proof = self._changes.between(known, now), check(now.whole()) if special else None
        return ms.Changed(seq, known.common.seq, events, new, self._mark, proof)

    def _event(self, entry: ev.Entry, seat: int | None) -> dict[str, Any]:
        # Of an act whoever did it may be told more than the others, and nobody else.
        own = isinstance(entry.event, ev.Acted) and entry.event.seat == seat
        if (entry.seq, own) not in self._events:
            self._events[entry.seq, own] = public_event(entry, seat)
        return self._events[entry.seq, own]


def _line(seq: int, line: ev.Chatted) -> ms.Chat:
    return ms.Chat(seq, line.seat, line.name, line.text, line.phrase)
