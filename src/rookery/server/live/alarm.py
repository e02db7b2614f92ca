"""The next moment at which a table has to look at its clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from rookery.server.clock import Clock
from rookery.server.work import cancelled


class Alarm:
    """Wakes somebody at a moment, at one at a time."""

    def __init__(self, clock: Clock, wake: Callable[[int], Awaitable[None]]) -> None:
        """Begin with no moment; `wake` is called with each that comes."""
        self._clock, self._wake = clock, wake
        self._set: tuple[int, asyncio.Task[None]] | None = None

    def set(self, moment: int | None) -> None:
        """Wake at that moment; None for never. An earlier one stays: who wakes then sets this.

        Every act puts off the end of the turn; a task for each costs more than a look too many.
        """
        if self._set is not None:
            if moment is not None and self._set[0] <= moment and not self._set[1].done():
                return
            self._set[1].cancel()
        self._set = None if moment is None else (moment, asyncio.create_task(self._wait(moment)))

    async def _wait(self, moment: int) -> None:
        await self._clock.until(moment)
        await self._wake(moment)

    async def stop(self) -> None:
        """Wake nobody any more."""
        if self._set is not None:
            await cancelled([self._set[1]])
