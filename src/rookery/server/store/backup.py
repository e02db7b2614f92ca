"""All tables and people in one file, checked: from a server that runs, into one that is to run.

The file is a SQLite database of this program's version, whichever database it comes from and goes
to, so a backup is also the way from the embedded database to PostgreSQL. A chain of hashes goes
through each table's events, one hash through all rows of everything else, see `sums`; what does not
agree with them is not brought back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, Table, create_engine, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rookery.server.store.base import StoreError
from rookery.server.store.checksums import AT_ONCE, Log, chains, digests, kept_columns, kept_tables
from rookery.server.store.migrate import HEAD, revision, upgrade
from rookery.server.store.sqlite import FILE

FORMAT: Final = "rookery-backup/2"
_COUNTED: Final = "rookery-backup/1"  # of all but events it has numbers alone
_MADE: Final = """
    CREATE TABLE backup_of (format TEXT NOT NULL) STRICT;
    CREATE TABLE backup_rows (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT;
    CREATE TABLE backup_sums (name TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT;
    CREATE TABLE backup_logs
        (table_id TEXT PRIMARY KEY, events INTEGER NOT NULL, digest TEXT NOT NULL) STRICT;
"""


class Held(NamedTuple):
    """What is in a backup: so many tables, events and people."""

    tables: int
    events: int
    people: int


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
        for name, digest in digests(source).items():
            target.exec_driver_sql("INSERT INTO backup_sums VALUES (?, ?)", (name, digest))
        for code, log in chains(source):
            target.exec_driver_sql("INSERT INTO backup_logs VALUES (?, ?, ?)", (code, *log))


def checked(file: Path) -> Held:
    """Return what is in a backup.

    Raises:
        StoreError: it is none, or not what was once written.
    """
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as plain:
            found = _whole(plain, file)
        with _line(file) as source:
            held = _as_written(source, file)
            if found == FORMAT:
                _as_summed(source, file)
        return held
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(f"{file} is no backup: {str(error).splitlines()[0]}") from None


def _whole(plain: sqlite3.Connection, file: Path) -> str:
    """Return the format of a file that is sound."""
    names = {name for (name,) in plain.execute("SELECT name FROM sqlite_master")}
    if "backup_of" not in names:
        raise StoreError(f"{file} is no backup; expected a file that rookery backup has written")
    (found,) = plain.execute("SELECT format FROM backup_of").fetchone() or ("nothing",)
    if found not in (FORMAT, _COUNTED):
        raise StoreError(f"{file} is {found}; expected {FORMAT}")
    (said,) = plain.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise StoreError(f"{file} is damaged: {str(said).splitlines()[0]}")
    return str(found)


def _as_written(source: Connection, file: Path) -> Held:
    version = revision(source)
    if version != HEAD:
        raise StoreError(f"{file} is of version {version or 0}; expected {HEAD}")
    told = {row[0]: row[1] for row in source.exec_driver_sql("SELECT * FROM backup_rows")}
    counted: dict[str, int] = {}
    for table in kept_tables():
        name = table.name
        counted[name] = source.scalar(select(func.count()).select_from(table)) or 0
        if counted[name] != told.get(name):
            expected = told.get(name, "a number of them in backup_rows")
            raise StoreError(f"{file}: {name} has {counted[name]} rows; expected {expected}")
    logs = {
        code: Log(events, digest)
        for code, events, digest in source.exec_driver_sql("SELECT * FROM backup_logs")
    }
    try:
        found = dict(chains(source))
    except StoreError as error:
        raise StoreError(f"{file}: {error}") from None
    for code in sorted(logs.keys() | found.keys()):
        if logs.get(code) != found.get(code):
            raise StoreError(f"{file}: the events of table {code} are not what was written")
    return Held(len(found), counted["events"], counted["people"])


def _as_summed(source: Connection, file: Path) -> None:
    told = {row[0]: row[1] for row in source.exec_driver_sql("SELECT * FROM backup_sums")}
    for name, digest in digests(source).items():
        if told.get(name) != digest:
            raise StoreError(f"{file}: the rows of {name} are not what was written")


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
        wrong = dict(chains(source)) != dict(chains(target)) or digests(source) != digests(target)
    if wrong:
        raise StoreError("what was brought back is not what was written")
    return held


def copy(source: Connection, target: Connection, table: Table) -> int:
    """Copy a table's rows; return how many."""
    count = 0
    columns = kept_columns(table)
    query = select(*columns).execution_options(yield_per=AT_ONCE)
    for part in source.execute(query).partitions():
        rows = [dict(zip((column.name for column in columns), row, strict=True)) for row in part]
        target.execute(insert(table), rows)
        count += len(rows)
    return count


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
        from rookery.server.store.postgres import one_moment

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
