"""An evening is read once, however many ask for it at once, and whatever they have found."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens_alone import parts
from tests.server.surface.test_work import busy

from rookery.server.api.evenings.held import Evenings, Held
from rookery.server.api.problems import Problem
from rookery.server.http.ratelimit import RATES, Addresses, Buckets, Payer
from rookery.server.store.people.sheets import SheetEntry, SheetFound
from rookery.server.work import ACCOUNT

Found = tuple[SheetFound, SheetFound, SheetFound]
Reads = Callable[[Evenings, Found], Awaitable[list[Held]]]


async def _read(monkeypatch: pytest.MonkeyPatch, reads: Reads) -> tuple[list[Held], list[int]]:
    """Return an evening as it is read, and from where on its entries were.

    It is found without its two entries, with one of them, and with both.
    """
    here = Here()
    async with here.running(), here.person("Ann") as ann:
        store = parts(here).registry.store.sheets
        evening = await made(ann)

        async def found() -> SheetFound:
            there = await store.of(evening["code"], 0)
            assert there is not None
            # Each entry is written at a time of its own.
            return there._replace(sheet=there.sheet._replace(touched=there.entries))

        first = await found()
        await done(ann, evening, {"do": "claim", "person": 0})
        second = await found()
        await done(ann, evening, {"do": "free", "person": 0})
        third = await found()
        assert [one.entries for one in (first, second, third)] == [0, 1, 2]
        evenings, read, sound = Evenings(store), list[int](), store.entries

        async def of(code: str, since: int) -> SheetFound | None:
            return third

        async def entries(code: str, after: int) -> list[SheetEntry]:
            read.append(after)
            return list(await sound(code, after))

        monkeypatch.setattr(store, "of", of)
        monkeypatch.setattr(store, "entries", entries)
        return await reads(evenings, (first, second, third)), read


async def at_once(evenings: Evenings, found: Found) -> list[Held]:
    first, second, third = found
    return await asyncio.gather(*map(evenings.of, (third, first, second, third)))


def test_an_evening_is_read_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    held, read = asyncio.run(_read(monkeypatch, at_once))
    assert [one is held[0] for one in held] == [True] * 4
    assert held[0].entries == 2
    assert read == [0]


def test_the_control_that_reads_for_each_of_them_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evenings, "of", Evenings._read)
    held, read = asyncio.run(_read(monkeypatch, at_once))
    assert not all(one is held[0] for one in held)
    assert len(read) > 1


def test_what_a_thread_takes_in_for_somebody_who_has_gone_is_not_taken_in_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def one_goes(evenings: Evenings, found: Found) -> list[Held]:
        at_work, go_on, sound = threading.Event(), threading.Event(), Held.take

        def slow(held: Held, entries: Sequence[SheetEntry], touched: int) -> None:
            at_work.set()
            assert go_on.wait(60)
            sound(held, entries, touched)

        with monkeypatch.context() as here:
            here.setattr(Held, "take", slow)
            gone = asyncio.create_task(evenings.of(found[2]))
            await asyncio.to_thread(at_work.wait, 60)
            gone.cancel()
            await asyncio.sleep(0)
        asked = asyncio.create_task(evenings.of(found[2]))
        await asyncio.sleep(0.05)
        go_on.set()
        return [await asked]

    held, _ = asyncio.run(_read(monkeypatch, one_goes))
    assert held[0].entries == 2
    assert sum(held[0].wrote.values()) == 2
    assert held[0].refused == {}


async def _many_at_once(monkeypatch: pytest.MonkeyPatch, *, begun: bool) -> int:
    """Return how many of five dear evenings somebody gets who asks for all of them at once.

    With `begun` the address has had something done for each of them already.
    """
    here, sound = Here(), Held.take

    def dear(held: Held, entries: Sequence[SheetEntry], touched: int) -> None:
        busy(0.5 * RATES["processor"].burst)
        sound(held, entries, touched)

    async with here.running(), here.person("Ann") as ann:
        store = parts(here).registry.store.sheets
        evenings, found = Evenings(store), list[SheetFound]()
        for _ in range(5):
            evening = await made(ann)
            await done(ann, evening, {"do": "claim", "person": 0})
            found += [one for one in [await store.of(evening["code"], 0)] if one is not None]
        monkeypatch.setattr(Held, "take", dear)
        addresses = Addresses(Buckets(clock=lambda: 0.0))

        async def read(one: SheetFound) -> Held:
            ACCOUNT.set(payer := Payer("203.0.113.9", addresses))
            if begun:
                await payer.run(lambda: None)
            return await evenings.of(one)

        came = await asyncio.gather(*map(read, found), return_exceptions=True)
    refused = [one for one in came if isinstance(one, Problem) and one.code == "too-many"]
    got = [one for one in came if isinstance(one, Held)]
    assert len(found) == len(got) + len(refused) == 5
    return len(got)


def test_of_many_evenings_at_once_each_is_paid_before_the_next_is_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert asyncio.run(_many_at_once(monkeypatch, begun=False)) in (2, 3)


def test_the_control_for_which_something_was_done_before_gets_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert asyncio.run(_many_at_once(monkeypatch, begun=True)) == 5
