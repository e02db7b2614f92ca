"""Whether this server is ready for people; this is checked at most once a second."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import StoreError

log = logging.getLogger(__name__)

KNOWN_FOR: Final = 1.0  # seconds


class Readiness:
    """Whether a registry can store what happens.

    The check writes to the store, and every move waits behind it. So all who ask during a check
    get its answer, and the answer holds for `KNOWN_FOR`.
    """

    def __init__(
        self, registry: TableRegistry, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Check `registry`; `clock` returns seconds."""
        self._registry = registry
        self._clock = clock
        self._asking: asyncio.Task[bool] | None = None
        self._until = float("-inf")

    async def here(self) -> bool:
        """Return whether the store takes writes and this server keeps its tables."""
        if not self._registry.leases.alive:
            return False
        asking = self._asking
        if asking is None or (asking.done() and self._clock() >= self._until):
            asking = self._asking = asyncio.create_task(self._check())
        # A client that goes away does not cancel the answer for the others.
        return await asyncio.shield(asking)

    async def _check(self) -> bool:
        try:
            await self._registry.store.ping()
            return True
        except StoreError as error:
            log.warning("not ready: %s", error)
            return False
        finally:
            self._until = self._clock() + KNOWN_FOR
