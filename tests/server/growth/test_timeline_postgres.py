"""When another timeline of a PostgreSQL database begins, and when its servers hear of it."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.server.core.tables import (
    KENTUCKY,
    PATIENCE,
    PEOPLE,
    heard,
    quiet,
    running,
)
from tests.server.growth.engines import Postgres, postgres
from tests.server.growth.registries import registry, sharing, until

from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.live.actor import Actor
from rookery.server.store.postgres import PostgresStore
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

PLACE = re.compile(r"[0-9]+/[0-9A-F]{8}/[0-9]+")


@pytest.fixture(scope="module")
def elephant() -> Iterator[Postgres]:
    with postgres() as engine:
        yield engine


def copied(data: Path, to: Path) -> None:
    """Copy a folder, with whose it is."""
    subprocess.run(["cp", "-a", str(data), str(to)], check=True)


async def asked(url: str) -> str:
    store = PostgresStore(url)
    try:
        return (await store.timeline()).id
    finally:
        await store.close()


def test_a_copy_of_a_postgresql_database_is_in_another_timeline(elephant: Postgres) -> None:
    one, other = (elephant.url.replace("/postgres", f"/{name}") for name in ("one", "other"))

    async def scene() -> None:
        with elephant.line() as line:
            line.execute("CREATE DATABASE one")
        assert await asked(one) == ""
        assert await asked(one) == ""
        with psycopg.connect(one) as line:
            found = line.execute("SELECT place FROM timeline").fetchone()
        assert found is not None
        assert PLACE.fullmatch(str(found[0]))
        with elephant.line() as line:
            line.execute("CREATE DATABASE other TEMPLATE one")
        begun = await asked(other)
        assert begun
        assert await asked(other) == begun
        assert await asked(one) == ""

    running(scene)


def test_postgresql_that_goes_on_from_an_earlier_time_is_in_another_timeline() -> None:
    async def scene() -> None:
        with postgres() as engine:
            assert await asked(engine.url) == ""
            data, saved = engine.folder / "data", engine.folder / "saved"
            engine.stop(signal.SIGINT)
            await asyncio.to_thread(copied, data, saved)
            engine.start()
            # It was only stopped.
            assert await asked(engine.url) == ""
            engine.stop(signal.SIGINT)
            shutil.rmtree(data)
            saved.rename(data)
            with (data / "postgresql.auto.conf").open("a") as settings:
                settings.write("restore_command = 'false'\n")
            sign = data / "recovery.signal"
            sign.touch()
            owner = data.stat()
            shutil.chown(sign, owner.st_uid, owner.st_gid)
            engine.start()
            end = time.monotonic() + PATIENCE
            with engine.line() as line:
                while line.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
                    assert time.monotonic() < end
                    await asyncio.sleep(0.05)
            assert await asked(engine.url)

    running(scene)


def test_a_server_whose_database_is_brought_back_under_it_leaves_no_gap(elephant: Postgres) -> None:
    url = elephant.emptied()

    async def scene() -> None:
        server = registry(url, "127.0.0.1:1")
        async with sharing(server):
            actor = await server.create(PEOPLE[0], KENTUCKY, bots=["papa"] * 3)
            assert isinstance(actor, Actor)
            code, line = actor.table.code, actor.connect(PEOPLE[0])
            told: list[ms.Message] = []
            for at in range(3):
                actor.take(line, cm.Chat(f"c{at}", text="hello"))
                await quiet(actor)
                told += heard(line)
            seq = actor.table.seq
            # A standby that lacked the last two events has taken over.
            with elephant.line() as plain:
                plain.execute("DELETE FROM events WHERE seq > %s", (seq - 2,))
            actor.take(line, cm.Chat("lost", text="hello?"))
            await until(lambda: actor.gone)
            assert [entry.seq for entry in await server.store.read(code)] == [*range(1, seq - 1)]
            # The client comes again, and proves what it had been told.
            again = await server.place(code)
            assert isinstance(again, Actor)
            mark = (await server.store.timeline()).mark(again.table, seq)
            again.take(again.connect(PEOPLE[0]), cm.Hello(mark=mark))
            while not again.gone:  # noqa: ASYNC110  (it says nothing)
                await asyncio.sleep(0.01)
            third = await server.place(code)
            assert isinstance(third, Actor)
            assert third.table.timeline
            assert third.table.seq == seq

    running(scene)


def test_every_server_of_a_database_hears_within_a_beat_that_another_timeline_has_begun(
    elephant: Postgres,
) -> None:
    url = elephant.emptied()

    async def scene() -> None:
        one, other = (registry(url, f"127.0.0.1:{port}", every=0.05) for port in (1, 2))
        async with sharing(one, other):
            tables = [
                await each.create(PEOPLE[0], KENTUCKY, bots=["papa"] * 3) for each in (one, other)
            ]
            beat = other.leases
            assert isinstance(beat, PostgresLeases)
            while beat._timeline is None:  # noqa: ASYNC110  (it says nothing)
                await asyncio.sleep(0.01)
            await one.store.begin_timeline("")
            async with asyncio.timeout(PATIENCE):
                for actor in tables:
                    assert isinstance(actor, Actor)
                    while not actor.gone:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            # No sweep has been: whoever takes a table up asks.
            for each, actor in zip((one, other), tables, strict=True):
                assert isinstance(actor, Actor)
                again = await each.place(actor.table.code)
                assert isinstance(again, Actor)
                assert again.table.timeline

    running(scene)
