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
PATIENCE: Final = 2.0  # seconds
BLINK: Final = 0.1  # seconds that a list waits while a lost one is asked whether it is back
WRITTEN: Final = 10.0  # seconds that a write waits for it; then nobody knows what becomes of it
FULL: Final = 30.0  # seconds without new tables after a write has failed there

S = TypeVar("S", bound=SqlStore, covariant=True)
T = TypeVar("T")


class Part(Generic[S]):
    """A database of tables: opened once it answers, and left out of lists while it does not.

    Attributes:
        place: the letter with which the codes of its tables end.
        patience: seconds that a list waits for it, once; then it is lost.
    """

    def __init__(
        self,
        place: str,
        opener: Callable[[], S],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open it by `opener`; `clock` returns seconds."""
        self.place, self.patience = place, PATIENCE
        self.took: Callable[[float], object] = float
        self._opener, self._clock = opener, clock
        self._store: S | None = None
        self._opening: asyncio.Task[S | StoreError] | None = None
        self._lost = False
        self._probing: asyncio.Task[None] | None = None
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
        if self._opening is None:
            if self._clock() < self._lost_until:
                raise StoreError(f"database {self.place} does not answer")
            self._opening = asyncio.create_task(self._open_in_thread(), name="opening")
        # Whoever waits no longer ends nothing: one that hangs would take a thread each time.
        found = await asyncio.shield(self._opening)
        if isinstance(found, StoreError):
            raise found
        return found

    async def ask(self, what: Callable[[S], Awaitable[T]]) -> T:
        """Return what its store says.

        Raises:
            StoreError: as the store does, or it cannot be opened.
        """
        return await what(await self.store())

    async def here(self, wait: float | None = None) -> None:
        """Return where it is not lost, as far as is known, or is back after so many seconds.

        By default it is waited for as a list waits for one that is not known to be lost.

        Raises:
            StoreError: it is lost.
        """
        if self._lost and not await self._is_back(self.patience if wait is None else wait):
            raise StoreError(f"database {self.place} does not answer")

    async def write(self, what: Callable[[S], Awaitable[T]]) -> T:
        """Return what its store says; where it stores nothing, no new table is made for a while.

        Raises:
            InDoubt: it does not say whether it was stored.
            StoreError: as the store does, or it cannot be opened.
        """
        try:
            async with asyncio.timeout(WRITTEN):
                return await self.ask(what)
        except TimeoutError:
            self._fails(f"no answer within {WRITTEN:g} s")
            reason: StoreError = InDoubt("it is unknown whether it was written: no answer")
        except StoreError as error:
            reason = error
        if isinstance(reason, InDoubt) or not isinstance(reason, Conflict):
            self._full_until = self._clock() + FULL
        raise reason

    async def soon(self, what: Callable[[S], Awaitable[T]]) -> T:
        """Return what its store says, if it says so soon.

        Whoever asks while it is lost waits for nothing but a moment in which it may be back: that
        is found out besides, by one question at a time.

        Raises:
            StoreError: as the store does, or it does not answer.
        """
        await self.here(BLINK)
        try:
            async with asyncio.timeout(self.patience):
                return await self.ask(what)
        except TimeoutError:
            reason = StoreError(f"no answer within {self.patience:g} s")
        except StoreError as error:
            reason = error
        self._fails(str(reason))
        raise reason

    async def glance(self, what: Callable[[S], Awaitable[T]]) -> T | None:
        """Return what its store says; None where it does not answer soon."""
        try:
            return await self.soon(what)
        except StoreError:
            return None

    async def close(self) -> None:
        """Finish pending writes and close."""
        if self._probing is not None:
            self._probing.cancel()
        if self._opening is not None:  # what is opened late is closed too
            await asyncio.wait({self._opening})
        if self._store is not None:
            await self._store.close()

    async def _open_in_thread(self) -> S | StoreError:
        try:
            return await asyncio.to_thread(self.open)
        except StoreError as error:
            self._fails(str(error))
            return error
        finally:
            self._opening = None

    async def _is_back(self, wait: float) -> bool:
        if self._probing is None:
            if self._clock() < self._lost_until:
                return False
            self._probing = asyncio.create_task(self._probe(), name="probe")
        await asyncio.wait({self._probing}, timeout=wait)
        return not self._lost

    async def _probe(self) -> None:
        try:
            async with asyncio.timeout(self.patience):
                await (await self.store()).timeline()
        except TimeoutError:
            self._fails(f"no answer within {self.patience:g} s")
        except StoreError as error:
            self._fails(str(error))
        else:
            self._lost = False
            log.warning("database %s is back", self.place)
        finally:
            self._probing = None

    def _fails(self, reason: str) -> None:
        self._lost_until = self._clock() + PAUSE
        if not self._lost:
            self._lost = True
            log.warning("database %s is lost, its tables rest: %s", self.place, reason)
