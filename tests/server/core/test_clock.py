"""A clock that is wrong expires nothing; a right one hides, and overwrites a week later."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import PEOPLE, Chances, FirstLegal, Room, heard, running, started
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.clock import MINUTE, RELEASED, WEEK, Clock, shown
from rookery.server.names import token_hash
from rookery.server.registry.people import People
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store import marks
from rookery.server.store import schema as db
from rookery.server.store.base import Store, TableRow
from rookery.server.store.migrations import Millis
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

CODE, LOBBY = "ABCDEF2", "ABCDEF3"
BEGUN = RELEASED + 1000 * DAY
HOUR = DAY // 24
SETTINGS = Settings()


async def filled(folder: Path) -> SqliteStore:
    """Keep a table where somebody spoke, a lobby, and a person, as of one moment."""
    store = SqliteStore(folder / FILE)
    sheet = started()
    sheet.now = BEGUN
    sheet.say(PEOPLE[0], cm.Chat("c", text="I live at 7 Elm Street"))
    await store.append(TableRow(CODE, False, "playing", BEGUN, sheet.now), sheet.entries)
    made, *rest = started().entries[:5]
    assert isinstance(made.event, ev.TableMade)
    lobby = [replace(made, event=replace(made.event, code=LOBBY)), *rest]
    await store.append(TableRow(LOBBY, False, "lobby", BEGUN, BEGUN), lobby)
    await store.add_person(PEOPLE[0], token_hash("token"), BEGUN)
    return store


class Server:
    """A registry over a store, by a clock of its own."""

    def __init__(self, store: Store, wrong: int = 0, begun: int = BEGUN) -> None:
        self.clock = HandTurnedClock(begun + HOUR, wrong)
        self.registry = TableRegistry(store, SETTINGS, self.clock, FirstLegal(), Chances())
        self.calendar = self.registry.calendar
        self.people = People(
            store, self.clock.now, SETTINGS.keep_person - WEEK, self.calendar.hidden_by
        )

    async def passes(self, milliseconds: int, step: int = DAY) -> None:
        """Have time pass, with a sweep a day."""
        assert milliseconds % step == 0
        for _ in range(milliseconds // step):
            self.clock.turn(step)
            await self.registry.sweep()

    async def finds(self) -> list[bool]:
        """Return whether the table, the lobby and the person are found."""
        person = await self.people.holder("token")
        tables = [await self.registry.history(code) is not None for code in (CODE, LOBBY)]
        return [*tables, person is not None]


async def kept(store: SqliteStore) -> list[bool]:
    """Return whether the store has the table, the lobby and the person."""
    person = await store.person(token_hash("token")) is not None
    return [await store.row(CODE) is not None, await store.row(LOBBY) is not None, person]


ALL, NONE = [True] * 3, [False] * 3


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (-BEGUN, "before this program was released"),
        (-20 * DAY, "before the newest stored time"),
        (8 * DAY, "8 days after the newest stored time"),
        (430 * DAY, "430 days after the newest stored time"),
        (60 * 365 * DAY, "21900 days after the newest stored time"),
    ],
)
def test_a_wrong_clock_expires_nothing_and_a_right_one_goes_on(
    wrong: int, why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store, wrong)
        with caplog.at_level(logging.WARNING):
            await server.registry.sweep()
            await server.passes(5 * DAY)
        assert server.calendar.doubt
        (line,) = (one.getMessage() for one in caplog.records)
        assert line.startswith("nothing expires: the clock says ")
        assert why in line
        assert line.endswith("or you confirm it with: rookery database confirm-clock")
        assert (await server.finds(), await kept(store)) == (ALL, ALL)
        assert await server.people.use("token")  # which stores the wrong time
        entered = await server.people.enter("New")
        right = Server(store, begun=BEGUN + 5 * DAY)
        await right.registry.sweep()
        assert right.calendar.doubt == ""
        assert await right.people.holder(entered.token) == entered.person
        # What came by the wrong clock counts from its end.
        await right.passes(SETTINGS.keep_person - WEEK - DAY, 4 * DAY)
        assert await right.people.holder(entered.token) == entered.person
        await right.passes(DAY + HOUR, HOUR)
        assert await right.people.holder(entered.token) is None
        await right.passes(WEEK + DAY)
        assert await kept(store) == NONE
        await right.registry.close()

    running(scene)


def test_less_than_a_week_ahead_is_believed(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store, 6 * DAY)
        await server.registry.sweep()
        assert server.calendar.doubt == ""
        assert await server.finds() == [True, False, True]
        assert await kept(store) == ALL
        right = Server(store)  # and what was hidden by it is there again
        await right.registry.sweep()
        assert await right.finds() == ALL
        await right.registry.close()

    running(scene)


def test_after_a_week_it_is_believed_hides_at_once_and_overwrites_a_week_later(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store, 430 * DAY)  # as it looks after a year without a server
        await server.registry.sweep()
        await server.passes(WEEK - DAY)
        assert await server.finds() == ALL
        await server.passes(DAY)
        assert server.calendar.doubt == ""
        assert (await server.finds(), await kept(store)) == (NONE, ALL)
        await server.passes(WEEK - DAY)
        assert await kept(store) == ALL
        await server.passes(DAY)
        assert await kept(store) == NONE
        await server.registry.close()

    running(scene)


def test_a_week_of_several_clocks_is_no_week(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        for wrong in (430, -BEGUN // DAY, 3000, 430, 9000, 3000):
            server = Server(store, wrong * DAY)
            await server.registry.sweep()
            await server.passes(6 * DAY)
            assert server.calendar.doubt
            assert await server.finds() == ALL
        assert await kept(store) == ALL
        await server.registry.close()

    running(scene)


def test_a_jump_while_a_server_runs_is_noticed(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store)
        await server.registry.sweep()
        for wrong in (430 * DAY, -30 * DAY, -BEGUN, 3000 * DAY):
            server.clock.wrong = wrong
            await server.passes(2 * HOUR, HOUR)
            assert server.calendar.doubt
            assert (await server.finds(), await kept(store)) == (ALL, ALL)
        server.clock.wrong = 0
        await server.passes(2 * HOUR, HOUR)
        assert server.calendar.doubt == ""
        assert await server.finds() == ALL
        # A machine that slept is no doubt, and its time goes on where the world's is.
        server.clock.wrong = 5 * HOUR
        await server.passes(HOUR, HOUR)
        assert server.calendar.doubt == ""
        assert server.clock.now() == server.clock.wall()
        await server.registry.close()

    running(scene)


def test_of_two_servers_that_disagree_the_stored_time_is_right(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        right, wrong = Server(store), Server(store, 430 * DAY)
        for _ in range(8 * 4):  # the wrong one sweeps, and runs for more than a week
            for server in (right, wrong):
                await server.passes(6 * HOUR, 6 * HOUR)
        assert (right.calendar.doubt, bool(wrong.calendar.doubt)) == ("", True)
        assert await wrong.finds() == [True, False, True]
        assert await kept(store) == [True, False, True]
        await right.registry.close()

    running(scene)


@pytest.mark.parametrize("apart", [(0,), (0, 0), (0, 20, 10), (0, 30, 5, 40, 10, 50, 20)])
def test_a_week_of_several_servers_is_as_long_as_that_of_one(
    apart: tuple[int, ...], tmp_path: Path
) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        servers = [Server(store, 430 * DAY + minutes * MINUTE) for minutes in apart]
        for server in servers:
            await server.calendar.look()
        hours = 0
        while all(server.calendar.doubt for server in servers):
            hours += 1
            for server in servers:
                server.clock.turn(HOUR)
                await server.calendar.look()
        assert WEEK // HOUR - 1 <= hours <= WEEK // HOUR
        await store.close()

    running(scene)


def told(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["database", "confirm-clock", *words])
    return done.exit_code, done.output


def test_whoever_runs_it_confirms_a_clock_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store, 430 * DAY)
        await server.registry.sweep()
        monkeypatch.setattr(Clock, "now", lambda _: server.clock.wall())
        code, line = await asyncio.to_thread(told, "--data", str(tmp_path))
        at = shown(server.clock.wall())
        assert (code, line) == (
            0,
            f"confirmed: it is {at}, and servers go by that within a minute\n",
        )
        await server.passes(HOUR, HOUR)
        assert server.calendar.doubt == ""
        assert (await server.finds(), await kept(store)) == (NONE, ALL)
        # What was confirmed by mistake is taken back in the same way.
        server.clock.wrong = 0
        assert (await asyncio.to_thread(told, "--data", str(tmp_path)))[0] == 0
        await server.passes(HOUR, HOUR)
        assert server.calendar.doubt == ""
        assert (await server.finds(), await kept(store)) == (ALL, ALL)
        await server.passes(SETTINGS.keep_person, 4 * DAY)
        assert await kept(store) == NONE
        await server.registry.close()

    running(scene)


def test_a_time_that_was_too_late_is_confirmed_away_while_people_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        room = Room(store)
        room.clock = HandTurnedClock(BEGUN + 400 * DAY)
        registry = room.registry = TableRegistry(store, SETTINGS, room.clock, room.bots, Chances())
        actor, _ = await room.table()
        await registry.sweep()
        room.clock.wrong = -400 * DAY  # that was the wrong time, and this is the right one
        await registry.sweep()
        assert "before the newest stored time" in registry.calendar.doubt
        monkeypatch.setattr(Clock, "now", lambda _: room.clock.wall())
        assert (await asyncio.to_thread(told, "--data", str(tmp_path)))[0] == 0
        await registry.sweep()
        assert registry.calendar.doubt == ""
        assert room.clock.now() == room.clock.wall() == BEGUN
        assert not registry.actors  # everybody connects again, and timers begin anew
        again = await room.find(actor.table.code)
        assert again is not None
        assert again.table.moved_at <= BEGUN
        row = await store.row(actor.table.code)
        assert row is not None
        assert row.touched_at == BEGUN
        await room.close()

    running(scene)


def test_confirming_says_in_a_line_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, line = told("--data", str(tmp_path))
    assert (code, line.count("\n")) == (2, 1)
    assert line.endswith(f"--data: {tmp_path} holds no tables\n")
    running(lambda: _closed(tmp_path))
    CliRunner().invoke(app, ["database", "downgrade", "3", "--data", str(tmp_path)])
    code, line = told("--data", str(tmp_path))
    assert (code, line.count("\n")) == (2, 1)
    assert line.endswith("of version 3; `rookery database upgrade` brings it to 12\n")
    monkeypatch.setattr(Clock, "now", lambda _: 0)
    code, line = told("--data", str(tmp_path))
    assert (code, line.count("\n")) == (2, 1)
    assert "the clock says 1970-01-01 00:00 UTC, before this program was released" in line


# What no wrong clock of a server's leaves behind, or what goes otherwise.
NO_STAMPS = {
    "events.at",  # only what was said expires, and that is restamped by itself
    "returns.expires",  # deleted where it is too late
    "spent.expires",  # no harm is done where it is kept for longer
    "servers.beat_at",  # by the database's clock
    *("passkeys.count", "rated_strangers.points", "rated_strangers.error", "timeline.commits"),
    *(f"clock.{one}" for one in ("at", "doubted", "ran", "kept_at", "kept_until")),
}


def test_every_time_in_the_database_is_restamped_or_named_here() -> None:
    large = {
        str(one) for table in db.METADATA.sorted_tables for one in table.c if one.type is Millis
    }
    stamps = [str(one) for one in marks._STAMPS]
    assert len(stamps) == len(set(stamps))
    assert large == NO_STAMPS | set(stamps)
    assert not NO_STAMPS & set(stamps)


async def _closed(folder: Path) -> None:
    await (await filled(folder)).close()


def test_what_is_hidden_is_found_by_nobody_until_it_is_overwritten(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store)
        await server.passes(SETTINGS.keep_chat - WEEK)
        actor = await server.registry.place(CODE)
        assert actor is not None
        line = actor.connect(PEOPLE[0])  # type: ignore[union-attr]
        actor.take(line, cm.Hello())  # type: ignore[union-attr]
        for _ in range(50):
            await asyncio.sleep(0)
        (welcome,) = (m for m in heard(line) if isinstance(m, ms.Welcome))
        assert welcome.chat == []
        stored = " ".join(str(entry.event) for entry in await store.read(CODE))
        assert "Elm Street" in stored
        await server.registry.close()

    running(scene)


def test_forgetting_on_request_waits_for_no_clock(tmp_path: Path) -> None:
    async def scene() -> None:
        store = await filled(tmp_path)
        server = Server(store, 430 * DAY)
        await server.registry.sweep()
        await server.registry.retention.forget(PEOPLE[0].id)
        stored = " ".join(str(entry.event) for entry in await store.read(CODE))
        assert "Elm Street" not in stored
        assert PEOPLE[0].name not in stored
        assert await kept(store) == [True, True, False]
        await server.registry.close()

    running(scene)
