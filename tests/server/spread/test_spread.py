"""Tables are where their codes say; a lost database takes its own tables along and no others."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection as Line
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, heard, play_one, quiet, running
from tests.server.growth.registries import eventually
from tests.server.spread.spreads import Shelves

from rookery.server import names
from rookery.server.cluster.spread import part as parts
from rookery.server.cluster.spread.part import Part
from rookery.server.cluster.spread.store import Spread
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.names import place_of
from rookery.server.store.base import StoreError, TableRow
from rookery.server.store.sql import SqlStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

ANN, BOB, CY, DEE = PEOPLE[:4]
LATE = 4.0  # seconds that a busy machine takes for all else
Table = tuple[Actor, list[Connection]]


async def tables_at(room: Room, letters: str) -> dict[str, Table]:
    """Return a table under way in each of these databases, made as chance has it."""
    found: dict[str, Table] = {}
    for _ in range(60):
        if found.keys() >= set(letters):
            return found
        actor, lines = await room.table()
        await quiet(actor)
        found.setdefault(place_of(actor.table.code), (actor, lines))
    raise AssertionError(f"sixty tables, and only in {sorted(found)}")


async def refused(table: Table, number: int) -> str | None:
    """Have somebody play a card; return why that was refused, None where it was acknowledged."""
    actor, lines = table
    for line in lines:
        heard(line)
    name = play_one(actor, lines, number)
    await quiet(actor)
    told = [one for line in lines for one in heard(line)]
    if any(isinstance(one, ms.Ack) and one.id == name for one in told):
        return None
    (no,) = (one for one in told if isinstance(one, ms.Refused) and one.id == name)
    return no.code


def sat(code: str, *people: int, at: int = 5) -> tuple[TableRow, list[ev.Entry]]:
    """Return a table where some of the people have sat down, and what is stored beside it."""
    events = [ev.Sat(seat, PEOPLE[one].id, PEOPLE[one].name) for seat, one in enumerate(people)]
    return TableRow(code, True, "lobby", at, at), ev.entered(events, 1, at)


def test_a_code_says_where_its_table_is_and_all_that_is_the_tables_is_there(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        room = Room(shelves.store)
        for who in PEOPLE[:4]:
            await shelves.store.add_person(who, f"token of {who.id}", 1)
        made = await tables_at(room, "BC")
        for number, (actor, lines) in enumerate(made.values()):
            assert await refused((actor, lines), number) is None
            actor.take(lines[1], cm.Chat("c", text="hello"))
            actor.take(lines[1], cm.Report("r", 0, "rude"))
            await quiet(actor)
            assert len(actor.table.code) == names.CODE_LENGTH + 1
            assert names.is_code(actor.table.code)
            found = await room.registry.table(actor.table.code.lower())
            assert found is not None
            assert found.seq == actor.table.seq
        assert shelves.codes("") == set()
        for letter in "BC":
            assert shelves.codes(letter)
            assert {code[-1] for code in shelves.codes(letter)} == {letter}
            for table in ("people", "sessions", "passkeys", "sheets", "attempts"):
                assert shelves.held(letter, f"SELECT * FROM {table}") == []  # noqa: S608
        assert len(shelves.held("", "SELECT * FROM people")) == 4
        # What no database has is no table, and nothing can be stored there.
        for code in ("ABCDEF2", "ABCDEF2B", "ABCDEF2Z"):
            assert await room.registry.place(code) is None
            assert await shelves.store.read(code) == []
            assert await shelves.store.done(code, "p:1") is None
        with pytest.raises(StoreError, match="end with Z"):
            await shelves.store.append(*sat("ABCDEF2Z", 0))
        await room.close()

    running(scene)


def test_lists_are_of_all_databases_in_one_order(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Shelves(tmp_path).store
        for at, code in enumerate(("ABCDEF2C", "ABCDEF2", "ABCDEF3B", "ABCDEF3C", "ABCDEF4B"), 1):
            await store.append(*sat(code, 0, 1, at=at))
            report = ev.Entry(3, at, ev.Reported(ANN.id, BOB.id, f"at {at}"))
            await store.append(TableRow(code, True, "lobby", at, at), [report])
        latest = ["ABCDEF4B", "ABCDEF3C", "ABCDEF3B", "ABCDEF2", "ABCDEF2C"]
        assert [row.code for row in await store.tables_of(ANN.id)] == latest
        assert [row.code for row in await store.listed(9)] == latest
        assert [row.code for row in await store.listed(3)] == latest[:3]
        assert [one.at for one in await store.reports(9)] == [5, 4, 3, 2, 1]
        assert [one.at for one in await store.reports(2)] == [5, 4]
        assert sorted(await store.traces_of(BOB.id)) == sorted(latest)
        assert {row.code for row in await store.past(3, 3)} == set(latest[2:])
        await store.close()

    running(scene)


def test_another_database_moves_nothing_and_one_that_is_drained_gets_nothing_new(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        old = Shelves(tmp_path, "")
        room = Room(old.store)
        first, _ = await room.table()
        await quiet(first)
        assert place_of(first.table.code) == ""
        await room.close()
        two = Shelves(tmp_path, "B")
        room = Room(two.store)
        assert await room.find(first.table.code) is not None
        second, _ = await room.table()
        await quiet(second)
        assert place_of(second.table.code) == "B"
        await room.close()
        before = [two.held(letter, "SELECT * FROM events ORDER BY 1, 2") for letter in ("", "B")]
        three = Shelves(tmp_path, "BC", drained="B")
        room = Room(three.store)
        made = {place_of((await room.table())[0].table.code) for _ in range(20)}
        assert made == {"C"}
        after = [three.held(letter, "SELECT * FROM events ORDER BY 1, 2") for letter in ("", "B")]
        assert after == before
        # Tables of a database that is drained are played on.
        actor = await room.find(second.table.code)
        assert actor is not None
        lines = [actor.connect(who) for who in PEOPLE[:4]]
        for line in lines:
            actor.take(line, cm.Hello())
        await quiet(actor)
        assert await refused((actor, lines), 1) is None
        await room.close()
        # Where all are drained, new tables are in the first, which needs no letter.
        assert Shelves(tmp_path, "BC", drained="BC").store.new_place() == ""

    running(scene)


def test_a_lost_database_takes_its_own_tables_along_and_gives_them_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        room = Room(shelves.store)
        made = await tables_at(room, "BC")
        hurt, sound = made["B"], made["C"]
        done: dict[str, list[int]] = {"B": [], "C": []}
        for number in range(12):
            if number == 4:
                shelves.lose("B")
            if number == 8:
                shelves.lose("B", lost=False)
            for letter, table in made.items():
                code = await refused(table, number)
                if letter == "B" and 4 <= number < 8:
                    assert code == "storage"
                else:
                    assert code is None, (letter, number)
                    done[letter].append(table[0].table.seq)
            if 4 <= number < 8:
                shelves.seconds += 60
                listed = await shelves.store.tables_of(ANN.id)
                assert listed
                assert {row.code[-1] for row in listed} == {"C"}
                assert shelves.store.new_place() == "C"
                assert await room.registry.table(sound[0].table.code) is not None
                with pytest.raises(StoreError):
                    await shelves.store.read(hurt[0].table.code)
        # A while after the last write that failed there are new tables there again.
        shelves.seconds += parts.FULL
        assert {row.code[-1] for row in await shelves.store.tables_of(ANN.id)} == {"B", "C"}
        assert {shelves.store.new_place() for _ in range(60)} == {"B", "C"}
        for letter, (actor, _) in made.items():
            log = await shelves.store.read(actor.table.code)
            assert [one.seq for one in log] == list(range(1, len(log) + 1))
            assert {one.seq for one in log} >= set(done[letter])
            assert actor.table.seq == log[-1].seq
        await room.close()

    with caplog.at_level(logging.WARNING):
        running(scene)
    said = [one for one in caplog.messages if one.startswith("database B is")]
    assert said == ["database B is lost, its tables rest: it is lost", "database B is back"]


def test_whoever_asks_for_a_lost_database_does_not_wait_for_it_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PATIENCE", 0.05)

    async def scene() -> None:
        shelves, asked = Shelves(tmp_path), 0
        await shelves.store.append(*sat("ABCDEF2B", 0))
        await shelves.store.append(*sat("ABCDEF2C", 0))

        async def silent(_: object) -> object:
            nonlocal asked
            asked += 1
            return await never.wait()

        never = asyncio.Event()
        monkeypatch.setattr(shelves.by["B"], "look", silent)
        for _ in range(5):
            assert [row.code for row in await shelves.store.tables_of(ANN.id)] == ["ABCDEF2C"]
        assert asked == 1
        shelves.seconds += parts.PAUSE
        assert [row.code for row in await shelves.store.tables_of(ANN.id)] == ["ABCDEF2C"]
        assert asked == 2
        await shelves.store.close()

    running(scene)


def test_a_database_that_is_brought_back_throws_in_hands_of_its_own_tables(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        room = Room(shelves.store)
        made = await tables_at(room, "BC")
        await room.registry.sweep()
        await shelves.by["B"].begin_timeline("")
        await room.registry.sweep()
        assert made["B"][0].gone
        assert not made["C"][0].gone
        again = await room.find(made["B"][0].table.code)
        assert again is not None
        assert again.table.restored
        assert again.table.timeline == (await shelves.store.timeline("B")).id != ""
        assert (await shelves.store.timeline("C")).id == (await shelves.store.timeline()).id == ""
        # What is made there later goes on in that timeline.
        for table in (await tables_at(room, "BC")).values():
            place = place_of(table[0].table.code)
            assert table[0].table.timeline == (await shelves.store.timeline(place)).id
        await room.close()

    running(scene)


def test_a_database_that_is_lost_at_the_start_is_opened_when_it_is_there(tmp_path: Path) -> None:
    async def scene() -> None:
        shelves, there = Shelves(tmp_path), False

        def opened() -> SqlStore:
            if not there:
                raise StoreError("it cannot be reached")
            return shelves.by["B"]

        late: Part[SqlStore] = Part("B", opened, lambda: shelves.seconds)
        store = Spread(shelves.by[""], [late])
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.append(*sat("ABCDEF2B", 0))
        with pytest.raises(StoreError, match="does not answer"):  # not asked a moment later
            await store.append(*sat("ABCDEF2B", 0))
        assert await store.tables_of(ANN.id) == []
        there = True
        shelves.seconds += parts.PAUSE
        await store.append(*sat("ABCDEF2B", 0))
        assert [row.code for row in await store.tables_of(ANN.id)] == ["ABCDEF2B"]
        await store.close()

    running(scene)


async def opened_in(shelves: Shelves, letters: str) -> dict[str, str]:
    """Return the code of an open table of Ann's in each database, of which no server has any."""
    room, found = Room(shelves.store), dict[str, str]()
    while found.keys() != set(letters):
        actor = await room.registry.create(ANN, KENTUCKY, listed=True)
        assert isinstance(actor, Actor)
        code = actor.table.code
        if found.setdefault(place_of(code), code) != code:
            await shelves.store.retire(code, actor.lease)
    return found


async def waited_for_lists(shelves: Shelves, lists: int, there: str) -> float:
    """Return how many seconds so many lists took, one after the other, while B hangs."""
    began = time.perf_counter()
    for _ in range(lists):
        assert [row.code for row in await shelves.store.tables_of(ANN.id)] == [there]
        shelves.seconds += parts.PAUSE  # each of them may ask whether it is back
    return time.perf_counter() - began


def hang(shelves: Shelves, answers: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have B take questions, and answer none until that event."""
    sound = shelves.by["B"].look

    async def hangs(what: Callable[[Line], object]) -> object:
        await answers.wait()
        return await sound(what)

    monkeypatch.setattr(shelves.by["B"], "look", hangs)


def test_lists_wait_once_for_a_database_that_hangs_and_it_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        answers, shelves = asyncio.Event(), Shelves(tmp_path)
        codes = await opened_in(shelves, "BC")
        hang(shelves, answers, monkeypatch)
        took = await waited_for_lists(shelves, 30, codes["C"])
        assert parts.PATIENCE <= took < parts.PATIENCE + 30 * parts.BLINK + LATE
        # Who asks for a table there is told so soon, and the lobby goes on without it.
        room, began = Room(shelves.store), time.perf_counter()
        with pytest.raises(StoreError, match="does not answer"):
            await room.registry.table(codes["B"])
        assert [one.code for one in await room.registry.lobby.tables()] == [codes["C"]]
        assert time.perf_counter() - began < 4 * parts.BLINK + LATE
        answers.set()

        async def back() -> bool | None:
            shelves.seconds += parts.PAUSE  # it is asked once more: a busy machine can be late
            listed = {row.code for row in await shelves.store.tables_of(ANN.id)}
            return listed == {*codes.values()} or None

        await eventually(back)
        assert {one.code for one in await room.registry.lobby.tables()} == {*codes.values()}
        await room.close()

    running(scene)


def test_the_control_who_waits_in_each_list_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "BLINK", parts.PATIENCE)  # as long as for one that was not lost

    async def scene() -> None:
        shelves = Shelves(tmp_path)
        codes = await opened_in(shelves, "BC")
        hang(shelves, asyncio.Event(), monkeypatch)
        # After so few it is more than all of the thirty may take.
        assert await waited_for_lists(shelves, 6, codes["C"]) > parts.PATIENCE + 3 + LATE
        await shelves.store.close()

    running(scene)


def test_a_table_whose_database_is_lost_between_two_questions_is_left_out_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        shelves = Shelves(tmp_path)
        codes = await opened_in(shelves, "BC")
        room, listed = Room(shelves.store), shelves.store.listed

        async def then_lost(most: int) -> list[TableRow]:
            found = await listed(most)
            assert {row.code for row in found} == {*codes.values()}
            shelves.lose("B")
            return found

        monkeypatch.setattr(shelves.store, "listed", then_lost)
        assert [one.code for one in await room.registry.lobby.tables()] == [codes["C"]]
        # The first database is not one that a list can do without.
        shelves.lose("B", lost=False)
        shelves.lose("")
        with pytest.raises(StoreError):
            await room.registry.lobby.tables()
        shelves.lose("", lost=False)
        await room.close()

    running(scene)
