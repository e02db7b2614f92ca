"""The tables that strangers may join, listed as often as somebody looks."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from rookery.server.cluster.pubsub import PubSub
from rookery.server.store.base import Store
from rookery.server.store.leases import Leases
from rookery.server.table.state import Table

LONGEST: Final = 50  # tables in a list
FRESH: Final = 1.0  # seconds that a list is good for when nobody tells of changes
TOLD: Final = 15.0  # and when others do


class OpenTable(NamedTuple):
    """A table that strangers may join, as it is listed."""

    code: str
    title: str
    rules: str
    phase: str
    seats: int
    people: int
    free: int


class Lobby:
    """The list of open tables; among several servers it is kept for a moment."""

    def __init__(
        self,
        store: Store,
        leases: Leases,
        pubsub: PubSub,
        table: Callable[[str], Awaitable[Table | None]],
    ) -> None:
        """Find tables with `table`."""
        self._store, self._leases, self._pubsub, self._table = store, leases, pubsub, table
        self._kept: list[OpenTable] = []
        self._until = 0.0
        self._changes = 0

    def changed(self) -> None:
        """Make the list anew the next time."""
        self._until = 0.0
        self._changes += 1

    async def tables(self) -> list[OpenTable]:
        """Return the tables that strangers may join, the liveliest first.

        Raises:
            StoreError: the store cannot be read.
        """
        if time.monotonic() < self._until:
            return self._kept
        began, changes = time.monotonic(), self._changes
        found = []
        for row in await self._store.listed(LONGEST):
            table = await self._table(row.code)
            if table is not None:
                found.append(listed(table))
        if self._leases.shared and changes == self._changes:
            self._kept, self._until = found, began + (TOLD if self._pubsub.connected else FRESH)
        return found


def listed(table: Table) -> OpenTable:
    """Return a table as it is listed."""
    kinds = [chair.kind for chair in table.chairs]
    free = sum(chair.kind == "empty" or chair.spare for chair in table.chairs)
    name = table.rules.name
    return OpenTable(
        table.code, table.title, name, table.phase, len(kinds), kinds.count("person"), free
    )
