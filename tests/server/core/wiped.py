"""What a person leaves in the events of a table, and what stands there once it is taken out."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.server.registry.wiping import Wiping
from rookery.server.table.events import Entry


def without(entries: Sequence[Entry], person: str) -> list[Entry]:
    """Return those entries that hold something of a person's, without it."""
    wiping = Wiping(person)
    wiping.take(entries)
    return list(wiping.words.values())
