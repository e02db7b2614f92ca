"""Whoever comes back has their session, whatever goes wrong once the link is used up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest
from tests.server.http.authenticator import Authenticator
from tests.server.http.served import Here
from tests.server.http.test_passkeys import LOCAL, Place, kept, shown
from tests.server.memory.store import MemoryStore

from rookery.server.api.problems import Problem
from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import StoreError, TableRow
from rookery.server.table.state import Table
from rookery.server.work import ACCOUNT

ALL = 3e9  # seconds of a core, more than any address has here
Way = Callable[[httpx.AsyncClient, httpx.AsyncClient], Awaitable[httpx.Response]]


def away(here: Here, number: int) -> httpx.AsyncClient:
    """Return the browser of an address that has limits."""
    transport = httpx.ASGITransport(
        app=here.app, raise_app_exceptions=False, client=(f"203.0.113.{number}", 5)
    )
    return httpx.AsyncClient(transport=transport, base_url=LOCAL, headers={"origin": LOCAL})


async def by_link(ann: httpx.AsyncClient, phone: httpx.AsyncClient) -> httpx.Response:
    link = (await ann.post("/api/session/return")).json()
    return await phone.post("/api/return", json={"token": link["token"]})


async def by_passkey(ann: httpx.AsyncClient, phone: httpx.AsyncClient) -> httpx.Response:
    key = Authenticator(LOCAL)
    await kept(ann, key)
    return await shown(phone, key)


async def all_spent(_store: MemoryStore, _person: str) -> None:
    """Have whoever asks pay more than they have."""
    account = ACCOUNT.get()
    assert account is not None
    account.pay(ALL)


async def fails(_store: MemoryStore, _what: str) -> None:
    raise StoreError("the disk is full")


async def refuses(_registry: TableRegistry, _code: str) -> Table | None:
    raise Problem("too-many", wait=1)


def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an address be in debt once it is known where somebody has sat."""
    sound = MemoryStore.tables_of

    async def tables_of(store: MemoryStore, person: str) -> list[TableRow]:
        await all_spent(store, person)
        return await sound(store, person)

    monkeypatch.setattr(MemoryStore, "tables_of", tables_of)


TROUBLE: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "nothing is left to pay with": dear,
    "a table is refused": lambda patch: patch.setattr(TableRegistry, "table", refuses),
    "no tables are found": lambda patch: patch.setattr(MemoryStore, "tables_of", fails),
    "the old session stays": lambda patch: patch.setattr(MemoryStore, "drop_token", fails),
}


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("way", [by_link, by_passkey])
def test_whoever_has_come_back_is_told_so_whatever_then_goes_wrong(
    way: Way, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        place = Place()
        here = place.here
        async with here.running(), place.person("Ann") as ann, away(here, 9) as phone:
            table = (await ann.post("/api/tables", json={})).json()["code"]
            await here.registry.put_away(table)
            me = (await ann.get("/api/session")).json()
            assert [one["code"] for one in me["tables"]] == [table]
            await here.registry.put_away(table)
            here.registry.recall(table)
            (await phone.post("/api/session", json={"name": "Bob"})).raise_for_status()
            before = phone.cookies["rookery"]
            with monkeypatch.context() as patch:
                TROUBLE[trouble](patch)
                answer = await way(ann, phone)
            assert answer.status_code == 200, answer.text
            whole = trouble in ("nothing is left to pay with", "the old session stays")
            assert answer.json() == {**me, "tables": me["tables"] if whole else []}
            token = answer.cookies["rookery"]
            async with place.browser() as there:
                for held, person in ((token, me["person"]), (before, None)):
                    there.cookies.set("rookery", held)
                    if held == token or trouble != "the old session stays":
                        assert (await there.get("/api/session")).json()["person"] == person

    asyncio.run(story())


def test_an_address_that_has_nothing_left_is_told_who_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> None:
        here = Place().here
        async with here.running(), away(here, 7) as ann:
            me = (await ann.post("/api/session", json={"name": "Ann"})).json()
            table = (await ann.post("/api/tables", json={})).json()["code"]
            await here.registry.put_away(table)
            here.registry.recall(table)
            dear(monkeypatch)
            answer = await ann.get("/api/session")
            assert answer.status_code == 200, answer.text
            assert answer.json()["person"] == me["person"]
            assert [one["code"] for one in answer.json()["tables"]] == [table]

    asyncio.run(story())
