"""Version 5: since when somebody is signed in, and with what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from rookery.server.store.migrations import Millis

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Add the columns; of who is signed in already it is unknown."""
    op.add_column("sessions", sa.Column("begun", Millis, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("device", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop them."""
    for name in ("device", "begun"):
        op.drop_column("sessions", name)
