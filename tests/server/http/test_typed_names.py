"""Names that a host has typed: what somebody was called before is in no byte of the database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.core.test_forget_me import left_in
from tests.server.http.served import Here
from tests.server.http.test_evenings import ROUND, done, made
from tests.server.http.test_passkeys import Place

from rookery.server.api.evenings import evening
from rookery.server.api.evenings.held import Held
from rookery.server.api.state import AppState
from rookery.server.registry import nameless
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY
from rookery.server.store.base import GATHERED, Store
from rookery.server.store.people.sheets import SheetEntry, SheetFound
from rookery.server.store.sqlite import FILE, SqliteStore

PEOPLE = ["Amaryllis", "Bluebell", "Celandine", "Dandelion", "Eglantine", "Foxglove", "Gentian"]
LATE = ["Honeysuckle", "Iris Marigold"]
NEW = {1: "Juniper", 7: "Knapweed", 8: "Lavender"}
GONE = ("Bluebell", "Honeysuckle", "Iris Marigold", "Knapweed")


def rename(person: int, name: str) -> dict[str, Any]:
    return {"do": "rename", "person": person, "name": name}


async def swept(place: Place) -> None:
    """Have what is deleted overwritten, as it is some hours later."""
    place.clock.turn(GATHERED)
    await place.here.registry.sweep()


async def evening_of(ann: httpx.AsyncClient) -> dict[str, Any]:
    """Return an evening of seven, one who comes late, and one who stands in."""
    held = await made(ann, people=PEOPLE)
    await done(ann, held, {"do": "arrive", "names": LATE[:1]})
    await done(ann, held, {"do": "stand_in", "name": LATE[1]})
    await done(ann, held, ROUND)
    return held


async def names_of(ann: httpx.AsyncClient, held: dict[str, Any]) -> list[str]:
    told = (await ann.get(f"/api/evenings/{held['code']}")).json()["evening"]
    return [one["name"] for one in told["people"]]


def renamed(folder: Path) -> tuple[set[str], list[str], list[str]]:
    """Rename people, one of them twice; return which of their old names are left in the files.

    And what they are called, on this server and by one that reads the log anew.
    """
    found: list[Any] = []

    async def story() -> None:
        store = SqliteStore(folder / FILE)
        place = Place(store)
        async with place.person("Ann") as ann:
            held = await evening_of(ann)
            for person, name in NEW.items():
                assert (await done(ann, held, rename(person, name))).is_success
            assert (await done(ann, held, rename(7, "Meadowsweet"))).is_success
            await swept(place)
            found.append(left_in(folder, GONE))
            assert left_in(folder, ("Lavender", "Foxglove")) == {"Lavender", "Foxglove"}
            found.append(await names_of(ann, held))
            there = Here(registry=TableRegistry(store, place.here.settings, clock=place.clock))
            async with there.browser() as also:
                also.cookies = ann.cookies
                found.append(await names_of(also, held))
        await store.close()

    asyncio.run(story())
    return found[0], found[1], found[2]


def test_what_somebody_was_called_before_is_gone_from_the_database(tmp_path: Path) -> None:
    left, here, anew = renamed(tmp_path)
    assert left == set()
    assert here == anew == ["Amaryllis", "Juniper", *PEOPLE[2:], "Meadowsweet", "Lavender"]


def test_the_control_a_name_that_is_only_written_over_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "rewrites", lambda places: {})
    left, here, _ = renamed(tmp_path)
    assert left == set(GONE)
    assert here[1] == "Juniper"


def renamed_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], str]:
    """Return which names are left, and the one that counts, where two hosts rename somebody.

    The second one's server has not read what the first has written when it writes.
    """

    async def story() -> tuple[set[str], str]:
        store = SqliteStore(folder / FILE)
        place = Place(store)
        async with place.person("Ann") as ann:
            held = await evening_of(ann)
            await done(ann, held, rename(1, "Bindweed"))
            at_once, find = len(await store.sheets.entries(held["code"])) - 1, evening.find

            async def blind(*asked: Any) -> evening.Found:  # noqa: ANN401
                found = await find(*asked)
                before = Held(SheetFound(found.row, at_once, 0))
                before.take((await store.sheets.entries(held["code"]))[:at_once], 0)
                return found._replace(held=before)

            with monkeypatch.context() as at_the_second:
                at_the_second.setattr(evening, "find", blind)
                await done(ann, held, rename(1, "Betony"))
            await swept(place)
            left, called = left_in(folder, ("Bluebell", "Bindweed")), await names_of(ann, held)
        await store.close()
        return left, called[1]

    return asyncio.run(story())


def test_two_hosts_who_rename_somebody_at_once_leave_no_name_that_nobody_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert renamed_at_once(tmp_path, monkeypatch) == (set(), "Betony")


def test_the_control_a_name_that_waits_for_the_next_change_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(state: AppState, held: Held) -> None:
        """Blank nothing at once."""

    monkeypatch.setattr(evening, "_blank", late)
    assert renamed_at_once(tmp_path, monkeypatch) == ({"Bindweed"}, "Betony")


def test_a_name_that_was_anothers_already_is_no_work_for_ever(tmp_path: Path) -> None:
    async def story() -> None:
        store = SqliteStore(tmp_path / FILE)
        place = Place(store)
        async with (
            place.person("Ann") as ann,
            place.person("Rob") as rob,
            place.person("Sue") as sue,
        ):
            held = await evening_of(ann)
            at = held["code"]
            # Both tap the same name; the second one's is written, and counts for nothing.
            assert (await done(rob, held, {"do": "claim", "person": 1})).is_success
            me = (await sue.get("/api/session")).json()["person"]
            claim = '{"do":"claim","person":1}'
            late = SheetEntry(0, "0123456789abcdef", me, "Sue", 0, 0, 0, claim)
            assert await store.sheets.write(at, late, place.clock.now(), 99)
            assert (await sue.delete("/api/session")).is_success
            assert not await nameless.wipe_names(store)
            assert (await names_of(ann, held))[1]  # it is still the first one's
        await store.close()

    asyncio.run(story())


async def nothing(store: Store) -> bool:
    return False


def forgotten(folder: Path, how: str) -> tuple[set[str], list[str]]:
    """Have somebody forgotten whom the host has typed and renamed; return what is left of them.

    And what all are called, after the host has called somebody else by that number.
    """
    found: list[Any] = []

    async def story() -> None:
        store = SqliteStore(folder / FILE)
        place = Place(store)
        async with place.person("Ann") as ann, place.person("Rob") as rob:
            held = await evening_of(ann)
            # Two names that were taken by mistake, one before theirs and one that was freed.
            for person in (3, 5, 1):
                assert (await done(rob, held, {"do": "claim", "person": person})).is_success
            assert (await done(ann, held, rename(1, "Betony"))).is_success
            await done(ann, held, rename(3, "Dogwood"))
            assert await names_of(ann, held) == [
                *("Amaryllis", "Betony", "Celandine", "Dogwood", *PEOPLE[4:], *LATE)
            ]
            if how == "asks":
                assert (await rob.delete("/api/session")).is_success
            elif how == "dies on the way":
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(nameless, "wipe_names", nothing)
                    assert (await rob.delete("/api/session")).is_success
            else:
                for _ in range(2):
                    place.clock.turn(20 * DAY)
                    await done(ann, held, {"do": "clock", "minutes": 5})
                me = (await ann.get("/api/session")).json()["person"]
                assert me
                await store.do(
                    lambda line: line.exec_driver_sql("DELETE FROM people WHERE person != ?", (me,))
                )
                await store.expire(0, 0)
            assert (await names_of(ann, held))[1] == ""
            await swept(place)
            found.append(left_in(folder, ("Betony", "Bluebell")))
            assert (await names_of(ann, held))[1] == ""
            assert (await done(ann, held, rename(1, "Cowslip"))).is_success
            await swept(place)
            there = Here(registry=TableRegistry(store, place.here.settings, clock=place.clock))
            async with there.browser() as also:
                also.cookies = ann.cookies
                found.append(await names_of(also, held))
            assert await names_of(ann, held) == found[1]
        await store.close()

    asyncio.run(story())
    return found[0], found[1]


@pytest.mark.parametrize("how", ["asks", "dies on the way", "does not come back"])
def test_whoever_is_forgotten_is_so_in_what_hosts_have_typed(tmp_path: Path, how: str) -> None:
    left, names = forgotten(tmp_path, how)
    assert left == set()
    # Who took a name by mistake takes it along if it stood there, not one that came later.
    assert names == [
        "Amaryllis",
        "Cowslip",
        "Celandine",
        "Dogwood",
        "Eglantine",
        "",
        "Gentian",
        *LATE,
    ]


def test_the_control_names_that_nobody_takes_out_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nameless, "wipe_names", nothing)
    assert forgotten(tmp_path, "asks")[0] == {"Betony"}
