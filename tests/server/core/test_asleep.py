"""Tables nobody is connected to: looked at without stopping the tables where people play."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, running
from tests.server.memory.sheets import MemorySheets

from rookery.server.live.actor import Actor
from rookery.server.registry import history
from rookery.server.registry.history import (
    EMPTY,
    TABLE_SIZE,
    Histories,
    History,
    history_of,
)
from rookery.server.store.base import StoreError
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import events as ev
from rookery.server.table.seating import Sitting


class Folding:
    """Counts how often a table is folded, and where."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[threading.Thread] = []
        monkeypatch.setattr(history, "history_of", self.history)

    def history(self, entries: Sequence[ev.Entry], since: History = EMPTY) -> History:
        self.threads.append(threading.current_thread())
        return history_of(entries, since)


async def asleep(room: Room) -> str:
    """Return the code of a table that has begun and gone to sleep."""
    actor, lines = await room.table()
    for line in lines:
        actor.disconnect(line)
    await room.settle()
    await room.turn(room.settings.idle)
    await room.registry.sweep()
    assert not room.registry.actors
    return actor.table.code


def test_tables_rest_though_nobody_knows_which_evenings_are_deleted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lost(*_: object) -> None:
        raise StoreError("the first database is lost")

    async def scene() -> None:
        room = Room()
        made = ev.TableMade("ABCDEF2", "", False, KENTUCKY.model_dump(), "calm", None)
        joined = ev.EveningJoined("ABCDEF3", 1, 1, "papa")
        sitting = [Sitting(one.name, one.id) for one in PEOPLE[:4]]
        evening = await room.registry.for_evening(made, PEOPLE[0].id, joined, sitting, None)
        monkeypatch.setattr(MemorySheets, "of", lost)
        actor, (ann, *_) = await room.table(people=1, begin=False)
        actor.disconnect(ann)
        await room.settle()
        await room.registry.sweep()
        assert room.registry.actors == [evening, actor]  # the control: they are not idle
        await room.turn(room.settings.idle)
        await room.registry.sweep()
        assert actor not in room.registry.actors
        await room.close()

    running(scene)


def test_a_table_is_folded_once_and_never_where_the_others_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        room = Room()
        code = await asleep(room)
        folding = Folding(monkeypatch)
        first = await room.registry.table(code)
        assert first is not None
        assert first is await room.registry.table(code.lower())
        assert len(folding.threads) == 1
        actor = await room.find(code)
        assert isinstance(actor, Actor)
        assert await room.registry.table(code) is actor.table
        assert len(folding.threads) == 1
        assert threading.main_thread() not in folding.threads
        await room.close()

    running(scene)


def test_a_table_that_has_changed_or_gone_is_looked_at_again(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / "db"))
        actor, lines = await room.table(begin=False)
        code = actor.table.code
        for line in lines:
            actor.disconnect(line)
        await room.turn(room.settings.idle)
        await room.registry.sweep()
        before = await room.registry.table(code)
        assert before is not None
        woken = await room.find(code)
        assert woken is not None
        room.clock.turn(1)
        await woken.stop()
        row = await room.store.row(code)
        assert row is not None
        entry = ev.Entry(before.seq + 1, row.touched_at + 1, ev.Renamed(1, "Robert"))
        await room.store.append(row._replace(touched_at=row.touched_at + 1), [entry])
        after = await room.registry.table(code)
        assert after is not None
        assert after.chairs[1].name == "Robert"
        await room.registry.retention.forget(PEOPLE[1].id)
        forgotten = await room.registry.table(code)
        assert forgotten is not None
        assert (forgotten.chairs[1].kind, forgotten.seq) == ("empty", after.seq + 1)
        await room.store.retire(code)
        assert await room.registry.table(code) is None
        await room.close()

    running(scene)


def test_only_so_many_tables_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        room = Room()
        room.registry._histories = Histories(room.store, capacity=2 * TABLE_SIZE)
        codes = [await asleep(room) for _ in range(3)]
        folding = Folding(monkeypatch)
        for code in (*codes, codes[2], codes[1], codes[0]):
            assert await room.registry.table(code) is not None
        assert len(folding.threads) == 4
        await room.close()

    running(scene)
