"""The list of open tables is shown to all: whoever asks first pays for no table's past."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import httpx
import pytest
from msgspec.structs import replace
from tests.server.http.served import HOME, Here
from tests.server.memory.store import MemoryStore
from tests.server.surface.test_waking import Poor
from tests.server.surface.test_work import busy, one_hand

from rookery.server import names
from rookery.server.http.ratelimit import Buckets
from rookery.server.registry import history as past
from rookery.server.registry import listing
from rookery.server.registry.history import EMPTY, History, history_of
from rookery.server.registry.listing import LONGEST, RESTS
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import Leases
from rookery.server.table import events as ev
from rookery.server.table.events import Entry
from rookery.server.work import ACCOUNT

DEAR = 0.03  # seconds of a core for each table; fifty cost more than an address may owe


async def asleep(number: int) -> tuple[TableRegistry, list[str]]:
    """Return a server that has just begun, and the codes of so many open tables that sleep."""
    registry, codes = TableRegistry(MemoryStore(), Settings()), list[str]()
    sheet, now = one_hand(), registry.clock.now()
    for _ in range(number):
        code = names.new_code()
        made, *others = sheet.entries
        assert isinstance(made.event, ev.TableMade)
        made = replace(made, event=replace(made.event, code=code, open=True))
        await registry.store.append(TableRow(code, True, "playing", now, now), [made, *others])
        codes.append(code)
    return registry, codes


def counted(monkeypatch: pytest.MonkeyPatch, seconds: float = 0.0) -> list[int]:
    """Return where it is noted how many events are read, each piece for so many seconds."""
    read: list[int] = []

    def dear(entries: Sequence[Entry], since: History = EMPTY) -> History:
        busy(seconds)
        read.append(len(entries))
        return history_of(entries, since)

    monkeypatch.setattr(past, "history_of", dear)
    return read


def test_the_first_who_asks_for_the_list_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    counted(monkeypatch, DEAR)

    async def story() -> None:
        registry, codes = await asleep(LONGEST)
        here = Here(buckets=Buckets(), registry=registry)
        away = httpx.ASGITransport(here.app, client=("203.0.113.7", 5))
        async with httpx.AsyncClient(transport=away, base_url=HOME) as browser:
            for _ in range(3):
                answer = await browser.get("/api/tables")
                assert answer.status_code == 200, answer.text
                assert {one["code"] for one in answer.json()} == {*codes}

    asyncio.run(story())


def test_each_table_is_read_once_for_all_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    read = counted(monkeypatch)

    async def story() -> None:
        registry, codes = await asleep(5)
        # No other past is kept, so nothing but the list itself can know them.
        monkeypatch.setattr(registry, "_histories", past.Histories(registry.store, 0))
        account = Poor()
        ACCOUNT.set(account)
        many = await asyncio.gather(*(registry.lobby.tables() for _ in range(20)))
        assert [{one.code for one in found} for found in many] == [{*codes}] * 20
        assert (len(read), account.pieces) == (len(codes), 0)
        row = await registry.store.row(codes[0])
        assert row is not None
        await registry.store.append(row._replace(open=False), [])
        assert {one.code for one in await registry.lobby.tables()} == {*codes[1:]}
        assert len(read) == len(codes)
        await registry.store.append(row, [])
        for _ in range(2):
            assert {one.code for one in await registry.lobby.tables()} == {*codes}
        assert (len(read), account.pieces) == (len(codes) + 1, 0)

    asyncio.run(story())


def test_of_several_servers_a_list_that_cost_much_is_kept_though_tables_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = counted(monkeypatch, DEAR)
    monkeypatch.setattr(Leases, "shared", True)
    now = 0.0
    monkeypatch.setattr(listing, "time", SimpleNamespace(monotonic=lambda: now))

    async def story() -> None:
        nonlocal now
        registry, codes = await asleep(3)
        assert len(await registry.lobby.tables()) == len(codes)
        for code in codes:
            row = await registry.store.row(code)
            assert row is not None
            await registry.store.append(row, [])
        rests = RESTS * len(codes) * DEAR
        for moment in (0.0, 0.5 * rests, 0.9 * rests):
            now = moment
            registry.lobby.changed()
            assert len(await registry.lobby.tables()) == len(codes)
        assert len(read) == len(codes)
        now = 10 * rests
        await registry.lobby.tables()
        assert len(read) == 2 * len(codes)

    asyncio.run(story())
