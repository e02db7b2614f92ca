"""Being forgotten: on request, and when time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.server.core.tables import (
    KENTUCKY,
    PEOPLE,
    Room,
    Sheet,
    heard,
    looks,
    quiet,
    running,
    started,
)
from tests.server.core.wiped import without
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.rules import load
from rookery.server.live.actor import Actor
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.history import history_of
from rookery.server.registry.wiping import SOMEBODY
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table, Who

MAUD = Who(PEOPLE[1].id, "Maud Marigold")
STORES: list[Callable[[Path], Store]] = [
    lambda _: MemoryStore(),
    lambda p: SqliteStore(p / "db"),
    spread_of_three,
]


def a_table_with_maud() -> Sheet:
    sheet = started(load({"base": "kd_tournament", "target": 60}), seed=4)
    sheet.add([ev.Renamed(1, MAUD.name)])
    sheet.say(MAUD, cm.Chat("c", text="I live at 7 Elm Street"))
    sheet.say(MAUD, cm.Report("r", 2, "he saw Elm Street"))
    sheet.play(Random(4), lambda _: False)
    sheet.say(PEOPLE[0], cm.Rematch("again"))
    return sheet


def test_a_name_and_words_go_and_every_card_stays() -> None:
    sheet = a_table_with_maud()
    changed = {entry.seq: entry for entry in without(sheet.entries, MAUD.id)}
    log = [changed.get(entry.seq, entry) for entry in sheet.entries]
    written = " ".join(ev.written(entry.event) for entry in log)
    assert "Marigold" not in written
    assert "Elm" not in written
    assert "Bob" not in written  # the name before
    assert [e.event for e in log if isinstance(e.event, (ev.Acted, ev.HandDealt))] == [
        e.event for e in sheet.entries if isinstance(e.event, (ev.Acted, ev.HandDealt))
    ]
    table = Table("")
    for entry in log:
        table = evolve(table, entry)
    assert [chair.name for chair in table.chairs] == ["Ann", SOMEBODY, "Cy", "Dee"]
    assert history_of(log).matches[0].players == ("Ann", SOMEBODY, "Cy", "Dee")
    assert table.seq == sheet.table.seq
    assert without(log, MAUD.id) == []


@pytest.mark.parametrize("made", STORES)
def test_a_store_forgets_a_person_and_keeps_the_others(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        store = made(tmp_path)
        ann, bob = PEOPLE[:2]
        for who in (ann, bob):
            await store.add_person(who, f"token of {who.id}", 1)
            await store.add_return(who.id, f"link of {who.id}", 100)
        row = TableRow("ABCDEF2", False, "lobby", 1, 5)
        sat = [
            ev.Entry(i, 1, ev.Sat(i - 1, who.id, who.name)) for i, who in enumerate((ann, bob), 1)
        ]
        await store.append(row, sat)
        assert await store.row("ABCDEF2") == row._replace(version=1)
        assert await store.row("ABCDEF3") is None
        await store.forget(ann.id, 60)
        assert await store.unfinished() == [ann.id]
        assert await store.traces_of(ann.id) == ["ABCDEF2"]
        await store.forgotten(ann.id, ["ABCDEF2"])
        assert await store.unfinished() == await store.traces_of(ann.id) == []
        assert await store.person(f"token of {ann.id}") is None
        assert await store.take_return(f"link of {ann.id}", 50) is None
        assert await store.tables_of(ann.id) == []
        assert await store.person(f"token of {bob.id}") == bob
        assert [row.code for row in await store.tables_of(bob.id)] == ["ABCDEF2"]
        fresh = [ev.Entry(1, 1, ev.Sat(0, ann.id, SOMEBODY))]
        await store.rewrite("ABCDEF2", fresh)
        assert await store.read("ABCDEF2") == [*fresh, sat[1]]
        await store.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
def test_a_store_knows_who_is_forgotten_for_as_long_as_a_table_names_them(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        store, ann = made(tmp_path), PEOPLE[0]
        await store.forget(ann.id, 60)
        await store.forgotten(ann.id, [])
        # What was on its way to another server's table, which takes it out at its next sweep.
        late = ev.entered([ev.Sat(0, ann.id, ann.name)], 1, 61)
        await store.append(TableRow("ABCDEF2", False, "lobby", 61, 61), late)
        await store.compact(99)
        assert await store.unfinished() == [ann.id]
        await store.forgotten(ann.id, ["ABCDEF2"])
        assert await store.unfinished() == []
        assert await store.compact(99) == (store.kind != "memory")
        assert not await store.compact(99)
        await store.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
def test_tokens_expire_and_with_the_last_one_the_name(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        store = made(tmp_path)
        ann, bob, cy = PEOPLE[:3]
        await store.add_person(ann, "old", 10)
        await store.add_person(bob, "older", 5)
        await store.add_token(bob.id, "new", 20)
        await store.add_person(cy, "oldest", 1)
        await store.add_return(cy.id, "link", 100)
        assert await store.person("old", 9) == ann
        assert await store.person("old", 10) is None
        pairs = [(bob, ann), (bob, cy), (ann, bob)]
        blocks = [ev.Blocked(one.id, other.id) for one, other in pairs]
        await store.append(TableRow("ABCDEF2", True, "lobby", 1, 1), ev.entered(blocks, 1, 1))
        await store.expire(10, 50)
        # Nor is it known any longer whom somebody blocked who is forgotten, or who blocked them.
        visitor = await store.visitor("new")
        assert visitor is not None
        assert visitor.blocked == {cy.id}
        assert [await store.person(token) for token in ("old", "older", "new")] == [None, None, bob]
        assert await store.take_return("link", 60) == cy
        await store.add_token(ann.id, "again", 30)
        assert await store.person("again") is None  # there is no such person any more
        await store.close()

    running(scene)


def test_tables_that_nobody_comes_back_to_are_forgotten() -> None:
    async def scene() -> None:
        settings = Settings(keep_table=10 * DAY)
        room = Room(settings=settings)
        begun, lines = await room.table()
        lobby, others = await room.table(begin=False)
        for actor, held in ((begun, lines), (lobby, others)):
            for line in held:
                actor.disconnect(line)
        await room.settle()
        codes = [begun.table.code, lobby.table.code]

        async def kept_after(milliseconds: int) -> list[bool]:
            await room.turn(milliseconds)
            await room.registry.sweep()
            return [await room.store.row(code) is not None for code in codes]

        assert await kept_after(settings.keep_lobby - 1) == [True, True]
        assert await kept_after(1) == [True, False]
        assert await kept_after(settings.keep_table - settings.keep_lobby - 1) == [True, False]
        assert await kept_after(1) == [False, False]
        assert room.registry.tally.counts["cleared"] == {"table": 2}
        assert await room.find(codes[0]) is None
        await room.close()

    running(scene)


def test_whoever_asks_is_forgotten_at_a_table_in_use() -> None:
    async def scene() -> None:
        room = Room()
        await room.store.add_person(PEOPLE[1], "token", room.clock.now())
        actor, lines = await room.table()
        actor.take(lines[1], cm.Chat("c", text="my secret"))
        await room.settle()
        for line in lines:
            heard(line)
        await room.registry.retention.forget(PEOPLE[1].id)
        await room.settle()
        assert await room.store.person("token") is None
        assert await room.find(actor.table.code) is actor
        chair = actor.table.chairs[1]
        assert (chair.person, chair.bot, chair.spare) == (None, "club", True)
        assert actor.table.hand is not None
        for line in lines:
            told = heard(line)
            assert not any(isinstance(m, ms.Closing) for m in told)
            said = next(m for m in told if isinstance(m, ms.Welcome))
            assert b"Bob" not in bytes(said.table)
            assert [one.text for one in said.chat] == ["..."]
        # They play on, over the same lines and with the next numbers.
        line, before = lines[0], actor.table.seq
        actor.take(line, cm.Chat("on", phrase="hello"))
        await room.settle()
        assert actor.table.seq == before + 1
        assert looks(history_of(await room.store.read(actor.table.code)).table) == looks(
            actor.table
        )
        await room.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
def test_a_table_that_is_being_made_when_its_maker_is_forgotten_loses_the_name(
    made: Callable[[Path], Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        room, looked, there = Room(made(tmp_path)), asyncio.Event(), asyncio.Event()
        append, traces_of = room.store.append, room.store.traces_of

        async def late(row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED) -> None:
            await looked.wait()
            await append(row, entries, lease)
            there.set()

        async def traces(person: str) -> list[str]:
            found = await traces_of(person)
            looked.set()
            await there.wait()
            return found

        await room.store.add_person(MAUD, "token", room.clock.now())
        monkeypatch.setattr(room.store, "append", late)
        monkeypatch.setattr(room.store, "traces_of", traces)
        actor, _ = await asyncio.gather(
            room.registry.create(MAUD, KENTUCKY), room.registry.retention.forget(MAUD.id)
        )
        await room.registry.sweep()
        assert isinstance(actor, Actor)
        log = await room.store.read(actor.table.code)
        assert "Marigold" not in " ".join(ev.written(entry.event) for entry in log)
        assert await room.store.unfinished() == await traces_of(MAUD.id) == []
        await room.close()

    running(scene)


@pytest.mark.parametrize("begun", [False, True], ids=["lobby", "played"])
@pytest.mark.parametrize("made", STORES)
def test_what_nobody_finds_any_more_stays_hidden_when_somebody_there_is_forgotten(
    made: Callable[[Path], Store], begun: bool, tmp_path: Path
) -> None:
    async def scene() -> None:
        room = Room(made(tmp_path))
        clock, settings, registry = room.clock, room.settings, room.registry
        await registry.calendar.look()
        actor, lines = await room.table(people=2, begin=begun)
        code = actor.table.code
        for line in lines:
            actor.disconnect(line)
        await quiet(actor)
        await registry.put_away(code)
        before = await room.store.row(code)
        assert before is not None
        end = before.touched_at + (settings.keep_table if begun else settings.keep_lobby)
        while clock.now() < end - HIDDEN:  # the server runs on: its clock is believed
            clock.turn(min(3 * DAY, end - HIDDEN - clock.now()))
            await registry.calendar.look()
        assert await registry.table(code) is None
        await registry.retention.forget(PEOPLE[1].id)
        after = await room.store.row(code)
        assert after == before._replace(version=before.version + 2)
        assert any(isinstance(entry.event, ev.Left) for entry in await room.store.read(code))
        assert await registry.table(code) is None
        clock.turn(end - clock.now() - 1)
        await registry.sweep()
        assert await room.store.row(code) is not None
        clock.turn(1)
        await registry.sweep()
        assert await room.store.row(code) is None
        await room.close()

    running(scene)
