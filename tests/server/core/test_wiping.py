"""Whoever asks to be forgotten is taken out of a long table in pieces, and no card is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Room, Sheet, heard, looks, running
from tests.server.core.test_expiry import STORES
from tests.server.core.wiped import without
from tests.server.memory.store import MemoryStore

from rookery.game import Match
from rookery.rules import load
from rookery.server.registry import retention
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.history import history_of
from rookery.server.registry.wiping import Wiping
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, StoreError, TableRow
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.fold import evolve
from rookery.server.table.seating import Sitting
from rookery.server.table.state import Table, Who

ANN, BOB = PEOPLE[:2]
HOST = PEOPLE[5]
CODE = "ABCDEF2"
OWN = load({"base": "kd_tournament", "target": 60, "name": "Larkspur rules", "notes": "as at home"})


def an_evening(seed: int) -> list[ev.Entry]:
    """Return the events of a table of own rules where much happens beside the cards."""
    sheet = Sheet(OWN, people=4, seed=seed)
    sheet.say(BOB, cm.Face("f", "Wren"))
    sheet.say(ANN, cm.Table("t", title="Ann's evening"))
    sheet.say(ANN, cm.Start("g"))
    sheet.play(Random(seed), lambda hand: hand.phase == "play" and hand.to_act is not None)
    for who in PEOPLE[:3]:
        sheet.say(who, cm.Chat("c", text=f"good evening from {who.name}"))
    sheet.say(sheet.person(1), cm.Report("r", 0, "he talks"))
    sheet.say(sheet.person(sheet.hand.to_act or 0), cm.Claim("q"))
    asked = sheet.table.pending
    assert asked is not None
    sheet.say(sheet.person(asked.voters[0]), cm.Vote("v", yes=True))  # of several: it stays open
    assert sheet.table.pending is not None
    sheet.add([ev.Away(2), ev.StoodIn(2, "club"), ev.Back(2), ev.TimelineBegun("later")])
    sheet.say(sheet.person(3), cm.Leave("l"))
    sheet.play(Random(seed), lambda hand: hand.over)
    return sheet.entries


def question_at(table: Table) -> tuple[str, int] | None:
    """Return what is asked at a table and who asks; whoever wipes it counts no votes."""
    return table.pending and (table.pending.kind, table.pending.seat)


@pytest.mark.parametrize("who", PEOPLE[:4])
def test_the_table_is_the_same_as_from_the_events_that_are_left(who: Who) -> None:
    log = an_evening(3)
    words = {entry.seq: entry for entry in without(log, who.id)}
    assert words
    table = after = Table("")
    wiping, first = Wiping(who.id), 8
    for at, entry in enumerate(log, 1):
        table, after = evolve(table, entry), evolve(after, words.get(entry.seq, entry))
        if at >= first:
            wiping.take(log[:at] if at == first else [entry])
            if at % 5 == 0 or not isinstance(entry.event, ev.Acted):
                assert looks(wiping.of(table)) == looks(after)
                told = wiping.told(after.phase)
                assert question_at(told) == question_at(after)
                assert (told.host, told.seq) == (after.host, after.seq)
    assert wiping.words == words
    assert looks(after) != looks(table)


async def with_past(room: Room, log: Sequence[ev.Entry]) -> None:
    """Keep a table with a past that somebody has who is known."""
    now, table = room.clock.now(), history_of(log).table
    await room.store.append(TableRow(CODE, False, table.phase, now, now), log)
    await room.store.add_person(BOB, "token", now)


@pytest.mark.parametrize("awake", [False, True])
def test_no_card_is_looked_at_and_the_control_whoever_reads_the_past_does(
    awake: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays: list[Match] = []
    sound = Match.act_all

    def act_all(self: Match, actions: Iterable[str]) -> Match:
        plays.append(self)
        return sound(self, actions)

    async def scene() -> None:
        room = Room()
        await with_past(room, an_evening(1))
        if awake:
            assert await room.find(CODE) is not None
        monkeypatch.setattr(Match, "act_all", act_all)
        await room.registry.retention.forget(BOB.id)
        assert plays == []
        entries = await room.store.read(CODE)
        assert without(entries, BOB.id) == []
        assert history_of(entries).table.seat_of(BOB.id) is None
        assert plays
        await room.close()

    running(scene)


class Pieces(MemoryStore):
    """A store that notes how much is read at once."""

    def __init__(self) -> None:
        super().__init__()
        self.read_at_once: list[int] = []

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[ev.Entry]:
        found = await super().read(code, after, most)
        self.read_at_once.append(len(found))
        return found


def test_a_long_table_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PIECE", 10)

    async def scene() -> None:
        store, log = Pieces(), an_evening(1)
        room = Room(store)
        await with_past(room, log)
        await room.registry.retention.forget(BOB.id)
        assert max(store.read_at_once) == 10
        assert sum(store.read_at_once) == len(log)
        assert without(store.events[CODE], BOB.id) == []
        await room.close()

    running(scene)


def test_what_ends_between_leaving_and_wiping_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise StoreError("the disk is gone")

    async def before() -> None:
        room = Room(SqliteStore(tmp_path / "db"))
        await with_past(room, an_evening(1))
        with monkeypatch.context() as one:
            one.setattr(SqliteStore, "rewrite", broken)
            with pytest.raises(StoreError):
                await room.registry.retention.forget(BOB.id)
        entries = await room.store.read(CODE)
        assert history_of(entries).table.seat_of(BOB.id) is None  # the seat is free already
        assert without(entries, BOB.id)
        await room.store.close()

    async def after() -> None:
        room = Room(SqliteStore(tmp_path / "db"))
        assert await room.store.unfinished() == [BOB.id]
        await room.registry.retention.wipe(BOB.id)
        assert await room.store.unfinished() == []
        entries = await room.store.read(CODE)
        assert without(entries, BOB.id) == []
        assert "Bob" not in str(entries)
        await room.close()

    running(before)
    running(after)


@pytest.mark.parametrize("stored", [False, True])
def test_a_table_in_memory_that_could_not_be_wiped_is_wiped_by_the_next_sweep(
    stored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not it is stored what the store says that it could not store."""
    name = "append" if stored else "rewrite"
    sound = getattr(MemoryStore, name)

    async def broken(store: MemoryStore, *given: object) -> None:
        if stored:
            await sound(store, *given)
        raise StoreError("the disk is full")

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        (bob,) = (line for line in lines if line.who.id == BOB.id)
        actor.disconnect(bob)
        await room.settle()
        await room.store.add_person(BOB, "token", room.clock.now())
        with monkeypatch.context() as one:
            one.setattr(MemoryStore, name, broken)
            with pytest.raises(StoreError):
                await room.registry.retention.forget(BOB.id)
        assert await room.store.unfinished() == [BOB.id]
        await room.registry.sweep()
        assert await room.store.unfinished() == []
        entries = await room.store.read(actor.table.code)
        assert "Bob" not in str(entries)
        assert history_of(entries).table.seat_of(BOB.id) is None
        await room.close()

    running(scene)


def test_whoever_sits_down_late_at_an_evenings_table_was_there_first_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bots may have played there for long."""
    monkeypatch.setattr(retention, "PIECE", 4)
    made = ev.TableMade(CODE, "Ann's evening", False, OWN.model_dump(), "instant", None)
    bots = [ev.BotSeated(seat, "club") for seat in range(4)]
    log = ev.entered([made, *bots, ev.BotRemoved(0), ev.Sat(0, ANN.id, ANN.name)], 1, 0)

    async def scene() -> None:
        room = Room()
        await room.store.append(TableRow(CODE, False, "lobby", 0, 0), log)
        await room.store.add_person(ANN, "token", 0)
        await room.registry.retention.forget(ANN.id)
        entries = await room.store.read(CODE)
        assert entries[: len(log)] != log
        assert "Ann" not in str(entries)
        assert "Larkspur" not in str(entries)
        await room.close()

    running(scene)


async def of_evening(room: Room) -> None:
    """Make a table of an evening, where papa plays for whoever is not there."""
    table = ev.TableMade(CODE, "Ann's evening", False, OWN.model_dump(), "instant", None)
    joined = ev.EveningJoined("ABCDEF3", 1, 1, "papa")
    sitting = [Sitting(one.name, one.id) for one in PEOPLE[:4]]
    await room.registry.for_evening(table, HOST.id, joined, sitting, None)


@pytest.mark.parametrize("awake", [False, True])
def test_the_bot_of_the_evening_plays_on_for_whoever_is_forgotten(awake: bool) -> None:
    async def scene() -> None:
        room = Room()
        await of_evening(room)
        if not awake:
            await room.registry.put_away(CODE)
        await room.store.add_person(ANN, "token", 0)
        await room.registry.retention.forget(ANN.id)
        bots = [one.event for one in await room.store.read(CODE)]
        assert [one.bot for one in bots if isinstance(one, ev.BotSeated)] == ["papa"]
        await room.close()

    running(scene)


@pytest.mark.parametrize("made", STORES)
@pytest.mark.parametrize(("who", "goes"), [(PEOPLE[0], False), (PEOPLE[1], False), (HOST, True)])
def test_what_an_evenings_tables_are_called_goes_with_whoever_made_the_evening(
    who: Who, goes: bool, made: Callable[[Path], Store], tmp_path: Path
) -> None:
    async def scene() -> None:
        room = Room(made(tmp_path))
        await of_evening(room)
        await room.store.add_person(who, "token", 0)
        await room.registry.retention.forget(who.id)
        stored = str(await room.store.read(CODE))
        assert [word in stored for word in ("Ann's evening", "Larkspur")] == [not goes] * 2
        assert await room.store.unfinished() == []
        await room.close()

    running(scene)


def test_events_that_do_not_follow_one_another_are_refused() -> None:
    log = an_evening(1)
    with pytest.raises(StoreError, match="event 22 of table ABCDEF2"):
        without([*log[:20], *log[21:]], BOB.id)


def test_what_was_said_too_long_ago_does_not_come_back() -> None:
    async def scene() -> None:
        settings = Settings(keep_chat=HIDDEN + DAY)
        room = Room(settings=settings)
        actor, lines = await room.table()
        actor.take(lines[0], cm.Chat("c", text="long ago"))
        await room.settle()
        for line in lines:
            actor.disconnect(line)
        await room.settle()
        await room.turn(2 * DAY)
        await room.registry.sweep()
        woken = await room.find(actor.table.code)
        assert woken is not None
        assert woken is not actor
        line = woken.connect(ANN)
        woken.take(line, cm.Hello())
        await room.settle()
        await room.registry.retention.forget(BOB.id)
        await room.settle()
        welcomes = [m for m in heard(line) if isinstance(m, ms.Welcome)]
        assert [one.chat for one in welcomes] == [[], []]
        await room.close()

    running(scene)
