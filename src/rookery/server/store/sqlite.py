"""The embedded store: one SQLite file, nothing to configure."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Literal

from sqlalchemy import URL, Connection, Delete, Engine, ExceptionContext, create_engine, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite as Dialect
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from rookery.server.store.base import StoreError
from rookery.server.store.migrate import upgrade
from rookery.server.store.sql import SqlStore
from rookery.server.store.timeline import CommitCount
from rookery.server.store.writer import Writer

_FULL: Final = 2
_BUSY: Final = 5_000  # milliseconds
_A_LOOK: Final = 50  # milliseconds in which whoever only looks something up is done


def connected(engine: Engine) -> Connection:
    """Return a connection for writing, in autocommit mode. Deleted data are overwritten."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY}")
    connection.exec_driver_sql("PRAGMA secure_delete=ON")
    return connection


def checked(connection: Connection, count: CommitCount) -> None:
    """Check that commits are durable, and upgrade the database to this version.

    Another timeline begins if `count` knows of later commits.

    Raises:
        StoreError: it has no write-ahead log, does not sync each commit, or has a later version.
    """
    mode = connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar()
    connection.exec_driver_sql("PRAGMA synchronous=FULL")
    synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    if mode != "wal" or synchronous != _FULL:
        raise StoreError(
            f"the database's commits are not durable: journal {mode}, synchronous "
            f"{synchronous}; expected wal and {_FULL}. Is the folder on a network drive?"
        )
    # One server holds the folder; this lock also keeps other programs out.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        upgrade(connection)
        count.agreed(connection)
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
    connection.exec_driver_sql("COMMIT")


def checkpointed(connection: Connection, wait: int = _BUSY) -> bool:
    """Empty the write-ahead log, which holds earlier states of pages; return whether it worked.

    A reader, such as a backup, is waited for `wait` milliseconds.
    """
    connection.exec_driver_sql(f"PRAGMA busy_timeout={wait}")
    busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY}")
    return not busy


FILE: Final = "rookery.sqlite3"


def _engine(url: URL, **how: Any) -> Engine:  # noqa: ANN401  (SQLAlchemy's own words)
    # No card, name or key may get into a log with an error.
    engine = create_engine(url, hide_parameters=True, **how)
    event.listen(engine, "handle_error", _explained)
    return engine


def _explained(context: ExceptionContext) -> None:
    """Raise the error of a damaged database as one, even where it quotes bytes that are no text."""
    error = context.original_exception
    if isinstance(error, UnicodeDecodeError):
        words = error.object.decode(errors="replace")
        raise DatabaseError(None, None, sqlite3.DatabaseError(words)) from None


def why(error: SQLAlchemyError | OSError) -> str:
    """Return what the database or the system says of an error, in one line."""
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return str(getattr(error, "orig", error)).splitlines()[0]


def single(file: Path, mode: Literal["rw", "ro"] = "rw") -> Engine:
    """Return an engine that opens an existing file anew for each connection."""
    query = {"mode": mode, "uri": "true"}
    url = URL.create("sqlite", database=file.absolute().as_uri(), query=query)
    return _engine(url, poolclass=NullPool)


def embedded(data: Path) -> Engine:
    """Return an engine for the database in a data folder; see `single`.

    Raises:
        StoreError: there is none.
    """
    if not (data / FILE).is_file():
        raise StoreError(f"{data} holds no tables")
    return single(data / FILE)


def in_place(path: Path) -> Callable[[], None]:
    """Return what raises a `StoreError` once another file is at `path`, or none.

    Whatever goes into a file that was moved or deleted is not there after the next start.
    """

    def at() -> tuple[int, int]:
        found = path.stat()
        return found.st_dev, found.st_ino

    opened = at()

    def check() -> None:
        try:
            if at() == opened:
                return
        except (FileNotFoundError, NotADirectoryError):
            pass
        raise StoreError(
            f"{path} has been moved, deleted or replaced; bring it back, or restart the server"
        )

    return check


class SqliteStore(SqlStore):
    """The `Store` of a server that runs by itself."""

    kind = "SQLite"

    def __init__(self, path: Path) -> None:
        """Open the database at `path`, or make it, and upgrade it to this program's version.

        Raises:
            StoreError: it cannot be opened, has a later version, or its commits are not durable.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # it contains every hand
            self._in_place = in_place(path)
            url = URL.create("sqlite", database=str(path))
            # One connection to write and one to read: opening one takes longer than most queries.
            engine = _engine(url, pool_size=2)
            count = CommitCount(path.parent)
            with ExitStack() as refused:
                refused.callback(engine.dispose)
                connection = connected(engine)
                refused.callback(connection.close)
                checked(connection, count)
                refused.pop_all()
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(f"{getattr(error, 'filename', None) or path}: {why(error)}") from None
        super().__init__(
            engine, [self._writer_for(connection, count)], 1, Dialect(paramstyle="named")
        )

    def _writer_for(self, connection: Connection, count: CommitCount) -> Writer:
        return Writer(connection, count, self._in_place)

    async def forgotten(self, person: str, wiped: Collection[str]) -> None:
        await super().forgotten(person, wiped)
        # A backup reads for long, and whoever plays would wait for it: then `compact` does this.
        await self.do(lambda connection: checkpointed(connection, _A_LOOK), alone=True)

    async def dropped(self) -> bool:
        return await self.do(lambda connection: checkpointed(connection, 0), alone=True)

    async def ping(self) -> None:
        """Return if the database can be written. A page is written: the disk may be full."""

        def work(connection: Connection) -> None:
            kept = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version={int(kept)}")

        await self.do(work)

    async def _overwrite(self, change: Delete) -> bool:
        """Overwrite deleted data in unused parts of the file; see `SqlStore`."""

        def work(connection: Connection) -> bool:
            if not checkpointed(connection, _A_LOOK):
                return False  # while a backup reads, all would wait, and in vain
            # A page that was split keeps a copy of the moved rows.
            connection.exec_driver_sql("VACUUM")
            if not checkpointed(connection):
                return False
            connection.execute(change)
            return checkpointed(connection)

        return await self.do(work, alone=True)
