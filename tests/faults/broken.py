"""`rookery serve` with one fault in it, for the controls: ``python broken.py <fault> serve ...``.

A test of faults is worth what its control is worth: each of these has to be found out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from rookery.server import commands as cm
from rookery.server import jobs, log_rows, outbox, socket, sqlite, writer
from rookery.server.actor import Actor
from rookery.server.connection import Connection as Line
from rookery.server.events import Entry


def early() -> None:
    """Answer what happens at tables before the commit, which waits for something else to write."""
    sound = writer.Writer._write
    begun: set[writer.Writer] = set()

    def write(self: writer.Writer, batch: list[jobs.Job]) -> None:
        if any("append" not in job.work.__qualname__ for job in batch):
            # Who has no session yet makes no table, and there is nothing to lose.
            if self in begun:
                self._sql("COMMIT")
                begun.remove(self)
            sound(self, batch)
            return
        if self not in begun:
            self._sql("BEGIN IMMEDIATE")
            begun.add(self)
        for job in batch:
            answer = self._one(job)
            job.loop.call_soon_threadsafe(jobs._answer, job.future, answer)

    writer.Writer._write = write  # type: ignore[method-assign]


def normal() -> None:
    """Do not ask the disk at every commit."""

    def writer_for(self: sqlite.SqliteStore, connection: Connection) -> writer.Writer:
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        return writer.Writer(connection)

    sqlite.SqliteStore._writer_for = writer_for  # type: ignore[method-assign]


def forgetful() -> None:
    """Take no notice of the ids of commands."""
    change, line = Actor._change, log_rows._line

    async def afresh(self: Actor, connection: Line, command: cm.Changing) -> None:
        self._answered._done.pop(f"{connection.who.id}:{command.id}", None)
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

    def write(self: writer.Writer, batch: list[jobs.Job]) -> None:
        if any("append" not in job.work.__qualname__ for job in batch):
            sound(self, batch)
            return
        try:
            self._sql("BEGIN IMMEDIATE")
            for job in batch:
                self._one(job)
            self._commit()
        except DBAPIError:
            self._roll_back()
        for job in batch:
            job.loop.call_soon_threadsafe(jobs._answer, job.future, None)

    writer.Writer._write = write  # type: ignore[method-assign]


def boundless() -> None:
    """Keep whatever anybody has to be told, and wait for whoever does not read it."""
    begin = outbox.Outbox.__init__

    def init(self: outbox.Outbox, limit: int = 64) -> None:
        begin(self, limit * sys.maxsize)

    outbox.Outbox.__init__ = init  # type: ignore[method-assign]
    socket.WRITE_WAIT = 1e9  # type: ignore[misc]


def single() -> None:
    """Put nothing else into a commit, however much waits."""
    jobs._TOGETHER = 1  # type: ignore[misc]


def certain() -> None:
    """Take a commit that was written and not synced for one that has not happened."""

    def commit(self: writer.Writer) -> None:
        self._sql("COMMIT")

    writer.Writer._commit = commit  # type: ignore[method-assign]


FAULTS: dict[str, Callable[[], None]] = {
    "early": early,
    "normal": normal,
    "forgetful": forgetful,
    "amnesia": amnesia,
    "careless": careless,
    "certain": certain,
    "boundless": boundless,
    "single": single,
}


def main(arguments: Sequence[str]) -> None:
    """Put the fault in and serve."""
    from rookery.cli.main import app

    FAULTS[arguments[0]]()
    app(args=list(arguments[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
