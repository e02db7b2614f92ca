"""Version 9: mistakes of people with a passkey, which are asked again."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer

from rookery.server.store.migrations import key, millis, text

revision = "9"
down_revision = "8"
_NUMBERS = ("hand", "place")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "mistakes",
        *map(key, ("person", "table_id")),
        *(Column(name, Integer, primary_key=True, autoincrement=False) for name in _NUMBERS),
        millis("changed"),
        text("body"),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("mistakes")
