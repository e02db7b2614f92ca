"""Nobody is sent to a table of an evening on screens before it is there."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens import FAST, looks_often, until

from rookery.server.api.evenings import screens
from rookery.server.api.evenings.held import Held
from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import Conflict, InDoubt

__all__ = ["looks_often"]


def codes(told: dict[str, Any]) -> list[str]:
    """Return the codes of the tables that are told."""
    return [table["code"] for table in told["round"]["tables"] if table["code"] is not None]


async def said(browser: httpx.AsyncClient, at: str) -> list[list[str]]:
    """Return the codes that each way to look at the first round tells."""
    told = (await browser.get(at)).json()
    own = [] if told["own"] is None else [told["own"]]
    alone = (await browser.get(f"{at}/rounds/1")).json()
    return [codes({"round": one}) for one in (told["evening"]["round"], {"tables": own}, alone)]


def test_the_control_a_code_that_is_told_too_early_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Held, "made", lambda self, table: table)
    with pytest.raises(AssertionError, match=r"== \[\[\], \[\], \[\]\]"):
        test_a_code_is_told_once_the_table_is_there(monkeypatch)


def test_a_code_is_told_once_the_table_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = screens._open

    async def story() -> None:
        go_on = asyncio.Event()

        async def slow(*asked: Any) -> None:  # noqa: ANN401
            await go_on.wait()
            await sound(*asked)

        monkeypatch.setattr(screens, "_open", slow)
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST)
            at = f"/api/evenings/{evening['code']}"
            await done(ann, evening, {"do": "claim", "person": 0})
            await done(ann, evening, {"do": "round", "round": 1})

            async def written() -> int:
                return sum(
                    '"opened"' in one.body
                    for one in await here.store.sheets.entries(evening["code"])
                )

            async with asyncio.timeout(60):
                while not await written():
                    await ann.get(at)
            # It is written down, and a server that has just started knows no more than that.
            there = Here(registry=TableRegistry(here.store, here.settings))
            async with there.running(), there.browser() as also:
                also.cookies = ann.cookies
                assert await said(ann, at) == await said(also, at) == [[], [], []]
                tag = (await ann.get(at)).headers["etag"]
                go_on.set()
                told = await until(ann, at, lambda one: len(codes(one)) == 2)
                assert (await ann.get(at, headers={"if-none-match": tag})).status_code == 200
                every, own, alone = await said(ann, at)
                assert every == alone == codes(told["evening"])
                assert len(own) == 1
                assert await said(also, at) == [every, own, alone]
            for code in every:
                assert await here.store.row(code) is not None

    asyncio.run(story())


@pytest.mark.parametrize("reason", [Conflict("it has 9 events"), InDoubt("it is unknown")])
def test_the_log_says_why_a_table_is_not_made(
    reason: Conflict, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, screens.log.name)

    async def refused(*_: object) -> None:
        raise reason

    async def story() -> None:
        here = Here()
        monkeypatch.setattr(here.registry, "for_evening", refused)
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST)
            await done(ann, evening, {"do": "round", "round": 1})
            async with asyncio.timeout(60):
                while not caplog.records:
                    await ann.get(f"/api/evenings/{evening['code']}")

    asyncio.run(story())
    assert all(one.getMessage().endswith(f": {reason}") for one in caplog.records)
