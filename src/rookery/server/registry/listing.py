"""How a table is listed: for strangers, its people, a guest, and whoever runs the server.

No list shows a card of a hand that is being played.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from pydantic import BaseModel

from rookery.server.names import place_of
from rookery.server.registry.history import TableReader
from rookery.server.store.base import StoreError, TableRow, Unreadable
from rookery.server.table.chairs import Chair
from rookery.server.table.projection import fixed_sides
from rookery.server.table.state import Table
from rookery.server.work import Tab, paid_by

LONGEST: Final = 50  # tables in the list of the lobby
# Seconds that this list is kept: where other servers tell of changes, and where they do not.
KEPT_WITH_NOTICES: Final = 15.0
KEPT_WITHOUT: Final = 1.0
# But at least for so many times the time of a core that it took, so nobody can have it made all
# the time: what is played elsewhere is read from its beginning.
RESTS: Final = 10

# What is read of an open table elsewhere: by the list, and for who would play with strangers.
_FOUND_BY: Final = (
    *("open", "phase", "title", "rules", "pace", "clock", "chairs", "host"),
    *("removed", "silenced", "evening"),
)


class SeatListed(BaseModel):
    """A seat: who sits there, and whether somebody may sit down."""

    name: str
    kind: str
    bot: str | None
    here: bool
    free: bool


class RulesListed(BaseModel):
    """The rules of a table, whole."""

    id: str | None
    name: str
    options: dict[str, Any]


class TableOpen(BaseModel):
    """A table that strangers may join: the name of its rules, its seats, and how many are free.

    ``here`` is how many of its people are connected.
    """

    code: str
    title: str
    rules_id: str | None
    rules: str
    phase: str
    seats: int
    people: int
    here: int
    free: int


class TableListed(BaseModel):
    """A table in a list.

    ``you`` is the seat of whoever asks, ``number`` that of the table at its evening, null without
    one; ``touched_at`` when something last happened there, milliseconds since 1970.
    """

    code: str
    title: str
    number: int | None
    open: bool
    phase: str
    rules_id: str | None
    rules_name: str
    seats: list[SeatListed]
    free: int
    you: int | None
    totals: list[int] | None
    winners: list[int] | None
    touched_at: int


class TableSeen(TableListed):
    """A table before one sits down: also its rules, its link, and how many hands are finished.

    ``sides`` is who plays with whom by the rules, null where a card calls the partner; ``evening``
    the code of the evening that says who sits there, null without one.
    """

    host: int | None
    pace: str
    clock: int | None
    rules: RulesListed
    sides: list[list[int]] | None
    link: str
    hands: int
    evening: str | None


class TableWatched(BaseModel):
    """A table in memory; ``touched_at`` when something last happened, milliseconds since 1970."""

    code: str
    rules: str
    phase: str
    open: bool
    seats: list[SeatListed]
    watchers: int
    touched_at: int


def differs(before: Table, after: Table) -> bool:
    """Return whether a table has changed in anything by which strangers find it."""
    return (before.open or after.open) and any(
        getattr(before, name) != getattr(after, name) for name in _FOUND_BY
    )


@contextmanager
def passing_over(code: str) -> Iterator[None]:
    """Leave out a table that cannot be read, or whose database of several fails."""
    try:
        yield
    except Unreadable:
        return
    except StoreError:
        if not place_of(code):
            raise


def open_table(table: Table, *, awake: bool = True) -> TableOpen:
    """Return a table as strangers find it in the lobby; nobody is at one that is not awake."""
    return TableOpen(
        code=table.code,
        title=table.title,
        rules_id=table.rules.id,
        rules=table.rules.name,
        phase=table.phase,
        seats=len(table.chairs),
        people=sum(chair.kind == "person" for chair in table.chairs),
        here=sum(chair.here for chair in table.chairs) if awake else 0,
        free=sum(chair.free for chair in table.chairs),
    )


def listed(table: Table, person: str | None) -> TableListed:
    """Return a table as it is listed for one of its people."""
    # What a prepared deal came to is for those who have played it, until the evening shows it.
    prepared = table.evening is not None and table.evening.deals and table.seat_of(person) is None
    match = None if prepared else table.match
    seats = [_seat(chair) for chair in table.chairs]
    return TableListed(
        code=table.code,
        title=table.title,
        number=None if table.evening is None else table.evening.table,
        open=table.open,
        phase=table.phase,
        rules_id=table.rules.id,
        rules_name=table.rules.name,
        seats=seats,
        free=sum(seat.free for seat in seats),
        you=table.seat_of(person),
        totals=None if match is None else list(match.totals),
        winners=None if match is None or match.winners is None else list(match.winners),
        touched_at=table.touched_at,
    )


def seen(table: Table, person: str | None, link: str) -> TableSeen:
    """Return a table as somebody sees it who has its link."""
    rules = table.rules
    return TableSeen(
        **dict(listed(table, person)),
        host=table.host,
        pace=table.pace,
        clock=table.clock,
        rules=RulesListed(id=rules.id, name=rules.name, options=dict(rules.options())),
        sides=fixed_sides(table),
        link=link,
        hands=table.finished,
        evening=None if table.evening is None else table.evening.evening,
    )


def watched(table: Table, watchers: int) -> TableWatched:
    """Return a table as the admin page lists it."""
    return TableWatched(
        code=table.code,
        rules=table.rules.name,
        phase=table.phase,
        open=table.open,
        seats=[_seat(chair) for chair in table.chairs],
        watchers=watchers,
        touched_at=table.touched_at,
    )


def _seat(chair: Chair) -> SeatListed:
    return SeatListed(
        name=chair.name,
        kind=chair.kind,
        bot=chair.bot,
        here=chair.here or chair.kind == "bot",
        free=chair.free,
    )


class Lobby:
    """The list of open tables. Of several servers each keeps it for a moment.

    It is the same for all, so whoever asks does not pay for the past of its tables. Each of those
    that sleep is read once, until it changes.
    """

    def __init__(self, tables: TableReader) -> None:
        self._tables = tables
        self._read: dict[str, tuple[TableRow, Table]] = {}
        self._kept: list[tuple[Table, bool]] = []
        self._until = self._rests = 0.0
        self._changes = 0
        self._making = asyncio.Lock()

    def changed(self) -> None:
        """Make the list anew the next time."""
        self._until = 0.0
        self._changes += 1

    async def tables(self) -> list[TableOpen]:
        """Return the tables that strangers may join, the liveliest first."""
        return [open_table(table, awake=awake) for table, awake in await self.found()]

    async def found(self) -> list[tuple[Table, bool]]:
        """Return these tables whole, each with whether a server has it in memory."""
        async with self._making:
            if time.monotonic() < max(self._until, self._rests):
                return self._kept
            return await self._made()

    async def _made(self) -> list[tuple[Table, bool]]:
        tables, tab = self._tables, Tab()
        began, changes = time.monotonic(), self._changes
        rows, found = await tables.store.listed(LONGEST), []
        for row in rows:
            with passing_over(row.code):
                table = await self._table(row, tab)
                if table is not None:
                    awake = tables.is_awake(row.code) or await tables.leases.elsewhere(row.code)
                    found.append((table, bool(awake)))
        listed = {row.code for row in rows}
        self._read = {code: one for code, one in self._read.items() if code in listed}
        if tables.leases.shared:
            self._kept, self._rests = found, time.monotonic() + RESTS * tab.seconds
            if changes == self._changes:
                kept_for = KEPT_WITH_NOTICES if tables.pubsub.connected else KEPT_WITHOUT
                self._until = began + kept_for
        return found

    async def _table(self, row: TableRow, tab: Tab) -> Table | None:
        """Return a table of the list; where it has to be read, that goes on a tab."""
        tables = self._tables
        if tables.is_awake(row.code) or tables.calendar.hides(row):
            return await tables.table(row.code)
        known, table = self._read.get(row.code, (None, None))
        if known != row:
            with paid_by(tab):
                table = await tables.table(row.code)
            if table is not None:
                self._read[row.code] = row, table
        return table
