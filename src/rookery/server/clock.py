"""The clock behind every timer, so that tests can turn it by hand."""

from __future__ import annotations

import asyncio
import heapq
import time
from typing import Protocol


class Clock(Protocol):
    """Something that tells the time and waits for it; milliseconds since 1970."""

    def now(self) -> int:
        """Return the time."""

    async def until(self, moment: int) -> None:
        """Return once it is `moment`."""


class SystemClock:
    """The machine's clock; it never goes backwards while the process lives."""

    def __init__(self) -> None:
        self._wall = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        """Return the time."""
        return self._wall + time.monotonic_ns() // 1_000_000

    async def until(self, moment: int) -> None:
        """Return once it is `moment`."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class HandTurnedClock:
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
