"""The database file: opened so that it keeps what it is given, and nothing of what it drops."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Engine

from rookery.server.store.base import StoreError
from rookery.server.store.migrate import upgrade

_FULL: Final = 2
_BUSY: Final = 5_000  # milliseconds


def connected(engine: Engine) -> Connection:
    """Return a connection to write through, in autocommit mode; what is deleted is overwritten."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY}")
    connection.exec_driver_sql("PRAGMA secure_delete=ON")
    return connection


def checked(connection: Connection) -> None:
    """Bring the tables to this version, and refuse a database that promises too little.

    Raises:
        StoreError: it does not write ahead and sync at every commit, or is of a later version.
    """
    mode = connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar()
    connection.exec_driver_sql("PRAGMA synchronous=FULL")
    synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    if mode != "wal" or synchronous != _FULL:
        raise StoreError(
            f"the database does not keep what it is given: journal {mode}, synchronous "
            f"{synchronous}; expected wal and {_FULL}. Is the folder on a network drive?"
        )
    # Whoever holds the folder is alone here; the lock also keeps other programs out.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        upgrade(connection)
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
    connection.exec_driver_sql("COMMIT")


def checkpointed(connection: Connection, wait: int = _BUSY) -> bool:
    """Empty the write-ahead log, in which earlier states of pages still stand; return whether.

    Somebody who reads there all the while, such as a backup, is waited for so many milliseconds.
    """
    connection.exec_driver_sql(f"PRAGMA busy_timeout={wait}")
    busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY}")
    return not busy
