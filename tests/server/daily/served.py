"""A server with daily deals, whose clock is turned by hand, and how somebody plays one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import httpx
from tests.server.clock import HandTurnedClock
from tests.server.daily.tried import SECRET, played
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore

from rookery.daily.day import day_at, deal_of
from rookery.fairness.day import DayDeal
from rookery.server.bots.engine import BotThreads
from rookery.server.clock import RELEASED
from rookery.server.http.ratelimit import Buckets
from rookery.server.registry.daily import NAME, DailyDeals
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings

NOON = RELEASED + 22 * DAY + DAY // 2  # some day's


class Server(Here):
    """A server whose clock is turned by hand; its secret is known to the tests."""

    def __init__(
        self,
        thinker: BotThreads | None = None,
        start: int = NOON,
        buckets: Buckets | None = None,
    ) -> None:
        self.clock = HandTurnedClock(start)
        self.memory = MemoryStore()
        self.memory._secrets[NAME] = f"{self.day} {SECRET.hex()}"
        registry = TableRegistry(self.memory, Settings(), self.clock, thinker)
        super().__init__(buckets=buckets, registry=registry)

    @property
    def day(self) -> str:
        return day_at(self.clock.now())

    async def deal(self, family: str = "four", day: str | None = None) -> DayDeal:
        registry = self.registry
        today = await DailyDeals(self.memory, registry.calendar, registry.thinker).today()
        return deal_of(today.secret, day or self.day, family)


def scene(
    story: Callable[[Server], Coroutine[Any, Any, None]], thinker: BotThreads | None = None
) -> None:
    async def played() -> None:
        server = Server(thinker)
        async with server.running():
            await story(server)

    asyncio.run(played())


async def told(asked: Awaitable[httpx.Response], status: int = 200) -> Any:  # noqa: ANN401  (JSON)
    answer = await asked
    assert answer.status_code == status, answer.text
    return answer.json() if status == 200 else answer.json()["error"]["code"]


async def begin(
    browser: httpx.AsyncClient, server: Server, family: str = "four", day: str | None = None
) -> tuple[str, Any]:
    """Begin an attempt, or go on with the one under way; return its address and its position."""
    at = f"/api/daily/{day or server.day}/{family}"
    return at, await told(browser.post(at))


async def finish(
    browser: httpx.AsyncClient, server: Server, family: str = "four", day: str | None = None
) -> Any:  # noqa: ANN401  (JSON)
    """Play an attempt as the club player would; return its last position."""
    at, position = await begin(browser, server, family, day)
    whole = played(await server.deal(family, day))
    while not position["over"]:
        action = whole[position["seen"]].partition(" ")[2]
        body = {"action": action, "seen": position["seen"]}
        position = await told(browser.post(f"{at}/act", json=body))
    return position
