"""Version 4: the newest time that was believed."""

from __future__ import annotations

from alembic import op

from rookery.server.store.migrations import key, millis

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the table and its row; the first server to come fills it."""
    columns = [millis(name) for name in ("at", "doubted", "ran", "kept_at", "kept_until")]
    op.create_table("clock", key("one"), *columns, sqlite_strict=True)
    op.execute("INSERT INTO clock VALUES ('clock', 0, 0, 0, 0, 0)")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("clock")
