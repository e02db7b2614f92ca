"""How often a stranger may ask; this machine's owner as often as they like."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from tests.server.http.served import HOME, Here

from rookery.server.http.ratelimit import RATES, Buckets, Rate


def test_an_address_that_asks_too_often_is_refused_and_no_other() -> None:
    async def story() -> None:
        here = Here(buckets=Buckets(dict(RATES) | {"address": Rate(1, 60, 3)}))

        def of(address: str) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app=here.app, client=(address, 1))
            return httpx.AsyncClient(transport=transport, base_url=HOME, headers={"origin": HOME})

        async with of("203.0.113.5") as eve, of("203.0.113.6") as ann, of("127.0.0.1") as home:
            found = [(await eve.get("/api/session")).status_code for _ in range(5)]
            assert found == [200, 200, 200, 429, 429]
            assert (await eve.get("/")).status_code == 200
            assert (await ann.get("/api/session")).status_code == 200
            assert {(await home.get("/api/session")).status_code for _ in range(9)} == {200}
            spoofed = await eve.get("/api/session", headers={"x-forwarded-for": "203.0.113.7"})
            assert spoofed.json()["error"]["code"] == "too-many"

    asyncio.run(story())


def test_names_tables_and_links_have_limits_of_their_own() -> None:
    async def story() -> None:
        here = Here(buckets=Buckets())
        async with here.person("Ann") as ann:
            for path, body, count in (
                ("/api/tables", {"rules": "kd_tournament"}, 10),
                ("/api/session/return", {}, 10),
                ("/api/session", {"name": "Anna"}, 5),
            ):
                codes = [(await ann.post(path, json=body)).status_code for _ in range(count + 2)]
                assert codes[count - 1] < 300
                assert codes[-1] == 429

    asyncio.run(story())


def test_buckets_fill_again_and_are_forgotten_when_they_are_full() -> None:
    now = 0.0
    buckets = Buckets({"x": Rate(2, 10, 4)}, lambda: now)
    assert [buckets.take("x", "ann") for _ in range(5)] == [True] * 4 + [False]
    assert buckets.wait("x", "ann") == 5
    assert buckets.take("x", "bob")
    now = 4.9
    assert not buckets.take("x", "ann")
    now = 5.0
    assert buckets.take("x", "ann")
    for number in range(10_000):
        now += 1
        buckets.take("x", f"guest {number}")
    assert len(buckets._filled) < 5_000


@pytest.mark.parametrize("rate", [Rate(1, 4, 2), Rate(3, 10, 5), Rate(60, 20, 20)])
def test_after_as_long_as_is_said_one_more_is_allowed_and_no_sooner(rate: Rate) -> None:
    now = 0.0
    buckets = Buckets({"x": rate}, lambda: now)
    while buckets.take("x", "ann"):
        pass
    now = 0.3
    wait = buckets.wait("x", "ann")
    now += wait - 1
    assert wait == 1 or not buckets.take("x", "ann")
    now += 1
    assert buckets.take("x", "ann")
