"""Version 1: the events of tables, and who is who."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

_MILLIS = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_STRICT = {"sqlite_strict": True}
_KEYED = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", _MILLIS, nullable=False),
        sa.Column("client_id", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("table_id", "client_id"),
        **_KEYED,
    )
    op.create_table(
        "tables",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("open", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("made_at", _MILLIS, nullable=False),
        sa.Column("touched_at", _MILLIS, nullable=False),
        **_STRICT,
    )
    op.create_index("tables_by_time", "tables", ["touched_at"])
    op.create_table(
        "seated",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        **_KEYED,
    )
    op.create_table(
        "people",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", _MILLIS, nullable=False),
        **_STRICT,
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("made_at", _MILLIS, nullable=False),
        **_STRICT,
    )
    op.create_table(
        "returns",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("expires", _MILLIS, nullable=False),
        **_STRICT,
    )
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("blocked", sa.Text, primary_key=True),
        **_KEYED,
    )
    op.create_table(
        "reports",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", _MILLIS, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("accused", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        **_KEYED,
    )


def downgrade() -> None:
    """Drop the tables, and with them all that is in them."""
    for name in ("reports", "blocks", "returns", "sessions", "people", "seated"):
        op.drop_table(name)
    op.drop_index("tables_by_time", "tables")
    op.drop_table("tables")
    op.drop_table("events")
