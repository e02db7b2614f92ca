"""Version 1: the events of tables, and who is who."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rookery.server.store.migrations import key, millis, text

revision = "1"
down_revision = None

_STRICT = {"sqlite_strict": True}
_KEYED = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        key("table_id"),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        millis("at"),
        sa.Column("client_id", sa.Text),
        text("body"),
        sa.UniqueConstraint("table_id", "client_id"),
        **_KEYED,
    )
    op.create_table(
        "tables",
        key("table_id"),
        sa.Column("open", sa.Integer, nullable=False),
        text("phase"),
        millis("made_at"),
        millis("touched_at"),
        **_STRICT,
    )
    op.create_index("tables_by_time", "tables", ["touched_at"])
    op.create_table("seated", key("person"), key("table_id"), **_KEYED)
    op.create_table("people", key("person"), text("name"), millis("made_at"), **_STRICT)
    op.create_table("sessions", key("token_hash"), text("person"), millis("made_at"), **_STRICT)
    op.create_table("returns", key("token_hash"), text("person"), millis("expires"), **_STRICT)
    op.create_table("blocks", key("person"), key("blocked"), **_KEYED)
    op.create_table(
        "reports",
        key("table_id"),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        millis("at"),
        text("person"),
        text("accused"),
        text("reason"),
        **_KEYED,
    )


def downgrade() -> None:
    """Drop the tables, and with them all that is in them."""
    for name in ("reports", "blocks", "returns", "sessions", "people", "seated"):
        op.drop_table(name)
    op.drop_index("tables_by_time", "tables")
    op.drop_table("tables")
    op.drop_table("events")
