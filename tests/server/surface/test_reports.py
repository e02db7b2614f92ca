"""A report comes with the talk before it, for whoever runs the server and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import PEOPLE, Sheet
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, TableRow
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm

SECRET = "a secret of more than sixteen"  # noqa: S105
RIGHT = {"authorization": f"Bearer {SECRET}"}
STORES: list[Callable[[Path], Store]] = [
    lambda _: MemoryStore(),
    lambda p: SqliteStore(p / FILE),
    spread_of_three,
]
ANN, BOB, _, DEE = PEOPLE[:4]  # Dee only watches
Story = Callable[[Here, httpx.AsyncClient, Sheet], Awaitable[None]]


def told(store: Store, story: Story, phase: str = "playing") -> None:
    """Tell a story at a server whose store has the talk of three who sit and one who watches."""

    async def scene() -> None:
        settings = Settings(admin_secret=SECRET)
        clock = HandTurnedClock()
        here = Here(settings, registry=TableRegistry(store, settings, clock=clock))
        sheet = Sheet(people=3)
        sheet.now = clock.now()
        for number in range(30):
            who = (ANN, BOB, DEE)[number % 3]
            sheet.say(who, cm.Chat(f"c{number}", text=f"line {number} of {who.name}"))
        sheet.say(BOB, cm.Chat("p", phrase="hurry"))
        sheet.say(BOB, cm.Block("b", 0))
        sheet.say(BOB, cm.Report("r", 0, "rude words"))
        sheet.say(ANN, cm.Chat("after", text="what was said after it"))
        clock.turn(sheet.now - clock.now())
        row = TableRow("ABCDEF2", False, phase, clock.now(), clock.now())
        await store.append(row, sheet.entries)
        async with here.browser() as browser:
            await story(here, browser, sheet)
        await here.registry.close()

    asyncio.run(scene())


async def talk(browser: httpx.AsyncClient, **more: object) -> list[dict[str, Any]]:
    """Return the talk before the only report, as the figures name it."""
    (report,) = (await browser.get("/api/admin", headers=RIGHT)).json()["reports"]
    named: dict[str, Any] = {"code": report["code"], "seq": report["seq"], **more}
    answer = await browser.get("/api/admin/talk", params=named, headers=RIGHT)
    answer.raise_for_status()
    return list(answer.json())


@pytest.mark.parametrize("made", STORES)
def test_it_is_the_last_twenty_lines_before_it_and_says_who_watched(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def story(here: Here, browser: httpx.AsyncClient, sheet: Sheet) -> None:
        found = await talk(browser)
        assert len(found) == 20
        expected = [
            {
                "name": (ANN, BOB, DEE)[number % 3].name,
                "seat": (0, 1, None)[number % 3],
                "reported": number % 3 == 0,  # whom Bob has blocked is told all the same
                "text": f"line {number} of {(ANN, BOB, DEE)[number % 3].name}",
                "phrase": None,
            }
            for number in range(11, 30)
        ]
        ending = {"name": "Bob", "seat": 1, "reported": False, "text": None, "phrase": "hurry"}
        moments = [one.pop("at") for one in found]
        assert found == [*expected, ending]
        assert moments == sorted(moments)
        assert moments[-1] < here.registry.clock.now()

    told(made(tmp_path), story)


def test_only_the_secret_and_a_report_open_it() -> None:
    async def story(here: Here, browser: httpx.AsyncClient, sheet: Sheet) -> None:
        reported: dict[str, Any] = {"code": "ABCDEF2", "seq": sheet.table.seq - 1}
        path = "/api/admin/talk"
        assert (await browser.get(path, params=reported)).status_code == 401
        wrong = {"authorization": f"Bearer {SECRET}x"}
        assert (await browser.get(path, params=reported, headers=wrong)).status_code == 401
        other = {**RIGHT, "origin": "https://evil.example"}
        assert (await browser.get(path, params=reported, headers=other)).status_code == 403
        for seq in {1, 5, sheet.table.seq, sheet.table.seq + 1, 1 << 53} - {reported["seq"]}:
            answer = await browser.get(path, params={**reported, "seq": seq}, headers=RIGHT)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")
        for code in ("ABCDEF3", "nothing", "", "\0"):
            assert await talk(browser, code=code) == []
        for wild in (0, -1, "x", 1 << 80):
            answer = await browser.get(path, params={**reported, "seq": wild}, headers=RIGHT)
            assert answer.json()["error"]["code"] == "bad-request"

    told(MemoryStore(), story)


@pytest.mark.parametrize("made", STORES)
def test_whoever_is_forgotten_takes_their_words_out_of_it(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def story(here: Here, browser: httpx.AsyncClient, sheet: Sheet) -> None:
        for person, left in ((ANN, "Bob Dee"), (DEE, "Bob")):
            await here.registry.retention.forget(person.id)
            found = await talk(browser)
            assert person.name not in str(found)
            assert {one["name"] for one in found} == {"Somebody", *left.split()}
            said = {one["text"] for one in found if one["name"] == "Somebody"}
            assert said == {"..."}
        await here.registry.retention.forget(BOB.id)
        assert "line" not in str(await talk(browser))
        (report,) = (await browser.get("/api/admin", headers=RIGHT)).json()["reports"]
        assert report["reason"] == ""

    told(made(tmp_path), story)


def test_the_lines_are_kept_no_longer_for_it() -> None:
    async def story(here: Here, browser: httpx.AsyncClient, sheet: Sheet) -> None:
        clock = here.registry.clock
        assert isinstance(clock, HandTurnedClock)
        clock.turn(23 * DAY - 10_000)
        assert len(await talk(browser)) == 20
        clock.turn(DAY)  # hidden, and not overwritten yet
        assert [one["phrase"] for one in await talk(browser)] == ["hurry"]
        clock.turn(340 * DAY)
        assert await talk(browser) == []

    told(MemoryStore(), story)


def test_a_table_that_never_began_takes_its_talk_along_after_a_day() -> None:
    async def story(here: Here, browser: httpx.AsyncClient, sheet: Sheet) -> None:
        clock = here.registry.clock
        assert isinstance(clock, HandTurnedClock)
        clock.turn(DAY - 1)
        assert len(await talk(browser)) == 20
        clock.turn(1)
        assert await talk(browser) == []

    told(MemoryStore(), story, "lobby")
