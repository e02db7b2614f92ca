"""Opens a database that no server uses, to read or change its version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rookery.server.store.base import StoreError
from rookery.server.store.folder import held
from rookery.server.store.sqlite import checkpointed, connected, embedded


@contextmanager
def changing(data: Path, url: str | None) -> Iterator[Connection]:
    """Yield a connection to the database at `url`, else in the folder `data`, in a transaction.

    It is committed at the end. Other programs that want to change the database wait or are refused.

    Raises:
        CannotServe: a server uses the folder.
        StoreError: the database cannot be opened or changed; it is unchanged.
    """
    try:
        if url is not None:
            from rookery.server.store.postgres import locked, opened

            with opened(url).begin() as connection:
                locked(connection)
                yield connection
            return
        engine = embedded(data)
        with held(data), connected(engine) as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")
            checkpointed(connection)
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(str(error).splitlines()[0]) from None
