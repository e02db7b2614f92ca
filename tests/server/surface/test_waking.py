"""A sleeping table is read in pieces: strangers pay for each first, and players wait for none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from fastapi import FastAPI
from tests.server.core.tables import PEOPLE
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore
from tests.server.surface.test_work import HOME, Ledger, one_hand

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.http.ratelimit import (
    RATES,
    Addresses,
    Buckets,
    Payer,
    Rate,
)
from rookery.server.live.actor import Actor
from rookery.server.registry import history as past
from rookery.server.registry.history import History, history_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import Elsewhere
from rookery.server.table.events import Entry
from rookery.server.table.state import Who
from rookery.server.work import ACCOUNT


class Poor(Ledger):
    """An account that can pay for one piece of work a request."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces = self.requests = 0

    def check(self) -> None:
        if self.pieces > self.requests:
            self.requests += 1
            raise Problem("too-many", wait=1)

    def pay(self, seconds: float) -> None:
        super().pay(seconds)
        self.pieces += 1

    async def go_on(self) -> None:
        self.check()


class Slow(Poor):
    """An account that may go on with the next piece of work only when it is told so."""

    def __init__(self) -> None:
        super().__init__()
        self.waits, self.goes, self.waiting = 0, asyncio.Semaphore(1), asyncio.Event()

    async def go_on(self) -> None:
        self.waits += 1
        if self.goes.locked():
            self.waiting.set()
        await self.goes.acquire()


def test_a_long_past_is_read_in_pieces_and_the_next_request_goes_on_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(past, "PIECE", 20)
    sheet = one_hand()

    async def story() -> None:
        store = MemoryStore()
        row = TableRow(sheet.table.code, True, "playing", 1, 1)
        await store.append(row, sheet.entries)
        histories, account = past.Histories(store), Poor()
        ACCOUNT.set(account)
        pieces = -(-len(sheet.entries) // 20)
        assert pieces > 2
        for _ in range(pieces - 1):
            with pytest.raises(Problem):
                await histories.of(row.code, 1)
        # What was read before is another table's past, once its events have changed.
        with pytest.raises(Problem):
            await histories.of(row.code, 2)
        for _ in range(pieces - 2):
            with pytest.raises(Problem):
                await histories.of(row.code, 2)
        found = await histories.of(row.code, 2)
        assert found is not None
        assert found.table.seq == len(sheet.entries)
        assert found.matches == history_of(sheet.entries).matches
        assert account.pieces == 2 * pieces - 1

    asyncio.run(story())


@pytest.mark.parametrize(("who", "pays"), [(PEOPLE[0], False), (Who("f" * 16, "Eve"), True)])
def test_whoever_has_a_seat_wakes_a_table_for_nothing(who: Who, pays: bool) -> None:
    async def story() -> None:
        code, state = await sleeping()
        account = Slow()
        ACCOUNT.set(account)
        assert isinstance(await state.woken(code, who), Actor)
        assert bool(account.paid) == bool(account.pieces) == pays
        # Asleep again, it is only looked at.
        await state.registry.stop(code, 4012, "it sleeps")
        looking = Poor()
        ACCOUNT.set(looking)
        assert (await state.table(code, who)).code == code
        assert bool(looking.pieces) == pays
        assert ACCOUNT.get() is looking
        await state.registry.close()

    asyncio.run(story())


def test_a_stranger_waits_for_each_piece_of_a_long_past_and_players_never_wait_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(past, "PIECE", 20)

    async def come(state: AppState, code: str, who: Who, account: Slow) -> Actor | Elsewhere | None:
        ACCOUNT.set(account)
        return await state.woken(code, who)

    async def story() -> None:
        code, state = await sleeping()
        strange, own = Slow(), Slow()
        stranger = asyncio.create_task(come(state, code, Who("f" * 16, "Eve"), strange))
        await strange.waiting.wait()
        assert strange.pieces == 1
        player = await come(state, code, PEOPLE[0], own)
        assert isinstance(player, Actor)
        assert own.waits == own.pieces == 0
        assert not stranger.done()
        stranger.cancel()
        again = Slow()
        assert await come(state, code, Who("e" * 16, "Zoe"), again) is player
        assert again.waits == 0  # a table that is awake has been read
        await state.registry.close()

    asyncio.run(story())


def test_of_an_address_one_reads_and_the_others_find_what_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(past, "PIECE", 20)
    read: list[int] = []

    def counted(entries: Sequence[Entry], since: History) -> History:
        read.append(len(entries))
        return history_of(entries, since)

    monkeypatch.setattr(past, "history_of", counted)

    async def come(state: AppState, code: str, number: int, addresses: Addresses) -> object:
        ACCOUNT.set(Payer(HOME, addresses, patient=True))
        return await state.woken(code, Who(f"{number:016x}", "Eve"))

    async def story() -> None:
        code, state = await sleeping()
        events = len(await state.registry.store.read(code))
        addresses = Addresses(Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9))))
        found = await asyncio.gather(*(come(state, code, n, addresses) for n in range(10)))
        assert len({*map(id, found)}) == 1
        assert sum(read) == events
        # What another server has at work is not read here at all.
        await state.registry.stop(code, 4012, "it sleeps")
        state.registry.recall(code)
        read.clear()

        async def elsewhere(_: str) -> bool:
            return True

        monkeypatch.setattr(state.registry.leases, "elsewhere", elsewhere)
        ACCOUNT.set(Payer(HOME, addresses, patient=True))
        await state.registry.read_ahead(code)
        assert read == []
        await state.registry.close()

    asyncio.run(story())


async def sleeping() -> tuple[str, AppState]:
    """Return the code of a table that a server has not read yet, and that server."""
    sheet, registry = one_hand(), TableRegistry(MemoryStore(), Settings())
    app = getattr(Here(registry=registry).app, "_app", None)
    assert isinstance(app, FastAPI)
    code, now = sheet.table.code, registry.clock.now()
    await registry.store.append(TableRow(code, True, "playing", now, now), sheet.entries)
    state = app.state.rookery
    assert isinstance(state, AppState)
    return code, state
