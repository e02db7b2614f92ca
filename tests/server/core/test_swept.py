"""What goes because its time is up is in no byte of the database any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.core.tables import PEOPLE, Room, quiet, running
from tests.server.core.test_forget_me import keep_the_log, left_in, not_at_all, said
from tests.server.growth.stored import rows

from rookery.server.live.actor import Actor
from rookery.server.settings import DAY, Settings
from rookery.server.store import sqlite
from rookery.server.store.base import GATHERED, Challenge, Passkey, TableRow
from rookery.server.store.people.attempts import Attempt
from rookery.server.store.people.mistakes import Mistake
from rookery.server.store.people.rated import Played, Stranger
from rookery.server.store.people.sheets import SheetEntry, SheetRow
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.state import Who

MAUD = Who("00ff00ff00ff00ff", "Maud Marigold")
TALK = tuple(f"foxglove {number} fades." for number in range(60))
TITLE, REASON = "bluebell evening", "he lives in Elm Street"
STAYS = ("Ann", "Bob")
SETTINGS = Settings(keep_person=60 * DAY)


async def spoken(room: Room, lines: int) -> None:
    """Have two people talk at six tables in turn."""
    for number in range(lines):
        code, seq = f"ABCDEF{2 + 5 * number % 6}", 1 + number // 6
        line = ev.Chatted(PEOPLE[number % 2].id, STAYS[number % 2], 0, 150 * "x" + TALK[number])
        now = room.clock.now()
        row = TableRow(code, False, "lobby", now, now)
        await room.store.append(row, [ev.Entry(seq, now, line)])


async def slept(room: Room) -> None:
    """Have tables where nobody is go to sleep."""
    # The first time it may be noticed who never came, which is something that happens.
    for _ in range(2):
        await room.turn(room.settings.idle)
        for actor in room.registry.actors:
            await quiet(actor)
    await room.registry.sweep()
    assert not room.registry.actors


async def compacted(room: Room) -> None:
    await room.turn(GATHERED)
    await room.registry.sweep()


def swept(folder: Path, lines: int, copies: bool = False) -> tuple[set[str], set[str]]:
    """Return what is left of so many sentences once their time is up, and some hours later.

    With `copies` unused parts of pages keep what was there, as those of a split page may.
    """
    found: list[set[str]] = []

    async def scene() -> None:
        store = SqliteStore(folder / FILE)
        room = Room(store, Settings(keep_lobby=365 * DAY))
        if copies:
            await store.do(lambda line: line.exec_driver_sql("PRAGMA secure_delete=OFF").all())
        await spoken(room, lines)
        assert left_in(folder, TALK) == set(TALK[:lines])
        await room.turn(room.settings.keep_chat)
        await room.registry.sweep()
        assert room.registry.tally.counts["cleared"] == {"chat": lines}
        found.append(left_in(folder, TALK))
        await compacted(room)
        found.append(left_in(folder, TALK))
        assert left_in(folder, STAYS) == set(STAYS)
        assert await store.compact(room.clock.now()) is False
        await room.close()

    running(scene)
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (lines,)
    return found[0], found[1]


def test_what_was_said_is_overwritten_at_once(tmp_path: Path) -> None:
    assert swept(tmp_path, 3) == (set(), set())


def test_what_pages_have_copies_of_goes_some_hours_later(tmp_path: Path) -> None:
    at_once, later = swept(tmp_path, len(TALK), copies=True)
    assert at_once
    assert later == set()


def test_the_control_a_log_that_is_not_emptied_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "checkpointed", keep_the_log)
    at_once, later = swept(tmp_path, 3)
    assert at_once == set(TALK[:3])
    assert later == set(TALK[:3])


def test_the_control_a_file_that_is_never_compacted_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqliteStore, "dropping", not_at_all)
    _, later = swept(tmp_path, len(TALK), copies=True)
    assert later


def test_people_reports_and_tables_go_as_thoroughly(tmp_path: Path) -> None:
    words = (MAUD.name, TITLE, REASON)

    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE), SETTINGS)
        await room.store.add_person(MAUD, "hash", room.clock.now())
        await room.store.add_person(PEOPLE[0], "another", room.clock.now() + 30 * DAY)
        made = await room.registry.create(
            PEOPLE[0], (await room.table())[0].table.rules, title=TITLE
        )
        assert isinstance(made, Actor)
        await said(made, MAUD, cm.Sit("s"), cm.Report("r", 0, REASON))
        for actor in room.registry.actors:
            for line in list(actor.company.lines):
                actor.disconnect(line)
            await quiet(actor)
        await slept(room)
        assert left_in(tmp_path, words) == set(words)
        await room.turn(SETTINGS.keep_person)
        await room.registry.sweep()
        await compacted(room)
        assert left_in(tmp_path, words) == set()
        assert await room.store.person("another") == PEOPLE[0]
        await room.close()

    running(scene)


def test_when_everything_has_had_its_time_no_row_is_left_of_it(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        for number, who in enumerate((MAUD, *PEOPLE[:4])):
            await room.store.add_person(who, f"hash {number}", room.clock.now())
        await room.store.add_return(MAUD.id, "link", room.clock.now() + DAY)
        now = room.clock.now()
        passkey = Passkey("credential", MAUD.id, "handle", "key", 0, now, now)
        await room.store.add_passkey(passkey, Challenge("challenge", now), "hash 0", 9)
        attempt = Attempt(MAUD.id, "deal", 1, "2026-11-23", "four", ("1 pass",), now)
        assert await room.store.attempts.begin(attempt)
        assert await room.store.mistakes.keep(MAUD.id, [Mistake("ABCDEF2", 0, 7, now, "{}")])
        assert await room.store.sheets.add(SheetRow("SHEETS2", MAUD.id, "hash", "{}", now))
        entry = SheetEntry(0, "id", MAUD.id, MAUD.name, 0, 0, 0, "null")
        assert await room.store.sheets.write("SHEETS2", entry, now, 9) == 1
        actor, lines = await room.table()
        assert await room.store.rated.switch(MAUD.id, actor.table.code, 0)
        assert await room.store.rated.meet(MAUD.id, {"four": Stranger(now, 0, 9)})
        match = Played(actor.table.code, 0, now, "four", [MAUD.id])
        assert await room.store.rated.count(match, lambda known: known)
        await said(actor, MAUD, cm.Report("r", 0, REASON), cm.Chat("c", text=TITLE))
        for line in lines:
            actor.disconnect(line)
        await slept(room)
        before = {table for table, found in rows(tmp_path / FILE).items() if found}
        assert before >= {"tables", "events", "people", "sessions", "returns", "seated", "spoke"}
        assert before >= {"passkeys", "attempts", "mistakes", "sheets", "sheet_entries", "rated"}
        assert before >= {"rated_strangers", "rated_matches"}
        await room.turn(room.settings.keep_person)
        for _ in range(2):
            await room.registry.sweep()
            await compacted(room)
        # One row says what the server's own clock has shown.
        assert {table for table, found in rows(tmp_path / FILE).items() if found} == {"clock"}
        await room.close()

    running(scene)


def test_what_is_rated_at_a_table_that_is_gone_goes_though_its_people_stay(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        room = Room(store)
        await store.add_person(MAUD, "token", room.clock.now())
        assert await store.rated.switch(MAUD.id, "ABCDEF2", 0)  # it was on its way
        await room.registry.sweep()
        assert await store.rated.of("ABCDEF2") == {}
        assert await store.person("token") == MAUD
        await room.close()

    running(scene)


def test_an_attempt_goes_when_a_table_would_and_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        begun = room.clock.now()
        await room.store.add_person(MAUD, "hash", begun)
        attempt = Attempt(MAUD.id, "deal", 1, "2026-11-23", "four", (REASON,), begun)
        assert await room.store.attempts.begin(attempt)
        await room.turn(room.settings.keep_table - DAY)
        await room.registry.sweep()
        assert await room.store.attempts.of(MAUD.id, {"deal"}) == [attempt]
        assert left_in(tmp_path, (REASON,)) == {REASON}
        await room.turn(DAY)
        await room.registry.sweep()
        await compacted(room)
        assert await room.store.person("hash") == MAUD
        assert left_in(tmp_path, (REASON,)) == set()
        await room.close()

    running(scene)


def test_a_file_in_use_waits_a_day_more_and_is_not_compacted_for_every_table(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE))
        store, began = room.store, room.clock.now()
        await room.table()  # somebody plays on all the time
        await store.dropping(began)
        await store.dropping(began + 1)  # which makes nothing later
        assert not await store.compact(began + GATHERED - 1)
        done = []
        for hours in range(0, 48, 2):
            await room.registry.sweep()
            if not await kept(store):
                done.append(hours)
                await store.dropping(room.clock.now())
            await room.turn(2 * 3_600_000)
        assert done == [30]
        await room.close()

    running(scene)


async def kept(store: object) -> bool:
    """Return whether something is noted that has to be ended."""
    assert isinstance(store, SqliteStore)
    query = "SELECT count(*) FROM forgotten"
    return bool(await store.look(lambda line: line.exec_driver_sql(query).scalar()))


def test_somebody_who_reads_puts_it_off_and_it_is_done_at_the_next_sweep(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / FILE), Settings(keep_lobby=365 * DAY))
        await spoken(room, 3)
        await room.turn(room.settings.keep_chat)
        with closing(sqlite3.connect(tmp_path / FILE)) as reading:
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM events").fetchone()
            await room.registry.sweep()
            assert left_in(tmp_path, TALK)
        await room.turn(60_000)
        await room.registry.sweep()
        assert left_in(tmp_path, TALK) == set()
        await room.close()

    running(scene)
