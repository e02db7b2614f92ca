"""Tables that nobody finds any more take no place from those that somebody finds."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import KENTUCKY, FirstLegal, quiet
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore

from rookery.server.api.people import MINE
from rookery.server.live.actor import Actor
from rookery.server.registry.played import TABLES
from rookery.server.registry.strangers import OWN
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.table import commands as cm
from rookery.server.table.state import Who


class Day:
    """A server whose clock is turned by hand, and tables there of one person."""

    def __init__(self) -> None:
        self.clock = HandTurnedClock()
        settings = Settings()
        self.registry = TableRegistry(MemoryStore(), settings, self.clock, FirstLegal())

    async def turn(self, milliseconds: int) -> None:
        self.clock.turn(milliseconds)
        await self.registry.calendar.look()

    async def table(self, who: Who, *, begun: bool = False, awake: bool = False) -> str:
        """Return the code of a table that somebody has made, and left unless it is to be awake."""
        await self.turn(1000)
        actor = await self.registry.create(who, KENTUCKY, listed=True, matched=not begun)
        assert isinstance(actor, Actor)
        code = actor.table.code
        line = actor.connect(who)
        for command in (cm.Hello(), cm.Start("s"))[: 1 + begun]:
            actor.take(line, command)
        await quiet(actor)
        if not awake:
            actor.disconnect(line)
            await quiet(actor)
            await self.registry.put_away(code)
        return code


@pytest.mark.parametrize("hidden", [0, 2 * max(MINE, OWN), TABLES])  # the first is the control
def test_a_match_under_way_is_listed_and_counted_under_newer_tables_that_are_hidden(
    hidden: int,
) -> None:
    async def story() -> None:
        day = Day()
        here = Here(registry=day.registry)
        async with here.running(), here.person("Ann") as ann:
            mine = (await ann.get("/api/session")).json()
            who = Who(mine["person"], mine["name"])
            played = await day.table(who, begun=True)
            waiting = await day.table(who, awake=True)
            for _ in range(hidden):
                await day.table(who)
            await day.turn(DAY)
            await day.turn(DAY)
            # Who sits at a table in memory finds it, whatever its time.
            tables = (await ann.get("/api/session")).json()["tables"]
            assert [one["code"] for one in tables] == [waiting, played]
            assert (await ann.get("/api/session/statistics")).json()["tables"] == 2
            again = await day.table(who)
            tables = (await ann.get("/api/session")).json()["tables"]
            assert [one["code"] for one in tables] == [again, waiting, played]
            found = await day.registry.strangers.find(who, KENTUCKY, ())
            assert found is not None
            assert found.table.code == again

    asyncio.run(story())


def test_who_waits_alone_comes_back_to_their_table_under_newer_ones_that_are_hidden() -> None:
    async def story() -> None:
        day = Day()
        here = Here(registry=day.registry)
        async with here.running(), here.person("Ann") as ann:
            mine = (await ann.get("/api/session")).json()
            who = Who(mine["person"], mine["name"])
            begun = await day.table(who, begun=True)  # bots play on the other seats
            for _ in range(OWN):
                await day.table(who)
            await day.turn(DAY)
            await day.turn(DAY)
            found = await day.registry.strangers.find(who, KENTUCKY, ())
            assert found is not None
            assert found.table.code == begun

    asyncio.run(story())
