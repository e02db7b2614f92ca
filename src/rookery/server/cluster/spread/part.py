"""One of the databases over which tables are spread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from rookery.server.store.base import Conflict, InDoubt, StoreError
from rookery.server.store.sql import SqlStore

log = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds for which a database that did not answer is left alone
PATIENCE: Final = 2.0  # seconds that a list waits for it
FULL: Final = 30.0  # seconds without new tables after a write has failed there

S = TypeVar("S", bound=SqlStore, covariant=True)
T = TypeVar("T")


class Part(Generic[S]):
    """A database of tables: opened once it answers, and left out of lists while it does not.

    Attributes:
        place: the letter with which the codes of its tables end.
    """

    def __init__(
        self,
        place: str,
        opener: Callable[[], S],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open it by `opener`; `clock` returns seconds."""
        self.place = place
        self.took: Callable[[float], object] = float
        self._opener, self._clock = opener, clock
        self._store: S | None = None
        self._opening = asyncio.Lock()
        self._lost = False
        self._lost_until = self._full_until = float("-inf")

    @property
    def takes_new(self) -> bool:
        """Whether a new table is likely to be stored there."""
        return not self._lost and self._clock() >= self._full_until

    def open(self) -> S:
        """Return its store, opened the first time.

        Raises:
            StoreError: it cannot be opened.
        """
        if self._store is None:
            self._store = self._opener()
            self._store.took = lambda seconds: self.took(seconds)
        return self._store

    async def store(self) -> S:
        """Return its store, opened in a thread.

        Raises:
            StoreError: it cannot be opened, or that was tried a moment ago.
        """
        if self._store is not None:
            return self._store
        async with self._opening:
            if self._clock() < self._lost_until:
                raise StoreError(f"database {self.place} does not answer")
            try:
                return await asyncio.to_thread(self.open)
            except StoreError as error:
                self._fails(str(error))
                raise

    async def ask(self, what: Callable[[S], Awaitable[T]]) -> T:
        """Return what its store says.

        Raises:
            StoreError: as the store does, or it cannot be opened.
        """
        return await what(await self.store())

    async def write(self, what: Callable[[S], Awaitable[T]]) -> T:
        """Return what its store says; where it stores nothing, no new table is made for a while.

        Raises:
            StoreError: as the store does, or it cannot be opened.
        """
        try:
            return await self.ask(what)
        except StoreError as error:
            if isinstance(error, InDoubt) or not isinstance(error, Conflict):
                self._full_until = self._clock() + FULL
            raise

    async def glance(self, what: Callable[[S], Awaitable[T]]) -> T | None:
        """Return what its store says; None where it does not answer soon."""
        if self._clock() < self._lost_until:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                found = await self.ask(what)
        except TimeoutError:
            self._fails(f"no answer within {PATIENCE:.0f} s")
            return None
        except StoreError as error:
            self._fails(str(error))
            return None
        if self._lost:
            self._lost = False
            log.warning("database %s is back", self.place)
        return found

    async def close(self) -> None:
        """Finish pending writes and close."""
        if self._store is not None:
            await self._store.close()

    def _fails(self, reason: str) -> None:
        self._lost_until = self._clock() + PAUSE
        if not self._lost:
            self._lost = True
            log.warning("database %s is lost, its tables rest: %s", self.place, reason)
