"""Two servers' houses in one process, on one database: who has which table, without a clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from tests.server.core.tables import PATIENCE, Chances

from rookery.server.bots.engine import BotThreads
from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.pubsub import News
from rookery.server.registry.tables import House
from rookery.server.settings import Settings
from rookery.server.store.postgres import PostgresStore

HOUR = 3_600.0

T = TypeVar("T")


def house(
    url: str,
    address: str,
    silence: float = HOUR,
    every: float = HOUR,
    news: News | None = None,
    replaced: Callable[[], object] = dict,
) -> House:
    """Return the house of a server at `address`, which nobody believes gone before `silence`."""
    store = PostgresStore(url)
    leases = PostgresLeases(store, address, replaced, every, silence)
    settings = Settings(database=url, bot_deadline=3_600_000, vote=3_600_000, grace=3_600_000)
    thinker = BotThreads(1, settings.bot_deadline)
    return House(store, settings, thinker=thinker, chance=Chances(), leases=leases, news=news)


@asynccontextmanager
async def sharing(*houses: House) -> AsyncIterator[None]:
    """Have these houses share their tables."""
    for one in houses:
        one.open()
        await one.join(str)
        one.news.listen(lambda word, one=one: one.heard(word))  # type: ignore[misc]
    try:
        yield
    finally:
        for one in houses:
            await one.close()


async def eventually(what: Callable[[], Awaitable[T | None]]) -> T:
    """Return what `what()` finds, as soon as it does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if (found := await what()) is not None:
                return found
            await asyncio.sleep(0.02)


async def until(what: Callable[[], bool]) -> None:
    """Return once `what()` is true."""
    end = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > end:
            raise TimeoutError("it did not come true")
        await asyncio.sleep(0.01)
