"""Whatever fails at a table: each command has one answer, and what is acknowledged stays so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Room, heard, play_one, running
from tests.server.memory.store import MemoryStore

from rookery.server.live.actor import _RETRY
from rookery.server.live.connection import Audience, Connection
from rookery.server.store.base import TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table import timers
from rookery.server.table.decide import decide
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table, Who

ANN, BOB, CY, DEE = PEOPLE[:4]
CROWD = 70  # people, more than a table knows by name once they have left


class Gated(MemoryStore):
    """A store that waits for the gate of an event's kind before it takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.gates: dict[type[ev.Event], asyncio.Event] = {}

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        for entry in entries:
            if (gate := self.gates.get(type(entry.event))) is not None:
                await gate.wait()
        await super().append(row, entries, lease)


def answers(line: Connection) -> dict[str | None, list[str]]:
    """Return what each command has been answered since the last look."""
    found: dict[str | None, list[str]] = {}
    for one in heard(line):
        if isinstance(one, ms.Ack | ms.Refused):
            code = "ack" if isinstance(one, ms.Ack) else one.code
            found.setdefault(one.id, []).append(code)
    return found


def test_those_who_leave_while_the_store_is_slow_harm_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene() -> None:
        store = Gated()
        room = Room(store)
        actor, [ann, bob] = await room.table(2, begin=False)
        crowd = [actor.connect(Who(f"w{number}", f"W{number}")) for number in range(CROWD)]
        actor.disconnect(bob)
        await room.settle()
        heard(ann)
        gate = store.gates[ev.Back] = asyncio.Event()
        actor.take(ann, cm.Chat("c", text="hi"))
        actor.connect(BOB)
        await room.settle()
        for line in crowd[:30]:
            actor.disconnect(line)
        actor.connect(Who("new", "New"))
        gate.set()
        await room.settle()
        assert answers(ann) == {"c": ["ack"]}
        assert all(chair.here for chair in actor.table.chairs if chair.person)
        await room.close()

    running(scene)
    assert not caplog.records


def test_what_fails_unasked_refuses_nobody_and_is_done_a_moment_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fails = [True]
    whole = timers.disconnected

    def failing(table: Table, person: str) -> list[ev.Event]:
        if fails:
            fails.pop()
            raise KeyError(person)
        return whole(table, person)

    async def scene() -> None:
        room = Room()
        actor, [ann, bob] = await room.table(2, begin=False)
        heard(ann)
        monkeypatch.setattr(timers, "disconnected", failing)
        actor.take(ann, cm.Chat("c", text="hi"))
        actor.disconnect(bob)
        await room.settle()
        assert answers(ann) == {"c": ["ack"]}
        assert not fails
        assert actor.table.chairs[1].here
        await room.turn(_RETRY)
        assert not actor.table.chairs[1].here
        await room.close()

    running(scene)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_what_fails_once_it_is_stored_stays_acknowledged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: object) -> None:
        raise ValueError("nobody is told")

    async def scene() -> None:
        room = Room()
        actor, [ann, _] = await room.table(2, begin=False)
        heard(ann)
        with monkeypatch.context() as patched:
            patched.setattr(Audience, "tell_all", failing)
            actor.take(ann, cm.Chat("c", text="hi"))
            await room.settle()
        assert answers(ann) == {"c": ["ack"]}
        await room.close()

    running(scene)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_of_those_who_wait_for_a_seat_each_is_answered_though_one_command_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: dict[Connection, dict[str | None, list[str]]] = {}

    def failing(table: Table, who: Who, command: cm.Changing, *more: Any) -> Any:  # noqa: ANN401
        outcome = decide(table, who, command, *more)
        if who == BOB and not isinstance(outcome, Refused):
            raise ValueError("a fault of the program")
        return outcome

    async def scene() -> None:
        room = Room()
        actor, [ann] = await room.table(1, KENTUCKY, pace="instant")
        monkeypatch.setattr("rookery.server.live.actor.decide", failing)
        waiting = [actor.connect(who) for who in (BOB, CY, DEE)]
        for line in waiting:
            actor.take(line, cm.Hello())
            actor.take(line, cm.Sit("s", wait=True))
        await room.settle()
        for number in range(200):
            for line in waiting:
                said.setdefault(line, {}).update(answers(line))
            if not actor.table.in_hand or all(said.values()):
                break
            if actor.table.to_act == 0:
                play_one(actor, [ann], number)
            heard(ann)
            await room.settle()
        assert [said[line] for line in waiting] == [
            {"s": [code]} for code in ("failed", "ack", "ack")
        ]
        await room.close()

    running(scene)
