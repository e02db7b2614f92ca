"""What goes by itself when its time is up, by a clock that the test turns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, running, started
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.clock import Judged, Mark
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.retention import HOUR
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Partly, Report, Store, TableRow
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

STORES: list[Callable[[Path], Store]] = [
    lambda _: MemoryStore(),
    lambda p: SqliteStore(p / FILE),
    spread_of_three,
]
PRIVACY = Path(__file__).parents[3] / "docs/reference/privacy.md"
KEPT = Settings().keep_chat


def talk(text: str, at: int, seq: int, phrase: str | None = None) -> ev.Entry:
    said = None if phrase else text
    return ev.Entry(seq, at, ev.Chatted("p1", "Ann", 0, said, phrase))


@pytest.mark.parametrize("made", STORES)
def test_a_store_finds_tables_where_something_was_written(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        store = made(tmp_path)
        quoted = talk('he said "text":""', 50, 1)
        for code, entry in (
            ("ABCDEF2", talk("hello", 10, 1)),
            ("ABCDEF3", talk("", 20, 1, phrase="well-played")),
            ("ABCDEF4", quoted),
            ("ABCDEF5", ev.Entry(1, 60, ev.Away(0))),
            ("ABCDEF6", talk("", 70, 1)),
        ):
            await store.append(TableRow(code, False, "lobby", 1, entry.at), [entry])
        assert sorted(await store.said(0, 100)) == ["ABCDEF2", "ABCDEF4"]
        assert await store.said(10, 100) == ["ABCDEF4"]
        assert await store.said(0, 9) == []
        await store.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
def test_what_was_said_goes_and_the_table_stays(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        room = Room(made(tmp_path))
        sheet = started()
        code, begun = sheet.table.code, room.clock.now()
        sheet.now = begun
        sheet.say(PEOPLE[0], cm.Chat("c1", text="I live at 7 Elm Street"))
        sheet.say(PEOPLE[0], cm.Chat("c2", phrase="well-played"))
        sheet.now = begun + KEPT
        sheet.say(PEOPLE[1], cm.Chat("c3", text="thirty days later"))
        row = TableRow(code, False, "playing", begun, sheet.now)
        await room.store.append(row, sheet.entries)
        room.clock.turn(KEPT + DAY)
        await room.registry.sweep()
        after = await room.store.read(code)
        changed = [new for old, new in zip(sheet.entries, after, strict=True) if new != old]
        assert [entry.event.text for entry in changed if isinstance(entry.event, ev.Chatted)] == [
            ""
        ]
        assert len(changed) == 1
        assert room.registry.tally.counts["cleared"] == {"chat": 1}
        table = await room.registry.table(code)
        assert table is not None
        assert table.hand is not None
        assert table.hand.dealt == sheet.hand.dealt
        assert [(line.said.text, line.said.phrase) for line in table.lines] == [
            (None, "well-played"),
            ("thirty days later", None),
        ]
        await room.close()

    running(scene)


def test_it_waits_until_nobody_is_there() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        actor.take(lines[0], cm.Chat("c1", text="I live at 7 Elm Street"))
        await room.settle()
        await room.turn(KEPT + DAY)
        before = await room.store.read(actor.table.code)
        await room.registry.sweep()
        assert await room.store.read(actor.table.code) == before
        for line in lines:
            actor.disconnect(line)
        await room.settle()
        for _ in range(2):  # at the first one it goes to sleep
            await room.turn(3_600_000)
            await room.registry.sweep()
        again = await room.find(actor.table.code)
        assert again is not None
        line = again.connect(PEOPLE[0])
        again.take(line, cm.Hello())
        await room.settle()
        (welcome,) = (m for m in heard(line) if isinstance(m, ms.Welcome))
        assert welcome.chat == []
        await room.close()

    running(scene)


class Lost(MemoryStore):
    """A store of several databases, of which one does not answer while `lost`."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = False
        self.asked: list[tuple[int, int]] = []  # since when, and until when

    async def said(self, since: int, until: int) -> list[str]:
        self.asked.append((since, until))
        if self.lost:
            raise Partly("a database does not answer", [])
        return await super().said(since, until)


def test_what_was_said_in_a_database_that_did_not_answer_goes_later_and_is_looked_for_once() -> (
    None
):
    async def scene() -> None:
        store = Lost()
        room = Room(store)
        now = room.clock.now()
        row = TableRow("ABCDEF2", False, "playing", now, now + KEPT)
        await store.append(row, [talk("I live at 7 Elm Street", now, 1)])
        room.clock.turn(KEPT)
        for lost in (True, False, False):
            store.lost = lost
            await room.registry.sweep()
            [entry] = await store.read("ABCDEF2")
            assert ("Elm" in ev.written(entry.event)) == lost
            room.clock.turn(HOUR)
        assert [since for since, _ in store.asked] == [0, 0, store.asked[1][1]]
        await room.close()

    running(scene)


def test_the_control_a_table_that_is_never_swept_keeps_it() -> None:
    async def scene() -> None:
        room = Room(settings=Settings(keep_chat=3650 * DAY, keep_table=3650 * DAY))
        actor, lines = await room.table()
        actor.take(lines[0], cm.Chat("c1", text="I live at 7 Elm Street"))
        await room.settle()
        for line in lines:
            actor.disconnect(line)
        await room.turn(KEPT + DAY)
        for _ in range(2):
            await room.registry.sweep()
            await room.turn(3_600_000)
        kept = await room.store.read(actor.table.code)
        assert "Elm" in " ".join(ev.written(entry.event) for entry in kept)
        await room.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
def test_reports_are_told_the_latest_first_and_go_with_the_names(
    made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        store = made(tmp_path)
        ann, bob = PEOPLE[:2]
        for number, at in ((2, 10), (3, 30), (4, 20)):
            entry = ev.Entry(1, at, ev.Reported(ann.id, bob.id, f"at {at}"))
            await store.append(TableRow(f"ABCDEF{number}", False, "lobby", 1, 5), [entry])
        found = await store.reports(2)
        assert found == [
            Report("ABCDEF3", 30, ann.id, bob.id, "at 30", 1),
            Report("ABCDEF4", 20, ann.id, bob.id, "at 20", 1),
        ]
        await store.expire(20, 0)
        assert [one.at for one in await store.reports(9)] == [30]
        # Nor do the tables say any more why.
        events = [(await store.read(f"ABCDEF{number}"))[0].event for number in (2, 3, 4)]
        assert events == [ev.Reported(ann.id, bob.id, why) for why in ("", "at 30", "")]
        await store.forget(ann.id, 40)
        assert [one.reason for one in await store.reports(9)] == [""]
        await store.close()

    running(scene)


def test_the_words_of_a_report_by_a_clock_that_was_ahead_go_with_it_too(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        told = ev.Entry(1, 500, ev.Reported("p1", "p2", "he talks"))
        await store.append(TableRow("ABCDEF2", False, "lobby", 1, 500), [told])
        await store.know(lambda _: Judged(Mark(50), since=40))  # now a right one says when it is
        await store.expire(50, 0)
        assert await store.reports(9) == []
        assert [one.event for one in await store.read("ABCDEF2")] == [ev.Reported("p1", "p2", "")]
        await store.close()

    running(scene)


def test_the_page_for_players_says_how_long_each_thing_is_kept() -> None:
    page = PRIVACY.read_text("utf-8")
    row = r"^\| .*? \| (\d+) days? \| (\d+) days? \| `(keep_\w+)` \|$"
    rows = re.findall(row, page, re.MULTILINE)
    told = {name: gone for _, gone, name in rows}
    kept = {each.name: getattr(Settings(), each.name) for each in fields(Settings)}
    periods = {name: value // DAY for name, value in kept.items() if name.startswith("keep_")}
    assert {name: int(days) for name, days in told.items()} == periods
    assert len(told) == len(periods)
    hidden = {name: int(days) for days, _, name in rows}
    assert hidden == {name: days - HIDDEN // DAY for name, days in periods.items()}
