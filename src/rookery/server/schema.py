"""The tables of the database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

VERSION: Final = 2

METADATA: Final = MetaData()

events = Table(
    "events",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Integer, nullable=False),  # milliseconds since 1970
    Column("client_id", Text),  # the person and the id of a command, on its first event
    Column("body", Text, nullable=False),  # JSON of `events.Event`
    UniqueConstraint("table_id", "client_id"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
tables = Table(
    "tables",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("open", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("made_at", Integer, nullable=False),
    Column("touched_at", Integer, nullable=False),
    Index("tables_by_time", "touched_at"),
    sqlite_strict=True,
)
seated = Table(
    "seated",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
spoke = Table(  # at which tables somebody has said or reported something
    "spoke",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
forgotten = Table(  # who asked to be, until nothing is left of it in the file either
    "forgotten",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("done", Integer, nullable=False),  # 1 where no table names the person any more
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
people = Table(
    "people",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("made_at", Integer, nullable=False),
    sqlite_strict=True,
)
sessions = Table(
    "sessions",
    METADATA,
    Column("token_hash", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("made_at", Integer, nullable=False),
    sqlite_strict=True,
)
returns = Table(
    "returns",
    METADATA,
    Column("token_hash", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("expires", Integer, nullable=False),
    sqlite_strict=True,
)
blocks = Table(
    "blocks",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("blocked", Text, primary_key=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
reports = Table(
    "reports",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("accused", Text, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# What a database of version 1 did not keep beside the events.
SPOKE_BEFORE: Final = """
    INSERT OR IGNORE INTO spoke SELECT json_extract(body, '$.person'), table_id FROM events
    WHERE json_extract(body, '$.type') IN ('chatted', 'reported')
"""
