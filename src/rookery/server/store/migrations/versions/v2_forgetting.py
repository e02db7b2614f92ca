"""Version 2: where somebody has spoken, and who asked to be forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rookery.server.store.migrations import key, millis

revision = "2"
down_revision = "1"

_KEYED = {"sqlite_strict": True, "sqlite_with_rowid": False}
# Version 1 did not keep this beside the events.
_SPOKE = {
    "sqlite": """
        INSERT OR IGNORE INTO spoke SELECT json_extract(body, '$.person'), table_id FROM events
        WHERE json_extract(body, '$.type') IN ('chatted', 'reported')
    """,
    "postgresql": """
        INSERT INTO spoke SELECT DISTINCT body::json->>'person', table_id FROM events
        WHERE body::json->>'type' IN ('chatted', 'reported')
    """,
}


def upgrade() -> None:
    """Make the tables, and find out who has spoken until now."""
    op.create_table("spoke", key("person"), key("table_id"), **_KEYED)
    op.create_table(
        "forgotten",
        key("person"),
        millis("at"),
        sa.Column("done", sa.Integer, nullable=False),
        **_KEYED,
    )
    op.execute(sa.text(_SPOKE[op.get_bind().dialect.name].replace(":", r"\:")))


def downgrade() -> None:
    """Drop the tables; what they say of the tables' events is found out again."""
    op.drop_table("forgotten")
    op.drop_table("spoke")
