"""Version 10: score sheets of games with real cards, and what phones have written on them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, UniqueConstraint

from rookery.server.store.migrations import key, millis, text

revision = "10"
down_revision = "9"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "sheets",
        key("code"),
        *map(text, ("person", "key_hash", "body")),
        millis("touched_at"),
        sqlite_strict=True,
    )
    op.create_index("sheets_by_person", "sheets", ["person"])
    op.create_table(
        "sheet_entries",
        key("code"),
        Column("number", Integer, primary_key=True, autoincrement=False),
        *map(text, ("entry_id", "person", "name")),
        *(Column(name, Integer, nullable=False) for name in ("writer", "hand", "seen")),
        text("body"),
        UniqueConstraint("code", "entry_id"),
        sqlite_strict=True,
    )
    op.create_index("sheet_entries_by_person", "sheet_entries", ["person"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("sheet_entries")
    op.drop_table("sheets")
