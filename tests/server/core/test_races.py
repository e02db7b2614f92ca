"""P14: of two at once exactly one has its way, and the other is told why, by name.

The same races are run against tables with a fault: a pause between reading the table and writing to
it, for each kind of command by itself, and a table that takes an act from whoever sends one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Final
from unittest.mock import patch

import pytest
from tests.server.core.made_up_time import in_made_up_time
from tests.server.core.races import Raced, races

from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.table import commands as cm
from rookery.server.table import decide
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table
from rookery.server.table.voting import Outcome

RACES: Final = 150
KINDS: Final = {
    "act",
    "act, two copies",
    "act, two seats",
    "a seat",
    "claim",
    "contribute",
    "leave, two copies",
    "next",
    "rematch",
    "start",
    "undo",
    "vote",
}


@contextmanager
def hasty() -> Iterator[None]:
    """Have tables begin the next thing before they are done with the last."""
    whole = Actor._handle
    under_way: set[asyncio.Task[None]] = set()

    async def handle(self: Actor, item: object) -> None:
        _begin(under_way, asyncio.create_task(whole(self, item)))  # type: ignore[arg-type]

    with patch.object(Actor, "_handle", handle):
        yield


@contextmanager
def hesitant(kind: type[cm.Changing]) -> Iterator[None]:
    """Have tables pause between reading and writing, for one kind of command."""
    whole = Actor._change
    under_way: set[asyncio.Task[None]] = set()

    async def slowly(self: Actor, connection: Connection, command: cm.Changing) -> None:
        found = decide.decide(self.table, connection.who, command, self._secret, "papa")
        await asyncio.sleep(0.05)
        if isinstance(found, Refused):
            connection.refuse(command, found)
            return
        entries = await self._commit(found, f"{connection.who.id}:{command.id}")
        connection.outbox.put(ms.Ack(command.id, entries[0].seq))

    async def change(self: Actor, connection: Connection, command: cm.Changing) -> None:
        if isinstance(command, kind):
            _begin(under_way, asyncio.create_task(slowly(self, connection, command)))
        else:
            await whole(self, connection, command)

    with patch.object(Actor, "_change", change):
        yield


def _begin(under_way: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
    under_way.add(task)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


@contextmanager
def blind() -> Iterator[None]:
    """Have tables take an act for the seat on turn, whoever sends it."""
    whole = decide.act

    def act(table: Table, seat: int, action: str, by: ev.By) -> Outcome:
        turn = table.to_act
        return whole(table, seat if turn is None else turn, action, by)

    with patch.object(decide, "act", act):
        yield


PLANTED: Final[dict[str, Callable[[], AbstractContextManager[None]]]] = {
    "hasty": hasty,
    "blind": blind,
    **{
        kind.__name__: partial(hesitant, kind)
        for kind in (
            *(cm.Sit, cm.Leave, cm.Start, cm.Contribute, cm.Act, cm.Undo, cm.Claim, cm.Vote),
            *(cm.Next, cm.Rematch),
        )
    },
}


def raced(seed: int) -> Raced:
    """Return what came of the races at one table."""
    return in_made_up_time(lambda: races(seed, RACES))


def found_out(fault: str, seed: int = 0) -> list[str]:
    """Return what races find wrong with tables that have a fault."""
    with PLANTED[fault]():
        for number in range(64):  # the cards are the system's own, so one look may miss it
            if wrong := raced(seed + number).wrong:
                return wrong
    return []


@pytest.mark.parametrize("seed", range(8))
def test_of_two_at_once_one_has_its_way(seed: int) -> None:
    found = raced(seed)
    assert found.wrong == []
    assert found.size >= RACES


def test_there_is_a_race_of_every_kind() -> None:
    assert {kind for seed in range(6) for kind in raced(seed).kinds} == KINDS


@pytest.mark.parametrize("fault", PLANTED)
def test_the_control_a_table_with_a_fault_is_found_out(fault: str) -> None:
    assert found_out(fault)
