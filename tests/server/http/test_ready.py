"""A server whose clock is in doubt says so where programs look after it."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry
from tests.server.clock import HandTurnedClock
from tests.server.http.served import Here

from rookery.server.clock import RELEASED, Judged, Mark
from rookery.server.monitoring.metrics import measured
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.memory import MemoryStore


def test_why_nothing_expires_is_said_until_it_does() -> None:
    async def story() -> None:
        store, clock = MemoryStore(), HandTurnedClock(wrong=430 * DAY)
        await store.know(lambda _: Judged(Mark(RELEASED)))
        here = Here(registry=TableRegistry(store, Settings(), clock))
        collectors = CollectorRegistry()
        measured(here.registry, collectors)
        async with here.running(), here.browser() as browser:
            told = await browser.get("/readyz")
            assert told.status_code == 200
            assert told.json()["ok"] is True
            why = told.json()["nothing_expires"]
            assert "430 days after the newest stored time" in why
            assert why.endswith("rookery database confirm-clock")
            assert collectors.get_sample_value("rookery_clock_in_doubt") == 1
            clock.wrong = 0
            await here.registry.sweep()
            assert (await browser.get("/readyz")).json() == {"ok": True}
            assert collectors.get_sample_value("rookery_clock_in_doubt") == 0

    asyncio.run(story())
