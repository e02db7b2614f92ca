"""Version 11: who is rated at which table, from which hand on."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer

from rookery.server.store.migrations import key

revision = "11"
down_revision = "10"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "rated",
        key("person"),
        key("table_id"),
        Column("since", Integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("rated_by_table_id", "rated", ["table_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("rated")
