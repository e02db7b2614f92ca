"""A table that this version cannot read, as after going back to it from a later one.

Whatever is about many tables goes on without that one.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select, update
from tests.server.core.tables import PEOPLE, Room, heard, quiet, running
from tests.server.core.test_swept import spoken
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made
from tests.server.http.test_screens import FAST
from tests.server.http.test_screens_alone import ROUND, all_done, entries, held, parts

from rookery.server.api.admin import overview
from rookery.server.api.evenings import screens
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store import schema as db
from rookery.server.store.base import Unreadable
from rookery.server.store.leases import Lease
from rookery.server.store.sql import SqlStore
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.state import Who

E = db.events.c


async def spoilt(store: SqlStore, code: str) -> str:
    """Have the first event of a table be one of a later version; return what it was."""
    first = E.table_id == code, E.seq == 1
    was = await store.look(lambda line: line.scalar(select(E.body).where(*first)))
    await put_back(store, code, '{"type":"of-later"}')
    return str(was)


async def put_back(store: SqlStore, code: str, body: str) -> None:
    await store.change(update(db.events).where(E.table_id == code, E.seq == 1).values(body=body))


@pytest.mark.parametrize("wrong", [True, False])  # the second is the control
def test_no_list_and_no_page_lacks_more_than_that_table(tmp_path: Path, *, wrong: bool) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        registry = TableRegistry(store, Settings())
        here = Here(registry=registry)
        async with here.running(), here.person("Ann") as ann:
            codes = []
            for _ in range(2):
                answer = await ann.post("/api/tables", json={"open": True})
                codes.append(answer.json()["code"])
                await registry.put_away(codes[-1])
            row, me = await store.row(codes[0]), (await ann.get("/api/session")).json()["person"]
            assert row is not None
            reported = ev.Reported(me, me, "rude")
            seq = len(await store.read(codes[0])) + 1
            await store.append(row, [ev.Entry(seq, row.touched_at, reported)])
            registry.recall(codes[0])
            if wrong:
                await spoilt(store, codes[0])
                with pytest.raises(Unreadable):
                    await registry.table(codes[0])
            there = {*codes[wrong:]}
            told = await ann.get("/api/session")
            assert told.status_code == 200
            assert {one["code"] for one in told.json()["tables"]} == there
            assert {one.code for one in await registry.lobby.tables()} == there
            found = await registry.strangers.find(Who(me, "Ann"), None, ())
            assert found is not None
            assert found.table.code in there
            assert (await ann.get("/api/session/statistics")).json()["tables"] == 2
            (report,) = (await overview(parts(here))).reports
            assert (report.reason, report.by) == ("rude", None if wrong else "Ann")

    asyncio.run(scene())


def test_what_was_said_elsewhere_goes_and_there_once_it_can_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        room = Room(store, Settings(keep_lobby=365 * DAY))
        await spoken(room, 12)  # two lines at each of six tables
        (first, *_) = await store.said(0, room.clock.now())
        was = await spoilt(store, first)
        await room.turn(room.settings.keep_chat)
        await room.registry.sweep()
        assert room.registry.tally.counts["cleared"] == {"chat": 10}
        await put_back(store, first, was)
        await room.turn(3_600_000)
        await room.registry.sweep()
        assert room.registry.tally.counts["cleared"] == {"chat": 12}
        await room.close()

    running(scene)


def test_whoever_is_forgotten_is_elsewhere_and_there_once_it_can_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        store, ann = SqliteStore(tmp_path / FILE), PEOPLE[0]
        room = Room(store)
        await spoken(room, 6)
        codes = await store.traces_of(ann.id)
        was = await spoilt(store, codes[0])
        await room.registry.retention.forget(ann.id)
        assert await store.unfinished() == [ann.id]
        for code in codes[1:]:
            (entry,) = await store.read(code)
            assert isinstance(entry.event, ev.Chatted)
            assert entry.event.name != "Ann"
        await put_back(store, codes[0], was)
        await room.registry.sweep()
        assert await store.unfinished() == []
        await room.close()

    running(scene)


def test_meanwhile_nothing_else_is_read_again_and_what_comes_late_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store, ann = SqliteStore(tmp_path / FILE), PEOPLE[0]
        room, seen, read = Room(store), list[str](), store.read
        await spoken(room, 6)
        lost, *codes = await store.traces_of(ann.id)
        was = await spoilt(store, lost)

        async def counted(code: str, after: int = 0, most: int | None = None) -> list[ev.Entry]:
            seen.append(code)
            return await read(code, after, most)

        monkeypatch.setattr(store, "read", counted)
        await room.registry.retention.forget(ann.id)
        await room.registry.sweep()
        assert {*seen} == {lost, *codes}  # the control
        seen.clear()
        await room.registry.sweep()
        assert {*seen} == {lost}
        row = await store.row(codes[0])
        assert row is not None
        late = ev.Entry(2, row.touched_at, ev.Chatted(ann.id, ann.name, 0, "late"))
        await store.append(row, [late])
        await put_back(store, lost, was)
        await room.registry.sweep()
        assert await store.unfinished() == []
        words = [one.event for code in (lost, *codes) for one in await read(code)]
        assert not any(one.name == ann.name for one in words if isinstance(one, ev.Chatted))
        await room.close()

    running(scene)


@pytest.mark.parametrize("wrong", [True, False])  # the second is the control
def test_an_evening_on_screens_goes_on_at_its_other_tables(tmp_path: Path, *, wrong: bool) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        here = Here(registry=TableRegistry(store, Settings()))
        here.registry.admission.done = bool  # nothing is scored before it is looked after here
        async with here.running(), here.person("Ann") as ann:
            evening = await made(ann, screens=FAST)
            await done(ann, evening, ROUND)
            await all_done(here, 2)
            codes = [(await held(here, evening)).log.codes[1, table] for table in (1, 2)]
            for code in codes:
                await here.registry.put_away(code)
                here.registry.recall(code)
            if wrong:
                await spoilt(store, codes[0])
            await screens.tend(parts(here), evening["code"], None)
            said = await entries(here, evening)
            assert [one["table"] for one in said if one["do"] == "played"] == [1, 2][wrong:]

    asyncio.run(scene())


@pytest.mark.parametrize("begin", [True, False], ids=["play", "lobby"])
def test_whoever_is_forgotten_goes_from_a_table_once(tmp_path: Path, *, begin: bool) -> None:
    async def scene() -> None:
        store, ann = SqliteStore(tmp_path / FILE), PEOPLE[0]
        room = Room(store)
        await spoken(room, 1)
        (lost,) = await store.traces_of(ann.id)
        await spoilt(store, lost)
        actor, (_, bob) = await room.table(people=2, begin=begin)
        heard(bob)
        await room.registry.retention.forget(ann.id)
        await quiet(actor)
        assert any(isinstance(one, ms.Welcome) for one in heard(bob))  # the control
        assert "Ann" not in {chair.name for chair in actor.table.chairs}
        # What cannot be read is tried each minute; nobody else is told anything.
        await room.registry.sweep()
        await quiet(actor)
        assert await store.unfinished() == [ann.id]
        assert not any(isinstance(one, ms.Welcome) for one in heard(bob))
        await room.close()

    running(scene)


def test_what_cannot_be_wiped_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store, ann = SqliteStore(tmp_path / FILE), PEOPLE[0]
        room, given = Room(store), list[str]()
        await spoken(room, 6)
        codes = await store.traces_of(ann.id)
        await spoilt(store, codes[0])

        async def give_back(code: str, lease: Lease) -> None:
            given.append(code)

        monkeypatch.setattr(room.registry.leases, "give_back", give_back)
        await room.registry.retention.forget(ann.id)
        assert sorted(given) == sorted(codes)
        await room.close()

    running(scene)


def test_a_name_goes_out_of_evenings_that_can_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        here = Here(registry=TableRegistry(store, Settings()))
        async with here.running(), here.person("Ann") as ann, here.person("Rob") as rob:
            evenings = [await made(ann) for _ in range(2)]
            for evening in evenings:
                await done(rob, evening, {"do": "claim", "person": 1})
                await done(ann, evening, {"do": "clock", "minutes": 5})
            first, second = sorted(evening["code"] for evening in evenings)
            entry = db.sheet_entries.c
            change = update(db.sheet_entries).where(entry.code == first, entry.number == 2)
            await store.change(change.values(body='{"do":"of-later"}'))
            assert (await rob.delete("/api/session")).status_code == 200
            assert await store.sheets.unwiped() == [first]
            told = (await ann.get(f"/api/evenings/{second}")).json()["evening"]["people"]
            assert [one["name"] for one in told[:3]] == ["Ann", "", "Cy"]
            await store.change(change.values(body='{"do":"clock","ends":5}'))
            await here.registry.sweep()
            assert await store.sheets.unwiped() == []

    asyncio.run(scene())
