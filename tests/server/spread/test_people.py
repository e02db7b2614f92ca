"""People are in one database and their tables in several: what both have to know, both know."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, running
from tests.server.spread.spreads import Shelves
from tests.server.spread.test_spread import sat

from rookery.server.cluster.spread.store import Spread
from rookery.server.store.base import Partly, StoreError, TableRow
from rookery.server.store.people.rated import Played, Stranger, Strangers
from rookery.server.store.sqlite import FILE
from rookery.server.table import events as ev
from rookery.server.table.dealing import frozen_rules

ANN, BOB, CY = PEOPLE[:3]


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def forgotten_while_lost(folder: Path) -> Shelves:
    """Forget Bob while a database is lost that names him; have it back, and sweep."""
    shelves = Shelves(folder)
    room = Room(shelves.store)
    bob = BOB._replace(name="Marigold")
    await shelves.store.add_person(bob, "token of bob", 1)
    for letter in "BC":
        row = TableRow(f"ABCDEF2{letter}", False, "lobby", 1, room.clock.now())
        events: list[ev.Event] = [
            ev.TableMade(row.code, "", False, frozen_rules(KENTUCKY), "normal", None),
            ev.Sat(0, bob.id, bob.name),
            ev.Reported(bob.id, CY.id, "Marigold was cross"),
        ]
        await shelves.store.append(row, ev.entered(events, 1, room.clock.now()))
    shelves.lose("B")
    await room.registry.retention.forget(bob.id)
    assert await shelves.store.person("token of bob") is None
    assert await shelves.store.unfinished() == [bob.id]
    said = {letter: str(shelves.held(letter, "SELECT body FROM events")) for letter in "BC"}
    assert "Marigold" not in said["C"]
    assert "Marigold" in said["B"]
    await room.registry.sweep()
    shelves.lose("B", lost=False)
    await room.registry.sweep()
    assert await shelves.store.unfinished() == []
    # A day later nothing is in unused parts of pages either.
    room.clock.turn(2 * 86_400_000)
    await room.registry.sweep()
    await room.close()
    return shelves


def test_who_is_forgotten_is_forgotten_by_a_database_that_was_lost(tmp_path: Path) -> None:
    async def scene() -> None:
        await forgotten_while_lost(tmp_path)

    running(scene)
    for letter in "BC":
        assert (tmp_path / letter / FILE).is_file()
        assert b"Marigold" not in bytes_of(tmp_path / letter), letter


def test_the_control_takes_what_some_databases_say_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = Spread.traces_of

    async def some(self: Spread, person: str) -> list[str]:
        try:
            return await sound(self, person)
        except Partly as error:
            return error.found

    async def finished(self: Spread, person: str, wiped: Collection[str]) -> None:
        await self._tell(lambda store: store.forgotten(person, wiped))
        await self._first.forgotten(person, wiped)

    monkeypatch.setattr(Spread, "traces_of", some)
    monkeypatch.setattr(Spread, "forgotten", finished)

    async def scene() -> None:
        await forgotten_while_lost(tmp_path)

    with pytest.raises(AssertionError):
        running(scene)


def test_who_is_blocked_at_any_table_is_apart_everywhere(tmp_path: Path) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        store = shelves.store
        for who in (ANN, BOB):
            await store.add_person(who, f"token of {who.id}", 1)
        row, entries = sat("ABCDEF2B", 0, 1)
        await store.append(row, entries)
        block = [ev.Entry(3, 5, ev.Blocked(ANN.id, BOB.id))]
        shelves.lose("")
        with pytest.raises(StoreError):  # else it would be acknowledged and not known
            await store.append(row, block)
        shelves.lose("", lost=False)
        assert len(await store.read("ABCDEF2B")) == 2
        await store.append(row, block)
        assert await store.apart(BOB.id, {ANN.id, CY.id}) == {ANN.id}
        found = await store.visitor(f"token of {ANN.id}")
        assert found is not None
        assert found.blocked == {BOB.id}
        await store.forget(BOB.id, 9)
        assert await store.apart(ANN.id, {BOB.id}) == set()
        assert shelves.held("B", "SELECT * FROM blocks") == []
        await store.close()

    running(scene)


def test_a_match_of_strangers_counts_once_wherever_its_table_is(tmp_path: Path) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        store = shelves.store
        await store.add_person(ANN, "token", 1)
        assert await store.rated.meet(ANN.id, {"four": Stranger(1, 0, 9)})
        assert await store.rated.switch(ANN.id, "ABCDEF2B", 3)
        match = Played("ABCDEF2B", 0, 5, "four", [ANN.id])

        def more(known: Strangers) -> Strangers:
            return {who: one._replace(matches=one.matches + 1) for who, one in known.items()}

        async def count() -> bool:
            return await store.rated.count(match, more)

        assert not await count()  # there is no such table
        await store.append(*sat("ABCDEF2B", 0))
        assert [await count() for _ in range(3)] == [True, False, False]
        assert (await store.rated.strangers([ANN.id]))[ANN.id]["four"].matches == 1
        assert await store.rated.of("ABCDEF2B") == {ANN.id: 3}
        await store.retire("ABCDEF2B")
        assert await store.rated.of("ABCDEF2B") == {}
        assert shelves.codes("B") == set()
        assert shelves.held("", "SELECT * FROM rated_matches") == []
        await store.close()

    running(scene)


def test_what_is_rated_goes_with_its_table_and_not_with_a_database_that_is_lost(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        store = shelves.store
        await store.add_person(ANN, "token", 1)
        codes = ("ABCDEF2", "ABCDEF2B", "ABCDEF2C", "ABCDEF2D")
        for code in codes[:3]:
            await store.append(*sat(code, 0))
        for code in codes:
            await store.rated.switch(ANN.id, code, 3)
        for letter in ("", "B", "C"):  # and this process has ended right then
            await shelves.by[letter].retire(f"ABCDEF2{letter}")
        await shelves.by[""].rated.switch(ANN.id, "ABCDEF2", 3)
        shelves.lose("B")
        found = []
        for _ in range(2):
            assert await store.rated.expire()
            assert not await store.rated.expire()
            found.append([code for code in codes if await store.rated.of(code)])
            shelves.lose("B", lost=False)
        # Nobody knows whether there is a table in a database that is not named here.
        assert found == [[codes[1], codes[3]], [codes[3]]]
        await store.close()

    running(scene)
