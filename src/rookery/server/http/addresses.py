"""How often one address may ask for what: the API, pages and files, how the server is.

What is within the limits may still come all at once: a few at a time are let in, so that those who
play need not wait for all of them. A refusal costs as much as an answer does. So whoever goes on
asking beyond a limit is soon answered a second later: on as many lines as they hold they ask no
more than that many things a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from rookery.server.http.ratelimit import LINES_PER_HOUSEHOLD, Buckets
from rookery.server.http.sockets import AT_THE_DOOR

HEALTH: Final = ("/healthz", "/readyz")
HELD_FOR: Final = 1.0  # seconds; who looks after servers waits for two at least


class Addresses:
    """What every address has asked for of late.

    Attributes:
        most: how many requests of one address wait at a time; more are refused at once. As many
            lines does one household hold; behind a proxy it is the proxy's to bound them.
    """

    def __init__(
        self,
        buckets: Buckets,
        most: int = LINES_PER_HOUSEHOLD,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Count with `buckets`; `sleep` waits for so many seconds."""
        self._buckets = buckets
        self._sleep = sleep
        self._held: Counter[str] = Counter()
        self._door = asyncio.Semaphore(AT_THE_DOOR)
        self.most = most

    async def admits(self, who: str, path: str) -> bool:
        """Return whether `who` may ask for that now.

        How the server is, nobody is ever refused: a flood behind the same address must not make a
        sound server look ill. Beyond the limit that too is told a second later.
        """
        if self._within(who, path):
            async with self._door:
                await asyncio.sleep(0)
            return True
        if not self._buckets.take("refusal", who) and self._held[who] < self.most:
            await self._hold(who)
        return path in HEALTH

    def _within(self, who: str, path: str) -> bool:
        if path.startswith("/api"):
            return self._buckets.take("address", who)
        if path in HEALTH:
            return self._buckets.take("health", who)
        return self._buckets.take("page", who)

    async def _hold(self, who: str) -> None:
        self._held[who] += 1
        try:
            await self._sleep(HELD_FOR)
        finally:
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]

    @property
    def held(self) -> int:
        """How many requests wait now."""
        return self._held.total()
