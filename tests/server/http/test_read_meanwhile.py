"""An evening is read once, however many ask for it at once, and whatever they have found."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens_alone import parts

from rookery.server.api.evenings import held as reading
from rookery.server.api.evenings.held import Evenings, Held
from rookery.server.store.people.sheets import SheetEntry, SheetFound


async def _read_at_once(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Held], list[int]]:
    """Return an evening as four read it at once, and from where on its entries were read.

    Of its two entries they have found both, none, one and both.
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
        asked = [evenings.of(one) for one in (third, first, second, third)]
        return await asyncio.gather(*asked), read


def test_an_evening_is_read_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    held, read = asyncio.run(_read_at_once(monkeypatch))
    assert [one is held[0] for one in held] == [True] * 4
    assert held[0].entries == 2
    assert read == [0]


def test_the_control_that_reads_for_each_of_them_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Evenings, "of", Evenings._read)
    held, read = asyncio.run(_read_at_once(monkeypatch))
    assert not all(one is held[0] for one in held)
    assert len(read) > 1
