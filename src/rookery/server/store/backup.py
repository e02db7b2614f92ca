"""All tables and people in one checked file: from a server that runs, into a new one."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    delete,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from rookery.server.store import schema as db
from rookery.server.store import timeline
from rookery.server.store.base import StoreError
from rookery.server.store.folder import held as locked_folder
from rookery.server.store.marks import forgotten
from rookery.server.store.migrate import HEAD, check, revision, upgrade
from rookery.server.store.sqlite import checkpointed, connected, embedded, single, why

AT_ONCE: Final = 1000  # rows
# What belongs to the running servers, and not to a later one.
_OF_NOW: Final = {"servers", "timeline", "spent", "secrets"}
_FIRST: Final = 3  # the first version that could be backed up
_SINCE: Final = {
    "clock": 4,
    "sessions.begun": 5,
    "sessions.device": 5,
    "passkeys": 7,
    "attempts": 8,
    "mistakes": 9,
    "sheets": 10,
    "sheet_entries": 10,
    "rated": 11,
    "rated_strangers": 12,
    "rated_matches": 12,
}
# By bytes: the order that a database uses by itself depends on its language settings.
_BYTEWISE: Final = {"sqlite": "BINARY", "postgresql": "C"}


class Log(NamedTuple):
    """One table's events: how many, and the last hash of the chain over them."""

    events: int
    digest: str


def kept_tables(version: str = HEAD) -> list[Table]:
    """Return the tables of the database that a backup of a version holds."""
    tables = [table for table in db.METADATA.sorted_tables if table.name not in _OF_NOW]
    return [table for table in tables if _SINCE.get(table.name, _FIRST) <= int(version)]


def kept_columns(table: Table, version: str = HEAD) -> list[Column[Any]]:
    """Return a table's columns that a backup of a version holds, without owners of tables."""
    kept = [column for column in table.c if column.name != "owner"]
    return [column for column in kept if _SINCE.get(str(column), _FIRST) <= int(version)]


def digests(source: Connection, version: str = HEAD) -> dict[str, str]:
    """Return the SHA-256 of the rows of each table but events, by table name."""
    tables = [table for table in kept_tables(version) if table is not db.events]
    return {table.name: _digest(source, kept_columns(table, version)) for table in tables}


def _version(source: Connection) -> str:
    version = revision(source) or "0"
    if not version.isdecimal() or not _FIRST <= int(version) <= int(HEAD):
        raise StoreError(f"it is of version {version}; expected {_FIRST} to {HEAD}")
    return version


def _digest(source: Connection, columns: Iterable[Column[Any]]) -> str:
    kept = list(columns)
    order = [_bytewise(source, column) for column in kept if column.primary_key]
    query = select(*kept).order_by(*order).execution_options(yield_per=AT_ONCE)
    found = hashlib.sha256()
    for row in source.execute(query):
        found.update(_row_bytes(row))
    return found.hexdigest()


def _bytewise(source: Connection, column: Column[Any]) -> ColumnElement[Any]:
    is_text = isinstance(column.type, Text)
    return column.collate(_BYTEWISE[source.dialect.name]) if is_text else column


def chains(source: Connection) -> Iterator[tuple[str, Log]]:
    """Yield each game table's code and log, in order.

    A link is the SHA-256 of the link before it and of the event as it is stored.

    Raises:
        StoreError: an event is missing.
    """
    e = db.events.c
    columns = (e.table_id, e.seq, e.at, e.client_id, e.body)
    query = select(*columns).order_by(e.table_id, e.seq).execution_options(yield_per=AT_ONCE)
    for code, rows in groupby(source.execute(query), itemgetter(0)):
        events, link = 0, b""
        for events, row in enumerate(rows, 1):
            if row[1] != events:
                raise StoreError(f"table {code} lacks event {events}")
            link = hashlib.sha256(link + _row_bytes(row[1:])).digest()
        yield code, Log(events, link.hex())


def _row_bytes(fields: Iterable[Any]) -> bytes:
    """Return a row's fields as bytes. Different rows, or sequences of rows, differ.

    >>> _row_bytes((1, None)), _row_bytes(("1", ""))
    (b'1:1-', b'1:10:')
    """
    parts = ("-" if field is None else f"{len(str(field))}:{field}" for field in fields)
    return "".join(parts).encode()


FORMAT: Final = "rookery-backup/2"
_COUNTED: Final = "rookery-backup/1"  # has only row counts for tables other than events
_MADE: Final = """
    CREATE TABLE backup_of (format TEXT NOT NULL) STRICT;
    CREATE TABLE backup_rows (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
    CREATE TABLE backup_sums (name TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT;
    CREATE TABLE backup_logs
        (table_id TEXT PRIMARY KEY, events INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
"""


class Held(NamedTuple):
    """How many tables, events and people a backup holds."""

    tables: int
    events: int
    people: int


def write(source: Connection, file: Path) -> Held:
    """Write a database into a new backup file, and check it.

    `source` is in a transaction that sees one moment, whatever is written meanwhile.

    Raises:
        StoreError: the file exists or cannot be written, the database has another version, or what
            was read back differs from what was written.
    """
    check(source)
    if file.exists():
        raise StoreError(f"{file} already exists; name a new file")
    begun = file.with_name(f"{file.name}.part")
    begun.unlink(missing_ok=True)
    try:
        begun.touch(mode=0o600)  # it contains every hand
        _copied(source, begun)
        held = checked(begun)
        begun.replace(file)
    except OSError as error:
        raise StoreError(f"{file}: {why(error)}") from None
    except OperationalError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            raise  # it may be of what is read
        raise StoreError(f"{file}: {why(error)}") from None
    finally:
        begun.unlink(missing_ok=True)
    return held


def _copied(source: Connection, file: Path) -> None:
    with single(file).begin() as target:
        upgrade(target)
        for statement in _MADE.split(";")[:-1]:
            target.exec_driver_sql(statement)
        target.exec_driver_sql("INSERT INTO backup_of VALUES (?)", (FORMAT,))
        for table in kept_tables():
            rows = copy(source, target, table)
            target.exec_driver_sql("INSERT INTO backup_rows VALUES (?, ?)", (table.name, rows))
        for name, digest in digests(source).items():
            target.exec_driver_sql("INSERT INTO backup_sums VALUES (?, ?)", (name, digest))
        for code, log in chains(source):
            target.exec_driver_sql("INSERT INTO backup_logs VALUES (?, ?, ?)", (code, *log))


def checked(file: Path) -> Held:
    """Check a backup and return what it holds.

    Raises:
        StoreError: the file is not a backup, or has changed since it was written.
    """
    try:
        with single(file, "ro").connect() as source:
            found = _whole(source, file)
            try:
                held = _as_written(source)
                if found == FORMAT:
                    _as_summed(source)
            except StoreError as error:
                raise StoreError(f"{file}: {error}") from None
        return held
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"{file} is no backup: {why(error)}") from None


def _whole(source: Connection, file: Path) -> str:
    """Return the format of a sound backup file."""
    if not inspect(source).has_table("backup_of"):
        raise StoreError(f"{file} is not a backup; expected a file written by rookery backup")
    found = source.exec_driver_sql("SELECT format FROM backup_of").scalar() or "nothing"
    if found not in (FORMAT, _COUNTED):
        raise StoreError(f"{file} is {found}; expected {FORMAT}")
    said = source.exec_driver_sql("PRAGMA integrity_check").scalar()
    if said != "ok":
        raise StoreError(f"{file} is damaged: {str(said).splitlines()[0]}")
    return str(found)


def _as_written(source: Connection) -> Held:
    written = dict(_noted(source, "backup_rows"))
    counted: dict[str, int] = {}
    for table in kept_tables(_version(source)):
        name = table.name
        counted[name] = source.scalar(select(func.count()).select_from(table)) or 0
        if counted[name] != written.get(name):
            expected = written.get(name, "a number of them in backup_rows")
            raise StoreError(f"{name} has {counted[name]} rows; expected {expected}")
    logs = {code: Log(*log) for code, *log in _noted(source, "backup_logs")}
    found = dict(chains(source))
    for code in sorted(logs.keys() | found.keys()):
        if logs.get(code) != found.get(code):
            raise StoreError(f"the events of table {code} are not what was written")
    return Held(len(found), counted["events"], counted["people"])


def _as_summed(source: Connection) -> None:
    written = dict(_noted(source, "backup_sums"))
    for name, digest in digests(source, _version(source)).items():
        if written.get(name) != digest:
            raise StoreError(f"the rows of {name} are not what was written")


def _noted(source: Connection, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in source.exec_driver_sql(f"SELECT * FROM {table}")]  # noqa: S608


def restore(file: Path, target: Connection) -> Held:
    """Copy a backup's rows into an empty database, in its transaction.

    Raises:
        StoreError: the backup is damaged, or the database is not empty.
    """
    held = checked(file)
    upgrade(target)
    for table in kept_tables():
        # Any server that was started has noted the time.
        if (
            table is not db.clock
            and target.execute(select(1).select_from(table).limit(1)).first() is not None
        ):
            raise StoreError(f"there are {table.name} already; expected an empty database")
    with single(file, "ro").connect() as source:
        version = _version(source)
        forgotten(target)
        for table in kept_tables(version):
            copy(source, target, table, version)
        same = digests(source, version) == digests(target, version)
        same = same and dict(chains(source)) == dict(chains(target))
    if not same:
        raise StoreError("what was restored differs from the backup")
    # Who was there after the backup was made may know what it holds.
    timeline.begin(target)
    return held


def copy(source: Connection, target: Connection, table: Table, version: str = HEAD) -> int:
    """Copy a table's rows out of a database of a version; return how many."""
    if table is db.clock:  # which has its row as soon as it is made
        target.execute(delete(table))
    count = 0
    columns = kept_columns(table, version)
    query = select(*columns).execution_options(yield_per=AT_ONCE)
    for part in source.execute(query).partitions():
        target.execute(insert(table), [dict(row._mapping) for row in part])
        count += len(part)
    return count


@contextmanager
def seen(data: Path, url: str | None) -> Iterator[Connection]:
    """Yield a connection that sees one moment of a database, even while a server writes.

    Raises:
        StoreError: the database cannot be read.
    """
    if url is not None:
        from rookery.server.store.postgres import one_moment

        with one_moment(url) as connection:
            yield connection
        return
    try:
        with embedded(data).connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(str(error).splitlines()[0]) from None


@contextmanager
def changing(data: Path, url: str | None, *, alone: bool = True) -> Iterator[Connection]:
    """Yield a connection to the database at `url`, else in the folder `data`, in a transaction.

    It is committed at the end. Other programs that want to change the database wait or are refused.
    Unless it has to be `alone`, a server may use the folder.

    Raises:
        CannotServe: a server uses the folder.
        StoreError: the database cannot be opened or changed; it is unchanged.
    """
    try:
        if url is not None:
            from rookery.server.store.postgres import locked, opened, unhurried

            with opened(url).begin() as connection:
                unhurried(connection)  # a large backup is read for longer than servers wait
                locked(connection)
                yield connection
            return
        engine = embedded(data)
        lock = locked_folder(data) if alone else nullcontext()
        with lock, connected(engine) as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")
            if alone:
                checkpointed(connection)
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"{data}: {why(error)}" if url is None else why(error)) from None
