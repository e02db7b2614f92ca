"""An evening is read once, however many ask for it at once, and whatever they have found."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens_alone import parts

from rookery.server.api.evenings import held as reading
from rookery.server.api.evenings.held import Evenings, Held
from rookery.server.api.problems import Problem
from rookery.server.store.people.sheets import SheetEntry, SheetFound
from rookery.server.work import ACCOUNT, Tab

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
        monkeypatch.setattr(reading, "PIECE", 1)
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


class Poor(Tab):
    """An account that can pay for one piece of work, and no more."""

    def check(self) -> None:
        raise Problem("too-many")


def test_whoever_cannot_pay_for_all_of_it_leaves_what_was_read_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def one_after_another(evenings: Evenings, found: Found) -> list[Held]:
        ACCOUNT.set(Poor())
        with pytest.raises(Problem, match="too-many"):
            await evenings.of(found[2])
        return [await evenings.of(found[2]), await evenings.of(found[2])]

    held, read = asyncio.run(_read(monkeypatch, one_after_another))
    assert held[0] is held[1]
    assert held[0].entries == 2
    assert read == [0, 1]
