"""Tables to look at: those in memory as they are, all others as the store has them."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from rookery.server import names
from rookery.server.live.actor import Actor
from rookery.server.registry.history import Histories, History
from rookery.server.store.base import Store
from rookery.server.table.state import Table


class TableReader:
    """The tables of one server, to be looked at without bringing any to life.

    Attributes:
        store: where everything is kept.
    """

    def __init__(self, store: Store) -> None:
        """Begin with no table in memory."""
        self.store = store
        self._actors: dict[str, Actor] = {}
        self._histories = Histories(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def actors(self) -> list[Actor]:
        """The tables in memory."""
        return list(self._actors.values())

    async def table(self, code: str) -> Table | None:
        """Return the table of a code, in either letter case; None where there is none.

        Raises:
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if (actor := self._alive(code)) is not None:
            return actor.table
        history = await self.history(code)
        return None if history is None else history.table

    async def history(self, code: str) -> History | None:
        """Return all that was played at a table, from the store; None where there is no table.

        Raises:
            StoreError: the store cannot be read.
        """
        code = code.strip().upper()
        if not names.is_code(code):
            return None
        # Events are rewritten only under this lock, or under another lease.
        async with self.lock(code):
            if (actor := self._alive(code)) is not None:
                return await self._histories.of(code, actor.lease)
            row = await self.store.row(code)
            return None if row is None else await self._histories.of(code, row.version)

    def lock(self, code: str) -> asyncio.Lock:
        """Return the lock under which a table is brought to life, put to sleep or rewritten."""
        return self._locks.setdefault(code, asyncio.Lock())

    def is_awake(self, code: str) -> bool:
        """Return whether a table is in memory."""
        return code in self._actors

    def recall(self, code: str) -> None:
        """Read a table anew the next time: its events are about to change."""
        self._histories.forget(code)

    async def stop(self, code: str, closing: int, reason: str) -> None:
        """Put a table to sleep if it is in memory; its sockets are closed with that code."""
        if (actor := self._actors.pop(code, None)) is not None:
            await actor.stop(closing, reason)

    def _alive(self, code: str) -> Actor | None:
        actor = self._actors.get(code)
        return None if actor is None or actor.gone else actor
