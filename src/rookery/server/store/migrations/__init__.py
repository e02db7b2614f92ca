"""The steps from one version of the database to the next, and back; see `server.store.migrate`.

The columns here stay as they are: databases have been made with them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, Text

# STRICT tables of SQLite know one kind of integer, which has 64 bits.
Millis: Final = BigInteger().with_variant(Integer(), "sqlite")


def key(name: str) -> Column[str]:
    """Return a text column that is part of the key."""
    return Column(name, Text, primary_key=True)


def text(name: str) -> Column[str]:
    """Return a text column."""
    return Column(name, Text, nullable=False)


def millis(name: str) -> Column[int]:
    """Return a column of moments, milliseconds since 1970, or of other large numbers."""
    return Column(name, Millis, nullable=False)
