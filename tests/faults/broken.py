"""`rookery serve` with one fault in it, for the controls: ``python broken.py <fault> serve ...``.

A test of faults is worth what its control is worth: each of these has to be found out.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rookery.server import clock, serving
from rookery.server.api.evenings import table_sheet
from rookery.server.api.evenings.held import Evenings
from rookery.server.api.evenings.held import Held as EveningHeld
from rookery.server.api.problems import Problem
from rookery.server.cluster.postgres_leases import Beat, PostgresLeases
from rookery.server.cluster.spread import part
from rookery.server.http import static
from rookery.server.http import websocket as socket
from rookery.server.http.ratelimit import Addresses, Buckets
from rookery.server.live import connection as outbox
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection as Line
from rookery.server.monitoring import health as readiness
from rookery.server.monitoring import security
from rookery.server.registry import calendar, tables
from rookery.server.store import rows as log_rows
from rookery.server.store import sql, sqlite, writer
from rookery.server.store import writer as jobs
from rookery.server.store.base import Conflict, StoreError, TableRow
from rookery.server.store.leases import Held, Lease
from rookery.server.store.people.sheets import SheetFound
from rookery.server.store.timeline import CommitCount
from rookery.server.table import commands as cm
from rookery.server.table.events import Entry

Append: TypeAlias = Callable[[log_rows.LogRows, Connection, TableRow, Sequence[Entry], Lease], None]

READY: Final[list[bytearray]] = []
HOARD: Final[list[Entry]] = []
_OVERWRITTEN: Final = text(
    "INSERT INTO events (table_id, seq, at, client_id, body)"
    " VALUES (:table_id, :seq, :at, :client_id, :body)"
    " ON CONFLICT (table_id, seq) DO UPDATE"
    " SET body = excluded.body, client_id = excluded.client_id"
)


def early(what: str = "append") -> None:
    """Answer what happens at tables before the commit, which waits for something else to write."""
    sound = writer.Writer._write
    begun: set[writer.Writer] = set()

    def write(self: writer.Writer, batch: list[jobs.Job]) -> list[Any]:
        if any(what not in job.work.__qualname__ for job in batch):
            # Who has no session yet makes no table, and there is nothing to lose.
            if self in begun:
                self._sql("COMMIT")
                begun.remove(self)
            return sound(self, batch)
        if self not in begun:
            self._sql("BEGIN IMMEDIATE")
            begun.add(self)
        return [self._one(job) for job in batch]

    writer.Writer._write = write  # type: ignore[method-assign]


def normal() -> None:
    """Do not ask the disk at every commit."""

    def writer_for(
        self: sqlite.SqliteStore, connection: Connection, count: CommitCount
    ) -> writer.Writer:
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        return writer.Writer(connection, count)

    sqlite.SqliteStore._writer_for = writer_for  # type: ignore[method-assign]


def forgetful() -> None:
    """Take no notice of the ids of commands."""
    change, line = Actor._change, log_rows._line

    async def afresh(self: Actor, connection: Line, command: cm.Changing) -> None:
        self._recent._done.pop(f"{connection.who.id}:{command.id}", None)
        await change(self, connection, command)

    def without_id(code: str, entry: Entry) -> dict[str, object]:
        return {**line(code, entry), "client_id": None}

    Actor._change = afresh  # type: ignore[method-assign]
    log_rows._line = without_id


def amnesia() -> None:
    """Know nobody any more after a start."""
    begin = sqlite.SqliteStore.__init__

    def init(self: sqlite.SqliteStore, path: Path) -> None:
        begin(self, path)
        with self._engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM sessions")

    sqlite.SqliteStore.__init__ = init  # type: ignore[method-assign]


def careless() -> None:
    """Say yes to what happens at tables, whether or not the disk took it."""
    sound = writer.Writer._write

    def write(self: writer.Writer, batch: list[jobs.Job]) -> list[Any]:
        if any("append" not in job.work.__qualname__ for job in batch):
            return sound(self, batch)
        try:
            self._sql("BEGIN IMMEDIATE")
            for job in batch:
                self._one(job)
            self._commit()
        except (DBAPIError, sqlite3.Error):
            self._roll_back()
        return [None] * len(batch)

    writer.Writer._write = write  # type: ignore[method-assign]


def boundless() -> None:
    """Keep whatever anybody has to be told, and wait for whoever does not read it."""
    begin = outbox.Outbox.__init__

    def init(self: outbox.Outbox, limit: int = 64, room: int = outbox.ROOM) -> None:
        begin(self, limit * sys.maxsize, room * sys.maxsize)

    outbox.Outbox.__init__ = init  # type: ignore[method-assign]
    socket.WRITE_WAIT = 1e9  # type: ignore[misc]


def headlong() -> None:
    """Take whatever has come apart at once, and hear all of it before anybody else."""
    sound = serving.configured

    def configured(*known: Any) -> Config:  # noqa: ANN401
        found = sound(*known)
        found.ws = WebSocketsSansIOProtocol
        return found

    serving.configured = configured  # type: ignore[assignment]
    socket.AT_ONCE = -1.0  # type: ignore[misc]


def lavish() -> None:
    """Give pages, files and word of itself to everybody without end, and find all out each time."""
    sound = Addresses.admit

    async def admit(self: Addresses, who: str, path: str) -> Problem | None:
        return await sound(self, who, path) if path.startswith("/api") else None

    async def here(self: readiness.Readiness) -> bool:
        await self._registry.store.ping()
        return self._registry.leases.alive

    Addresses.admit = admit  # type: ignore[method-assign]
    readiness.Readiness.here = here  # type: ignore[method-assign]
    static.LOOKED = -1.0  # type: ignore[misc]


def gratis() -> None:
    """Let everybody ask as often as they like, whatever it costs."""

    async def admit(self: Addresses, who: str, path: str) -> Problem | None:
        return None

    Addresses.admit = admit  # type: ignore[method-assign]
    Buckets.take = lambda *_: True  # type: ignore[method-assign]
    Buckets.due = lambda *_: 0.0  # type: ignore[method-assign]


def heavy() -> None:
    """Keep 256 KiB ready for every line, for what may come."""
    begin = outbox.Outbox.__init__

    def init(self: outbox.Outbox, limit: int = 64, room: int = outbox.ROOM) -> None:
        begin(self, limit, room)
        READY.append(bytearray(b"x" * 262_144))

    outbox.Outbox.__init__ = init  # type: ignore[method-assign]


def hoarding() -> None:
    """Keep every event in memory, though it is in the log."""
    begin = log_rows._line

    def kept(code: str, entry: Entry) -> dict[str, object]:
        HOARD.append(entry)
        return begin(code, entry)

    log_rows._line = kept


def unfenced() -> None:
    """Go on with tables that others have by now, and write over what these have written."""

    def found(self: PostgresLeases, beat: Beat, before: Held) -> None:
        self._beat_at, self.leads = time.monotonic(), beat.leads

    log_rows.LogRows.append = overwriting()  # type: ignore[method-assign, assignment]
    PostgresLeases._found = found  # type: ignore[method-assign]


def shortsighted() -> None:
    """Begin with a table before what was said there last is to be seen, and write over it."""
    read = sql.SqlStore.read

    async def early(
        self: sql.SqlStore, code: str, after: int = 0, most: int | None = None
    ) -> list[Entry]:
        entries = await read(self, code, after, most)
        return entries if after else entries[:-1]

    log_rows.LogRows.append = overwriting()  # type: ignore[method-assign, assignment]
    sql.SqlStore.read = early  # type: ignore[method-assign]


def overwriting() -> Append:
    """Return what appends to a table's events without asking whose the table is."""
    sound = log_rows.LogRows.append

    def append(
        self: log_rows.LogRows,
        connection: Connection,
        row: TableRow,
        entries: Sequence[Entry],
        lease: Lease,
    ) -> None:
        if entries[0].seq == 1:
            sound(self, connection, row, entries, lease)
            return
        for entry in entries:
            connection.execute(_OVERWRITTEN, log_rows._line(row.code, entry))

    return append


def single() -> None:
    """Put nothing else into a commit, however much waits."""
    jobs._TOGETHER = 1  # type: ignore[misc]


def certain() -> None:
    """Take a commit that was written and not synced for one that has not happened."""

    def commit(self: writer.Writer) -> None:
        self._sql("COMMIT")

    writer.Writer._commit = commit  # type: ignore[method-assign]


def hasty() -> None:
    """Sweep ten times a second, which is no fault: a test cannot wait for minutes.

    A file with one byte for each sweep says how many there were.
    """
    tables.SWEEP = 100  # type: ignore[misc]
    swept, count = tables.TableRegistry.sweep, Path(os.environ["ROOKERY_SWEEPS"])

    async def counted(self: tables.TableRegistry) -> None:
        await swept(self)
        with count.open("ab") as file:  # noqa: ASYNC230
            file.write(b".")

    tables.TableRegistry.sweep = counted  # type: ignore[method-assign]


def credulous() -> None:
    """Believe whatever the clock says."""
    hasty()

    def believed(mark: clock.Mark | None, now: int, ran: int) -> clock.Judged:
        return clock.Judged(clock.Mark(now))

    calendar.judged = believed  # type: ignore[attr-defined]


def telling() -> None:
    """Write the addresses of those who attack into the log."""
    security.SecurityLog._who = lambda self, household: str(household)  # type: ignore[method-assign]


def old_news() -> None:
    """Tell of an evening what it was when somebody first looked."""
    sound = Evenings.of

    async def of(self: Evenings, found: SheetFound) -> EveningHeld:
        known = self._held.get(found.sheet.code)
        return known or await sound(self, found)

    Evenings.of = of  # type: ignore[method-assign]


def afresh() -> None:
    """Read an evening anew for everybody who asks."""
    sound = Evenings.of

    async def of(self: Evenings, found: SheetFound) -> EveningHeld:
        self.drop(found.sheet.code)
        return await sound(self, found)

    Evenings.of = of  # type: ignore[method-assign]


def deaf() -> None:
    """Have a table's score follow no correction on its score sheet."""
    sound = table_sheet.say

    async def say(state: Any, at: table_sheet.AtTable, *rest: Any) -> table_sheet.AtTable:  # noqa: ANN401
        return at if table_sheet._said_before(at) else await sound(state, at, *rest)

    vars(table_sheet)["say"] = say


def hopeful() -> None:
    """Acknowledge what a database that is lost has not stored: it will be back."""
    sound = part.Part.write

    async def write(self: part.Part[Any], what: Any) -> Any:  # noqa: ANN401
        try:
            return await sound(self, what)
        except Conflict:
            raise
        except StoreError:
            return None

    part.Part.write = write  # type: ignore[method-assign]


FAULTS: dict[str, Callable[[], None]] = {
    "early": early,
    "early scores": partial(early, "SqlSheets.write"),
    "normal": normal,
    "forgetful": forgetful,
    "amnesia": amnesia,
    "careless": careless,
    "certain": certain,
    "boundless": boundless,
    "headlong": headlong,
    "lavish": lavish,
    "gratis": gratis,
    "heavy": heavy,
    "hoarding": hoarding,
    "unfenced": unfenced,
    "shortsighted": shortsighted,
    "single": single,
    "hasty": hasty,
    "credulous": credulous,
    "telling": telling,
    "old news": old_news,
    "afresh": afresh,
    "deaf": deaf,
    "hopeful": hopeful,
}


def main(arguments: Sequence[str]) -> None:
    """Put the fault in and serve."""
    from rookery.cli.main import app

    FAULTS[arguments[0]]()
    app(args=list(arguments[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
