"""P14: of two at once exactly one has its way, and the other is told why, by name.

The same races are run against tables that begin the next thing while the store is still busy with
the last one: a pause between reading and appending, which has to be found out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, quiet, running

from rookery.server import commands as cm
from rookery.server import messages as ms
from rookery.server.actor import Actor
from rookery.server.connection import Connection
from rookery.server.memory import MemoryStore
from rookery.server.past import folded
from rookery.server.refusals import CODES

RACES = 25


def dawdling(seed: int) -> MemoryStore:
    """Return a store that answers after 0 to 3 milliseconds, in no order."""
    rng = Random(seed)

    async def wait() -> None:
        await asyncio.sleep(rng.choice([0, 0, 0.001, 0.003]))

    return MemoryStore(wait)


def answers(lines: Sequence[Connection], asked: str) -> list[int | str]:
    """Return the numbers and codes with which a command was answered, over all lines."""
    told = [message for line in lines for message in heard(line)]
    acks = [m.seq for m in told if isinstance(m, ms.Ack) and m.id == asked]
    return [*acks, *(m.code for m in told if isinstance(m, ms.Refused) and m.id == asked)]


def complaints(found: Sequence[int | str], *, alike: bool = False) -> Iterator[str]:
    """Yield what is wrong with the two answers of a race, `alike` for copies of one command."""
    seqs = [answer for answer in found if isinstance(answer, int)]
    if len(found) != 2:
        yield f"{len(found)} answers"
    elif alike:
        if found[0] != found[1]:
            yield f"two ends of one command: {found}"
    elif len(seqs) != 1:
        yield f"{len(seqs)} had their way"
    if any(isinstance(answer, str) and answer not in CODES for answer in found):
        yield f"no such code: {found}"


async def races(seed: int, count: int) -> list[str]:
    """Run races of seats, tabs and copies at one table; return what was wrong."""
    room, wrong = Room(dawdling(seed)), list[str]()
    actor, lines = await room.table(people=2, begin=False)
    await quiet(actor)
    for number in range(count):
        one, other = (actor.connect(who) for who in PEOPLE[2:4])
        actor.take(one, cm.Sit(f"sit-{number}", 2))
        actor.take(other, cm.Sit(f"sit-{number}", 2))
        await quiet(actor)
        wrong += complaints(answers([one, other], f"sit-{number}"))
        winner = PEOPLE[2] if actor.table.chairs[2].person == PEOPLE[2].id else PEOPLE[3]
        tabs = [actor.connect(winner) for _ in range(2)]
        for tab in tabs:
            actor.take(tab, cm.Leave(f"leave-{number}"))
        await quiet(actor)
        wrong += complaints(answers(tabs, f"leave-{number}"), alike=True)
        for line in (one, other, *tabs):
            actor.disconnect(line)
        if wrong or actor.gone:
            break
    stored = await room.store.read(actor.table.code)
    if [entry.seq for entry in stored] != list(range(1, len(stored) + 1)):
        wrong.append("the numbers have holes")
    if not actor.gone and folded(stored).chairs != actor.table.chairs:
        wrong.append("the table is not the fold of its events")
    del lines
    await room.close()
    return wrong


@pytest.mark.parametrize("seed", range(3))
def test_of_two_at_once_one_has_its_way(seed: int) -> None:
    async def scene() -> None:
        assert await races(seed, RACES) == []

    running(scene)


@contextmanager
def hasty() -> Iterator[set[asyncio.Task[None]]]:
    """Have tables begin the next thing before they are done with the last; yield what is begun."""
    whole = Actor._handle
    under_way: set[asyncio.Task[None]] = set()

    async def handle(self: Actor, item: object) -> None:
        task = asyncio.create_task(whole(self, item))  # type: ignore[arg-type]
        under_way.add(task)
        task.add_done_callback(lambda done: done.exception())

    with patch.object(Actor, "_handle", handle):
        yield under_way


def test_the_control_a_table_that_does_two_things_at_once_is_found_out() -> None:
    async def scene() -> None:
        with hasty() as under_way:
            found = [one for seed in range(5) for one in await races(seed, RACES)]
            await asyncio.gather(*under_way, return_exceptions=True)
        assert found

    running(scene)
