"""Whoever asks pays for the work, in seconds of a core, before more of it is begun."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

import pytest
from starlette.types import Receive, Scope, Send
from tests.server.core.tables import PEOPLE, Sheet, started
from tests.server.http.served import Here

from rookery.server.api.problems import Problem
from rookery.server.http import middleware
from rookery.server.http.ratelimit import (
    HELD_MOST,
    LEAST,
    RATES,
    Addresses,
    Buckets,
    Payer,
)
from rookery.server.registry import played
from rookery.server.registry.history import History, history_of
from rookery.server.registry.played import Records
from rookery.server.table import commands as cm
from rookery.server.work import (
    ACCOUNT,
    AT_WORK,
    Tab,
    in_one_of,
    in_pieces,
    in_thread,
    metered,
)

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


def test_nobody_is_kept_from_what_they_ask_for_by_what_they_have_paid_themselves() -> None:
    ask, burst = Asked(), RATES["processor"].burst

    async def begins(payer: Payer) -> bool:
        try:
            async with payer.alone("much"):
                return await payer.run(lambda: True)
        except Problem:
            return False

    async def story() -> None:
        one, other, third = (Payer(HOME, ask.addresses) for _ in range(3))
        one.pay(2 * burst)
        assert not await begins(other)
        assert await begins(one)
        with pytest.raises(Problem, match="too-many"):  # and yet it is not for nothing
            one.check()
        other.pay(2 * burst)
        third.pay(burst)
        assert not await begins(third)

    asyncio.run(story())


def test_somebody_patient_is_refused_nothing_and_anybody_else_is() -> None:
    async def story(patient: bool) -> str:
        ask = Asked()
        ask.addresses.pay(HOME, RATES["processor"].burst + 1)
        payer = Payer(HOME, ask.addresses, patient=patient)
        async with payer.alone("wake"):
            return await payer.run(lambda: "done")

    assert asyncio.run(story(patient=True)) == "done"
    with pytest.raises(Problem, match="too-many"):
        asyncio.run(story(patient=False))


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


@pytest.mark.parametrize(
    ("path", "kept", "least"), [("/", True, -float("inf")), ("/healthz", False, LEAST)]
)
def test_time_is_kept_for_a_request_while_it_is_answered_and_none_for_one_of_health(
    path: str, kept: bool, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "RESERVED", 100.0)
    seen = []

    async def story() -> None:
        guard: Any = Here().app

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            payer = ACCOUNT.get()
            assert isinstance(payer, Payer)
            seen.append((payer._paid >= 100, payer.least))

        guard._app = app
        headers = [(b"host", b"localhost:8000")]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        await guard({**scope, "headers": headers, "client": (HOME, 1)}, None, None)

    asyncio.run(story())
    assert seen == [(kept, least)]


async def in_ten_seconds(people: int) -> tuple[float, list[list[float] | BaseException]]:
    """Return how much of a core those of one address get who want a second each, in pieces.

    And what came of it for each of them, some time.
    """
    ask, each = Asked(), 0.02
    begun = list[float]()

    async def pass_by(seconds: float) -> None:
        ask.now += seconds
        await asyncio.sleep(0)

    def piece(some: Sequence[int]) -> list[float]:
        begun.append(ask.now)
        return [busy(each) for _ in some]

    async def one() -> list[float]:
        ACCOUNT.set(Payer(HOME, addresses))
        return await in_pieces(piece, range(50), 1)

    addresses = Addresses(ask.buckets, sleep=pass_by)
    came = await asyncio.gather(*(one() for _ in range(people)), return_exceptions=True)
    return each * sum(at <= 10 for at in begun), came


@pytest.mark.parametrize("people", [1, 3])
def test_much_work_is_done_one_at_a_time_and_not_all_on_credit(people: int) -> None:
    took, came = asyncio.run(in_ten_seconds(people))
    assert RATES["processor"].burst < took < 1.0
    assert [one for one in came if isinstance(one, list)] == [[0.02] * 50]
    refused = [one.code for one in came if isinstance(one, Problem)]
    assert refused == ["too-many"] * (people - 1)


@pytest.mark.parametrize("without", ["alone", "rest"])
def test_the_control_that_lets_all_begin_or_never_rests_takes_more(
    without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain: Any = getattr(Tab, without)
    monkeypatch.setattr(Payer, without, plain)
    took, came = asyncio.run(in_ten_seconds(3))
    assert took >= 1.0 or not any(isinstance(one, Problem) for one in came)


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


def test_nobody_waits_for_ever_for_what_fails_as_no_future_can_say() -> None:
    async def story() -> None:
        ledger = Ledger()
        ACCOUNT.set(ledger)
        with pytest.raises(RuntimeError, match="StopIteration"):
            async with asyncio.timeout(5):
                await in_one_of(AT_WORK, lambda: next(iter(())))
        assert len(ledger.paid) == 1

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


def one_hand() -> Sheet:
    sheet = started(people=4)
    sheet.play(Random(1), lambda hand: hand.over)
    assert [chair.person for chair in sheet.table.chairs] == [who.id for who in PEOPLE[:4]]
    return sheet
