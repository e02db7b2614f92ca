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
        self._moment = self._comes = 0  # by the clock, and by the time that passes
        self._waiting: asyncio.Task[None] | None = None

    def set(self, moment: int | None) -> None:
        """Wake at that moment in place of the one before; None for never.

        Every act puts off the end of the turn. So whoever waits for a moment that came sooner waits
        on; another task for each act would cost more. If the clock jumps, the time that passes
        counts.
        """
        if moment is None:
            self._drop()
            return
        waits = self._waiting is not None and not self._waiting.done()
        if waits and moment == self._moment:
            return
        before, self._moment = self._comes, moment
        self._comes = self._clock.running() + max(0, moment - self._clock.now())
        if not waits or self._comes < before:
            self._drop()
            self._waiting = asyncio.create_task(self._wait())

    def _drop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    async def _wait(self) -> None:
        while (left := self._comes - self._clock.running()) > 0:
            await self._clock.until(self._clock.now() + left)
        await self._wake(self._moment)

    async def stop(self) -> None:
        """Wake nobody any more."""
        if self._waiting is not None:
            await cancelled([self._waiting])
