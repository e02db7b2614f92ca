"""The tables of the database; how older ones become these is in `migrations`."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.schema import SchemaItem

METADATA: Final = MetaData()
# STRICT tables of SQLite know one kind of integer, which has 64 bits.
Millis: Final = BigInteger().with_variant(Integer(), "sqlite")


def _table(name: str, *parts: SchemaItem, rowid: bool = False) -> Table:
    """Return a table; in SQLite it is strict, and ordered by its key where it has no `rowid`."""
    return Table(name, METADATA, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


events = _table(
    "events",
    Column("table_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Millis, nullable=False),  # milliseconds since 1970
    Column("client_id", Text),  # the person and the id of a command, on its first event
    Column("body", Text, nullable=False),  # JSON of `events.Event`
    UniqueConstraint("table_id", "client_id"),
)
tables = _table(
    "tables",
    Column("table_id", Text, primary_key=True),
    Column("open", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("made_at", Millis, nullable=False),
    Column("touched_at", Millis, nullable=False),
    Column("owner", Text),  # the address of the server that has it, see `leases`
    Column("epoch", Integer, nullable=False, server_default="0"),  # grows with every owner
    Column("version", Integer, nullable=False, server_default="0"),  # and this with every change
    Index("tables_by_time", "touched_at"),
    Index("tables_by_owner", "owner"),
    Index("tables_listed", "open", "touched_at"),
    rowid=True,
)
seated = _table(
    "seated",
    Column("person", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Index("seated_by_table_id", "table_id"),
)
spoke = _table(  # at which tables somebody has said or reported something
    "spoke",
    Column("person", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Index("spoke_by_table_id", "table_id"),
)
forgotten = _table(  # who asked to be, until nothing is left of it in the file either
    "forgotten",
    Column("person", Text, primary_key=True),
    Column("at", Millis, nullable=False),
    Column("done", Integer, nullable=False),  # 1 where no table names the person any more
)
people = _table(
    "people",
    Column("person", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("made_at", Millis, nullable=False),
    rowid=True,
)
sessions = _table(
    "sessions",
    Column("token_hash", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("made_at", Millis, nullable=False),
    Index("sessions_by_person", "person"),
    rowid=True,
)
returns = _table(
    "returns",
    Column("token_hash", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("expires", Millis, nullable=False),
    rowid=True,
)
blocks = _table(
    "blocks",
    Column("person", Text, primary_key=True),
    Column("blocked", Text, primary_key=True),
)
reports = _table(
    "reports",
    Column("table_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Millis, nullable=False),
    Column("person", Text, nullable=False),
    Column("accused", Text, nullable=False),
    Column("reason", Text, nullable=False),
)
servers = _table(  # who may have tables
    "servers",
    Column("address", Text, primary_key=True),
    Column("secret", Text, nullable=False),  # by which other servers are known to this one
    Column("beat_at", Millis, nullable=False),  # when it was last alive, by the database's clock
    rowid=True,
)
