"""What a database takes and does not answer holds up nothing else, nor for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection as Line
from tests.server.core.tables import PATIENCE, PEOPLE, Room, heard, play_one, quiet, running
from tests.server.spread.spreads import Shelves
from tests.server.spread.test_spread import LATE, refused, tables_at

from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.spread import leases as spread_leases
from rookery.server.cluster.spread import part as parts
from rookery.server.cluster.spread.leases import SpreadLeases
from rookery.server.cluster.spread.part import Part
from rookery.server.live.actor import MOVED
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Lease
from rookery.server.store.postgres import PostgresStore
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

# Seconds until a write is in doubt: here a database hangs for good, and one that works may be slow.
WRITTEN = 1.0


def hang(shelves: Shelves, answers: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have B take writes and do them, in their order, after that event."""
    sound, last = shelves.by["B"].do, asyncio.Lock()

    async def later(work: Callable[[Line], object], of: str, alone: bool) -> object:
        async with last:
            await answers.wait()
            return await sound(work, of=of, alone=alone)

    async def hangs(work: Callable[[Line], object], *, of: str = "", alone: bool = False) -> object:
        # As in a writer's queue: whoever does not wait for it any more ends nothing.
        return await asyncio.shield(asyncio.create_task(later(work, of, alone)))

    monkeypatch.setattr(shelves.by["B"], "do", hangs)


def test_an_act_that_hangs_is_in_doubt_and_is_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        answers, shelves = asyncio.Event(), Shelves(tmp_path)
        room = Room(shelves.store)
        made = await tables_at(room, "BC")
        (actor, lines), sound = made["B"], made["C"]
        for line in lines:
            heard(line)
        hang(shelves, answers, monkeypatch)
        monkeypatch.setattr(parts, "WRITTEN", WRITTEN)
        hand, seen = actor.table.hand, actor.table.seq
        assert hand is not None
        name, began = play_one(actor, lines, 1), time.perf_counter()
        while not actor.gone:
            assert time.perf_counter() - began < parts.WRITTEN + LATE
            await asyncio.sleep(0.01)
        monkeypatch.setattr(parts, "WRITTEN", PATIENCE)  # the disk of the other may be slow
        # Nobody was told anything but to come back, and no new table is made there.
        for line in lines:
            assert [one.code for one in heard(line) if isinstance(one, ms.Closing)] == [MOVED]
        assert {shelves.store.new_place() for _ in range(30)} == {"C"}
        assert await refused(sound, 1) is None
        # Whoever comes back meanwhile is refused at once.
        began = time.perf_counter()
        with pytest.raises(StoreError, match="does not answer"):
            await room.registry.table(actor.table.code)
        assert time.perf_counter() - began < parts.BLINK + LATE
        # It goes on: the act is there, once, and whoever asks again hears so.
        answers.set()
        await shelves.by["B"].do(lambda _: None)  # what waited is written before that
        shelves.seconds += 60
        again = await room.find(actor.table.code)
        assert again is not None
        log = await shelves.store.read(actor.table.code)
        assert [one.seq for one in log if one.client is not None][-1] == seen + 1 == log[-1].seq
        seat = hand.to_act
        assert seat is not None
        line = again.connect(
            next(one for one in PEOPLE if one.id == again.table.chairs[seat].person)
        )
        again.take(line, cm.Hello())
        again.take(line, cm.Act(name, next(iter(hand.legal())).words, seen))
        await quiet(again)
        acked = [one for one in heard(line) if isinstance(one, ms.Ack)]
        assert [(one.id, one.seq) for one in acked] == [(name, seen + 1)]
        await room.close()

    running(scene)


def test_the_control_an_act_without_a_bound_waits_as_long_as_the_database_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "WRITTEN", None)

    async def scene() -> None:
        answers, shelves = asyncio.Event(), Shelves(tmp_path)
        room = Room(shelves.store)
        actor, lines = (await tables_at(room, "B"))["B"]
        for line in lines:
            heard(line)
        hang(shelves, answers, monkeypatch)
        play_one(actor, lines, 1)
        await asyncio.sleep(1.0)
        assert not actor.gone
        assert not any(heard(line) for line in lines)
        answers.set()
        await quiet(actor)
        await room.close()

    running(scene)


def read_late(shelves: Shelves, answers: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have B tell what it holds after that event."""
    sound = shelves.by["B"].look

    async def hangs(look: Callable[[Line], object]) -> object:
        await answers.wait()
        return await sound(look)

    monkeypatch.setattr(shelves.by["B"], "look", hangs)


def test_what_is_read_of_a_database_that_hangs_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        answers, shelves = asyncio.Event(), Shelves(tmp_path)
        room = Room(shelves.store)
        made = await tables_at(room, "BC")
        lost, other = (made[letter][0].table.code for letter in "BC")
        read_late(shelves, answers, monkeypatch)
        waits = asyncio.create_task(room.registry.history(lost))
        read = asyncio.create_task(room.registry.history(other))
        await asyncio.wait({read}, timeout=PATIENCE)
        assert read.done()
        assert not waits.done()  # the control: it does hang
        answers.set()
        assert all(await asyncio.gather(read, waits))
        await room.close()

    running(scene)


def test_who_is_forgotten_and_what_expires_waits_for_no_database_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = PEOPLE[0]

    async def scene() -> None:
        answers, shelves = asyncio.Event(), Shelves(tmp_path)
        room = Room(shelves.store)
        await shelves.store.add_person(ann, "token", room.clock.now())
        made = await tables_at(room, "BC")

        def named(letter: str) -> bool:
            return f'"{ann.name}"' in str(shelves.held(letter, "SELECT body FROM events"))

        hang(shelves, answers, monkeypatch)
        monkeypatch.setattr(parts, "WRITTEN", WRITTEN)
        read_late(shelves, answers, monkeypatch)
        waits = asyncio.create_task(shelves.by["B"].read(made["B"][0].table.code))
        for work in (room.registry.retention.forget(ann.id), room.registry.sweep()):
            task = asyncio.create_task(work)
            await asyncio.wait({task}, timeout=PATIENCE)
            assert task.done()
            await task
        assert (named("C"), named("B")) == (False, True)
        assert not waits.done()  # the control: it does hang
        assert await shelves.store.unfinished() == [ann.id]
        answers.set()
        async with asyncio.timeout(PATIENCE):
            while await shelves.store.unfinished():
                shelves.seconds += 60
                await room.registry.sweep()
        assert not named("B")
        await room.close()

    running(scene)


class Mute(PostgresStore):
    """A database of which nobody hears, and that has no heartbeat of this server."""

    def __init__(self) -> None:
        self.asked = 0

    async def change(self, *_: object, **_of: object) -> int:
        self.asked += 1
        never: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await never


@pytest.mark.parametrize("lost", [True, False])  # the second is the control
def test_no_table_of_a_database_that_is_lost_is_given_back(
    monkeypatch: pytest.MonkeyPatch, *, lost: bool
) -> None:
    monkeypatch.setattr(spread_leases, "WRITTEN", 0.05)

    async def scene() -> None:
        stores = [Mute(), Mute()]
        first, other = (PostgresLeases(store, "a:1", dict) for store in stores)
        leases = SpreadLeases(first, [Part("B", Mute)], lambda _: other)
        leases._all["B"] = other
        if not lost:
            other._beat_at = time.monotonic()
        for number in range(2, 5):
            await leases.give_back(f"ABCDEF{number}B", Lease("a:1", 1))
        assert [store.asked for store in stores] == [0, 0 if lost else 3]

    running(scene)
