"""Version 6: which timeline the database is in."""

from __future__ import annotations

from alembic import op

from rookery.server.store.migrations import key, millis, text

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Make the table and its row; the first server to come fills it."""
    texts = [text(name) for name in ("id", "secret", "place")]
    op.create_table("timeline", key("one"), *texts, millis("commits"), sqlite_strict=True)
    op.execute("INSERT INTO timeline VALUES ('timeline', '', '', '', 0)")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("timeline")
