"""The tables that strangers may join, listed as often as somebody looks."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final

from rookery.server.cluster.pubsub import PubSub
from rookery.server.registry.listing import TableOpen, open_table
from rookery.server.store.base import Store
from rookery.server.store.leases import Leases
from rookery.server.table.state import Table

LONGEST: Final = 50  # tables in a list
# Seconds that a list is kept for: where other servers tell of changes, and where they don't.
TOLD: Final = 15.0
UNTOLD: Final = 1.0


class Lobby:
    """The list of open tables. Of several servers each keeps it for a moment."""

    def __init__(
        self,
        store: Store,
        leases: Leases,
        pubsub: PubSub,
        table: Callable[[str], Awaitable[Table | None]],
    ) -> None:
        """Begin with an empty list; `table` returns the table of a code."""
        self._store, self._leases, self._pubsub, self._table = store, leases, pubsub, table
        self._kept: list[TableOpen] = []
        self._until = 0.0
        self._changes = 0

    def changed(self) -> None:
        """Make the list anew the next time."""
        self._until = 0.0
        self._changes += 1

    async def tables(self) -> list[TableOpen]:
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
                found.append(open_table(table))
        if self._leases.shared and changes == self._changes:
            kept_for = TOLD if self._pubsub.connected else UNTOLD
            self._kept, self._until = found, began + kept_for
        return found
