"""A table has one writer, whoever believes to be it."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text
from tests.faults.broken import overwriting
from tests.faults.history import History, Op, complaints
from tests.server.core.tables import KENTUCKY, PEOPLE, find, running
from tests.server.core.test_unreadable import put_back, spoilt
from tests.server.growth.engines import logs, owners
from tests.server.growth.registries import eventually, registry, sharing, until

from rookery.server.cluster import postgres_leases
from rookery.server.cluster.postgres_leases import Beat, PostgresLeases
from rookery.server.live.actor import Actor
from rookery.server.store import rows as log_rows
from rookery.server.store.base import Fenced, TableRow, Unreadable
from rookery.server.store.leases import Elsewhere, Held, Lease
from rookery.server.store.postgres import PostgresStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

ROW = TableRow("ABCDEF2", False, "lobby", 1, 2)


def left(seq: int) -> list[ev.Entry]:
    return [ev.Entry(seq, 5, ev.Left(0))]


def test_an_old_epoch_writes_nothing(database: str) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            lease = first.leases.fresh()
            await first.store.append(ROW, left(1), lease)
            assert await second.leases.take("ABCDEF2") == Elsewhere("a:1", first.leases.secret)  # type: ignore[attr-defined]
            has = [await one.leases.elsewhere("ABCDEF2") for one in (first, second)]
            assert (has, await second.leases.elsewhere("NOTHERE")) == ([False, True], False)
            taken = await second.leases.take("ABCDEF2", by_force=True)
            assert taken == Lease("b:1", 2)
            assert await first.leases.elsewhere("ABCDEF2")
            # The number is free, and the old owner does not know yet.
            for change in (
                first.store.append(ROW, left(2), lease),
                first.store.rewrite("ABCDEF2", left(1), lease),
                first.store.retire("ABCDEF2", lease),
            ):
                with pytest.raises(Fenced):
                    await change
            await second.store.append(ROW, left(2), taken)
            assert await first.store.read("ABCDEF2") == left(1) + left(2)

    running(scene)


@pytest.mark.parametrize("wrong", [True, False])  # the second is the control
def test_a_table_that_one_server_cannot_read_another_may_have(
    database: str, *, wrong: bool
) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            made, store = await first.create(PEOPLE[0], KENTUCKY), first.store
            assert isinstance(made, Actor)
            assert isinstance(store, PostgresStore)
            code = made.table.code
            await first.put_away(code)
            if wrong:
                was = await spoilt(store, code)  # as a server of before finds it
                with pytest.raises(Unreadable):
                    await first.place(code)
                await put_back(store, code, was)
            else:
                assert isinstance(await first.place(code), Actor)
            assert isinstance(await second.place(code), Actor if wrong else Elsewhere)

    running(scene)


def test_of_many_who_take_a_table_at_once_one_has_it(database: str) -> None:
    async def scene() -> None:
        registries = [registry(database, f"{name}:1") for name in "abcd"]
        async with sharing(*registries):
            await registries[0].store.append(ROW, left(1), Lease(None, 0))
            found = await asyncio.gather(*(one.leases.take("ABCDEF2") for one in registries))
            (lease,) = (one for one in found if isinstance(one, Lease))
            assert {one.address for one in found if isinstance(one, Elsewhere)} == {lease.owner}

    running(scene)


async def _say(actor: Actor, history: History, number: int) -> None:
    """Say something at a table, and wait for the answer or the end of the line."""
    who = PEOPLE[0]
    line = actor.connect(who)
    command = {"type": "chat", "text": f"{number}"}
    op = Op(who.id, f"o{number}", command, 0, 2.0 * number)
    history.ops.append(op)
    actor.take(line, cm.Chat(op.id, text=command["text"]))
    while True:
        message = await line.outbox.get()
        if isinstance(message, ms.Ack):
            op.seq, op.replied = message.seq, 2.0 * number + 1
        if isinstance(message, ms.Ack | ms.Closing):
            actor.disconnect(line)
            return


def _two_owners(database: str) -> History:
    """Have two servers believe that a table is theirs, and both of them asked."""
    history = History("")

    async def scene() -> None:
        first, second = registry(database, "a:1"), registry(database, "b:1")
        async with sharing(first, second):
            old = await first.create(PEOPLE[0], KENTUCKY, title="")
            assert isinstance(old, Actor)
            history.code = old.table.code
            await _say(old, history, 1)
            await second.leases.take(history.code, by_force=True)
            new = await find(second, history.code)
            assert new is not None
            for number in range(2, 8, 2):
                await _say(new, history, number)
                await _say(old, history, number + 1)

    running(scene)
    return history


def test_a_server_that_wakes_up_late_does_no_harm(database: str) -> None:
    history = _two_owners(database)
    assert complaints(history, logs(database)[history.code]) == []
    # The new owner acknowledged all, the old one nothing.
    assert [op.seq is not None for op in history.ops] == [True, *[True, False] * 3]


def test_the_control_without_a_fence_two_owners_write(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_rows.LogRows, "append", overwriting())
    history = _two_owners(database)
    assert "lost" in {one.kind for one in complaints(history, logs(database)[history.code])}


def test_a_server_finds_out_that_it_has_a_table_no_more(database: str) -> None:
    async def scene() -> None:
        first, second = registry(database, "a:1", every=0.05), registry(database, "b:1")
        async with sharing(first, second):
            actor = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            line = actor.connect(PEOPLE[0])
            await second.leases.take(actor.table.code, by_force=True)
            while not isinstance(message := await line.outbox.get(), ms.Closing):
                pass
            assert message.code == 4012
            assert actor.gone

    running(scene)


async def robbed(database: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[bool], bool]:
    """Return which of ten heartbeats asked for all tables, and whether one that is taken shows."""
    asked: list[bool] = []
    monkeypatch.setattr(postgres_leases, "_ALL", 3600.0)
    sound = PostgresLeases._found

    def found(self: PostgresLeases, beat: Beat, before: Held) -> None:
        if self.address == "a:1":
            asked.append(beat.held is not None)
        sound(self, beat, before)

    monkeypatch.setattr(PostgresLeases, "_found", found)
    first, second = registry(database, "a:1", every=0.02), registry(database, "b:1", every=0.02)
    async with sharing(first, second):
        made = [await first.create(PEOPLE[0], KENTUCKY) for _ in range(3)]
        actors = [actor for actor in made if isinstance(actor, Actor)]
        await until(lambda: len(asked) > 2)
        asked.clear()
        await until(lambda: len(asked) >= 10)
        quiet = asked[:10]
        await second.leases.take(actors[1].table.code, by_force=True)
        asked.clear()
        await until(lambda: len(asked) >= 5)
        return quiet, [actor.gone for actor in actors] == [False, True, False]


def test_a_heartbeat_asks_for_tables_only_where_one_was_taken(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        quiet, shows = await robbed(database, monkeypatch)
        assert not any(quiet)
        assert shows

    running(scene)


def test_the_control_takes_a_table_and_leaves_no_mark(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_leases, "_ROBBED", text("SELECT :owner"))

    async def scene() -> None:
        _, shows = await robbed(database, monkeypatch)
        assert not shows

    running(scene)


def test_who_is_silent_loses_its_tables_and_who_leaves_gives_them_back(database: str) -> None:
    async def scene() -> None:
        first, second = (
            registry(database, "a:1"),
            registry(database, "b:1", silence=0.2, every=0.02),
        )
        third = registry(database, "c:1")
        async with sharing(first, second, third):
            actor = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            code = actor.table.code
            assert isinstance(await third.place(code), Elsewhere)
            await eventually(lambda: find(second, code))
            assert owners(database)[code] == ("b:1", 2)
            await second.leave()
            assert owners(database)[code] == (None, 2)
            assert isinstance(await third.place(code), Actor)

    running(scene)


@pytest.mark.parametrize("ahead", [0, 3_600_000])
def test_a_server_that_died_before_the_databases_clock_was_set_back_is_gone_too(
    database: str, ahead: int
) -> None:
    """Without anything `ahead` it is the control."""

    async def scene() -> None:
        last = registry(database, "b:1", silence=0.5, every=0.05)
        store, late = last.store, {"now": last.clock.now() + ahead}
        assert isinstance(store, PostgresStore)
        await store.change(text("INSERT INTO servers VALUES ('a:1', 'secret', :now)"), late)
        await store.append(ROW, left(1), Lease("a:1", 1))
        async with sharing(last):
            await until(lambda: last.leases.leads)

            async def taken() -> Lease | None:
                found = await last.leases.take(ROW.code)
                return found if isinstance(found, Lease) else None

            assert await eventually(taken) == Lease("b:1", 2)

    running(scene)


def test_of_two_servers_under_one_address_the_later_stays(database: str) -> None:
    async def scene() -> None:
        ended: list[bool] = []
        first = registry(database, "a:1", every=0.02, replaced=lambda: ended.append(True))
        second = registry(database, "a:1")
        async with sharing(first):
            actor = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(actor, Actor)
            await second.open(str)
            await until(lambda: bool(ended))
            # It knows its own tables at once, without waiting until the earlier one is silent.
            assert isinstance(await second.place(actor.table.code), Actor)
            await first.leave()
            assert owners(database)[actor.table.code] == ("a:1", 2)
            await second.close()

    running(scene)


@pytest.mark.parametrize(
    "before",
    ["DELETE FROM servers", "UPDATE servers SET secret = 'of another start', beat_at = 5"],
)
def test_a_server_goes_on_whose_database_was_brought_back_to_before_it_came(
    database: str, before: str
) -> None:
    """The control is the test before: where somebody lives at its address, it ends."""

    async def scene() -> None:
        ended: list[bool] = []
        first = registry(database, "a:1", every=0.02, replaced=lambda: ended.append(True))
        async with sharing(first):
            actor, leases, store = (
                await first.create(PEOPLE[0], KENTUCKY),
                first.leases,
                first.store,
            )
            assert isinstance(actor, Actor)
            assert isinstance(leases, PostgresLeases)
            assert isinstance(store, PostgresStore)
            await store.change(text(before))

            async def there() -> bool | None:
                known = await store.look(
                    lambda line: line.scalar(text("SELECT secret FROM servers"))
                )
                return bool(ended) or known == leases.secret or None

            await eventually(there)
            assert not ended
            assert not actor.gone

    running(scene)
