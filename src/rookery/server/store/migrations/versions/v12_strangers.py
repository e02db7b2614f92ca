"""Version 12: how well people play with strangers, and which matches have counted."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer

from rookery.server.store.migrations import key, millis

revision = "12"
down_revision = "11"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "rated_strangers",
        *map(key, ("person", "family")),
        *map(millis, ("since", "points", "error")),
        Column("matches", Integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "rated_matches",
        key("table_id"),
        Column("number", Integer, primary_key=True, autoincrement=False),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("rated_matches")
    op.drop_table("rated_strangers")
