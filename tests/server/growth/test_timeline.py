"""When another timeline of a database begins, and when not; see also tests/faults/test_restores."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.faults import handed
from tests.server.core.tables import (
    KENTUCKY,
    PEOPLE,
    Room,
    heard,
    play_one,
    quiet,
    running,
)
from tests.server.memory.store import MemoryStore
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server import names
from rookery.server.live.actor import Actor
from rookery.server.registry.handed import keep
from rookery.server.registry.handed_match import read
from rookery.server.store.base import TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.store.timeline import FILE as COUNT
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.projection import snapshot
from rookery.server.table.state import Table, Who


async def looked(folder: Path, people: int = 0) -> str:
    """Return the name of a database's timeline, once so many people have come."""
    store = SqliteStore(folder / FILE)
    for number in range(people):
        await store.add_person(Who(f"p{number}", "Ann"), f"token {number}", 1)
    found = await store.timeline()
    await store.close()
    return found.id


def test_a_server_that_ends_and_starts_is_in_the_same_timeline(tmp_path: Path) -> None:
    async def scene() -> None:
        assert await looked(tmp_path, 3) == ""
        assert await looked(tmp_path) == ""
        # A machine that lost its power may have lost what was not synced of the count.
        (tmp_path / COUNT).write_text(f"{1:>53}\n")
        assert await looked(tmp_path) == ""

    running(scene)


SPOILT = (None, "", " " * 54, "x" * 54, f"{'x':>32} {1:>20}\n", f"{99:>53}\n", f"{1:>52}\n", " 1")


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_count_that_does_not_fit_begins_another(tmp_path: Path, spoilt: str | None) -> None:
    async def scene() -> None:
        await looked(tmp_path, 3)
        (tmp_path / COUNT).unlink()
        if spoilt is not None:
            (tmp_path / COUNT).write_text(spoilt)
        found = await looked(tmp_path)
        assert re.fullmatch("[0-9a-f]{32}", found)
        assert await looked(tmp_path) == found

    running(scene)


def test_a_database_of_a_program_that_knew_no_timelines_is_brought_back_too(tmp_path: Path) -> None:
    async def scene() -> None:
        assert await looked(tmp_path, 3) == ""
        # As a picture of the file would be that was taken before the program was replaced.
        done = CliRunner().invoke(app, ["database", "downgrade", "5", "--data", str(tmp_path)])
        assert done.exit_code == 0
        assert await looked(tmp_path)

    running(scene)


def test_an_operator_can_say_that_the_database_was_brought_back(tmp_path: Path) -> None:
    async def scene() -> None:
        assert await looked(tmp_path, 3) == ""

    running(scene)
    command = ["database", "brought-back", "--data", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert done.output == "hands under way will be thrown in, and the next deals promised anew\n"

    async def later() -> None:
        assert await looked(tmp_path)

    running(later)
    nowhere = CliRunner().invoke(app, [*command[:-1], str(tmp_path / "nowhere")])
    assert nowhere.exit_code == 2
    assert nowhere.output.count("\n") == 1


def mark_of_1_0(line: Timeline, table: Table, seq: int) -> str:
    """Return the mark that version 1.0.0 gives, and the only one that it believes."""
    text = f"{line.id}:{table.code}:{seq}".encode()
    return f"{seq}-{hmac.digest(bytes.fromhex(line.secret), text, 'sha256')[:12].hex()}"


def test_whoever_makes_marks_up_changes_nothing() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        table, seq = actor.table, actor.table.seq
        line = await room.store.timeline()
        sound = line.mark(table, seq + 9)
        made_up = (
            line.mark(replace(table, code="ABCDEF2"), seq + 9),
            line.mark(replace(table, made_at=table.made_at - 1), seq + 9),
            mark_of_1_0(line, table, seq + 9),
            Timeline("", "00" * 32).mark(table, seq + 9),
            line._replace(id="ab").mark(table, seq + 9),
            sound.replace(f"{seq + 9}", f"{seq + 10}", 1),
            sound[:-1] + ("0" if sound[-1] != "0" else "1"),
            f"{seq + 9}",
            f"{seq + 9}-",
            "-" * 64,
            "\u0661-" + "0" * 24,
            line.mark(table, seq),
            line.mark(table, 1),
        )
        for mark in made_up:
            actor.take(lines[1], cm.Hello(mark=mark))
            await quiet(actor)
        assert not actor.gone
        assert actor.table.in_hand
        # The control: the mark of what this table was never told.
        actor.take(lines[1], cm.Hello(mark=sound))
        for _ in range(20):
            await room.settle()
        assert actor.gone
        await room.close()

    running(scene)


def test_servers_of_1_0_and_of_today_take_no_mark_of_the_other_for_their_own() -> None:
    line, table = Timeline("ab", "00" * 32), Table("ABCDEF2", made_at=5)
    for seq in (1, 5, 99):
        assert line.seen(table, line.mark(table, seq)) == seq
        assert line.seen(table, mark_of_1_0(line, table, seq)) == 0
        assert line.mark(table, seq) != mark_of_1_0(line, table, seq)


def test_marks_of_a_table_that_was_deleted_prove_nothing_at_the_next_of_its_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A device chooses the code of a match that it hands in, also one that was somebody's."""

    async def scene() -> None:
        room, eve = Room(), PEOPLE[4]
        others, _ = await room.table()
        monkeypatch.setattr(names, "new_code", lambda: handed.CODE)
        first = await room.registry.create(eve, KENTUCKY)
        assert isinstance(first, Actor)
        mark = (await room.store.timeline()).mark(first.table, 10_000)
        await room.registry.put_away(handed.CODE)
        await room.store.retire(handed.CODE)
        await room.turn(1)
        match = {"base": "kd_tournament", "bid_minimum": 5, "bid_maximum": 20, "target": 5}
        assert await keep(room.registry, eve, read(handed.match_by(match))) == 0
        second = await room.find(handed.CODE)
        assert second is not None
        second.take(second.connect(eve), cm.Hello(mark=mark))
        for _ in range(20):
            await room.settle()
        assert (await room.store.timeline()).id == ""
        assert not others.gone
        await room.close()

    running(scene)


def test_however_many_have_seen_later_events_one_timeline_begins() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        since = await room.store.timeline()
        mark = since.mark(actor.table, actor.table.seq + 9)
        begun = set()
        for _ in range(3):
            # Each is told to come again; who said it before that may be heard after it.
            room.registry._doubt(actor.table.code, since.seen(actor.table, mark), since)
            for _ in range(20):
                await room.settle()
            begun.add((await room.store.timeline()).id)
        assert len(begun) == 1
        assert "" not in begun
        await room.close()

    running(scene)


def test_a_table_that_joins_a_timeline_while_another_begins_is_read_again() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        code, registry = actor.table.code, room.registry
        await registry.stop(code, 4012, "")
        begun = (await room.store.begin_timeline("")).id
        await registry.sweep()
        append = room.store.append

        async def slow(row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED) -> None:
            await append(row, entries, lease)
            await room.store.begin_timeline(begun)
            await registry.sweep()

        room.store.append = slow  # type: ignore[method-assign]
        first = await room.find(code)
        assert first is not None
        assert first.gone
        found = await room.find(code)
        assert found is not None
        assert not found.gone
        assert found.table.timeline == (await room.store.timeline()).id
        await room.close()

    running(scene)


def test_the_server_is_behind_only_if_the_store_is() -> None:
    """Another server may have had the table meanwhile; then this one has old events in memory."""

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        table = actor.table
        assert isinstance(room.store, MemoryStore)
        talk = ev.Entry(table.seq + 1, table.touched_at, ev.Chatted("p1", "Bob", 1, "hello"))
        room.store.events[table.code].append(talk)
        mark = (await room.store.timeline()).mark(table, talk.seq)
        actor.take(lines[1], cm.Hello(mark=mark))
        await quiet(actor)
        assert not actor.gone
        await room.close()

    running(scene)


def test_every_welcome_and_update_has_its_mark() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        line = await room.store.timeline()
        told = [one for one in heard(lines[0]) if isinstance(one, ms.Welcome | ms.Update)]
        assert len(told) > 3
        assert [one.mark for one in told] == [line.mark(actor.table, one.seq) for one in told]
        await room.close()

    running(scene)


def test_a_table_that_is_made_afterwards_is_not_thrown_in() -> None:
    async def scene() -> None:
        room = Room()
        await room.store.begin_timeline("")
        actor, _ = await room.table()
        code = actor.table.code
        assert actor.table.in_hand
        await room.registry.leave()
        again = Room(room.store)
        found = await again.find(code)
        assert found is not None
        assert found.table.in_hand
        assert found.table.hand == actor.table.hand or found.table.seq >= actor.table.seq
        assert not any(
            isinstance(one.event, ev.TimelineBegun) for one in (await room.store.read(code))[3:]
        )
        await again.close()

    running(scene)


def test_a_hand_that_is_thrown_in_is_dealt_again_by_the_same_dealer() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await room.table()
        code, dealer = actor.table.code, actor.table.hand and actor.table.hand.dealer
        await room.store.begin_timeline("")
        await room.registry.sweep()
        assert actor.gone
        found = await room.find(code)
        assert found is not None
        table = found.table
        assert table.between_hands
        assert table.restored
        assert table.match is not None
        assert table.match.dealer == dealer
        assert [line.score for line in table.scores] == [None]
        shown = snapshot(table, 0)
        assert shown.deal is not None
        assert shown.deal.renewed
        assert shown.proof is not None
        assert not shown.proof.renewed
        assert table.scores[0].declarer is None
        lines = [found.connect(who) for who in PEOPLE[:4]]
        for number, line in enumerate(lines):
            found.take(line, cm.Hello())
            found.take(line, cm.Next(f"next-{number}"))
        await quiet(found)
        assert found.table.in_hand
        assert found.table.restored
        shown = snapshot(found.table, 0)
        assert shown.proof is not None
        assert shown.proof.renewed
        assert shown.deal is not None
        assert not shown.deal.renewed
        play_one(found, lines, 1)
        await quiet(found)
        assert not found.table.restored
        await room.close()

    running(scene)
