"""A copy of a command does nothing twice, however long ago the first came and was forgotten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.server.core.tables import Room, heard, play_one, quiet, running
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.live import idempotency as answered
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry import tables
from rookery.server.store.base import Store, StoreError
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

STORES: list[Callable[[Path], Store]] = [
    lambda _: MemoryStore(),
    lambda path: SqliteStore(path / "db"),
    spread_of_three,
]


async def long_ago(room: Room) -> tuple[Actor, list[Connection], list[cm.Changing]]:
    """Return a table, its lines, and commands of its first line that it remembers no more."""
    actor, lines = await room.table(begin=False)
    await quiet(actor)
    done: list[cm.Changing] = [cm.Chat("said", text="hello"), cm.Start("begun")]
    for command in done:
        actor.take(lines[0], command)
    await quiet(actor)
    for number in range(8):
        play_one(actor, lines, number)
        await quiet(actor)
    heard(lines[0])
    return actor, lines, done


def replies(line: Connection) -> list[ms.Ack | ms.Refused]:
    return [m for m in heard(line) if isinstance(m, ms.Ack | ms.Refused)]


async def as_the_first_was(
    room: Room, actor: Actor, line: Connection, done: Sequence[cm.Changing]
) -> None:
    """Send copies of commands; check that each is answered as the first was, and does nothing."""
    await quiet(actor)
    seq = actor.table.seq
    for command in done:  # one would be done again, the other would be refused
        actor.take(line, command)
    await room.settle()
    assert not actor.gone
    await quiet(actor)
    log = await room.store.read(actor.table.code)
    first = {entry.client: entry.seq for entry in log if entry.client is not None}
    told = [m for m in replies(line) if isinstance(m, ms.Ack)]
    assert [(m.id, m.seq) for m in told] == [
        (command.id, first[f"{line.who.id}:{command.id}"]) for command in done
    ]
    assert (actor.table.seq, len(log), actor.gone) == (seq, seq, False)


@pytest.mark.parametrize("made", STORES)
def test_a_copy_from_long_ago_is_acknowledged_as_the_first_was(
    made: Callable[[Path], Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answered, "DONE", 3)

    async def scene() -> None:
        room = Room(made(tmp_path))
        actor, lines, done = await long_ago(room)
        await as_the_first_was(room, actor, lines[0], done)
        await room.close()

    running(scene)


@pytest.mark.parametrize("recent", [tables.RECENT, 3])
def test_so_is_one_of_before_the_table_slept(recent: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "RECENT", recent)

    async def scene() -> None:
        room = Room()
        actor, lines, done = await long_ago(room)
        for line in lines:
            actor.disconnect(line)
        await quiet(actor)
        await room.registry.put_away(actor.table.code)
        awake = await room.find(actor.table.code)
        assert awake is not None
        assert awake is not actor
        await as_the_first_was(room, awake, awake.connect(lines[0].who), done)
        await room.close()

    running(scene)


def test_the_control_without_the_store_it_is_not_known_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answered, "DONE", 3)

    async def scene() -> None:
        room = Room(Forgetful())
        actor, lines, (said, begun) = await long_ago(room)
        actor.take(lines[0], begun)
        await quiet(actor)
        assert [type(m) for m in replies(lines[0])] == [ms.Refused]
        actor.take(lines[0], said)
        await room.settle()
        assert actor.gone
        await room.close()

    running(scene)


def test_while_the_store_cannot_be_read_nothing_is_said_of_such_a_copy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answered, "DONE", 3)

    async def scene() -> None:
        store = Forgetful(broken=True)
        room = Room(store)
        actor, lines, (_, begun) = await long_ago(room)
        actor.take(lines[0], begun)
        await quiet(actor)
        (refusal,) = replies(lines[0])
        assert isinstance(refusal, ms.Refused)
        assert refusal.code == "storage"
        store.broken = False
        await room.close()

    running(scene)


class Forgetful(MemoryStore):
    """Does not say what a command was."""

    def __init__(self, *, broken: bool = False) -> None:
        super().__init__()
        self.broken = broken

    async def done(self, code: str, client: str) -> int | None:
        if self.broken:
            raise StoreError("the disk is gone")
        return None
