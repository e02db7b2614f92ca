"""Handshakes of one household: so many wait at once, none for long, and a whole school gets in."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files
from typing import Any

import pytest
from starlette.websockets import WebSocket
from tests.server.http.served import Here
from tests.server.http.test_odd_requests import opened
from tests.server.surface.test_addresses import settled

from rookery.server.http import handshake, websocket
from rookery.server.http.ratelimit import LEAST, RATES, Addresses, Buckets, Rate
from rookery.server.live.sockets import SOCKETS_PER_HOUSEHOLD

AWAY = "203.0.113.5"  # that of `opened`
PATH = "/ws/ABCDEF2"
OVER = 20
BACK = 5.0  # seconds, of promise P3


def still(**rates: Rate) -> Buckets:
    """Return limits that nobody reaches but these, by a clock that stands still."""
    return Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | rates, lambda: 0.0)


Inbox = asyncio.Queue[dict[str, Any]]


class Waits:
    """Has everybody who waits wait until all may go on."""

    def __init__(self, here: Here, buckets: Buckets) -> None:
        self._buckets = buckets
        self.over = asyncio.Event()
        state = here.app._app.state  # type: ignore[attr-defined]
        self.households = state.rookery.sockets.households.taken
        state.addresses._sleep = self

    async def __call__(self, seconds: float) -> None:
        await self.over.wait()

    def end(self) -> None:
        """Have them go on: nothing is owed any more."""
        self._buckets._filled.clear()
        self.over.set()


def in_debt(owed: float) -> tuple[Here, Buckets, Waits]:
    """Return a server at which a household owes so many seconds of a core, and must wait."""
    buckets = still(processor=Rate(1, 1, 1), moment=Rate(1, 1, 1e9))
    here = Here(buckets=buckets)
    waits = Waits(here, buckets)
    buckets.pay("processor", AWAY, owed)
    return here, buckets, waits


def test_a_household_in_debt_has_as_many_waiting_handshakes_as_sockets() -> None:
    async def story() -> None:
        here, _, waits = in_debt(10.0)
        many = SOCKETS_PER_HOUSEHOLD + OVER
        asked = [asyncio.create_task(opened(here, PATH)) for _ in range(many)]
        await settled()
        refused = [task.result()[0]["status"] for task in asked if task.done()]
        assert refused == [429] * OVER
        assert waits.households == {AWAY: SOCKETS_PER_HOUSEHOLD}
        assert here.registry.tally.counts["refused"] == {"too-many": OVER}
        # Nobody else is hurt, and all that wait are let in.
        waits.end()
        said = await asyncio.gather(*asked)
        found = [one[0]["type"] for one in said].count("websocket.accept")
        assert found == SOCKETS_PER_HOUSEHOLD
        assert not waits.households

    asyncio.run(story())


def test_a_handshake_waits_only_so_long_and_pays_nothing_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handshake, "HELD_MOST", 0.01)
    monkeypatch.setattr(handshake, "HANDSHAKE", 100.0)  # more than all else that is measured
    monkeypatch.setattr(handshake, "LEAST", -1000.0)

    async def story() -> None:
        here, buckets, waits = in_debt(10.0)
        owed = buckets.due("processor", AWAY)
        said = await asyncio.gather(*(opened(here, PATH) for _ in range(9)))
        assert [one[0]["status"] for one in said] == [429] * 9
        assert not waits.households
        assert buckets.due("processor", AWAY) < owed + 100.0

    asyncio.run(story())


@pytest.mark.parametrize("owed", [0.0, 1.0 - LEAST])
def test_a_handshake_without_a_place_puts_nobody_deep_in_debt(
    monkeypatch: pytest.MonkeyPatch, owed: float
) -> None:
    monkeypatch.setattr(handshake, "HANDSHAKE", 100.0)  # more than all else that is measured

    async def story() -> None:
        here, buckets, waits = in_debt(1.0 + owed)
        waits.households[AWAY] = SOCKETS_PER_HOUSEHOLD
        assert (await opened(here, PATH))[0]["status"] == 429
        assert max(owed, -LEAST) <= buckets.due("processor", AWAY) < 100.0

    asyncio.run(story())


def test_who_goes_while_their_handshake_waits_gives_up_the_place_and_pays_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handshake, "HANDSHAKE", 100.0)  # more than all else that is measured

    async def story() -> None:
        here, buckets, waits = in_debt(10.0)
        inboxes = [Inbox() for _ in range(OVER)]
        asked = [asyncio.create_task(opened(here, PATH, inbox=one)) for one in inboxes]
        await settled()
        assert waits.households == {AWAY: OVER}
        owed = buckets.due("processor", AWAY)
        for one in inboxes[:-1]:  # the first of them is the first in line
            one.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await settled()
        assert [task.done() for task in asked] == [True] * (OVER - 1) + [False]
        assert waits.households == {AWAY: 1}
        assert [task.result() for task in asked[:-1]] == [[]] * (OVER - 1)
        assert buckets.due("processor", AWAY) < owed + 100.0
        assert not here.registry.tally.counts["refused"]
        waits.end()
        assert (await asked[-1])[0]["type"] == "websocket.accept"

    asyncio.run(story())


@pytest.mark.parametrize("early", [True, False])
def test_what_is_said_while_a_handshake_waits_is_read_once_it_is_open(
    monkeypatch: pytest.MonkeyPatch, early: bool
) -> None:
    heard: list[str] = []

    async def close(socket: WebSocket, code: int) -> None:
        heard.extend([(await socket.receive())["text"] for _ in range(2)])
        heard.append((await socket.receive())["type"])

    monkeypatch.setattr(websocket, "_close", close)

    async def story() -> None:
        here, _, waits = in_debt(10.0)
        inbox = Inbox()
        asked = asyncio.create_task(opened(here, PATH, inbox=inbox))
        await settled()
        said: list[dict[str, Any]] = [
            {"type": "websocket.receive", "text": "one"},
            {"type": "websocket.receive", "text": "two"},
            {"type": "websocket.disconnect", "code": 1001},
        ]
        if early:
            for one in said:
                inbox.put_nowait(one)
            await settled()
        # Or it comes in the very turn of the loop in which they are let in.
        waits.end()
        if not early:
            for one in said:
                inbox.put_nowait(one)
        await asked
        assert heard == ["one", "two", "websocket.disconnect"]

    asyncio.run(story())


def test_a_handshake_waits_for_less_long_than_its_page() -> None:
    script = files("rookery.web").joinpath("static", "core", "socket.js").read_text()
    answer = re.search(r"^const ANSWER = ([\d_]+);", script, re.MULTILINE)
    assert answer is not None
    assert int(answer[1]) / 1000 > handshake.HELD_MOST


def test_who_is_let_in_pays_for_the_handshake() -> None:
    async def story() -> None:
        buckets = still(processor=Rate(1, 1, 1))
        here = Here(buckets=buckets)
        await opened(here, PATH)
        buckets.pay("processor", AWAY, 1.0)
        assert buckets.due("processor", AWAY) >= handshake.HANDSHAKE

    asyncio.run(story())


def test_a_whole_school_comes_back_at_once_after_a_restart() -> None:
    async def story() -> None:
        here = Here(buckets=still(connect=RATES["connect"], household=RATES["household"]))
        said = [await opened(here, PATH) for _ in range(SOCKETS_PER_HOUSEHOLD + 1)]
        assert {one[0]["type"] for one in said[:-1]} == {"websocket.accept"}
        assert said[-1][0]["status"] == 429

    asyncio.run(story())


def test_what_their_handshakes_cost_they_have_at_once() -> None:
    buckets = Buckets(clock=lambda: 0.0)
    addresses = Addresses(buckets)
    for _ in range(SOCKETS_PER_HOUSEHOLD):
        addresses.pay(AWAY, handshake.HANDSHAKE)
    assert buckets.due("processor", AWAY) == 0.0
    assert buckets.due("moment", AWAY) < BACK
