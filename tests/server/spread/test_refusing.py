"""A database that can be read and takes no writes, or is lost, stops nothing of the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection as Line
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, quiet, running
from tests.server.spread.spreads import Shelves

from rookery.server.live.actor import Actor
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import StoreError, TableRow
from rookery.server.store.leases import Lease
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.state import Who

ANN, BOB = PEOPLE[:2]
KEPT = Settings()


def refuse(shelves: Shelves, letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a database take no writes, as where its disk is full."""

    async def refused(
        work: Callable[[Line], object], *, of: str = "", alone: bool = False
    ) -> object:
        raise StoreError("database or disk is full")

    monkeypatch.setattr(shelves.by[letter], "do", refused)


@pytest.mark.parametrize("letters", ["B", ""])  # the second is the control
def test_what_expires_in_the_others_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: str
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path, "BC")
        room = Room(shelves.store)
        now = room.clock.now()
        old = now - 10 * (KEPT.keep_table + KEPT.keep_person + KEPT.keep_chat)
        await shelves.store.add_person(ANN, "token", old)
        said = ev.Entry(
            1, now - KEPT.keep_chat - DAY, ev.Chatted(BOB.id, BOB.name, 0, "psst", None)
        )
        for letter in ("", "B", "C"):
            past = TableRow(f"ABCDEF2{letter}", False, "over", old, old)
            await shelves.store.append(past, [ev.Entry(1, old, ev.Left(0))])
            spoken = TableRow(f"ABCDEF3{letter}", False, "over", said.at, now)
            await shelves.store.append(spoken, [said])
        given = list[str]()
        give_back = room.registry.leases.give_back

        async def noted(code: str, lease: Lease) -> None:
            given.append(code)
            await give_back(code, lease)

        monkeypatch.setattr(room.registry.leases, "give_back", noted)
        with monkeypatch.context() as until:
            for letter in letters:
                refuse(shelves, letter, until)
            await room.registry.sweep()
        for letter in ("", "B", "C"):
            went = letter not in letters or not letter
            assert (f"ABCDEF2{letter}" not in shelves.codes(letter)) == went
            texts = str(shelves.held(letter, "SELECT body FROM events"))
            assert ("psst" not in texts) == went
        assert shelves.held("", "SELECT name FROM people") == []
        assert sorted(given) == ["ABCDEF3", "ABCDEF3B", "ABCDEF3C"]
        # Once it takes writes again, it is done there too.
        shelves.seconds += 60
        room.clock.turn(DAY)
        await room.registry.sweep()
        assert shelves.codes("B") == {"ABCDEF3B"}
        assert "psst" not in str(shelves.held("B", "SELECT body FROM events"))
        await room.close()

    running(scene)


def sat(code: str, who: Who) -> list[ev.Entry]:
    """Return the events of a table where somebody sits."""
    made = ev.TableMade(code, "", False, frozen_rules(KENTUCKY), "normal", None)
    return ev.entered([made, ev.Sat(0, who.id, who.name)], 1, 0)


@pytest.mark.parametrize("letters", ["B", ""])  # the second is the control
def test_whoever_is_forgotten_goes_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: str
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path, "BC")
        room = Room(shelves.store)
        now = room.clock.now()
        for who, code in ((ANN, "ABCDEF2"), (BOB, "ABCDEF3C")):
            await shelves.store.add_person(who, f"token of {who.id}", now)
            await shelves.store.append(TableRow(code, False, "lobby", now, now), sat(code, who))
        with monkeypatch.context() as until:
            for letter in letters:
                refuse(shelves, letter, until)
            await room.registry.retention.forget(ANN.id)
            await shelves.store.forget(BOB.id, now)  # at a server that died at once
            compacted = list[int]()
            until.setattr(shelves.by["C"], "compact", noted(compacted))
            await room.registry.sweep()
            assert compacted
        assert ANN.name not in str(shelves.held("", "SELECT body FROM events"))
        assert BOB.name not in str(shelves.held("C", "SELECT body FROM events"))
        left = {ANN.id, BOB.id} if letters else set[str]()
        assert {*await shelves.store.unfinished()} == left
        await room.registry.sweep()
        assert await shelves.store.unfinished() == []
        await room.close()

    running(scene)


def noted(times: list[int]) -> Callable[[int], Awaitable[bool]]:
    """Return what notes when a database is overwritten."""

    async def compact(since: int) -> bool:
        times.append(since)
        return True

    return compact


@pytest.mark.parametrize("letters", ["B", ""])  # the second is the control
def test_a_server_that_does_not_lead_forgets_at_its_tables_in_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letters: str
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path, "BC")
        room = Room(shelves.store)
        now = room.clock.now()
        await shelves.store.add_person(ANN, "token", now)
        for code in ("ABCDEF2B", "ABCDEF3C"):
            await shelves.store.append(TableRow(code, False, "lobby", now, now), sat(code, ANN))
            await room.registry.place(code)
        await shelves.store.forget(ANN.id, now)  # another server was asked
        with monkeypatch.context() as until:
            for letter in letters:
                refuse(shelves, letter, until)
            await room.registry.retention.catch_up()
        assert ANN.name not in str(shelves.held("C", "SELECT body FROM events"))
        await room.close()

    running(scene)


@pytest.mark.parametrize("lost", [True, False])  # the second is the control
def test_quick_match_passes_over_a_table_of_one_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, lost: bool
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path, "B")
        room, other = Room(shelves.store), Room(shelves.store)
        made = await room.registry.create(ANN, KENTUCKY, listed=True)
        assert isinstance(made, Actor)
        made.take(made.connect(ANN), cm.Hello())
        await quiet(made)
        code = made.table.code
        assert code.endswith("B")

        async def elsewhere(code: str) -> bool:
            return bool(await shelves.store.timeline(code[-1]))

        async def tables_of(person: str) -> list[TableRow]:
            return [TableRow(code, True, "lobby", 0, room.clock.now())]  # it was there a moment ago

        monkeypatch.setattr(other.registry.leases, "elsewhere", elsewhere)
        monkeypatch.setattr(shelves.store, "tables_of", tables_of)
        if lost:
            shelves.lose("B")
        found = await other.registry.strangers.find(BOB, KENTUCKY, (), [made.table])
        assert (None if found is None else found.table.code) == (None if lost else code)
        shelves.lose("B", lost=False)
        await other.close()
        await room.close()

    running(scene)
