"""How the databases over which tables are spread are opened, each known by its letter."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from sqlalchemy import Connection, delete, not_, select, update
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.spread.leases import SpreadLeases
from rookery.server.cluster.spread.part import Part
from rookery.server.cluster.spread.store import Spread
from rookery.server.names import CODE_LENGTH
from rookery.server.store import schema as db
from rookery.server.store.base import StoreError
from rookery.server.store.migrate import HEAD, revision
from rookery.server.store.people.sessions import secret, secret_of
from rookery.server.store.postgres import PostgresStore, Unreachable, opened, shown
from rookery.server.store.rows import LogRows

log = logging.getLogger(__name__)

_MARK: Final = "place"  # under which a database has its own letter among its secrets
_FIRST: Final = "first"
_KNOWN: Final = "database "  # under which the first one has those of the others
_WHOLE: Final = "databases"  # under which all of them have what tells them from others' databases


def marked(connection: Connection, place: str, whole: str = "", *, is_new: bool = False) -> str:
    """Have a database know which of several it is, and of which; return the latter.

    The first one says what that is; the others are told the `whole`. One that `is_new` to the first
    may not be of others. One that was known may say something else: of a first one that was brought
    back from long ago.

    Raises:
        StoreError: it is another one, or has what that one does not have.
    """
    t, called = db.tables.c, place or _FIRST
    if secret_of(connection, _MARK) is None and place:
        if connection.scalar(select(db.people.c.person).limit(1)) is not None:
            raise StoreError(f"it has people of its own; expected none in database {place}")
        other = not_(t.table_id.like(f"{'_' * CODE_LENGTH}{place}"))
        if code := connection.scalar(select(t.table_id).where(other).limit(1)):
            raise StoreError(f"it has table {code}; expected codes that end with {place}")
    found = secret(connection, LogRows(connection.dialect), _MARK, called)
    if found != called:
        raise StoreError(f"it is database {found} of several; expected {called}")
    fresh = whole or secrets.token_hex(16)
    found = secret(connection, LogRows(connection.dialect), _WHOLE, fresh)
    if is_new and found != whole:
        raise StoreError(f"it is database {place} of others; expected one of these servers' own")
    return found


def known(connection: Connection, places: Collection[str]) -> set[str]:
    """Return which other databases the first one knows.

    Raises:
        StoreError: one that it knew is not named any more.
    """
    s = db.secrets.c
    names = connection.scalars(select(s.name).where(s.name.startswith(_KNOWN)))
    found = {name.removeprefix(_KNOWN) for name in names}
    missing = sorted(found.difference(places))
    if missing:
        raise StoreError(f"database {missing[0]} is missing, and has tables; give it too")
    return found


def joined(connection: Connection, place: str) -> None:
    """Note in the first database that there is another."""
    secret(connection, LogRows(connection.dialect), f"{_KNOWN}{place}", place)


def only(first: PostgresStore, url: str) -> None:
    """Check that a server may have this database, at `url`, and no others.

    Raises:
        StoreError: it is one of several, and the others are not named.
    """

    def look(connection: Connection) -> None:
        found = secret_of(connection, _MARK)
        if found not in (None, _FIRST):
            raise StoreError(f"it is database {found} of several; expected first")
        known(connection, ())

    try:
        first.looked(look)
    except StoreError as error:
        first.abandon()
        raise StoreError(f"{_named(url, '')}: {error}") from None


def remove(first: Connection, other: Connection, place: str) -> None:
    """Forget in the first database one of the others, with no tables or reports any more.

    Raises:
        StoreError: the first one does not know it, it is another one, or it has a table or report.
    """
    if secret_of(first, f"{_KNOWN}{place}") is None:
        raise StoreError(f"no database {place} is known; expected a letter that servers were given")
    found = secret_of(other, _MARK)
    if found != place:
        raise StoreError(f"it is {found or 'none'} of several; expected database {place}")
    for kind in (db.tables, db.events, db.seated, db.spoke):
        if code := other.scalar(select(kind.c.table_id).limit(1)):
            raise StoreError(f"database {place} has table {code}; expected none, see --drain")
    if code := other.scalar(select(db.reports.c.table_id).limit(1)):
        why = "they go 400 days after they were made"
        raise StoreError(f"database {place} has a report of table {code}; expected none, {why}")
    first.execute(delete(db.secrets).where(db.secrets.c.name == f"{_KNOWN}{place}"))


def adopt(first: Connection, other: Connection, place: str) -> None:
    """Note one of the others in a first database that was restored from a backup.

    A backup says nothing of other databases, since a copy on trial should find none.

    Raises:
        StoreError: it is another one, or of others than those that the first one has.
    """
    found = secret_of(other, _MARK)
    if found != place:
        raise StoreError(f"it is {found or 'none'} of several; expected database {place}")
    s, rows, whole = db.secrets.c, LogRows(first.dialect), secret_of(other, _WHOLE) or ""
    if secret(first, rows, _MARK, _FIRST) != _FIRST:
        raise StoreError("the first one is itself one of several; expected first")
    if secret(first, rows, _WHOLE, whole) != whole:
        names = first.scalars(select(s.name).where(s.name.startswith(_KNOWN)))
        if mine := sorted(name.removeprefix(_KNOWN) for name in names):
            raise StoreError(f"it is not of the same servers as database {mine[0]}")
        first.execute(update(db.secrets).where(s.name == _WHOLE).values(secret=whole))
    joined(first, place)


def spread_over(
    first: PostgresStore,
    url: str,
    others: Sequence[tuple[str, str]],
    drained: Collection[str],
    made: Callable[[PostgresStore], PostgresLeases],
) -> tuple[Spread, SpreadLeases]:
    """Return the store and the leases of several databases.

    One that was there before and cannot be reached now is opened as soon as it can be. Of
    the `first` this is its `url`; `others` have a letter and an address each, and those that are
    `drained` take no new tables. `made` returns the leases of one database.

    Raises:
        StoreError: one of them is not fit, or not the one that is meant, or is new and cannot be
            reached.
    """
    try:
        with _begun(url) as connection:
            whole = marked(connection, "")
            before = known(connection, [place for place, _ in others])
        parts = [
            Part(place, partial(_opened, place, other, whole, is_new=place not in before))
            for place, other in others
        ]
        _check(url, parts, before)
    except StoreError:
        first.abandon()
        raise
    return Spread(first, parts, drained), SpreadLeases(made(first), parts, made)


def _check(url: str, parts: Sequence[Part[PostgresStore]], before: Collection[str]) -> None:
    """Open the parts that can be reached; note in the first database, at `url`, which are new."""
    stores: list[PostgresStore] = []
    try:
        for part in parts:
            try:
                stores.append(part.open())
            except Unreachable as error:
                if part.place not in before:
                    raise
                log.warning("database %s is lost, its tables rest: %s", part.place, error)
                continue
            if part.place not in before:
                with _begun(url) as connection:
                    joined(connection, part.place)
    except StoreError:
        for store in stores:
            store.abandon()
        raise


def _opened(place: str, url: str, whole: str, *, is_new: bool) -> PostgresStore:
    with _begun(url, place) as connection:
        if is_made := revision(connection) == HEAD:
            marked(connection, place, whole, is_new=is_new)
    store = PostgresStore(url)
    try:
        if not is_made:
            with _begun(url, place) as connection:
                marked(connection, place, whole, is_new=is_new)
    except StoreError:
        store.abandon()
        raise
    return store


@contextmanager
def _begun(url: str, place: str = "") -> Iterator[Connection]:
    try:
        with opened(url).begin() as connection:
            yield connection
    except (SQLAlchemyError, StoreError) as error:
        kind = Unreachable if isinstance(error, OperationalError) else StoreError
        raise kind(f"{_named(url, place)}: {str(error).splitlines()[0]}") from None


def _named(url: str, place: str) -> str:
    """Return how a database is called in a line for whoever starts the server."""
    try:
        return f"{place}={shown(url)}" if place else shown(url)
    except StoreError:  # it is no address; what it is may hold a password
        return f"{place}="
