"""Handshakes of one household: so many wait at once, none for long, and a whole school gets in."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.http.served import Here
from tests.server.http.test_odd_requests import opened
from tests.server.surface.test_addresses import settled

from rookery.server.http import handshake
from rookery.server.http.ratelimit import LEAST, RATES, Addresses, Buckets, Rate
from rookery.server.live.sockets import SOCKETS_PER_HOUSEHOLD

AWAY = "203.0.113.5"  # that of `opened`
PATH = "/ws/ABCDEF2"
OVER = 20
BACK = 5.0  # seconds, of promise P3


def still(**rates: Rate) -> Buckets:
    """Return limits that nobody reaches but these, by a clock that stands still."""
    return Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | rates, lambda: 0.0)


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


def test_a_household_in_debt_has_as_many_waiting_handshakes_as_sockets() -> None:
    async def story() -> None:
        buckets = still(processor=Rate(1, 1, 1), moment=Rate(1, 1, 1e9))
        here = Here(buckets=buckets)
        waits = Waits(here, buckets)
        buckets.pay("processor", AWAY, 10.0)
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


def test_a_handshake_waits_only_so_long_and_its_refusal_puts_nobody_deep_in_debt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handshake, "HELD_MOST", 0.01)
    monkeypatch.setattr(handshake, "HANDSHAKE", 100.0)  # more than all else that is measured

    async def story() -> None:
        buckets = still(processor=Rate(1, 1, 1), moment=Rate(1, 1, 1e9))
        here = Here(buckets=buckets)
        waits = Waits(here, buckets)
        buckets.pay("processor", AWAY, 1.0 - LEAST + 1.0)
        owed = buckets.due("processor", AWAY)
        said = await asyncio.gather(*(opened(here, PATH) for _ in range(9)))
        assert [one[0]["status"] for one in said] == [429] * 9
        assert not waits.households
        assert buckets.due("processor", AWAY) < owed + 100.0

    asyncio.run(story())


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
