"""Whoever asks pays for the work, in seconds of a core, before more of it is begun."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TypeVar

import pytest
from fastapi import FastAPI
from tests.server.core.tables import PEOPLE, Sheet, started
from tests.server.http.served import Here

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.http.ratelimit import (
    HELD_MOST,
    LEAST,
    RATES,
    Addresses,
    Buckets,
    Payer,
    Rate,
)
from rookery.server.live.actor import Actor
from rookery.server.registry import history as past
from rookery.server.registry import played
from rookery.server.registry.history import History, history_of
from rookery.server.registry.played import Records
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.store.leases import Elsewhere
from rookery.server.store.memory import MemoryStore
from rookery.server.table import commands as cm
from rookery.server.table.events import Entry
from rookery.server.table.state import Who
from rookery.server.work import ACCOUNT, Tab, in_one_of, in_thread, metered

T = TypeVar("T")
HOME = "203.0.113.9"


def busy(seconds: float) -> float:
    """Use so much of a core."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return seconds


class Asked:
    """Requests of one address, by a clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.buckets = Buckets(clock=lambda: self.now)
        self.addresses = Addresses(self.buckets)

    async def __call__(self, make: Callable[[], float], home: str = HOME) -> float | str:
        ACCOUNT.set(Payer(home, self.addresses))
        try:
            return await in_thread(make)
        except Problem as problem:
            return f"{problem.code} {problem.wait}"


def test_whoever_has_used_up_their_time_is_refused_until_it_has_come_again() -> None:
    async def story() -> None:
        ask, burst = Asked(), RATES["processor"].burst
        assert await ask(lambda: busy(1.1 * burst)) == 1.1 * burst
        # One tenth over, which comes again in so many seconds; until then nothing is begun.
        begun: list[float] = []

        def begins() -> float:
            begun.append(1.0)
            return 1.0

        assert str(await ask(begins)).startswith("too-many ")
        assert not begun
        assert await ask(lambda: busy(0.0), "198.51.100.7") == 0.0
        ask.now += RATES["processor"].seconds
        assert await ask(lambda: busy(0.0)) == 0.0

    asyncio.run(story())


def test_those_that_waited_are_not_begun_once_the_time_is_used_up() -> None:
    async def story() -> list[float | str]:
        ask, burst = Asked(), RATES["processor"].burst
        return await asyncio.gather(*(ask(lambda: busy(1.1 * burst)) for _ in range(12)))

    found = asyncio.run(story())
    done = [one for one in found if isinstance(one, float)]
    assert len(done) == 1
    assert all(str(one).startswith("too-many ") for one in found if one not in done)


def test_however_many_are_refused_an_address_is_soon_let_in_again() -> None:
    ask = Asked()
    payer = Payer(HOME, ask.addresses)
    payer.pay(RATES["processor"].burst)
    payer.least = LEAST
    for _ in range(10_000):
        payer.pay(0.0002)
    assert 0 < ask.buckets.due("processor", HOME) < HELD_MOST
    # Whoever owes more than that already owes no less by it.
    Payer(HOME, ask.addresses).pay(100.0)
    owed = ask.buckets.due("processor", HOME)
    payer.pay(0.0002)
    assert ask.buckets.due("processor", HOME) == owed


class Ledger(Tab):
    """An account that writes down what is paid."""

    def __init__(self) -> None:
        self.paid: list[float] = []

    def pay(self, seconds: float) -> None:
        self.paid.append(seconds)

    async def turn(self) -> bool:
        raise AssertionError("nobody waits here")

    def check(self) -> None:
        raise AssertionError("nothing is long here")

    async def run(self, make: Callable[[], T]) -> T:
        raise AssertionError("nothing dear is done here")


def test_each_step_is_paid_for_and_what_others_do_meanwhile_is_not() -> None:
    async def story() -> None:
        mine, others = Ledger(), Ledger()

        async def works(seconds: float) -> str:
            for _ in range(5):
                busy(seconds)
                await asyncio.sleep(0)
            return "done"

        found = await asyncio.gather(metered(mine, works(0.002)), metered(others, works(0.02)))
        assert [*found] == ["done"] * 2
        assert 0.01 <= sum(mine.paid) < 0.1 <= sum(others.paid)
        assert await metered(None, works(0.0)) == "done"

    asyncio.run(story())


def test_a_step_that_fails_is_paid_for_and_an_error_from_outside_comes_in() -> None:
    async def story() -> None:
        ledger = Ledger()

        async def fails() -> None:
            await asyncio.sleep(0)
            busy(0.01)
            raise LookupError("there is none")

        with pytest.raises(LookupError, match="there is none"):
            await metered(ledger, fails())
        assert sum(ledger.paid) >= 0.01

        async def tidies() -> None:
            try:
                async with asyncio.timeout(0):
                    await asyncio.sleep(60)
            except TimeoutError:
                busy(0.01)
                tidied.set()
                await asyncio.sleep(60)

        tidied = asyncio.Event()
        task = asyncio.create_task(metered(ledger, tidies()))
        await tidied.wait()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert sum(ledger.paid) >= 0.02

    asyncio.run(story())


def test_what_a_reader_reads_is_paid_for_by_whoever_asks() -> None:
    def fails() -> None:
        busy(0.01)
        raise LookupError("there is none")

    async def story() -> None:
        ledger = Ledger()
        with ThreadPoolExecutor(1) as threads:
            assert await in_one_of(threads, lambda: busy(0.01)) == 0.01
            ACCOUNT.set(ledger)
            assert await in_one_of(threads, lambda: busy(0.01)) == 0.01
            assert len(ledger.paid) == 1
            with pytest.raises(LookupError, match="there is none"):
                await in_one_of(threads, fails)
        assert sum(ledger.paid) >= 0.02

    asyncio.run(story())


def test_what_fails_is_paid_for_and_says_why() -> None:
    async def story() -> None:
        ask, burst = Asked(), RATES["processor"].burst

        def fails() -> float:
            busy(1.1 * burst)
            raise LookupError("there is none")

        with pytest.raises(LookupError, match="there is none"):
            await ask(fails)
        assert str(await ask(lambda: 1.0)).startswith("too-many ")

    asyncio.run(story())


def test_work_that_nobody_asked_for_is_free() -> None:
    async def story() -> int:
        return await in_thread(max, 3, 4)

    assert asyncio.run(story()) == 4


def test_a_record_is_written_once_until_its_match_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrote: list[int | None] = []
    whole = played.record_of

    def record_of(history: History, match: int | None = None) -> str | None:
        wrote.append(match)
        return whole(history, match)

    monkeypatch.setattr(played, "record_of", record_of)
    sheet, records = one_hand(), Records()
    first = sheet.history

    async def story() -> None:
        texts = [await records.of(first) for _ in range(3)]
        assert wrote == [0]
        assert texts == [whole(first)] * 3
        before = len(sheet.entries)
        for seat in range(4):
            sheet.say(sheet.person(seat), cm.Next("n"))
        dealt = history_of(sheet.entries[before:], first)
        assert await records.of(dealt) == texts[0]
        assert wrote == [0]
        sheet.play(Random(2), lambda hand: hand.over)
        again = history_of(sheet.entries[before:], first)
        assert await records.of(again) == whole(again) != texts[0]
        assert wrote == [0, 0]
        assert await records.of(again, 1) is None
        assert await records.over(again, 0) is None

    asyncio.run(story())


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


def one_hand() -> Sheet:
    sheet = started(people=4)
    sheet.play(Random(1), lambda hand: hand.over)
    assert [chair.person for chair in sheet.table.chairs] == [who.id for who in PEOPLE[:4]]
    return sheet
