"""What the rows of a database come to, so that it shows when one of them is another.

Both databases say the same of the same rows. This finds what was spoilt or written over; whoever
can write to the file on purpose can put the sums right too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Table, Text, select

from rookery.server.store import schema as db
from rookery.server.store.base import StoreError

AT_ONCE: Final = 1000  # rows
# What belongs to the servers of the moment, and to none that comes after.
_OF_NOW: Final = {"servers"}
# By bytes: what a database would do by itself follows from the language that it was set up for.
_BYTEWISE: Final = {"sqlite": "BINARY", "postgresql": "C"}


class Log(NamedTuple):
    """One table's events: how many, and the last link of the chain through them."""

    events: int
    digest: str


def kept_tables() -> list[Table]:
    """Return the tables of the database that a backup holds."""
    return [table for table in db.METADATA.sorted_tables if table.name not in _OF_NOW]


def kept_columns(table: Table) -> list[Column[Any]]:
    """Return a table's columns that a backup holds: no server has what is copied."""
    return [column for column in table.c if column.name != "owner"]


def digests(source: Connection) -> dict[str, str]:
    """Return the SHA-256 of all rows of each table, by its name; events have their chains."""
    tables = [table for table in kept_tables() if table is not db.events]
    return {table.name: _digest(source, table) for table in tables}


def _digest(source: Connection, table: Table) -> str:
    order = [_bytewise(source, column) for column in table.primary_key.columns]
    query = select(*kept_columns(table)).order_by(*order).execution_options(yield_per=AT_ONCE)
    found = hashlib.sha256()
    for row in source.execute(query):
        found.update(_said(row))
    return found.hexdigest()


def _bytewise(source: Connection, column: Column[Any]) -> ColumnElement[Any]:
    is_text = isinstance(column.type, Text)
    return column.collate(_BYTEWISE[source.dialect.name]) if is_text else column


def chains(source: Connection) -> Iterator[tuple[str, Log]]:
    """Yield each table's code and its log's, in order.

    A link is the SHA-256 of the link before it and of the event as it is stored.

    Raises:
        StoreError: an event is missing.
    """
    e = db.events.c
    columns = (e.table_id, e.seq, e.at, e.client_id, e.body)
    query = select(*columns).order_by(e.table_id, e.seq).execution_options(yield_per=AT_ONCE)
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
    """Return a row's fields so that no two rows, one after the other either, read alike.

    >>> _said((1, None)), _said(("1", ""))
    (b'1:1-', b'1:10:')
    """
    told = ("-" if field is None else f"{len(str(field))}:{field}" for field in fields)
    return "".join(told).encode()
