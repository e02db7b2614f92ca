"""The embedded store keeps what it acknowledged and refuses politely what it cannot keep."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection
from tests.server.core.tables import LATER, PEOPLE, running
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.store import sqlite, writer
from rookery.server.store import sqlite as database
from rookery.server.store.base import Conflict, Store, StoreError, TableRow, Visitor
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import events as ev
from rookery.server.table.state import Who

ROW = TableRow("ABCDEF2", True, "lobby", 1, 2)


def entries(first: int, count: int, client: str | None = None) -> list[ev.Entry]:
    return [ev.Entry(first + i, 5, ev.Left(i), client if i == 0 else None) for i in range(count)]


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    try:
        yield store
    finally:
        await store.close()


def test_both_stores_keep_the_same_promises(tmp_path: Path) -> None:
    async def scene() -> None:
        stores: list[Store] = [
            MemoryStore(),
            SqliteStore(tmp_path / "a" / "db"),
            spread_of_three(tmp_path),
        ]
        for store in stores:
            await store.append(ROW, entries(1, 3, "p:1"))
            await store.append(ROW._replace(touched_at=9, phase="over"), entries(4, 1, "p:2"))
            assert await store.read("ABCDEF2") == entries(1, 3, "p:1") + entries(4, 1, "p:2")
            assert await store.read("ABCDEF2", 3) == entries(4, 1, "p:2")
            assert await store.read("ABCDEF2", 4) == await store.read("NOTHERE") == []
            asked = [("ABCDEF2", "p:1"), ("ABCDEF2", "p:2"), ("ABCDEF2", "p:3"), ("OTHER", "p:1")]
            assert [await store.done(*one) for one in asked] == [1, 4, None, None]
            for wrong in (entries(4, 1), entries(5, 1, "p:1")):
                with pytest.raises(Conflict):
                    await store.append(ROW, wrong)
            assert len(await store.read("ABCDEF2")) == 4
            other = TableRow("ABCDEF3", False, "lobby", 3, 20)
            await store.append(other, [ev.Entry(1, 5, ev.Sat(0, "p1", "Bob"), "p:1")])
            await store.append(ROW, [ev.Entry(5, 5, ev.Sat(0, "p1", "Bob"))])
            rows = {row.code: row for row in await store.past(LATER, LATER)}
            assert rows.keys() == {"ABCDEF2", "ABCDEF3"}
            assert rows["ABCDEF2"] == ROW._replace(version=3)
            assert [row.code for row in await store.tables_of("p1")] == ["ABCDEF3", "ABCDEF2"]
            await store.retire("ABCDEF3")
            assert [row.code for row in await store.tables_of("p1")] == ["ABCDEF2"]
            await store.append(
                ROW,
                [ev.Entry(6, 5, ev.Blocked("p1", "p2")), ev.Entry(7, 5, ev.Blocked("p1", "p2"))],
            )
            for one, others, apart in (
                ("p1", {"p2", "p3"}, {"p2"}),
                ("p2", {"p1", "p3"}, {"p1"}),
                ("p2", {"p3"}, set[str]()),
                ("p2", set[str](), set[str]()),
                ("p3", {"p1", "p2"}, set[str]()),
            ):
                assert await store.apart(one, others) == apart
            await store.append(ROW, [ev.Entry(8, 5, ev.Reported("p1", "p2", "rude"))])
            for person, blocked in (("p1", {"p2"}), ("p2", set[str]())):
                await store.add_person(Who(person, "Ann"), f"hash of {person}", 7)
                found = await store.visitor(f"hash of {person}", 6)
                assert found == Visitor(Who(person, "Ann"), 7, frozenset(blocked))
                assert await store.visitor(f"hash of {person}", 7) is None
            assert await store.visitor("another hash") is None
            await store.ping()
            await store.close()

    running(scene)


def test_people_are_known_by_their_tokens(tmp_path: Path) -> None:
    async def scene() -> None:
        stores: list[Store] = [
            MemoryStore(),
            SqliteStore(tmp_path / "db"),
            spread_of_three(tmp_path),
        ]
        for store in stores:
            ann = PEOPLE[0]
            await store.add_person(ann, "hash-1", 1)
            await store.add_token(ann.id, "hash-2", 2)
            assert await store.person("hash-1") == await store.person("hash-2") == ann
            assert await store.person("hash-3") is None
            await store.rename(ann.id, "Anna")
            assert await store.person("hash-1") == ann._replace(name="Anna")
            await store.drop_token("hash-1")
            assert await store.person("hash-1") is None
            await store.add_return(ann.id, "link", 100)
            assert (await store.take_return("link", 50)) == ann._replace(name="Anna")
            assert await store.take_return("link", 50) is None
            await store.add_return(ann.id, "old", 100)
            assert await store.take_return("old", 100) is None
            await store.close()

    running(scene)


def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "db") as store:
            await asyncio.gather(
                *(store.append(ROW._replace(code=f"T{i}"), entries(1, 2, "p:1")) for i in range(99))
            )
        async with opened(tmp_path / "db") as store:
            for i in range(99):
                assert await store.read(f"T{i}") == entries(1, 2, "p:1")
            with pytest.raises(Conflict):
                await store.append(ROW._replace(code="T5"), entries(2, 1))

    running(scene)


def test_one_job_that_breaks_a_key_does_not_harm_the_others(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "db") as store:
            await store.append(ROW, entries(1, 1))
            tried = [ROW, ROW._replace(code="B"), ROW, ROW._replace(code="C")]
            found = await asyncio.gather(
                *(store.append(row, entries(1, 1)) for row in tried), return_exceptions=True
            )
            assert [type(answer) for answer in found] == [Conflict, type(None)] * 2
            assert len(await store.read("C")) == 1

    running(scene)


async def on_disk(store: SqliteStore, statement: str) -> None:
    def work(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    await store.do(work)


def test_a_full_disk_refuses_all_and_keeps_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "db") as store:
            await store.append(ROW, entries(1, 1))
            await on_disk(store, "PRAGMA max_page_count=1")
            long = [ev.Entry(2 + i, 5, ev.Renamed(0, "x" * 4000)) for i in range(40)]
            found = await asyncio.gather(
                *(
                    store.append(ROW._replace(code=c), [ev.Entry(1, 5, long[0].event)] * 1)
                    for c in "AB"
                ),
                store.append(ROW, long),
                return_exceptions=True,
            )
            assert any(type(answer) is StoreError for answer in found)
            kept = {c: len(await store.read(c)) for c in ("A", "B", "ABCDEF2")}
            answers = dict(zip(kept, found, strict=True))
            for code, answer in answers.items():
                before = 1 if code == "ABCDEF2" else 0
                assert kept[code] == before + (0 if answer is not None else 1)
            assert kept["ABCDEF2"] == 1
            await on_disk(store, "PRAGMA max_page_count=100000")
            await store.append(ROW, long)
            assert len(await store.read("ABCDEF2")) == 41

    running(scene)
    assert "full" in caplog.text
    assert "xxx" not in caplog.text  # no card, name or word goes into a log


def test_a_disk_that_cannot_be_written_refuses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "db") as store:
            await store.append(ROW, entries(1, 1))
            await on_disk(store, "PRAGMA query_only=1")
            with pytest.raises(StoreError):
                await store.append(ROW, entries(2, 1))
            assert len(await store.read("ABCDEF2")) == 1

    with caplog.at_level(logging.CRITICAL):
        running(scene)


def test_a_store_that_is_closed_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / "db")
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.append(ROW, entries(1, 1))

    running(scene)


@pytest.mark.parametrize(
    ("promise", "less", "told"),
    [
        ("synchronous=FULL", "synchronous=NORMAL", "synchronous 1"),
        ("journal_mode=WAL", "journal_mode=DELETE", "journal delete"),
    ],
)
def test_a_database_that_promises_less_is_refused(
    promise: str, less: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = database.connected

    class Softened:
        """A connection behind which somebody has turned the promise down."""

        def __init__(self, connection: Connection) -> None:
            self.connection = connection

        def exec_driver_sql(self, statement: str) -> object:
            return self.connection.exec_driver_sql(statement.replace(promise, less))

        def close(self) -> None:
            self.connection.close()

    held = []

    def connected(engine: object) -> object:
        held.append(whole(engine))  # type: ignore[arg-type]
        return Softened(held[-1])

    monkeypatch.setattr(sqlite, "connected", connected)
    with pytest.raises(StoreError, match=told):
        SqliteStore(tmp_path / "db")
    held[0].close()


def test_a_database_of_a_later_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "db") as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    (tmp_path / "text").write_text("no database at all, but long enough to be read as one" * 9)
    for name, what in (("db", "version 99"), ("text", "not a database")):
        with pytest.raises(StoreError, match=what) as refused:
            SqliteStore(tmp_path / name)
        # Nothing of it stays open, as long as the error is kept.
        assert str(tmp_path / name) not in map(os.path.realpath, Path("/proc/self/fd").iterdir())
        del refused


def test_the_tables_are_strict(tmp_path: Path) -> None:
    async def scene() -> None:
        async with opened(tmp_path / "db") as store:
            await store.append(ROW, entries(1, 1))

    running(scene)
    connection = sqlite3.connect(tmp_path / "db")
    made = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type='table'"))
    assert len(made) == 24
    assert all("STRICT" in sql for sql in made.values())
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO events VALUES ('T', 'one', 1, NULL, '{}')")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.rollback()
    connection.execute("UPDATE events SET body = '{}'")
    connection.commit()
    connection.close()

    async def read() -> None:
        async with opened(tmp_path / "db") as store:
            with pytest.raises(StoreError, match="cannot be read"):
                await store.read("ABCDEF2")

    running(read)


@pytest.mark.skipif(os.name == "nt", reason="Windows moves no file that is open")
def test_a_database_that_has_been_moved_takes_nothing_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, moved, other = tmp_path / "tables", tmp_path / "tables.old", tmp_path / "other"

    async def refuses(store: SqliteStore) -> None:
        with pytest.raises(StoreError, match=r"tables.db has been moved.*; bring it back"):
            await store.append(ROW, entries(2, 1))
        with pytest.raises(StoreError):
            await store.ping()

    async def scene() -> None:
        async with opened(folder / "db") as store:
            await store.append(ROW, entries(1, 1))
            folder.rename(moved)
            await refuses(store)
            async with opened(folder / "db") as restored:  # another one in its place
                await refuses(store)
                await restored.append(ROW, entries(1, 1))
            folder.rename(other)
            moved.rename(folder)
            await store.append(ROW, entries(2, 1))
            assert await store.read("ABCDEF2") == entries(1, 1) + entries(2, 1)

    monkeypatch.setattr(writer, "LOOK", 0)
    running(scene)


def test_what_of_the_folder_cannot_be_used_is_named_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "rookery.commits").mkdir()
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path / "db")
    assert str(caught.value) == f"{tmp_path / 'rookery.commits'}: is a directory"
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path / "folder")
    assert str(caught.value) == f"{tmp_path / 'folder'}: unable to open database file"
