"""One person's connection to a table, and what all connections are told of an event."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rookery.server.live.outbox import Outbox
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.public import told
from rookery.server.table.snapshot import Showing
from rookery.server.table.state import Table, Who


class Connection:
    """One open line of a person: a browser's tab, or a program.

    Attributes:
        who: the person.
        outbox: what the person is told, until it ends.
        blocked: whom the person does not want to hear from.
        greeted: whether the first `hello` has been answered.
        hinted: whether a hint is being thought of.
    """

    def __init__(self, who: Who, limit: int, blocked: set[str]) -> None:
        """Begin with nothing told; at most `limit` messages may wait."""
        self.who = who
        self.outbox = Outbox(limit)
        self.blocked = blocked
        self.greeted = False
        self.hinted = False

    def heed(self, entries: Sequence[ev.Entry]) -> None:
        """Take in whom the person has just blocked, here or on another line."""
        for event in (entry.event for entry in entries):
            if isinstance(event, ev.Blocked) and event.person == self.who.id:
                self.blocked.add(event.blocked)


class Audience:
    """A table's snapshots, each made once, for however many connections look at it."""

    def __init__(self, table: Table, watchers: int) -> None:
        """Show `table` as it is now."""
        self._table = table
        self._showing = Showing(table, watchers)
        self._snapshots: dict[int | None, msgspec.Raw] = {}

    def welcome(self, connection: Connection, seat: int | None) -> ms.Welcome:
        """Return everything that a connection has to know."""
        lines = [
            _line(seq, line)
            for seq, line in self._table.lines
            if line.person not in connection.blocked
        ]
        return ms.Welcome(self._table.seq, seat, self._welcomed(seat), lines)

    def tell(
        self, connection: Connection, entries: Sequence[ev.Entry], since: float | None = None
    ) -> None:
        """Put what has happened into a connection's outbox, in order; see `Outbox.put`."""
        seat = self._table.seat_of(connection.who.id)
        events = []
        for entry in entries:
            event = entry.event
            if isinstance(event, ev.Chatted) and event.person not in connection.blocked:
                connection.outbox.put(_line(entry.seq, event))
            else:
                events.append(told(entry, seat))
        if events:
            connection.outbox.put(ms.Update(entries[-1].seq, events, self._shown(seat)), since)

    def _shown(self, seat: int | None) -> msgspec.Raw:
        if seat not in self._snapshots:
            self._snapshots[seat] = ms.raw(self._showing.to(seat, rules=False))
        return self._snapshots[seat]

    def _welcomed(self, seat: int | None) -> msgspec.Raw:
        return ms.raw(self._showing.to(seat, rules=True))


def audience(table: Table, watchers: int) -> Audience:
    """Return a table's audience as it is now."""
    return Audience(table, watchers)


def _line(seq: int, line: ev.Chatted) -> ms.Chat:
    return ms.Chat(seq, line.seat, line.name, line.text, line.phrase)
