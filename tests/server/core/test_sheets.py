"""Score sheets in each kind of store: numbered in one order, written once, and gone in time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, running
from tests.server.core.test_mistakes import ANN, BOB, CY, Play, Scene, store_of
from tests.server.growth.conftest import database, elephant

from rookery.server.settings import DAY
from rookery.server.store.base import Store
from rookery.server.store.people.sheets import SheetEntry, SheetRow

__all__ = ["database", "elephant"]
SHEET = SheetRow("SHEETS2", ANN.id, "hash", '{"players":[]}', 100)


def entry(name: str, by: int = 0, hand: int = 0) -> SheetEntry:
    who = PEOPLE[by]
    return SheetEntry(0, name, who.id, who.name, 0, hand, 0, f'{{"bid":{hand}}}')


@pytest.fixture(params=["memory", "sqlite", "postgres", "spread"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Return what plays a scene in a store with three people, where Ann has a sheet."""

    async def played(scene: Scene) -> None:
        store = store_of(request, tmp_path)
        for who in (ANN, BOB, CY):
            await store.add_person(who, f"token of {who.id}", 5)
        assert await store.sheets.add(SHEET)
        await scene(store)
        await store.close()

    return lambda scene: running(lambda: played(scene))


def test_what_is_sent_at_once_and_twice_is_numbered_without_a_gap_and_kept_once(
    play: Play,
) -> None:
    async def scene(store: Store) -> None:
        dice = Random(3)
        sent = [entry(f"id {n}", n % 3, n) for n in range(30)] * 2
        dice.shuffle(sent)
        numbers = await asyncio.gather(
            *(store.sheets.write("SHEETS2", one, 200 + at, 100) for at, one in enumerate(sent))
        )
        log = await store.sheets.entries("SHEETS2")
        assert [one.number for one in log] == list(range(1, 31))
        by_id = {one.id: one.number for one in log}
        assert numbers == [by_id[one.id] for one in sent]
        assert {one.id: one.body for one in log} == {one.id: one.body for one in sent}
        first = {who.id: min(o.number for o in log if o.person == who.id) for who in (ANN, BOB, CY)}
        assert all(one.writer == first[one.person] for one in log)
        # The control: what is sent under another id is another entry.
        assert await store.sheets.write("SHEETS2", entry("other"), 300, 100) == 31

    play(scene)


def test_a_sheet_is_found_with_as_many_entries_as_it_had_at_that_time(play: Play) -> None:
    async def scene(store: Store) -> None:
        async def written() -> None:
            for number in range(1, 151):
                await store.sheets.write("SHEETS2", entry(f"id {number}"), 1000 + number, 200)

        writing, seen = asyncio.create_task(written()), set[tuple[int, int]]()
        while not writing.done():
            for found in await asyncio.gather(*(store.sheets.of("SHEETS2", 0) for _ in range(4))):
                assert found is not None
                seen.add((found.entries, found.sheet.touched))
            await asyncio.sleep(0)
        await writing
        assert [one for one in seen if one[0] and one[1] != 1000 + one[0]] == []

    play(scene)


def test_a_sheet_has_its_bound_its_code_and_its_maker(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.sheets
        assert not await held.add(SHEET._replace(person=BOB.id))
        assert not await held.add(SHEET._replace(code="SHEETS3", person="nobody"))
        assert await held.write("SHEETS2", entry("1"), 150, 2) == 1
        assert await held.write("SHEETS2", entry("2"), 160, 2) == 2
        assert await held.write("SHEETS2", entry("3"), 170, 2) == 0
        assert await held.write("SHEETS2", entry("2"), 180, 2) == 2
        assert await held.write("SHEETS3", entry("1"), 150, 2) is None
        stranger = entry("4")._replace(person="nobody")
        assert await held.write("SHEETS2", stranger, 150, 9) is None
        found = await held.of("SHEETS2", 159)
        assert found is not None
        assert (found.sheet, found.entries, found.nameless) == (SHEET._replace(touched=160), 2, 0)
        assert await held.of("SHEETS2", 160) is await held.of("SHEETS3", 0) is None
        assert not await held.drop("SHEETS2", BOB.id)
        assert await held.drop("SHEETS2", ANN.id)
        assert not await held.drop("SHEETS2", ANN.id)
        assert await held.entries("SHEETS2") == []

    play(scene)


def test_it_goes_in_time_and_with_its_maker_and_names_go_with_people(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.sheets
        other = SHEET._replace(code="SHEETS3", person=BOB.id)
        assert await held.add(other)
        for code in ("SHEETS2", "SHEETS3"):
            for by in range(3):
                await held.write(code, entry(f"by {by}", by), 110 + by, 9)
        await store.forget(BOB.id, 200)
        assert await held.of("SHEETS3", 0) is None
        assert await held.entries("SHEETS3") == []
        log = await held.entries("SHEETS2")
        assert [one.name for one in log] == [ANN.name, "", CY.name]
        assert [one.person for one in log] == [ANN.id, "", CY.id]
        assert [one.writer for one in log] == [1, 2, 3]
        found = await held.of("SHEETS2", 0)
        assert found is not None
        assert found.nameless == 1
        assert not await held.expire(111)
        assert await held.expire(112)
        assert await held.entries("SHEETS2") == []
        # Whoever does not come back takes their sheets along.
        assert await held.add(SHEET._replace(touched=500 * DAY))
        await held.write("SHEETS2", entry("last"), 500 * DAY, 9)
        assert await store.expire(400 * DAY, 400 * DAY)
        assert await held.of("SHEETS2", 0) is None
        assert await held.entries("SHEETS2") == []

    play(scene)


def test_what_is_kept_is_written_anew_with_an_entry_and_what_begins_alike_goes_along(
    play: Play,
) -> None:
    async def scene(store: Store) -> None:
        held, upper = store.sheets, str.upper
        await held.write("SHEETS2", entry("1"), 150, 2)
        refused = await held.write("SHEETS3", entry("2"), 160, 9, {1: upper})
        assert refused is None
        assert await held.write("SHEETS2", entry("2"), 160, 2, {0: upper, 1: upper}) == 2
        assert await held.write("SHEETS2", entry("3"), 170, 2, {2: upper}) == 0  # there is no room
        assert [one.body for one in await held.entries("SHEETS2")] == ['{"BID":0}', '{"bid":0}']
        found = await held.of("SHEETS2", 0)
        assert found is not None
        assert found.sheet.body == '{"PLAYERS":[]}'
        for code, person in (("SHEETS4", ANN.id), ("SHEETS5", BOB.id), ("SHEETS6", ANN.id)):
            body = '{"at_%": 2}' if code == "SHEETS6" else '{"at_%": 1}'
            assert await held.add(SHEET._replace(code=code, person=person, body=body))
            assert await held.write(code, entry("1"), 150, 2) == 1
        assert await held.drop("SHEETS2", ANN.id, '{"at_%": 1')
        codes = [code for n in range(2, 7) if await held.of(code := f"SHEETS{n}", 0)]
        assert codes == ["SHEETS5", "SHEETS6"]
        assert [len(await held.entries(f"SHEETS{n}")) for n in range(2, 7)] == [0, 0, 0, 1, 1]

    play(scene)


def test_a_claim_of_somebody_who_is_forgotten_is_wiped_once(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.sheets
        claim = '{"do":"claim","person":1}'
        for by, body in ((1, claim), (0, claim), (1, '{"do":"leave","person":1}')):
            one = entry(f"{by} {body}", by)._replace(body=body)
            await held.write("SHEETS2", one, 150, 9)
        assert await held.unwiped() == []
        await store.forget(BOB.id, 200)
        assert await held.unwiped() == ["SHEETS2"]
        before = await held.of("SHEETS2", 0)
        await held.wipe("SHEETS2", {0: str.upper, 3: str.upper}, [1], 3)
        await held.wipe("SHEETS3", {0: str.upper}, [1], 3)
        after, log = await held.of("SHEETS2", 0), await held.entries("SHEETS2")
        assert before is not None
        assert after is not None
        assert await held.unwiped() == []
        assert (before.nameless, after.nameless) == (2, 3)  # so that all read it anew
        assert after.sheet == before.sheet._replace(body='{"PLAYERS":[]}')
        assert [one.over for one in log] == [3, 0, 0]
        assert [one.body for one in log] == [claim, claim, '{"DO":"LEAVE","PERSON":1}']

    play(scene)
