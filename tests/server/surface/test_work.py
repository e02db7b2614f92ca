"""Whoever asks pays for the work, in seconds of a core, before more of it is begun."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.server.api.problems import Problem
from rookery.server.http.ratelimit import AT_WORK, RATES, Addresses, Buckets
from rookery.server.registry import played
from rookery.server.registry.history import History, history_of
from rookery.server.registry.played import Records
from rookery.server.table import commands as cm
from rookery.server.work import ACCOUNT, in_thread

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
        ACCOUNT.set(self.addresses.payer(home))
        try:
            return await in_thread(make)
        except Problem as problem:
            return f"{problem.code} {problem.wait}"


def test_whoever_has_used_up_their_time_is_refused_until_it_has_come_again() -> None:
    async def story() -> None:
        ask, burst = Asked(), RATES["work"].burst
        assert await ask(lambda: busy(1.1 * burst)) == 1.1 * burst
        # One tenth over, which comes again in so many seconds; until then nothing is begun.
        begun: list[float] = []

        def begins() -> float:
            begun.append(1.0)
            return 1.0

        assert str(await ask(begins)).startswith("too-many ")
        assert not begun
        assert await ask(lambda: busy(0.0), "198.51.100.7") == 0.0
        ask.now += RATES["work"].seconds
        assert await ask(lambda: busy(0.0)) == 0.0

    asyncio.run(story())


def test_those_that_waited_are_not_begun_once_the_time_is_used_up() -> None:
    async def story() -> list[float | str]:
        ask, burst = Asked(), RATES["work"].burst
        return await asyncio.gather(*(ask(lambda: busy(1.1 * burst)) for _ in range(12)))

    found = asyncio.run(story())
    done = [one for one in found if isinstance(one, float)]
    assert 1 <= len(done) <= AT_WORK
    assert all(str(one).startswith("too-many ") for one in found if one not in done)


def test_however_many_are_refused_an_address_is_soon_let_in_again() -> None:
    async def story() -> int:
        ask, burst = Asked(), RATES["work"].burst
        await asyncio.gather(*(ask(lambda: busy(1.1 * burst)) for _ in range(300)))
        assert not ask.buckets.take("address", HOME)
        return ask.buckets.wait("address", HOME)

    # Ten come again in a second.
    assert asyncio.run(story()) == 1


def test_what_fails_is_paid_for_and_says_why() -> None:
    async def story() -> None:
        ask, burst = Asked(), RATES["work"].burst

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
