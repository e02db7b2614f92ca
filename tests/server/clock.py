"""A clock that tests turn by hand."""

from __future__ import annotations

import asyncio
import heapq

from rookery.server.clock import RELEASED, Clock


class HandTurnedClock(Clock):
    """A clock that stands still until it is turned forward.

    Attributes:
        wrong: by how much the machine's clock is wrong.
    """

    def __init__(self, start: int = RELEASED, wrong: int = 0) -> None:
        self._now, self._passed, self._start, self.wrong = start, 0, start, wrong
        self._now += wrong
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> int:
        """Return the time."""
        return self._now

    def wall(self) -> int:
        """Return what the machine's clock says."""
        return self._start + self._passed + self.wrong

    def running(self) -> int:
        """Return how much time has passed."""
        return self._passed

    def set(self, moment: int) -> None:
        """Go on from a moment."""
        self._now = moment

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
        self._passed += milliseconds
        while self._waiting and self._waiting[0][0] <= self._now:
            future = heapq.heappop(self._waiting)[2]
            if not future.done():
                future.set_result(None)
