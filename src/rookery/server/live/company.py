"""Who is connected to a table: people with a seat, and those who watch."""

from __future__ import annotations

from typing import Final

from rookery.server.live.connection import AWAY, SENT_AWAY, Connection
from rookery.server.table import messages as ms
from rookery.server.table.chairs import Chair
from rookery.server.table.state import Table, Who

NAMED: Final = 20  # watchers, those who have been there longest; of others only the number is told
_BUSY: Final = 4  # messages that wait: whoever has so many is told of watchers later
_MET: Final = 64  # people; beyond that, those who left without a seat are forgotten


class Company:
    """The connections to a table, and whom it has met.

    Attributes:
        lines: the connections, in the order of arrival.
        met: each person's latest name.
        stale: whether somebody may have to be told who watches.
    """

    def __init__(self) -> None:
        self.lines: dict[Connection, None] = {}
        self.met: dict[str, str] = {}
        self.stale = False
        self._chairs: tuple[Chair, ...] = ()

    def meet(self, who: Who, table: Table) -> None:
        """Note the name by which a person is known now."""
        if len(self.met) >= _MET:
            known = self.people | {chair.person for chair in table.chairs}
            self.met = {person: name for person, name in self.met.items() if person in known}
        self.met[who.id] = who.name
        self.stale = True

    def rename(self, who: Who, table: Table) -> None:
        """Give a person's connections a new name, by which they are known now."""
        for line in self.lines:
            if line.who.id == who.id:
                line.who = who
        self.meet(who, table)

    def drop(self, line: Connection) -> None:
        """Forget a connection."""
        self.lines.pop(line, None)
        self.stale = True

    def part(self, table: Table) -> None:
        """Part with those whom the host has sent away."""
        for line in [one for one in self.lines if table.silenced.get(one.who.id) == "away"]:
            line.outbox.end(SENT_AWAY, AWAY)
            self.drop(line)

    def close(self, code: int, reason: str) -> None:
        """Close all connections."""
        for line in self.lines:
            line.outbox.end(code, reason)
        self.lines.clear()

    def begin_anew(self, line: Connection) -> None:
        """Tell a connection again who watches: its browser has just been sent the whole table."""
        line.watching = ms.Watching(0, [])
        self.stale = True

    @property
    def people(self) -> set[str]:
        """The people who are connected."""
        return {line.who.id for line in list(self.lines)}

    def watchers(self, table: Table) -> dict[str, str]:
        """Return the names of those who are connected without a seat, by the person."""
        seated = {chair.person for chair in table.chairs}
        lines = [line for line in list(self.lines) if line.greeted]
        return {line.who.id: line.who.name for line in lines if line.who.id not in seated}

    def tell(self, table: Table) -> None:
        """Tell whoever sits at the table who watches, where that has changed.

        Not the others who watch: where thousands do, each who comes would be told to all.
        """
        if not self.stale and table.chairs is self._chairs:
            return
        self.stale, self._chairs = False, table.chairs
        here = self.watchers(table)
        # Whoever is muted could go on in names, which anybody may change.
        names = [name for who, name in here.items() if table.silenced.get(who) != "muted"]
        message = ms.Watching(len(here), names[:NAMED])
        for line in self.lines:
            if table.seat_of(line.who.id) is None:
                line.watching = ms.Watching(0, [])  # to be told anew with another seat
                continue
            if not line.greeted or line.watching == message:
                continue
            if len(line.outbox) < _BUSY:
                line.watching = message
                line.outbox.put(message)
            else:
                self.stale = True
