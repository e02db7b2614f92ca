"""Version 8: what people have made of the daily deals."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer

from rookery.server.store.migrations import key, millis, text

revision = "8"
down_revision = "7"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "attempts",
        key("person"),
        key("deal"),
        Column("number", Integer, primary_key=True, autoincrement=False),
        *map(text, ("day", "family", "actions")),
        *map(millis, ("begun", "ended")),
        sqlite_strict=True,
    )
    op.create_index("attempts_by_deal", "attempts", ["deal"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("attempts")
