"""Migrate a database from one version to another. The steps are in `migrations`, for Alembic.

The caller begins the transaction, keeps other programs out, and commits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, insert, inspect

from rookery.server.store import schema as db
from rookery.server.store.base import StoreError

HEAD: Final = "12"
FIRST: Final = "1"
_STEPS: Final = Path(__file__).with_name("migrations")
# As Alembic makes it, but strict in SQLite.
_NOTED: Final = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
_NOTED_STRICT: Final = "CREATE TABLE alembic_version (version_num TEXT NOT NULL PRIMARY KEY) STRICT"


def revision(connection: Connection) -> str | None:
    """Return the version of a database; None for an empty one."""
    names = inspect(connection).get_table_names()
    if "alembic_version" in names:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if found is not None:
            return str(found)
    if connection.dialect.name == "sqlite":
        # The first two versions were made without Alembic; the file's header has their number.
        counted = connection.exec_driver_sql("PRAGMA user_version").scalar() or 0
        return str(counted) if counted else None
    return None


def check(connection: Connection) -> None:
    """Return if a database is of this program's version.

    Raises:
        StoreError: it is not; the line says what helps.
    """
    found = revision(connection)
    if found is not None and _number(found) > _number(HEAD):
        raise StoreError(f"the database is of version {found}; this program knows {HEAD}")
    if found != HEAD:
        line = f"the database is of version {found or 0}"
        raise StoreError(f"{line}; `rookery database upgrade` brings it to {HEAD}")


def upgrade(connection: Connection) -> str | None:
    """Upgrade a database to this program's version; return the version it had.

    Raises:
        StoreError: the database has a later version.
    """
    before = revision(connection)
    if before == HEAD:
        return before
    if before is not None and _number(before) > _number(HEAD):
        raise StoreError(f"the database is of version {before}; this program knows {HEAD}")
    if before is None:
        _make(connection)
    else:
        _noted(connection, before)
        _go(connection, HEAD, up=True)
    return before


def downgrade(connection: Connection, to: str) -> str | None:
    """Downgrade a database to an earlier version; return the version it had.

    What only later versions store is dropped; events and people stay.

    Raises:
        StoreError: the database has an earlier or unknown version, or is empty.
    """
    before = revision(connection)
    if before is None or not _number(to) <= _number(before) <= _number(HEAD):
        has = "empty" if before is None else f"of version {before}"
        raise StoreError(f"the database is {has}; expected one from version {to} to {HEAD}")
    if before != to:
        _noted(connection, before)
        _go(connection, to, up=False)
    return before


def versions() -> list[str]:
    """Return all versions, the first one first.

    >>> versions()
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']
    """
    return [str(number) for number in range(int(FIRST), int(HEAD) + 1)]


def _number(version: str) -> int:
    # Only a later program writes something else there.
    return int(version) if version.isdecimal() else int(HEAD) + 1


def _noted(connection: Connection, version: str | None) -> None:
    """Record the version of a database that was made without Alembic."""
    if "alembic_version" in inspect(connection).get_table_names():
        return
    strict = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(_NOTED_STRICT if strict else _NOTED)
    if version is not None:
        # A number, as `revision` has read it.
        connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{int(version)}')")  # noqa: S608


def _make(connection: Connection) -> None:
    """Make of an empty database at once what all steps would."""
    # Another program's table of the same name is refused, as the steps would.
    db.METADATA.create_all(connection, checkfirst=False)
    for table, row in db.ROWS:
        connection.execute(insert(table).values(row))
    _noted(connection, HEAD)
    _number_in_file(connection, HEAD)


def _number_in_file(connection: Connection, version: str) -> None:
    if connection.dialect.name == "sqlite":
        # For a program of before, which looks nowhere else.
        connection.exec_driver_sql(f"PRAGMA user_version={int(version)}")


def _go(connection: Connection, to: str, *, up: bool) -> None:
    # Imported late: most starts have nothing to migrate and are quicker without it.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(_STEPS)

    steps: Any = script._upgrade_revs if up else script._downgrade_revs
    with EnvironmentContext(
        Config(), script, fn=lambda found, _: steps(to, found), destination_rev=to
    ) as environment:
        environment.configure(connection=connection, transaction_per_migration=False)
        environment.run_migrations()
    _number_in_file(connection, to)
