"""One order per table: resends, races and what every client sees, on a store that dawdles."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Dawdling, Room, heard, play_one, quiet, running
from tests.server.memory.store import MemoryStore

from rookery.fairness.deal import secret
from rookery.server.clock import Clock
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.registry.history import history_of
from rookery.server.store.base import Conflict
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.decide import decide
from rookery.server.table.refusals import Refused


def dawdling(seed: int) -> MemoryStore:
    """Return a store that answers after 0 to 3 milliseconds, in no order."""
    rng = Random(seed)

    async def wait() -> None:
        await asyncio.sleep(rng.choice([0, 0, 0.001, 0.003]))

    return Dawdling(wait)


def numbers(messages: Sequence[ms.Message]) -> list[int]:
    """Return the numbers of the events that a client was told, as they came."""
    found: list[int] = []
    for message in messages:
        if isinstance(message, ms.Update):
            found += [event["seq"] for event in message.events]
        elif isinstance(message, ms.Chat):
            found.append(message.seq)
    return found


def outcomes(messages: Sequence[ms.Message], asked: str) -> list[object]:
    found: list[object] = []
    for message in messages:
        if isinstance(message, ms.Ack) and message.id == asked:
            found.append(message.seq)
        elif isinstance(message, ms.Refused) and message.id == asked:
            found.append(message.code)
    return found


def test_a_resend_is_acknowledged_again_and_does_nothing() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        for line in lines:
            heard(line)
        seat = actor.table.to_act
        assert seat is not None
        asked = cm.Act("once", "bid 75", actor.table.seq)
        for _ in range(3):
            actor.take(lines[seat], asked)
        await room.settle()
        seq = actor.table.seq
        assert outcomes(heard(lines[seat]), "once") == [seq, seq, seq]
        # The same id of somebody else is another command.
        actor.take(lines[(seat + 1) % 4], cm.Act("once", "pass", seq))
        await room.settle()
        assert actor.table.seq == seq + 1
        # And after a restart it is still known.
        await actor.stop()
        room.registry._actors.clear()
        again = await room.find(actor.table.code)
        assert again is not None
        line = again.connect(lines[seat].who)
        again.take(line, asked)
        await room.settle()
        assert outcomes(heard(line), "once") == [seq]
        await room.close()

    running(scene)


@pytest.mark.parametrize("seed", range(6))
def test_of_two_at_once_one_wins_and_the_other_is_told_why(seed: int) -> None:
    async def scene() -> None:
        room = Room(dawdling(seed))
        actor, lines = await room.table(people=3, begin=False)
        await quiet(actor)
        rivals = [actor.connect(who) for who in PEOPLE[3:7]]
        for line in rivals:
            actor.take(line, cm.Sit("mine", 3))
        await quiet(actor)
        told = [outcomes(heard(line), "mine") for line in rivals]
        assert sum(isinstance(found[0], int) for found in told) == 1
        assert sorted(str(found[0]) for found in told)[1:] == ["seat-taken"] * 3
        actor.take(lines[0], cm.Start("begin"))
        await quiet(actor)
        seat = actor.table.to_act
        assert seat is not None
        who = actor.table.chairs[seat].person
        tabs = [actor.connect(next(p for p in PEOPLE if p.id == who)) for _ in range(2)]
        seq = actor.table.seq
        for i, tab in enumerate(tabs):
            actor.take(tab, cm.Act(f"tab-{i}", f"bid {75 + 5 * i}", seq))
        await quiet(actor)
        found = [outcomes(heard(tab), f"tab-{i}")[0] for i, tab in enumerate(tabs)]
        assert isinstance(found[0], int)
        assert found[1] == "not-your-turn"
        stored = await room.store.read(actor.table.code)
        assert [entry.seq for entry in stored] == list(range(1, len(stored) + 1))
        assert history_of(stored).table.chairs == actor.table.chairs
        await room.close()

    running(scene)


async def careless(actor: Actor, line: Connection, command: cm.Changing) -> object:
    """Decide, wait, and only then append: the fault that the order of things rules out."""
    outcome = decide(actor.table, line.who, command, secret, "papa")
    await asyncio.sleep(0.001)
    if isinstance(outcome, Refused):
        return outcome.code
    return await actor._commit(outcome)


def test_the_control_a_pause_between_reading_and_appending_is_seen() -> None:
    async def scene() -> None:
        room = Room(dawdling(1))
        actor, _ = await room.table(people=3, begin=False)
        await quiet(actor)
        rivals = [actor.connect(who) for who in PEOPLE[3:5]]
        await quiet(actor)
        results = await asyncio.gather(
            *(careless(actor, line, cm.Sit("mine", 3)) for line in rivals),
            return_exceptions=True,
        )
        # Both were let in by the table as it was; only the keys of the store keep one out.
        assert not any(isinstance(found, str) for found in results)
        assert (
            any(isinstance(found, Conflict) for found in results)
            or len({chair.person for chair in actor.table.chairs}) == 4
        )
        await room.close()

    running(scene)


@pytest.mark.parametrize("seed", range(3))
def test_all_clients_see_the_same_order_without_a_gap(seed: int) -> None:
    async def scene() -> None:
        rng = Random(seed)
        room = Room(dawdling(seed))
        room.registry.clock = Clock()
        tables = [await room.table(pace="instant") for _ in range(2)]
        for actor, _ in tables:
            await quiet(actor)
        logs: dict[Connection, list[ms.Message]] = {line: [] for _, ls in tables for line in ls}
        for number in range(40):
            for actor, lines in tables:
                if actor.table.between_hands:
                    for line in lines:
                        actor.take(line, cm.Next(f"next-{number}"))
                else:
                    play_one(actor, lines, number)
                actor.take(rng.choice(lines), cm.Chat(f"c{number}", text=f"word {number}"))
                actor.take(rng.choice(lines), cm.Sit(f"s{number}"))
            for actor, lines in tables:
                await quiet(actor)
                for line in lines:
                    logs[line] += heard(line)
        for actor, lines in tables:
            seen = [numbers(logs[line]) for line in lines]
            for one in seen:
                assert one == list(range(one[0], actor.table.seq + 1))
            stored = await room.store.read(actor.table.code)
            acks = [m for line in lines for m in logs[line] if isinstance(m, ms.Ack)]
            refusals = [m for line in lines for m in logs[line] if isinstance(m, ms.Refused)]
            by_client = {entry.client: entry.seq for entry in stored if entry.client}
            assert {m.seq for m in acks} <= set(by_client.values())
            assert len(acks) > 70
            assert {m.code for m in refusals} == {"already-seated"}
            codes = {
                json.loads(bytes(m.table))["code"]
                for m in logs[lines[0]]
                if isinstance(m, ms.Update)
            }
            assert codes == {actor.table.code}
        await room.close()

    running(scene)


def test_two_servers_cannot_both_write_a_table() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        other = Room(room.store)
        rival = await other.find(actor.table.code)
        assert rival is not None
        line = rival.connect(PEOPLE[0])
        rival.take(line, cm.Chat("c", text="here"))
        await room.settle()
        assert outcomes(heard(line), "c")
        actor.take(lines[0], cm.Chat("d", text="and here"))
        await room.settle()
        told = heard(lines[0])
        assert outcomes(told, "d") == []
        assert isinstance(told[-1], ms.Closing)
        assert told[-1].code == 4012
        assert actor.gone
        again = await room.find(actor.table.code)
        assert again is not None
        assert again.table.seq == rival.table.seq
        await room.close()
        await other.close()

    running(scene)
