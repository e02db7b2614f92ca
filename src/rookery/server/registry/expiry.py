"""What goes by itself when its time is up: tables, what was said at them, names, sessions, reports.

How long each is kept stands in `Settings`; docs/reference/privacy.md says it to players. One of
the servers does this, at every sweep. What cannot be done now, because somebody is there, is
done later.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from rookery.server.registry.forgetting import hushed
from rookery.server.settings import DAY
from rookery.server.store.base import TableRow
from rookery.server.store.leases import Lease

if TYPE_CHECKING:
    from rookery.server.registry.tables import TableRegistry

_HOUR: Final = 3_600_000


class Expiry:
    """What of a registry's tables and people is past its time."""

    def __init__(self, registry: TableRegistry) -> None:
        """Look after `registry`."""
        self._registry = registry
        self._people_at = 0
        self._chat_at = 0
        self._heard_to = 0  # what was said until then is gone already
        self._noted = False  # whether the store knows that this sweep has dropped something
        self._bare = True  # nothing of what was dropped stands in the store's log

    async def sweep(self, now: int) -> None:
        """Forget what is past its time; `now` in milliseconds since 1970.

        Raises:
            StoreError: the store cannot be read or written.
        """
        registry, settings = self._registry, self._registry.settings
        self._noted = False
        lobby, begun = now - settings.keep_lobby, now - settings.keep_table
        for row in await registry.store.past(lobby, begun):
            async with registry.lock(row.code):
                await self._retire(row.code, now)
        if now >= self._chat_at:
            self._chat_at = now + _HOUR
            await self._hush(now - settings.keep_chat, now)
        if now >= self._people_at:
            self._people_at = now + _HOUR
            if await registry.store.expire(now - settings.keep_person, now):
                self._bare = False
        await self._tidy(now)

    async def _retire(self, code: str, now: int) -> None:
        # Somebody may have come since the list was read.
        registry = self._registry
        row = await registry.store.row(code)
        if row is None or not self._is_past(row, now):
            return
        lease = await registry.leases.take(code)
        if isinstance(lease, Lease):
            registry.recall(code)
            await self._begin(now)
            await registry.store.retire(code, lease)
            registry.tally.count("cleared", "table")

    def _is_past(self, row: TableRow, now: int) -> bool:
        settings = self._registry.settings
        kept = settings.keep_lobby if row.phase == "lobby" else settings.keep_table
        return now - row.touched_at >= kept and not self._registry.is_awake(row.code)

    async def _hush(self, until: int, now: int) -> None:
        """Take away what was said at tables until then, where nobody is connected now."""
        registry, missed = self._registry, False
        for code in await registry.store.said(self._heard_to, until):
            async with registry.lock(code):
                lease = None if registry.is_awake(code) else await registry.leases.take(code)
                if not isinstance(lease, Lease):
                    missed = True
                    continue
                entries = await registry.store.read(code)
                after = await asyncio.to_thread(hushed, entries, until)
                registry.recall(code)
                await self._begin(now)
                await registry.store.rewrite(code, after, lease)
                await registry.leases.give_back(code, lease)
                registry.tally.count("cleared", "chat", len(after))
        if not missed:
            self._heard_to = until

    async def _begin(self, now: int) -> None:
        # Should this process not live to the end, the next one knows.
        if not self._noted:
            await self._registry.store.dropping(now)
            self._noted, self._bare = True, False

    async def _tidy(self, now: int) -> None:
        """Leave nothing of what was dropped: when nobody plays, or after a day more at most."""
        for person in await self._registry.store.unfinished():
            await self._registry.wipe(person)
        if not self._bare:
            self._bare = await self._registry.store.dropped()
        await self._registry.store.compact(now - DAY if self._registry.awake else now)
