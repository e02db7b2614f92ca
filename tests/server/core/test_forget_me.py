"""Whoever asks to be forgotten is in no byte of the database any more."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.server.core.tables import LATER, PEOPLE, Room, quiet, running
from tests.server.core.wiped import without
from tests.server.growth.stored import rows

from rookery.rules import load
from rookery.server.live.actor import Actor
from rookery.server.settings import DAY
from rookery.server.store import sqlite
from rookery.server.store.backup import seen
from rookery.server.store.base import Challenge, Passkey, TableRow
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.state import Who

MAUD = Who("00ff00ff00ff00ff", "Maud Marigold")
# Her name, what she said, wrote and reported, and an id that her program made up.
WORDS = ("Marigold", "Elm Street", "Larkspur", "heather", "foxglove", "bluebell", "snapdragon")
OTHERS = ("Ann", "lovely weather")
MINE = load({"base": "kd_tournament", "name": "Larkspur rules", "notes": "as at heather hall"})


def left_in(folder: Path, words: tuple[str, ...] = WORDS) -> set[str]:
    """Return which of these words stand in any file of a folder, in whatever part of it."""
    held = b"".join(path.read_bytes() for path in folder.iterdir())
    return {word for word in words if word.encode() in held}


async def said(actor: Actor, who: Who, *commands: cm.Changing) -> None:
    """Have somebody say these things at a table and go again."""
    line = actor.connect(who)
    for command in commands:
        actor.take(line, command)
    await quiet(actor)
    actor.disconnect(line)


async def lived(room: Room) -> None:
    """Let Maud make a table, play at another, and talk at a third that she only watches."""
    await room.store.add_person(MAUD, "hash", room.clock.now())
    await room.store.add_return(MAUD.id, "link", room.clock.now() + DAY)
    passkey = Passkey("credential", MAUD.id, "handle", "key", 0, room.clock.now(), 1)
    await room.store.add_passkey(passkey, Challenge("challenge", DAY), "hash", 9)
    mine = await room.registry.create(MAUD, MINE, title="bluebell evening")
    assert isinstance(mine, Actor)
    await said(mine, PEOPLE[0], cm.Sit("s"))
    await said(mine, MAUD, cm.Start("snapdragon-1"), cm.Table("t", pace="calm"))
    theirs, _ = await room.table(people=2, begin=False)
    await said(
        theirs,
        MAUD,
        cm.Sit("s"),
        cm.Report("r", 0, "he lives in Elm Street"),
        cm.Block("b", 1),
    )
    watched, _ = await room.table(people=4)
    await said(watched, MAUD, cm.Chat("c", text="is foxglove here?"), cm.Report("r", 2, "foxglove"))
    # Enough talk for pages to be split, so that copies of lines are left behind.
    for i in range(60):
        await said(watched, MAUD, cm.Chat(f"c{i}", text=f"foxglove {i} " + "x" * 200))
        await said(watched, PEOPLE[0], cm.Chat(f"d{i}", text=f"lovely weather {i} " + "y" * 200))
    for actor in list(room.registry._actors.values()):
        for line in list(actor.company.lines):
            actor.disconnect(line)
        await quiet(actor)


def test_nothing_of_a_person_is_left_in_the_file(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        await lived(room)
        assert left_in(tmp_path) == set(WORDS)
        await room.registry.retention.forget(MAUD.id)
        assert await room.store.unfinished() == []
        await room.turn(room.settings.idle)
        await room.registry.sweep()
        assert not room.registry.actors
        assert left_in(tmp_path) == set()
        assert left_in(tmp_path, OTHERS) == set(OTHERS)
        for row in await room.store.past(LATER, LATER):
            table = await room.registry.table(row.code)
            assert table is not None
            assert table.seq == len(await room.store.read(row.code))
        assert await room.store.compact(room.clock.now()) is False
        await room.close()

    running(scene)
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM reports").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM forgotten").fetchone() == (0,)
    connection.close()


def holding(file: Path, person: str) -> set[str]:
    """Return the tables of a database in which a person's number stands, in whatever column."""
    return {table for table, found in rows(file).items() if person in str(found)}


def test_only_events_and_reports_know_her_number_afterwards(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        await lived(room)
        blocked = ev.Entry(1, room.clock.now(), ev.Blocked(PEOPLE[0].id, MAUD.id))
        await room.store.append(TableRow("ABCDEF2", False, "lobby", 1, blocked.at), [blocked])
        first = {"people", "sessions", "passkeys", "returns", "seated", "spoke", "blocks"}
        assert holding(tmp_path / FILE, MAUD.id) == first | {"events", "reports"}
        await room.registry.retention.forget(MAUD.id)
        assert holding(tmp_path / FILE, MAUD.id) == {"events", "reports", "forgotten"}
        await room.turn(room.settings.idle)
        await room.registry.sweep()
        assert holding(tmp_path / FILE, MAUD.id) == {"events", "reports"}
        await room.close()

    running(scene)


def test_whoever_plays_waits_for_no_backup_when_somebody_is_forgotten(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        await store.add_person(MAUD, "hash", 1)
        with seen(tmp_path, None) as reading:
            assert reading.scalar(text("SELECT count(*) FROM people")) == 1
            await store.forget(MAUD.id, 2)
            most, began = sqlite._BUSY / 2_000, time.perf_counter()
            forgotten = asyncio.create_task(store.forgotten(MAUD.id, []))
            await asyncio.sleep(0)
            await store.ping()  # as a move does, which comes after it
            assert time.perf_counter() - began < most
            await forgotten
            began = time.perf_counter()
            assert not await store.compact(3)
            assert time.perf_counter() - began < most
            # The control: as long as the backup reads, whoever waits for it waits in vain.
            assert not await store.do(lambda line: sqlite.checkpointed(line, 9), alone=True)
            assert left_in(tmp_path) == {"Marigold"}
        assert await store.compact(3)
        assert left_in(tmp_path) == set()
        await store.close()

    running(scene)


async def only_where_she_sat(store: SqliteStore, person: str) -> list[str]:
    return [row.code for row in await store.tables_of(person)]


async def not_at_all(*_: object) -> None:
    """Leave everything as it was."""


def keep_the_log(*_: object) -> None:
    """Leave the write-ahead log as it was."""


CONTROLS: list[tuple[object, str, object, set[str]]] = [
    (SqliteStore, "traces_of", only_where_she_sat, {"foxglove"}),
    (SqliteStore, "rewrite", not_at_all, {"Marigold", "Elm Street", "foxglove", "bluebell"}),
    (sqlite, "checkpointed", keep_the_log, {"Marigold"}),
]


NAMES = ["watched tables", "tables at all", "the log"]


@pytest.mark.parametrize(("where", "name", "fault", "found"), CONTROLS, ids=NAMES)
def test_the_control_a_store_that_forgets_less_is_found_out(
    where: object,
    name: str,
    fault: object,
    found: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(where, name, fault)

    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        await lived(room)
        await room.registry.retention.forget(MAUD.id)
        await room.store.compact(room.clock.now())
        assert left_in(tmp_path) >= found
        await room.close()

    running(scene)


def test_what_was_begun_before_a_crash_is_ended_after_it(tmp_path: Path) -> None:
    async def before() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        await lived(room)
        await room.store.forget(MAUD.id, room.clock.now())
        await room.close()

    async def after() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        assert await room.store.person("hash") is None
        assert await room.store.unfinished() == [MAUD.id]
        await room.turn(DAY)
        await room.registry.sweep()
        assert await room.store.unfinished() == []
        await room.close()

    running(before)
    assert "foxglove" in left_in(tmp_path)
    running(after)
    assert left_in(tmp_path) == set()


def test_a_file_in_use_is_compacted_after_a_day(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        await lived(room)
        actor, _ = await room.table()
        await room.registry.retention.forget(MAUD.id)
        asked: list[int] = []
        whole = room.store.compact

        async def compact(since: int) -> bool:
            asked.append(since)
            return await whole(since)

        room.store.compact = compact  # type: ignore[method-assign]
        for _ in range(2):
            await room.registry.sweep()
            await room.turn(DAY)
            await quiet(actor)
        await room.registry.sweep()
        assert actor.company.lines
        assert asked[1:] == [asked[0] + DAY, asked[0] + 2 * DAY]
        assert left_in(tmp_path) == set()
        await room.close()

    running(scene)


def test_a_title_goes_only_if_it_is_the_persons() -> None:
    rules = frozen_rules(MINE)
    events: list[tuple[ev.Event, str | None]] = [
        (ev.TableMade("ABCDEF2", "Ann's evening", False, rules, "normal", None), None),
        (ev.Sat(0, "ann", "Ann"), None),
        (ev.Sat(1, MAUD.id, MAUD.name), f"{MAUD.id}:s"),
        (ev.HostPassed(1), "ann:h"),
        (ev.SettingsChanged("Ann's evening", True, "calm", None), f"{MAUD.id}:t1"),
        (ev.SettingsChanged("bluebell", True, "calm", None), f"{MAUD.id}:t2"),
        (ev.HostPassed(0), f"{MAUD.id}:h"),
        (ev.SettingsChanged("bluebell", True, "brisk", None), "ann:t3"),
        (ev.SettingsChanged("Ann's night", True, "brisk", None), "ann:t4"),
        (ev.SettingsChanged("Ann's night", False, "brisk", None), f"{MAUD.id}:t5"),
    ]
    log = [ev.Entry(seq, 0, event, client) for seq, (event, client) in enumerate(events, 1)]
    changed = {entry.seq: entry for entry in without(log, MAUD.id)}
    after = [changed.get(entry.seq, entry) for entry in log]
    titles = [
        e.event.title for e in after if isinstance(e.event, ev.TableMade | ev.SettingsChanged)
    ]
    assert titles == ["Ann's evening", "Ann's evening", "", "", "Ann's night", "Ann's night"]
    assert [e.client for e in after] == [
        None,
        None,
        None,
        "ann:h",
        *[None] * 3,
        "ann:t3",
        "ann:t4",
        None,
    ]
    assert isinstance(after[0].event, ev.TableMade)
    assert after[0].event.rules == rules
    assert without(after, MAUD.id) == []
