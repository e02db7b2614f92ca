"""An evening is read once, whoever asks for it while another request reads what is new."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens_alone import parts

from rookery.evening.log import names
from rookery.server.api.evenings import held as reading
from rookery.server.api.evenings.held import Evenings, Held, Newest
from rookery.server.store.people.sheets import SheetFound


async def _read_meanwhile(monkeypatch: pytest.MonkeyPatch) -> tuple[Held, list[Held]]:
    """Return an evening as read before two entries, and as read while a thread takes in both.

    The thread has taken in one of them. Whoever asks has found none of them, one, or both.
    """
    sound, at_second, go_on = names.take, threading.Event(), threading.Event()
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
        evenings = Evenings(store)
        before = await evenings.of(first)

        def slow(log: Any, places: Any, number: int, *rest: Any) -> None:  # noqa: ANN401
            if number == third.entries:
                at_second.set()
                assert go_on.wait(60)
            sound(log, places, number, *rest)

        async def of(code: str, since: int) -> SheetFound | None:
            return third

        monkeypatch.setattr(reading, "take", slow)
        monkeypatch.setattr(store, "of", of)
        asked = [asyncio.create_task(evenings.of(third))]
        await asyncio.to_thread(at_second.wait, 60)
        asked += [asyncio.create_task(evenings.of(one)) for one in (first, second, third)]
        await asyncio.sleep(0.05)
        go_on.set()
        read = await asyncio.gather(*asked)
        return before, read


def test_who_looks_while_entries_are_taken_in_has_nothing_read_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, read = asyncio.run(_read_meanwhile(monkeypatch))
    assert [one is before for one in read] == [True] * 4
    assert before.entries == 2


def test_the_control_one_who_counts_only_what_is_done_reads_it_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Done(Held):
        @property
        def newest(self) -> Newest:
            return Newest(self.entries, self._touched)

        @newest.setter
        def newest(self, newest: Newest) -> None:
            self._touched = newest.touched

    monkeypatch.setattr(reading, "Held", Done)
    before, read = asyncio.run(_read_meanwhile(monkeypatch))
    assert not all(one is before for one in read)
