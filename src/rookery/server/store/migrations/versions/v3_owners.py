"""Version 3: which server has a table, and since which time it has changed hands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rookery.server.store.migrations import key, millis, text

revision = "3"
down_revision = "2"

_FOUND_BY = (("seated", "table_id"), ("spoke", "table_id"), ("sessions", "person"))


def upgrade() -> None:
    """Let tables have owners, and servers say that they are alive."""
    op.add_column("tables", sa.Column("owner", sa.Text))
    for name in ("epoch", "version"):
        op.add_column("tables", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_by_owner", "tables", ["owner"])
    op.create_index("tables_listed", "tables", ["open", "touched_at"])
    for table, column in _FOUND_BY:
        op.create_index(f"{table}_by_{column}", table, [column])
    op.create_table(
        "servers", key("address"), text("secret"), millis("beat_at"), sqlite_strict=True
    )


def downgrade() -> None:
    """Leave tables to a program that is alone."""
    op.drop_table("servers")
    for table, column in _FOUND_BY:
        op.drop_index(f"{table}_by_{column}", table)
    op.drop_index("tables_listed", "tables")
    op.drop_index("tables_by_owner", "tables")
    for name in ("version", "epoch", "owner"):
        op.drop_column("tables", name)
