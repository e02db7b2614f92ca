"""What a device keeps: its games for good, whatever its clock says, and one person."""

from __future__ import annotations

import asyncio
from inspect import iscoroutinefunction, isfunction, signature
from typing import Any, Final, get_args

import pytest
from tests.server.offline.device import Drawer, Page

from rookery.server.clock import Clock
from rookery.server.offline.kept import KeptStore
from rookery.server.offline.routes import ROUTES
from rookery.server.settings import DAY
from rookery.server.store.base import Store
from rookery.server.table import commands as cm

RULES = {"base": "kd_tournament", "target": 60}
# What commands have to say, by their kind; to others the seat of a bot is named.
NEEDED: Final[dict[str, dict[str, Any]]] = {
    "act": {"action": "pass"},
    "arrange": {"seats": [0, 1, 2, 3]},
    "bot": {"seat": 1, "bot": "club"},
    "chat": {"text": "Hello"},
    "contribute": {"number": 0, "share": "00" * 16},
    "mute": {"line": 1},
    "send_away": {"line": 1},
    "sit": {"seat": None, "matched": True},
    "vote": {"yes": True},
}


def ahead(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Have the device's clock be ahead by so many days."""
    right = Clock().wall
    monkeypatch.setattr(Clock, "wall", lambda _: right() + days * DAY)


@pytest.mark.parametrize(("begun", "days"), [(False, 30), (True, 400)])
def test_a_clock_that_is_ahead_takes_no_game_away(
    monkeypatch: pytest.MonkeyPatch, begun: bool, days: int
) -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        code = await page.table(rules=RULES, bots=["club"] * 3)
        socket = page.open(code)
        await socket.hear("welcome")
        assert (await socket.do(type="chat", text="Hello"))["type"] == "ack"
        if begun:
            assert (await socket.do(type="start"))["type"] == "ack"
        await page.end()
        kept = dict(drawer.kept)
        with monkeypatch.context() as wrong:
            ahead(wrong, days)
            page = await Page(drawer).begin()
            await page.way.host.state.registry.sweep()
            assert [one["code"] for one in (await page.get("/api/session"))["tables"]] == [code]
            await page.end()
        assert drawer.kept == kept
        page = await Page(drawer).begin()
        await page.way.host.state.registry.sweep()
        socket = page.open(code)
        assert [line["text"] for line in (await socket.hear("welcome"))["chat"]] == ["Hello"]
        if not begun:
            assert (await socket.do(type="start"))["type"] == "ack"
        await socket.play()
        assert socket.table["phase"] == "over"
        await page.end()

    asyncio.run(story())


def test_a_later_start_still_knows_whose_tables_they_are() -> None:
    async def story() -> None:
        drawer = Drawer()
        page = await Page(drawer).begin()
        first = await page.table(rules=RULES)
        await page.end()
        page = await Page(drawer).begin()
        looks = ("/api/session", "/api/session/statistics")
        before = [await page.get(look) for look in looks]
        assert [one["code"] for one in before[0]["tables"]] == [first]
        await page.way.host.state.registry.sweep()
        assert [await page.get(look) for look in looks] == before
        second = await page.table(rules=RULES)
        tables = (await page.get("/api/session"))["tables"]
        assert {one["code"] for one in tables} == {first, second}
        await page.end()

    asyncio.run(story())


def test_the_first_requests_of_a_device_are_of_one_person() -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        make = page.ask("POST", "/api/tables", rules=RULES, pace="instant")
        looks = [page.ask("GET", path) for path in ("/api/tables", "/api/session")]
        told = [body for _, body in await asyncio.gather(make, *looks)]
        socket = page.open(told[0]["code"])
        await socket.hear("welcome")
        assert socket.table["you"] == 0
        assert (await socket.do(type="start", bot="club"))["type"] == "ack"
        assert (await page.get("/api/session"))["person"] == told[2]["person"]
        await page.end()

    asyncio.run(story())


def test_what_a_device_has_of_a_store_is_called_as_any_other() -> None:
    """The device's host takes it for a whole store, so no checker of types compares them."""
    named = {name: found for name, found in vars(Store).items() if not name.startswith("_")}
    promised = {name: found for name, found in named.items() if isfunction(found)}
    there = {name: getattr(KeptStore, name) for name in promised if hasattr(KeptStore, name)}
    assert len(there) > 10
    for name, found in there.items():
        assert signature(found) == signature(promised[name]), name
        assert iscoroutinefunction(found) == iscoroutinefunction(promised[name]), name


def test_no_command_and_no_page_asks_for_more_of_a_store() -> None:
    async def story() -> None:
        page = await Page(Drawer()).begin()
        code = await page.table(rules=RULES, bots=["club"] * 3)
        socket = page.open(code)
        await socket.hear("welcome")
        seated = [kind for kind in get_args(cm.Changing) if kind is not cm.Leave]
        for kind in [*seated, *seated, cm.Leave, cm.Sit]:
            name = kind.__struct_config__.tag
            needed = NEEDED.get(name, {"seat": 1} if "seat" in kind.__struct_fields__ else {})
            answer = await socket.do(type=name, **needed)
            assert answer.get("code") not in ("failed", "bad-message"), (kind, answer)
        for line in ROUTES:
            method, path = line.format(code=code, match=0, hand=1, id="kd_tournament").split()
            if method == "GET":
                status, body = await page.ask(method, path)
                assert status in (200, 202) or body["error"]["code"] == "no-hand", (path, body)
        registry = page.way.host.state.registry
        await registry.sweep()
        await registry.put_away(code)
        assert (await page.get(f"/api/tables/{code}"))["code"] == code
        await page.end()

    asyncio.run(story())
