"""A server that does not do all says so where programs look after it, and blames no disk for it."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry
from tests.server.clock import HandTurnedClock
from tests.server.http.served import Here, Served, line, served, table_for
from tests.server.http.test_lines import closed
from tests.server.memory.store import MemoryStore
from tests.server.offline.test_handed import named, played

from rookery.server.clock import RELEASED, Judged, Mark
from rookery.server.monitoring.metrics import measured
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.leases import Elsewhere


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


def test_what_another_server_has_to_do_is_no_fault_of_the_disk(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        [written] = await played()
        here = Here()

        async def take(code: str, *, by_force: bool = False) -> Elsewhere:
            return Elsewhere("b:1", "secret")

        async with here.running(), here.browser() as browser:
            await named(browser)
            made = {"rules": {"base": "kd_tournament"}}
            assert (await browser.post("/api/tables", json=made)).status_code == 201
            with monkeypatch.context() as patched:
                patched.setattr(here.registry.leases, "take", take)
                there = await browser.post("/api/matches", json={"record": written})
            await here.registry.leave()
            leaving = await browser.post("/api/tables", json=made)
        for answer, why in ((there, "another server"), (leaving, "shutting down")):
            assert answer.status_code == 503
            error = answer.json()["error"]
            assert (error["code"], why in error["reason"]) == ("not-ready", True)
        # The words for which an alarm looks at what is written down.
        assert "not stored" not in caplog.text

    asyncio.run(story())


def test_whoever_comes_to_a_table_while_the_server_shuts_down_is_told_of_that(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        # As in `leave`, while it waits for its tables.
        [actor] = here.registry.actors
        here.registry._actors.clear()
        here.registry._leaving = True
        async with line(here, ann, code, hello=False) as one:
            assert await one.hear() == {
                "type": "closing",
                "code": 1012,
                "reason": "the server restarts; come back",
            }
            assert await closed(one) == 1012
        here.registry._leaving = False
        here.registry._actors[code] = actor

    with served() as here:
        asyncio.run(story(here))
    assert "the store fails" not in caplog.text
