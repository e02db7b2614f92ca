"""The store in PostgreSQL, for several servers at once.

An acknowledged commit has to survive a crash of the database. So its settings are checked at the
start, and a database that acknowledges before it has written is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from sqlalchemy import URL, Connection, Delete, Engine, create_engine, event, make_url, select, text
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import NullPool

from rookery.server.names import is_host
from rookery.server.store import schema as db
from rookery.server.store.base import Conflict, InDoubt, StoreError, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.migrate import HEAD, revision, upgrade
from rookery.server.store.sql import SqlStore
from rookery.server.store.timeline import Timeline, at_place, known
from rookery.server.store.writer import Job, Jobs, conflict, failed
from rookery.server.table.events import Entry

WRITERS: Final = 2
READERS: Final = 2
WRITTEN: Final = 10.0  # seconds that an act waits for it; then nobody knows what becomes of it
NAMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_LOCK: Final = 0x526F6F6B  # of migrations; an arbitrary number
_OLDEST: Final = 120_000  # server_version_num
# A server that hangs must not block what it was about to write.
_PATIENCE: Final = {
    "idle_in_transaction_session_timeout": "4s",
    "lock_timeout": "6s",
    "statement_timeout": "30s",
}
_HOW: Final[dict[str, Any]] = {
    "hide_parameters": True,
    "isolation_level": "READ COMMITTED",
    "connect_args": {
        "connect_timeout": 5,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
        "application_name": "rookery",
    },
}
_SINGLE: Final = {"poolclass": NullPool}
_PROMISES: Final = {
    "synchronous_commit": ("on", "remote_write", "remote_apply"),
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "transaction_read_only": ("off",),
    "server_encoding": ("UTF8",),
}

# A cluster that goes on from an earlier time begins another timeline: the first part of the names
# of its log files.
_PLACE: Final = text(
    "SELECT (SELECT system_identifier FROM pg_control_system())"
    " || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)"
    " || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Unreachable(StoreError):
    """The database cannot be reached; nothing was sent to it."""


class PostgresWriter(Jobs):
    """A queue of jobs for one connection, which is opened again when it breaks.

    A failing statement undoes the whole transaction there, and a savepoint before each job would
    cost two more round trips. So jobs share a transaction without savepoints. If one of them fails,
    nothing was committed, and each job is done by itself. That is rare.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._line: Connection | None = None
        super().__init__()

    def _write_alone(self, job: Job) -> object:
        return self._write([job])[0]

    def _write(self, batch: list[Job]) -> list[Any]:
        try:
            return self._twice(batch)
        except Exception as error:
            if isinstance(error, InDoubt | Unreachable) or _is_lost(error):
                return [failed(error)] * len(batch)
            if len(batch) == 1:
                if isinstance(error, IntegrityError | Conflict):
                    return [conflict(error)]
                return [failed(error)]
        return [self._write_alone(job) for job in batch]

    def _twice(self, batch: list[Job]) -> list[Any]:
        """Return the results of the jobs. A connection broken since the last time is opened again.

        Raises:
            InDoubt: only the database knows whether the jobs were done.
            Unreachable: it cannot be reached; they were not done.
            DBAPIError: they were not done.
        """
        try:
            return self._together(batch)
        except DBAPIError as error:
            if not _is_lost(error):
                raise
        return self._together(batch)

    def _together(self, batch: list[Job]) -> list[Any]:
        if self._line is None:
            try:
                self._line = self._engine.connect()
            except DBAPIError as error:
                raise Unreachable(_first(error)) from None
        try:
            answers = [job.work(self._line) for job in batch]
        except BaseException:
            self._roll_back()
            raise
        try:
            self._commit()
        except DBAPIError as error:
            self._end()
            raise InDoubt(f"it is unknown whether it was written: {_first(error)}") from None
        return answers

    def _commit(self) -> None:
        if self._line is not None:
            self._line.commit()

    def _roll_back(self) -> None:
        if self._line is not None:
            with suppress(DBAPIError):
                self._line.rollback()
                if not self._line.invalidated:
                    return
            self._end()

    def _end(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(DBAPIError):
                line.invalidate()
                line.close()


def _is_lost(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _first(error: Exception) -> str:
    return str(error).splitlines()[0]


class PostgresStore(SqlStore):
    """The `Store` of servers that share their tables."""

    kind = "PostgreSQL"

    def __init__(self, url: str) -> None:
        """Open the database and upgrade it to this program's version.

        Raises:
            StoreError: it cannot be reached, has a later version, or its settings do not make
                commits durable.
        """
        pool = {"pool_size": READERS + 1, "max_overflow": 1, "pool_pre_ping": True}
        engine = opened(url, pool)
        try:
            with engine.begin() as connection:
                checked(connection)
                locked(connection)
                changeable(connection)
                upgrade(connection)
        except (SQLAlchemyError, StoreError) as error:
            engine.dispose()
            kind = Unreachable if isinstance(error, OperationalError) else StoreError
            raise kind(f"{shown(url)}: {_first(error)}") from None
        writing = opened(url)
        writers = [PostgresWriter(writing) for _ in range(WRITERS)]
        super().__init__(engine, writers, READERS, engine.dialect)

    def abandon(self) -> None:
        """Close a store that nobody has used yet."""
        self._readers.shutdown()
        self._engine.dispose()

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        try:
            async with asyncio.timeout(WRITTEN):
                await super().append(row, entries, lease)
        except TimeoutError:
            raise InDoubt("it is unknown whether it was written: no answer") from None

    async def _overwrite(self, change: Delete) -> bool:
        """Free the space of deleted data; see `SqlStore`.

        The database decides what is overwritten there, and when.
        """

        def vacuum(connection: Connection) -> None:
            loose = connection.execution_options(isolation_level="AUTOCOMMIT")
            name = "statement_timeout"
            loose.exec_driver_sql(f"SET {name} = 0")
            try:
                for table in db.METADATA.sorted_tables:
                    loose.exec_driver_sql(f'VACUUM "{table.name}"')
            finally:  # others look by this connection afterwards
                loose.exec_driver_sql(f"SET {name} = '{_PATIENCE[name]}'")

        await self.look(vacuum)
        await self.change(change)
        return True

    async def timeline(self, place: str = "") -> Timeline:
        def look(connection: Connection) -> Timeline | None:
            row, place = connection.execute(select(db.timeline)).one(), _place(connection)
            is_there = row.secret and place in (None, row.place)
            return Timeline(row.id, row.secret) if is_there else None

        def work(connection: Connection) -> Timeline:
            place = _place(connection)
            return known(connection)[0] if place is None else at_place(connection, place)

        found = await self.look(look)
        return found if found is not None else await self.do(work)

    async def ping(self) -> None:
        """Return if the database answers and can be written."""
        only_read = await self.do(lambda line: line.scalar(text("SHOW transaction_read_only")))
        if only_read != "off":
            raise StoreError("the database is read-only")


def _place(connection: Connection) -> str | None:
    """Return which database this is, and in which timeline; None where that is not told."""
    try:
        with connection.begin_nested():
            return str(connection.scalar(_PLACE))
    except DBAPIError as error:
        if _is_lost(error):
            raise
        return None


def address(url: str) -> URL:
    """Return a database's address, with this program's driver.

    Raises:
        StoreError: it is not the address of a PostgreSQL database.

    >>> str(address("postgres://rook@db.example/rookery"))
    'postgresql+psycopg://rook@db.example/rookery'
    """
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        found = None
    is_good = found is not None and found.drivername in NAMES and found.database
    if found is None or not is_good or not all(map(is_host, _hosts(found))):
        raise StoreError("not the address of a database; expected postgresql://user@host:5432/name")
    return found.set(drivername="postgresql+psycopg")


def _hosts(url: URL) -> list[str]:
    """Return the hosts that an address has looked up; a path or ``@`` is a socket of this machine.

    >>> _hosts(make_url("postgresql://u@/x?host=a.example,/run/postgresql"))
    ['a.example']
    """
    named = ",".join((url.host or "", *url.normalized_query.get("host", ()))).split(",")
    return [host for host in named if host and host[0] not in "/@"]


def shown(url: str) -> str:
    """Return an address without its password.

    >>> shown("postgresql://rook:secret@db.example:5433/rookery")
    'postgresql://rook@db.example:5433/rookery'
    """
    found = address(url)
    place = f"{found.host or 'localhost'}:{found.port or 5432}"
    return f"postgresql://{found.username or ''}@{place}/{found.database}"


def opened(url: str, pool: Mapping[str, Any] = _SINGLE) -> Engine:
    """Return an engine; without the options of a `pool` it opens each connection anew.

    Raises:
        StoreError: the address is invalid, or the driver is not installed.
    """
    try:
        engine = create_engine(address(url), **pool, **_HOW)
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs psycopg; install rookery-cards[postgres]") from None
    event.listen(engine, "connect", _begun)
    return engine


def locked(connection: Connection) -> None:
    """Lock the schema until this transaction ends.

    Servers that start at the same time wait here for the first, and find the work done.
    """
    for name in ("lock_timeout", "statement_timeout"):
        connection.execute(text(f"SET LOCAL {name} = 0"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})


def unhurried(connection: Connection) -> None:
    """Let this transaction take as long as it takes, and stand still in between."""
    for name in _PATIENCE:
        connection.execute(text(f"SET LOCAL {name} = 0"))


@contextmanager
def one_moment(url: str) -> Iterator[Connection]:
    """Yield a connection that sees the database as it is now, however long it reads.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        with opened(url).connect() as plain:
            connection = plain.execution_options(isolation_level="REPEATABLE READ")
            unhurried(connection)
            connection.execute(text("SET TRANSACTION READ ONLY"))
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(f"{shown(url)}: {_first(error)}") from None


def checked(connection: Connection) -> None:
    """Raise an error unless the database is fit to use.

    Raises:
        StoreError: its commits are not durable, it is too old, or it is read-only.
    """
    version = int(connection.scalar(text("SHOW server_version_num")) or 0)
    if version < _OLDEST:
        raise StoreError(f"it is version {version // 10_000}; expected 12 or later")
    for name, wanted in _PROMISES.items():
        found = connection.scalar(text(f"SHOW {name}"))
        if found not in wanted:
            raise StoreError(
                f"the database's commits are not durable: {name} is {found}; expected {wanted[0]}"
            )


def changeable(connection: Connection) -> None:
    """Raise an error unless the database has this program's version, or its role may change it.

    Raises:
        StoreError: only the owner of the tables may, see `roles`.
    """
    found = revision(connection)
    may = connection.scalar(text("SELECT has_schema_privilege(current_schema(), 'CREATE')"))
    if found != HEAD and not may:
        raise StoreError(
            f"the database is of version {found or 0}; expected {HEAD}:"
            " its owner runs rookery database upgrade first"
        )


def _begun(connection: Any, _record: object) -> None:  # noqa: ANN401  (a driver's)
    """Make a new connection ask for durable commits and use timeouts."""
    before, connection.autocommit = connection.autocommit, True
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        for name, value in _PATIENCE.items():
            cursor.execute(f"SET {name} = '{value}'")
    connection.autocommit = before
