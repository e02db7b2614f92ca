"""Asking to be forgotten, over the network: at every table, and not too often."""

from __future__ import annotations

import asyncio

import httpx
from tests.server.http.served import HOME, Here, line, served, table_for

from rookery.server.http.ratelimit import Buckets


def test_what_was_said_at_a_table_that_was_watched_goes_too() -> None:
    async def story() -> None:
        with served() as here:
            ann, bob = here.browser("Ann"), here.browser("Marigold")
            code = table_for(ann)
            async with line(here, ann, code) as one, line(here, bob, code) as watching:
                await watching.do(type="chat", text="I am Marigold")
                await watching.do(type="report", seat=0, reason="so says Marigold")
                assert bob.delete("/api/session").json()["person"] is None
                assert (await watching.hear_type("closing"))["code"] == 4003
                # Nobody else is disconnected: the table comes anew, over the same line.
                again = await one.hear_type("welcome")
                assert "Marigold" not in str(again)
                assert [said["text"] for said in again["chat"]] == ["..."]
                assert (await one.do(type="chat", phrase="hello"))["type"] == "ack"
            assert "Marigold" not in repr(vars(here.registry.store))

    asyncio.run(story())


def test_an_address_is_not_forgotten_all_the_time() -> None:
    async def story() -> None:
        here = Here(buckets=Buckets())
        transport = httpx.ASGITransport(app=here.app, client=("203.0.113.5", 1))
        found = []
        async with httpx.AsyncClient(
            transport=transport, base_url=HOME, headers={"origin": HOME}
        ) as eve:
            for _ in range(4):
                (await eve.post("/api/session", json={"name": "Eve"})).raise_for_status()
                found.append((await eve.delete("/api/session")).status_code)
            assert found == [200, 200, 200, 429]
            assert (await eve.get("/api/session")).json()["name"] == "Eve"

    asyncio.run(story())
