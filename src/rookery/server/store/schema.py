"""The tables of the database; how older ones become these is in `migrations`."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.schema import SchemaItem

from rookery.server.store.migrations import Millis, key, millis, text

METADATA: Final = MetaData()


def _table(name: str, *parts: SchemaItem, rowid: bool = False) -> Table:
    """Return a table; in SQLite it is strict, and ordered by its key where it has no `rowid`."""
    return Table(name, METADATA, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


events = _table(
    "events",
    key("table_id"),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    millis("at"),
    Column("client_id", Text),  # the person and the id of a command, on its first event
    text("body"),  # JSON of `events.Event`
    UniqueConstraint("table_id", "client_id"),
)
tables = _table(
    "tables",
    key("table_id"),
    Column("open", Integer, nullable=False),
    text("phase"),
    millis("made_at"),
    millis("touched_at"),
    Column("owner", Text),  # the address of the server that has it, see `leases`
    Column("epoch", Integer, nullable=False, server_default="0"),  # grows with every owner
    Column("version", Integer, nullable=False, server_default="0"),  # and this with every change
    Index("tables_by_time", "touched_at"),
    Index("tables_by_owner", "owner"),
    Index("tables_listed", "open", "touched_at"),
    rowid=True,
)
seated = _table("seated", key("person"), key("table_id"), Index("seated_by_table_id", "table_id"))
spoke = _table(  # where somebody has said or reported something, or made the evening
    "spoke",
    key("person"),
    key("table_id"),
    Index("spoke_by_table_id", "table_id"),
)
forgotten = _table(  # who asked to be, until nothing is left of it in the file either
    "forgotten",
    key("person"),
    millis("at"),
    Column("done", Integer, nullable=False),  # 1 where no table names the person any more
)
people = _table(
    "people",
    key("person"),
    text("name"),
    millis("made_at"),  # or, if later, when a session that was ended was used
    rowid=True,
)
sessions = _table(
    "sessions",
    key("token_hash"),
    text("person"),
    millis("made_at"),  # when its time last began anew
    Column("begun", Millis, nullable=False, server_default="0"),
    Column("device", Text, nullable=False, server_default=""),
    Index("sessions_by_person", "person"),
    rowid=True,
)
returns = _table("returns", key("token_hash"), text("person"), millis("expires"), rowid=True)
passkeys = _table(  # see `base.Passkey`
    "passkeys",
    key("credential"),
    *map(text, ("person", "handle", "public_key")),
    *map(millis, ("count", "made_at", "used_at")),  # the count has up to 32 bits
    text("device"),
    Index("passkeys_by_person", "person"),
    rowid=True,
)
spent = _table("spent", key("challenge"), millis("expires"), rowid=True)  # challenges, answered
secrets = _table("secrets", key("name"), text("secret"), rowid=True)
attempts = _table(  # see `people.attempts.Attempt`
    "attempts",
    key("person"),
    key("deal"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *map(text, ("day", "family", "actions")),  # the actions are a list in JSON
    *map(millis, ("begun", "ended")),
    Index("attempts_by_deal", "deal"),
    rowid=True,
)
mistakes = _table(  # see `people.mistakes.Mistake`
    "mistakes",
    *map(key, ("person", "table_id")),
    *(Column(name, Integer, primary_key=True, autoincrement=False) for name in ("hand", "place")),
    millis("changed"),
    text("body"),
    rowid=True,
)
sheets = _table(  # see `people.sheets.SheetRow`
    "sheets",
    key("code"),
    *map(text, ("person", "key_hash", "body")),
    millis("touched_at"),
    Index("sheets_by_person", "person"),
    rowid=True,
)
sheet_entries = _table(  # see `people.sheets.SheetEntry`
    "sheet_entries",
    key("code"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *map(text, ("entry_id", "person", "name")),
    *(Column(name, Integer, nullable=False) for name in ("writer", "hand", "seen")),
    text("body"),
    UniqueConstraint("code", "entry_id"),
    Index("sheet_entries_by_person", "person"),
    rowid=True,
)
rated = _table(  # see `people.rated.Rated`
    "rated",
    *map(key, ("person", "table_id")),
    Column("since", Integer, nullable=False),  # the number of a hand there
    Index("rated_by_table_id", "table_id"),
    rowid=True,
)
rated_strangers = _table(  # see `people.rated.Stranger`
    "rated_strangers",
    *map(key, ("person", "family")),
    *map(millis, ("since", "points", "error")),
    Column("matches", Integer, nullable=False),
    rowid=True,
)
rated_matches = _table(  # of strangers, those that have counted
    "rated_matches",
    key("table_id"),
    Column("number", Integer, primary_key=True, autoincrement=False),
    rowid=True,
)
blocks = _table("blocks", key("person"), key("blocked"))
reports = _table(
    "reports",
    key("table_id"),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    millis("at"),
    text("person"),
    text("accused"),
    text("reason"),
)
clock = _table(  # one row, see `clock.Mark`
    "clock",
    key("one"),
    *map(millis, ("at", "doubted", "ran", "kept_at", "kept_until")),
    rowid=True,
)
timeline = _table(  # one row, see `timeline.Timeline`
    "timeline",
    key("one"),
    text("id"),
    text("secret"),
    text("place"),  # where a PostgreSQL database lies
    millis("commits"),  # how many an SQLite database has had
    rowid=True,
)
servers = _table(  # who may have tables
    "servers",
    key("address"),
    text("secret"),  # by which other servers are known to this one
    millis("beat_at"),  # when it was last alive, by the database's clock
    rowid=True,
)
# What an empty database begins with; the first server to come fills it.
ROWS: Final = (
    (clock, {"one": "clock", "at": 0, "doubted": 0, "ran": 0, "kept_at": 0, "kept_until": 0}),
    (timeline, {"one": "timeline", "id": "", "secret": "", "place": "", "commits": 0}),
)
