"""P1, P16: what is not kept is not acknowledged, and what may have been kept is not refused."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError
from tests.server.core.tables import KENTUCKY, LATER, PEOPLE, find, running
from tests.server.growth.engines import Postgres, logs
from tests.server.growth.registries import eventually, registry, sharing

from rookery.server.live.actor import Actor
from rookery.server.store import postgres
from rookery.server.store.base import Conflict, InDoubt, StoreError, TableRow
from rookery.server.store.leases import Lease
from rookery.server.store.postgres import PostgresStore, PostgresWriter
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

ROW = TableRow("ABCDEF2", False, "lobby", 1, 2)
NOBODYS = Lease(None, 0)


def entry(seq: int, client: str | None = None) -> list[ev.Entry]:
    return [ev.Entry(seq, 5, ev.Left(0), client)]


@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
def test_a_database_that_answers_before_it_has_written_is_refused(
    elephant: Postgres, database: str, name: str
) -> None:
    def put(value: str) -> None:
        with elephant.line() as line:
            line.execute(f"ALTER SYSTEM SET {name} = {value}")
            line.execute("SELECT pg_reload_conf()")
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with elephant.line() as line:
                if line.execute(f"SHOW {name}").fetchone() == (value,):
                    return
        raise TimeoutError(name)

    put("off")
    try:
        with pytest.raises(StoreError, match=f"{name} is off; expected on"):
            PostgresStore(database)
    finally:
        put("on")
    running(lambda: PostgresStore(database).close())


def test_each_line_asks_for_durable_commits_whatever_the_role_is_set_to(
    elephant: Postgres, database: str
) -> None:
    with elephant.line() as line:
        line.execute("ALTER ROLE rookery SET synchronous_commit = off")
    try:

        async def scene() -> None:
            store = PostgresStore(database)
            asked = text("SHOW synchronous_commit")
            assert await store.look(lambda found: found.scalar(asked)) == "on"
            for of in "abcd":  # by each of the writers
                assert await store.do(lambda found: found.scalar(asked), of=of) == "on"
            await store.close()

        running(scene)
    finally:
        with elephant.line() as line:
            line.execute("ALTER ROLE rookery RESET synchronous_commit")


def test_a_job_that_is_not_possible_harms_no_other(database: str) -> None:
    async def scene() -> None:
        store = PostgresStore(database)
        await store.append(ROW, entry(1, "p:1"), NOBODYS)
        tried = [
            store.append(ROW._replace(code=f"T{number}"), entry(1), NOBODYS) for number in range(9)
        ]
        wrong = [
            store.append(ROW, entry(1), NOBODYS),
            store.append(ROW, entry(2, "p:1"), NOBODYS),
            store.append(ROW, entry(2), Lease("a:1", 7)),
        ]
        found = await asyncio.gather(*tried[:4], *wrong, *tried[4:], return_exceptions=True)
        assert [isinstance(answer, Conflict) for answer in found] == [False] * 4 + [True] * 3 + [
            False
        ] * 5
        assert len(await store.past(LATER, LATER)) == 10
        assert len(await store.read("ABCDEF2")) == 1
        await store.close()

    running(scene)


def test_a_fault_in_one_job_leaves_the_others_and_the_thread_alone(database: str) -> None:
    async def scene() -> None:
        store = PostgresStore(database)

        def faulty(_: Connection) -> None:
            raise ValueError("a fault of ours")

        found = await asyncio.gather(
            store.append(ROW, entry(1), NOBODYS),
            store.do(faulty, of=ROW.code),
            store.append(ROW, entry(2), NOBODYS),
            return_exceptions=True,
        )
        assert [type(answer) for answer in found] == [type(None), StoreError, type(None)]
        assert len(await store.read(ROW.code)) == 2
        await store.close()

    running(scene)


def test_a_line_that_breaks_between_two_commits_is_made_anew(
    elephant: Postgres, database: str
) -> None:
    async def scene() -> None:
        store = PostgresStore(database)
        await store.append(ROW, entry(1), NOBODYS)
        with elephant.line() as line:
            line.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'rookery'"
            )
        await store.append(ROW, entry(2), NOBODYS)
        assert len(await store.read("ABCDEF2")) == 2
        await store.close()

    running(scene)


def _broken(writer: PostgresWriter) -> OperationalError:
    """Break a writer's line, as a network would; return what its driver says."""
    assert writer._line is not None
    raw: Any = writer._line.connection.dbapi_connection
    raw.close()
    found = OperationalError("COMMIT", {}, psycopg.OperationalError("the line is broken"))
    found.connection_invalidated = True
    return found


@pytest.mark.parametrize("reached", [True, False])
def test_an_end_that_is_not_known_is_neither_acknowledged_nor_refused(
    database: str, monkeypatch: pytest.MonkeyPatch, reached: bool
) -> None:
    sound, broken = PostgresWriter._commit, [False]

    def commit(self: PostgresWriter) -> None:
        if broken[0]:
            broken[0] = False
            if reached:
                sound(self)
            raise _broken(self)
        sound(self)

    monkeypatch.setattr(PostgresWriter, "_commit", commit)

    async def scene() -> None:
        one = registry(database, "a:1")
        async with sharing(one):
            actor = await one.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            code = actor.table.code
            said = cm.Chat("c1", text="hello")
            line = actor.connect(PEOPLE[0])
            actor.take(line, cm.Hello())
            assert isinstance(await line.outbox.get(), ms.Welcome)
            broken[0] = True
            actor.take(line, said)
            answers = [await line.outbox.get()]
            assert isinstance(answers[-1], ms.Closing)
            # Who comes back asks again, and it is done once.
            again = await eventually(lambda: find(one, code))
            assert again is not actor
            line = again.connect(PEOPLE[0])
            again.take(line, said)
            while not isinstance(answer := await line.outbox.get(), ms.Ack):
                assert not isinstance(answer, ms.Refused)
            log = logs(database)[code]
            assert [item.client for item in log].count(f"{PEOPLE[0].id}:c1") == 1
            assert log[answer.seq - 1].client == f"{PEOPLE[0].id}:c1"

    running(scene)


def test_a_database_that_is_away_refuses_politely_and_comes_back(
    elephant: Postgres, database: str
) -> None:
    async def scene() -> None:
        store = PostgresStore(database)
        await store.append(ROW, entry(1), NOBODYS)
        await asyncio.to_thread(elephant.stop, signal.SIGINT)
        try:
            for number in range(3):
                with pytest.raises(StoreError) as refused:
                    await store.append(ROW, entry(2 + number), NOBODYS)
                assert not isinstance(refused.value, InDoubt)
            with pytest.raises(StoreError):
                await store.read("ABCDEF2")
        finally:
            await asyncio.to_thread(elephant.start)
        await store.append(ROW, entry(2), NOBODYS)
        assert len(await store.read("ABCDEF2")) == 2
        await store.close()

    running(scene)


def test_who_stands_still_in_the_middle_of_writing_does_not_hold_up_the_next(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres._PATIENCE, "idle_in_transaction_session_timeout", "300ms")

    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            await first.store.append(ROW, entry(1), first.leases.fresh())
            engine = postgres.opened(database)

            def begins() -> Connection:
                line = engine.connect()
                line.execute(text("UPDATE tables SET version = version + 1"))
                return line

            line = begins()
            # The database ends what stands still in a transaction.
            assert isinstance(await second.leases.take("ABCDEF2", by_force=True), Lease)
            line.invalidate()
            line.close()

    running(scene)
