"""Version 7: passkeys, by which somebody comes back."""

from __future__ import annotations

from alembic import op

from rookery.server.store.migrations import key, millis, text

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "passkeys",
        key("credential"),
        *map(text, ("person", "handle", "public_key")),
        *map(millis, ("count", "made_at", "used_at")),
        text("device"),
        sqlite_strict=True,
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_table("spent", key("challenge"), millis("expires"), sqlite_strict=True)
    op.create_table("secrets", key("name"), text("secret"), sqlite_strict=True)


def downgrade() -> None:
    """Drop them."""
    for name in ("secrets", "spent", "passkeys"):
        op.drop_table(name)
