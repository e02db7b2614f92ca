"""Who asks one server to be forgotten is forgotten at the tables of all."""

from __future__ import annotations

import msgspec
import pytest
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import KENTUCKY, PEOPLE, heard, quiet, running
from tests.server.growth.engines import logs, owners
from tests.server.growth.registries import registry, sharing, until

from rookery.server.clock import APART, MINUTE, Clock
from rookery.server.live.actor import Actor
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

ANN, BOB = PEOPLE[:2]


def test_a_name_goes_from_a_table_that_another_server_has(database: str) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1", every=0.05), registry(database, "b:1")
        async with sharing(first, second):
            actor = await first.create(ANN, KENTUCKY, title="Ann's evening")
            assert isinstance(actor, Actor)
            code = actor.table.code
            line = actor.connect(BOB)
            for command in (cm.Hello(), cm.Sit("s"), cm.Chat("c", text="good evening")):
                actor.take(line, command)
            await until(lambda: actor.table.seq >= 5)
            assert BOB.name in str(msgspec.json.encode(logs(database)[code]))
            await second.retention.forget(BOB.id)
            await until(lambda: all(chair.name != BOB.name for chair in actor.table.chairs))
            kept = str(msgspec.json.encode(logs(database)[code]))
            assert BOB.name not in kept
            assert "good evening" not in kept
            # Whoever is there stays there, and the table stays at its server.
            assert len([m for m in heard(line) if isinstance(m, ms.Welcome)]) == 2
            assert not line.outbox.ended
            assert owners(database)[code] == ("a:1", 1)
            await second.retention.wipe(BOB.id)
            assert await second.store.unfinished() == []

    running(scene)


def test_what_comes_late_is_found_by_the_next_sweep(database: str) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1", every=0.05)
        async with sharing(first, second):
            actor = await first.create(ANN, KENTUCKY)
            assert isinstance(actor, Actor)
            await second.retention.forget(BOB.id)
            assert await second.store.unfinished() == []
            # His line was still open at the other one.
            line = actor.connect(BOB)
            actor.take(line, cm.Chat("c", text="good evening"))
            await until(lambda: actor.table.seq > 3)
            assert await second.store.unfinished() == [BOB.id]
            await first.leases.close()
            await until(lambda: second.leases.leads)
            await second.sweep()
            assert "good evening" not in str(msgspec.json.encode(logs(database)[actor.table.code]))

    running(scene)


@pytest.mark.parametrize("behind", [0, APART - MINUTE])
def test_every_server_hears_who_has_gone(database: str, behind: int) -> None:
    async def scene() -> None:
        gone: list[str] = []
        first, second = registry(database, "a:1", every=0.05), registry(database, "b:1")
        await first.open(gone.append)
        await second.open(str)
        # The clock of the server that was asked may be behind the database's.
        await second.store.forget(BOB.id, second.clock.now() - behind)
        await until(lambda: BOB.id in gone)
        await first.close()
        await second.close()

    running(scene)


def test_what_was_said_long_ago_goes_once_and_not_from_a_table_in_use(database: str) -> None:
    async def scene() -> None:
        clock = HandTurnedClock(Clock().now())
        first = registry(database, "a:1", every=0.05, clock=clock)
        second = registry(database, "b:1", every=0.05)
        async with sharing(first, second):
            actor = await second.create(ANN, KENTUCKY)
            assert isinstance(actor, Actor)
            code = actor.table.code
            line = actor.connect(ANN)
            for command in (cm.Hello(), cm.Chat("c", text="good evening"), cm.Start("s")):
                actor.take(line, command)
            await until(lambda: actor.table.phase == "playing")
            clock.turn(2 * first.settings.keep_chat)
            await first.retention.sweep()
            assert "good evening" in str(msgspec.json.encode(logs(database)[code]))
            await second.leave()
            clock.turn(3_600_000)
            await first.retention.sweep()
            assert "good evening" not in str(msgspec.json.encode(logs(database)[code]))
            assert first.tally.counts["cleared"] == {"chat": 1}
            assert await first.store.said(0, clock.now()) == []

    running(scene)


def test_a_table_asleep_counts_as_used_when_it_was(database: str) -> None:
    async def scene() -> None:
        clock = HandTurnedClock(Clock().now())
        first = registry(database, "a:1", every=0.05, clock=clock)
        async with sharing(first):
            actor = await first.create(ANN, KENTUCKY)
            assert isinstance(actor, Actor)
            code = actor.table.code
            line = actor.connect(BOB)
            for command in (cm.Hello(), cm.Sit("s")):
                actor.take(line, command)
            await until(lambda: actor.table.seat_of(BOB.id) is not None)
            actor.disconnect(line)
            await quiet(actor)
            await first.put_away(code)
            before = await first.store.row(code)
            clock.turn(3_600_000)
            await first.retention.forget(BOB.id)
            assert BOB.name not in str(msgspec.json.encode(logs(database)[code]))
            after = await first.store.row(code)
            assert before is not None
            assert after is not None
            # A heartbeat may have found the same meanwhile, and looked once more.
            assert after.version >= before.version + 2
            assert after == before._replace(version=after.version)

    running(scene)
