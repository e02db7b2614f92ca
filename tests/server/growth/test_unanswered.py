"""A database that takes a heartbeat or an act and answers nothing is one that is away."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest
from sqlalchemy import Connection
from tests.server.core.tables import KENTUCKY, PATIENCE, PEOPLE, Room, play_one, quiet, running
from tests.server.growth.engines import Postgres
from tests.server.growth.registries import registry, sharing, until

from rookery.server.cluster import postgres_leases
from rookery.server.cluster.postgres_leases import Beat, PostgresLeases
from rookery.server.live.actor import Actor
from rookery.server.store import postgres
from rookery.server.store.postgres import PostgresStore


@pytest.mark.parametrize("mute", [0.2, 3_600.0])  # the second is the control
def test_a_server_closes_its_tables_where_the_database_answers_no_heartbeat(
    database: str, mute: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_leases, "MUTE", mute)
    answers, sound = threading.Event(), PostgresLeases._beat

    def hangs(self: PostgresLeases, connection: Connection) -> Beat:
        answers.wait(PATIENCE)
        return sound(self, connection)

    async def scene() -> None:
        first = registry(database, "a:1", silence=0.1, every=0.02)
        async with sharing(first):
            actor = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            monkeypatch.setattr(PostgresLeases, "_beat", hangs)
            try:
                if mute < 1:
                    await until(lambda: actor.gone)
                else:
                    await asyncio.sleep(0.5)
                    assert not actor.gone
            finally:
                answers.set()

    running(scene)


@pytest.mark.parametrize("wait", [0.2, None])  # the second is the control
def test_an_act_is_in_doubt_where_the_database_hangs(
    database: str, elephant: Postgres, wait: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        room = Room(PostgresStore(database))
        actor, lines = await room.table()
        await quiet(actor)
        with elephant.line() as line:
            asked = "SELECT pid FROM pg_stat_activity WHERE application_name = 'rookery'"
            pids = [int(str(pid)) for (pid,) in line.execute(asked)]
        monkeypatch.setattr(postgres, "WRITTEN", wait)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            play_one(actor, lines, 1)
            if wait:
                await until(lambda: actor.gone)
            else:
                await asyncio.sleep(0.5)
                assert not actor.gone
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        monkeypatch.undo()
        await room.close()

    running(scene)


@pytest.mark.parametrize("given_up", [True, False])  # the second is the control
def test_what_a_heartbeat_would_have_told_that_was_given_up_is_told_by_the_next(
    database: str, *, given_up: bool
) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            leases = first.leases
            assert isinstance(leases, PostgresLeases)
            await until(lambda: leases._wrote > 0)
            actor = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            await second.leases.take(actor.table.code, by_force=True)
            if given_up:
                leases._store.looked(leases._beat)
            leases._found(leases._store.looked(leases._beat), {actor.table.code: actor.lease})
            assert actor.gone

    running(scene)
