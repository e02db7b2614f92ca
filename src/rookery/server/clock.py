"""The clock behind every timer, so that tests can put another in its place."""

from __future__ import annotations

import asyncio
import time


class Clock:
    """The machine's clock, milliseconds since 1970; it never goes backwards in a process."""

    def __init__(self) -> None:
        self._wall = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        """Return the time."""
        return self._wall + time.monotonic_ns() // 1_000_000

    async def until(self, moment: int) -> None:
        """Return once it is `moment`."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)
