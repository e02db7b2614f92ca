"""A browser that is used stays the person it is; one that is not, is forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.http.served import Here, line, served, table_for, token_of
from tests.server.memory.store import MemoryStore

from rookery.server.names import token_hash
from rookery.server.registry.people import RENEW_AFTER, People
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, StoreError
from rookery.server.store.sqlite import SqliteStore

KEPT = Settings().keep_person


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 10 * KEPT

    def __call__(self) -> int:
        return self.now


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_token_that_is_used_lasts(kind: str, tmp_path: Path) -> None:
    async def story() -> None:
        clock = Clock()
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "db")
        people = People(store, clock)
        ann, token = await people.enter("Ann")
        _, unused = await people.enter("Bob")
        clock.now += RENEW_AFTER - 1
        assert not await people.use(token)
        for _ in range(5):
            clock.now += KEPT - DAY
            assert await people.use(token)
            await store.expire(clock.now - KEPT, clock.now)
            assert await people.holder(token) == ann
        clock.now += DAY
        visitor = await people.visitor(token)
        assert visitor is not None
        assert (visitor.who, visitor.since) == (ann, clock.now - DAY)
        clock.now += RENEW_AFTER - 1  # a socket has renewed it
        visitor = await people.visitor(token)
        assert visitor is not None
        assert visitor.since == clock.now - RENEW_AFTER + 1
        assert await people.holder(unused) is None
        assert not await people.use(unused)
        assert await people.holder(unused) is None
        clock.now += KEPT
        assert await people.holder(token) is None
        await store.close()

    asyncio.run(story())


def test_a_token_that_is_past_its_time_is_not_brought_back() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            token = ann.cookies["rookery"]
            hashed = token_hash(token)
            store = here.store
            assert isinstance(store, MemoryStore)
            person, held = store._tokens[hashed]
            old = held._replace(used=held.used - KEPT)
            store._tokens[hashed] = person, old
            answer = await ann.get("/api/session")
            assert answer.json()["person"] is None
            assert "set-cookie" not in answer.headers
            assert store._tokens[hashed] == (person, old)

    asyncio.run(story())


def test_opening_the_page_or_a_socket_is_use() -> None:
    async def story() -> None:
        store = MemoryStore()

        def aged(token: str) -> None:
            person, held = store._tokens[token_hash(token)]
            store._tokens[token_hash(token)] = person, held._replace(used=held.used - 2 * DAY)

        with served(store=store) as here:
            ann = here.browser("Ann")
            token, code = token_of(ann), table_for(ann)
            given = store._tokens[token_hash(token)][1].used
            aged(token)
            cookie = ann.get("/api/session").headers["set-cookie"]
            assert cookie.startswith(f"rookery-{here.url.rpartition(':')[2]}={token};")
            assert f"Max-Age={KEPT // 1000};" in cookie
            assert "HttpOnly" in cookie
            assert "set-cookie" not in ann.get("/api/session").headers
            assert store._tokens[token_hash(token)][1].used >= given
            aged(token)
            async with line(here, ann, code):
                assert store._tokens[token_hash(token)][1].used >= given

    asyncio.run(story())


def test_a_disk_that_takes_nothing_does_not_turn_anybody_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:

            async def full(*_: object) -> bool:
                raise StoreError("the disk is full")

            monkeypatch.setattr(here.store, "renew", full)
            assert (await ann.get("/api/session")).json()["name"] == "Ann"

    asyncio.run(story())
