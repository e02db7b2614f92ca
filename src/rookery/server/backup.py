"""All tables and people in one file, checked: from a server that runs, into one that is to run.

The file is a SQLite database of this program's version, whichever database it comes from and goes
to, so a backup is also the way from the embedded database to PostgreSQL. A chain of hashes goes
through each table's events, and one number tells how many rows there are of everything; what does
not agree with them is not brought back.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, create_engine, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rookery.server import schema as db
from rookery.server.migrate import HEAD, revision, upgrade
from rookery.server.sqlite import FILE
from rookery.server.store import StoreError

FORMAT: Final = "rookery-backup/1"
_AT_ONCE: Final = 1000  # rows
# What belongs to the servers of the moment, and to none that comes after.
_OF_NOW: Final = {"servers"}
_MADE: Final = """
    CREATE TABLE backup_of (format TEXT NOT NULL) STRICT;
    CREATE TABLE backup_rows (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
    CREATE TABLE backup_logs
        (table_id TEXT PRIMARY KEY, events INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
"""


class Held(NamedTuple):
    """What is in a backup: so many tables, events and people."""

    tables: int
    events: int
    people: int


class Log(NamedTuple):
    """One table's events: how many, and the last link of the chain through them."""

    events: int
    digest: str


def kept_tables() -> list[Table]:
    """Return the tables of the database that a backup holds."""
    return [table for table in db.METADATA.sorted_tables if table.name not in _OF_NOW]


def write(source: Connection, file: Path) -> Held:
    """Write all that a database shows to a line into a new file, and check it.

    `source` is in a transaction in which it sees one moment, whatever is written meanwhile.

    Raises:
        StoreError: the file is there already or cannot be written, the database is of another
            version, or what was read back is not what was written.
    """
    version = revision(source)
    if version != HEAD:
        raise StoreError(f"the database is of version {version or 0}; expected {HEAD}")
    if file.exists():
        raise StoreError(f"{file} is there already; name a new file")
    begun = file.with_name(f"{file.name}.part")
    begun.unlink(missing_ok=True)
    try:
        begun.touch(mode=0o600)  # it holds every hand
        _copied(source, begun)
        held = checked(begun)
        begun.replace(file)
    except OSError as error:
        raise StoreError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    finally:
        begun.unlink(missing_ok=True)
    return held


def _copied(source: Connection, file: Path) -> None:
    with _line(file) as target:
        upgrade(target)
        for statement in _MADE.split(";")[:-1]:
            target.exec_driver_sql(statement)
        target.exec_driver_sql("INSERT INTO backup_of VALUES (?)", (FORMAT,))
        for table in kept_tables():
            rows = copy(source, target, table)
            target.exec_driver_sql("INSERT INTO backup_rows VALUES (?, ?)", (table.name, rows))
        for code, log in chains(source):
            target.exec_driver_sql("INSERT INTO backup_logs VALUES (?, ?, ?)", (code, *log))


def checked(file: Path) -> Held:
    """Return what is in a backup.

    Raises:
        StoreError: it is none, or not what was once written.
    """
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as plain:
            _whole(plain, file)
        with _line(file) as source:
            return _as_written(source, file)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(f"{file} is no backup: {str(error).splitlines()[0]}") from None


def _whole(plain: sqlite3.Connection, file: Path) -> None:
    names = {name for (name,) in plain.execute("SELECT name FROM sqlite_master")}
    if "backup_of" not in names:
        raise StoreError(f"{file} is no backup; expected a file that rookery backup has written")
    (found,) = plain.execute("SELECT format FROM backup_of").fetchone() or ("nothing",)
    if found != FORMAT:
        raise StoreError(f"{file} is {found}; expected {FORMAT}")
    (said,) = plain.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise StoreError(f"{file} is damaged: {str(said).splitlines()[0]}")


def _as_written(source: Connection, file: Path) -> Held:
    version = revision(source)
    if version != HEAD:
        raise StoreError(f"{file} is of version {version or 0}; expected {HEAD}")
    counted: dict[str, int] = {}
    for name, rows in source.exec_driver_sql("SELECT name, rows FROM backup_rows"):
        table = db.METADATA.tables[name]
        counted[name] = source.scalar(select(func.count()).select_from(table)) or 0
        if counted[name] != rows:
            raise StoreError(f"{file}: {name} has {counted[name]} rows; expected {rows}")
    logs = {
        code: Log(events, digest)
        for code, events, digest in source.exec_driver_sql("SELECT * FROM backup_logs")
    }
    found = dict(chains(source))
    for code in sorted(logs.keys() | found.keys()):
        if logs.get(code) != found.get(code):
            raise StoreError(f"{file}: the events of table {code} are not what was written")
    return Held(len(found), counted["events"], counted["people"])


def restore(file: Path, target: Connection) -> Held:
    """Bring a backup's rows into a database that has none, in its transaction.

    Raises:
        StoreError: it is no sound backup, or the database holds something.
    """
    held = checked(file)
    upgrade(target)
    for table in kept_tables():
        if target.execute(select(1).select_from(table).limit(1)).first() is not None:
            raise StoreError(f"there are {table.name} already; expected an empty database")
    with _line(file) as source:
        for table in kept_tables():
            copy(source, target, table)
        wrong = dict(chains(source)) != dict(chains(target))
    if wrong:
        raise StoreError("what was brought back is not what was written")
    return held


def copy(source: Connection, target: Connection, table: Table) -> int:
    """Copy a table's rows; return how many. No server has what is copied."""
    count = 0
    columns = [column for column in table.c if column.name != "owner"]
    query = select(*columns).execution_options(yield_per=_AT_ONCE)
    for part in source.execute(query).partitions():
        rows = [dict(zip((column.name for column in columns), row, strict=True)) for row in part]
        target.execute(insert(table), rows)
        count += len(rows)
    return count


def chains(source: Connection) -> Iterator[tuple[str, Log]]:
    """Yield each table's code and its log's, in order.

    A link is the SHA-256 of the link before it and of the event as it is stored.
    """
    e = db.events.c
    columns = (e.table_id, e.seq, e.at, e.client_id, e.body)
    query = select(*columns).order_by(e.table_id, e.seq).execution_options(yield_per=_AT_ONCE)
    code, events, link = None, 0, b""
    for row in source.execute(query):
        if row[0] != code:
            if code is not None:
                yield code, Log(events, link.hex())
            code, events, link = row[0], 0, b""
        if row[1] != events + 1:
            raise StoreError(f"table {row[0]} lacks event {events + 1}")
        events += 1
        link = hashlib.sha256(link + _said(row[1:])).digest()
    if code is not None:
        yield code, Log(events, link.hex())


def _said(fields: Iterable[Any]) -> bytes:
    """Return an event's fields so that no two events read alike.

    >>> _said((1, None)), _said(("1", ""))
    (b'1:1-', b'1:10:')
    """
    told = ("-" if field is None else f"{len(str(field))}:{field}" for field in fields)
    return "".join(told).encode()


@contextmanager
def _line(file: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool, hide_parameters=True)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def seen(data: Path, url: str | None) -> Iterator[Connection]:
    """Yield a line that sees one moment of a database, whether or not a server writes there.

    Raises:
        StoreError: the database cannot be read.
    """
    if url is not None:
        from rookery.server.postgres import one_moment

        with one_moment(url) as connection:
            yield connection
        return
    if not (data / FILE).is_file():
        raise StoreError(f"{data} holds no tables")
    engine = create_engine(f"sqlite:///{data / FILE}", poolclass=NullPool, hide_parameters=True)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(str(error).splitlines()[0]) from None
    finally:
        engine.dispose()
