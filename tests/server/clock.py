"""A clock that tests turn by hand."""

from __future__ import annotations

import asyncio
import heapq

from rookery.server.clock import Clock


class HandTurnedClock(Clock):
    """A clock that stands still until it is turned forward."""

    def __init__(self, start: int = 1_000_000) -> None:
        self._now = start
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> int:
        """Return the time."""
        return self._now

    async def until(self, moment: int) -> None:
        """Return once it is `moment`."""
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        future = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._waiting, (moment, self._count, future))
        await future

    def turn(self, milliseconds: int) -> None:
        """Let time pass, and wake whoever waited for it."""
        self._now += milliseconds
        while self._waiting and self._waiting[0][0] <= self._now:
            future = heapq.heappop(self._waiting)[2]
            if not future.done():
                future.set_result(None)
