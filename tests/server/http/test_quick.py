"""Playing with strangers by the API: many requests make no more than one table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from tests.server.core.tables import LATER
from tests.server.http.served import QUICK, Here, Served, line, makes_no_table, served, table_for
from tests.server.memory.store import MemoryStore

from rookery.server.http.ratelimit import Buckets
from rookery.server.registry import listing
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import UNOWNED, Lease, Leases
from rookery.server.table.events import Entry

HOUSE: dict[str, Any] = {"base": "kd_tournament", "target": 470, "name": "Ours"}


class Slow(MemoryStore):
    """A store that takes a moment, so that others come in between."""

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        await asyncio.sleep(0.02)
        await super().append(row, entries, lease)


class Looked(MemoryStore):
    """A store that notes each look for the open tables: whether others had to wait meanwhile."""

    registry: TableRegistry

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[bool] = []

    async def listed(self, most: int) -> list[TableRow]:
        self.looks.append(self.registry.strangers.line.locked())
        return await super().listed(most)


class Shared(Leases):
    """Leases among several servers, of which this one has every table."""

    shared = True


async def shown(browser: httpx.AsyncClient, **wanted: object) -> dict[str, Any]:
    answer = await browser.post("/api/tables/quick", json=wanted)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_hundreds_of_requests_of_one_person_make_one_table_of_each_game() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            found = [await shown(ann) for _ in range(60)]
            found += await asyncio.gather(*(shown(ann, any=bool(n % 2)) for n in range(240)))
            assert {one["code"] for one in found} == {found[0]["code"]}
            assert all(one["seated"] and one["people"] == 0 for one in found)
            houses = await asyncio.gather(*(shown(ann, rules=HOUSE) for _ in range(20)))
            assert len({one["code"] for one in houses}) == 1
            assert len(await here.store.past(LATER, LATER)) == 2

    asyncio.run(story())


def test_those_who_come_at_once_find_one_another() -> None:
    async def story() -> None:
        here = Here(registry=TableRegistry(Slow(), Settings()))
        async with here.running():
            people = [here.person(f"Guest {number}") for number in range(12)]
            browsers = [await person.__aenter__() for person in people]
            found = await asyncio.gather(*(shown(browser) for browser in browsers))
            assert len({one["code"] for one in found}) == 1
            assert [one["people"] for one in found].count(0) == 1
            assert [one["seated"] for one in found].count(True) == 1
            [listed] = (await browsers[0].get("/api/tables")).json()
            assert (listed["people"], listed["here"], listed["rules_id"]) == (1, 1, "kd_tournament")
            for person in people:
                await person.__aexit__(None, None, None)

    asyncio.run(story())


def test_tables_of_other_servers_are_kept_a_moment_and_nobody_waits_while_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing, "KEPT_WITHOUT", 3_600.0)

    async def story() -> None:
        store = Looked()
        store.registry = TableRegistry(store, Settings(), leases=Shared())
        here = Here(registry=store.registry)
        async with here.running(), here.person("Ann") as ann, here.person("Bob") as bob:
            found = await asyncio.gather(*(shown(one) for one in (ann, bob) * 10))
            assert len({one["code"] for one in found}) == 1
        assert 1 <= len(store.looks) <= 2
        assert not any(store.looks)

    asyncio.run(story())


def test_it_is_counted_with_the_tables_that_somebody_makes() -> None:
    async def story() -> None:
        here = Here(buckets=Buckets())
        async with here.running(), here.person("Ann") as ann:
            for number in range(12):
                path = "/api/tables/quick" if number % 2 else "/api/tables"
                answer = await ann.post(path, json={"rules": "kd_tournament"})
                assert (answer.status_code == 429) is (number >= 10)
            assert answer.json()["error"]["code"] == "too-many"

    asyncio.run(story())


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"rules": "none"}, "unknown-rules"),
        ({"rules": {"seats": 9}}, "bad-rules"),
        ({"rules": None}, "bad-request"),
        ({"any": "yes"}, "bad-request"),
        ({"but": ["ABCDEF2"] * 17}, "bad-request"),
        ({"but": ["A" * 17]}, "bad-request"),
        ({"but": "ABCDEF2"}, "bad-request"),
        ({"pace": "mad"}, "bad-request"),
        ({"open": False}, "bad-request"),
    ],
)
def test_what_cannot_be_asked_for_makes_nothing(wanted: dict[str, Any], code: str) -> None:
    makes_no_table("/api/tables/quick", wanted, code)


def test_strangers_sit_down_until_a_table_is_full_and_then_at_the_next() -> None:
    async def story(here: Served) -> None:
        ann, bob, eve = here.browser("Ann"), here.browser("Bob"), here.browser("Eve")
        first = ann.post("/api/tables/quick", json={"rules": QUICK}).json()["code"]
        async with line(here, ann, first) as host:
            assert (await host.do(type="bot", seat=1, bot="papa"))["type"] == "ack"
            assert (await host.do(type="bot", seat=2, bot="papa"))["type"] == "ack"
            found = [
                one.post("/api/tables/quick", json={"rules": QUICK}).json() for one in (bob, eve)
            ]
            told = {"code": first, "phase": "lobby", "people": 1, "seated": False}
            assert found == [told, told]
            async with line(here, bob, first) as other, line(here, eve, first) as late:
                sit = {"type": "sit", "matched": True, "wait": True}
                assert (await other.do(**sit))["type"] == "ack"
                assert (await late.do(**sit))["code"] == "table-full"
            asked = {"rules": QUICK, "but": [first.lower()]}
            again = eve.post("/api/tables/quick", json=asked).json()
            assert again["code"] != first
            assert (again["people"], again["seated"]) == (0, True)
            private = table_for(here.browser("Cy"), rules=QUICK)
            assert private not in {one["code"] for one in eve.get("/api/tables").json()}

    with served() as here:
        asyncio.run(story(here))
