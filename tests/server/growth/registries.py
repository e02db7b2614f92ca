"""Two servers' registries in one process, on one database: who has which table, without a clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from tests.server.core.tables import PATIENCE, Chances

from rookery.server.bots.engine import BotThreads
from rookery.server.clock import Clock
from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.pubsub import PubSub
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.postgres import PostgresStore

HOUR = 3_600.0

T = TypeVar("T")


def registry(
    url: str,
    address: str,
    silence: float = HOUR,
    every: float = HOUR,
    pubsub: PubSub | None = None,
    replaced: Callable[[], object] = dict,
    clock: Clock | None = None,
) -> TableRegistry:
    """Return the registry of a server at `address`, which nobody believes gone before `silence`."""
    store = PostgresStore(url)
    leases = PostgresLeases(store, address, replaced, every, silence)
    settings = Settings(database=url, bot_deadline=3_600_000, vote=3_600_000, grace=3_600_000)
    thinker = BotThreads(1, settings.bot_deadline)
    return TableRegistry(store, settings, clock, thinker, Chances(), leases, pubsub)


@asynccontextmanager
async def sharing(*registries: TableRegistry) -> AsyncIterator[None]:
    """Have these registries share their tables."""
    for one in registries:
        await one.open(str)
        one.pubsub.subscribe(lambda notice, one=one: one.changed_elsewhere(notice))  # type: ignore[misc]
    try:
        yield
    finally:
        for one in registries:
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
