"""P23: databases that are brought back, and what somebody who was there later knows of them.

Whoever was at a table after a backup was made may have seen every card and every key of what the
backup holds as secret. Here that is all of them: nothing they know may tell of a card that is
played afterwards.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Connection as Connected
from tests.laws.playing import random_action
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import PEOPLE, Room, Sheet, heard, quiet, without_seat
from tests.server.growth.stored import rows

from rookery.fairness.deal import deal_cards
from rookery.game import Hand
from rookery.rules import load
from rookery.server.live.actor import MOVED, Actor
from rookery.server.live.connection import Connection
from rookery.server.registry import tables as registry
from rookery.server.store import backup, timeline
from rookery.server.store.base import row_of
from rookery.server.store.sqlite import FILE, SqliteStore, embedded
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import fold
from rookery.server.table import messages as ms
from rookery.server.table.projection import snapshot
from rookery.server.table.state import Table

GAMES: Final = ("kd_tournament", "call_partner_5_short", "circus", "low_card_no_trump", "house_001")
PHASES: Final = ("lobby", "auction", "nest", "trump", "play", "between", "over")
SHARE: Final = "ab" * 16
CODE: Final = "ABCDEF2"
WAITED = 60.0  # seconds


@dataclass
class Seen:
    """What came of it.

    Attributes:
        restores: how often a database was brought back.
        phases: in which phases of a table.
        ways: by which ways.
        known: how many keys and deals were known before.
        wrong: what told of a card afterwards.
    """

    restores: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    known: int = 0
    wrong: list[str] = field(default_factory=list)


def restored(folder: Path, size: int, seed: int, ways: Sequence[str] = ()) -> Seen:
    """Bring so many databases back, by each way in turn, and look for what was known before."""
    seen, ways = Seen(), ways or tuple(WAYS)
    for number in range(size):
        rng = Random(f"{seed} {number}")
        way = ways[number % len(ways)]
        phase = PHASES[number % len(PHASES)]
        place = folder / str(number)
        place.mkdir(parents=True)
        try:
            asyncio.run(_one(place, rng, way, phase, seen))
        finally:
            shutil.rmtree(place)
    return seen


async def _one(folder: Path, rng: Random, way: str, phase: str, seen: Seen) -> None:
    sheet = _played_to(phase, rng)
    first = folder / "first"
    await _written(first / FILE, sheet, 0)
    saved = folder / "saved"
    _save(first, saved, way)
    kept = list(sheet.entries)
    _play_on(sheet, rng)
    mark = await _written(first / FILE, sheet, len(kept))
    back = WAYS[way](first, saved, folder / "other")
    if way != "client":
        mark = ""
    if rows(back / FILE)["events"] != rows(saved)["events"]:
        seen.wrong.append(f"{way}: what was brought back is not what was saved")
    seen.restores += 1
    seen.ways[way] += 1
    seen.phases[_phase(kept)] += 1
    seen.known += sum(isinstance(one.event, ev.DealPromised) for one in sheet.entries)
    seen.wrong += [f"{way}, {phase}: {one}" for one in await _afterwards(back, kept, sheet, mark)]


def _played_to(phase: str, rng: Random) -> Sheet:
    """Return a table in a phase, or, where its game or the cards have none such, after that."""
    sheet = Sheet(load(rng.choice(GAMES)), seed=rng.randrange(1 << 30))
    sheet.now = HandTurnedClock().now()
    if phase == "lobby":
        return sheet
    sheet.say(PEOPLE[0], cm.Start("g"))
    before = rng.randrange(3)

    def reached(hand: Hand) -> bool:
        if sheet.table.place < before:
            return False
        return hand.over if phase == "between" else hand.phase == phase and rng.random() < 0.2

    sheet.play(rng, reached)
    return sheet


def _phase(entries: Sequence[ev.Entry]) -> str:
    table = Table("")
    for entry in entries:
        table = fold.evolve(table, entry)
    if table.hand is None or table.phase == "over":
        return table.phase
    return "between" if table.hand.over else table.hand.phase


def _play_on(sheet: Sheet, rng: Random) -> None:
    """Play what will be lost: the hand to its end, and some of those after it."""
    if sheet.table.phase == "lobby":
        sheet.say(PEOPLE[0], cm.Start("g"))
    elif sheet.table.phase == "over":
        sheet.say(PEOPLE[0], cm.Rematch("r"))
    last = sheet.table.place + rng.randrange(1, 3)
    sheet.play(rng, lambda _: sheet.table.place >= last)


async def _written(file: Path, sheet: Sheet, since: int) -> str:
    """Store what was played after an event; return the mark of the last one, as a client has it."""
    store = SqliteStore(file)
    try:
        entries = sheet.entries[since:]
        await store.append(row_of(sheet.table, sheet.now), entries)
        return (await store.timeline()).mark(sheet.table, sheet.table.seq)
    finally:
        await store.close()


def _save(first: Path, saved: Path, way: str) -> None:
    if way == "command":
        with closing(embedded(first).connect()) as source:
            backup.write(source, saved)
    else:
        shutil.copyfile(first / FILE, saved)
    if way == "client":
        shutil.copyfile(first / timeline.FILE, saved.with_suffix(".commits"))


def _by_command(_first: Path, saved: Path, other: Path) -> Path:
    other.mkdir()
    (other / FILE).touch()
    with backup.changing(other, None) as target:
        backup.restore(saved, target)
    return other


def _in_place(first: Path, saved: Path, _other: Path) -> Path:
    _without_log(first)
    shutil.copyfile(saved, first / FILE)
    return first


def _elsewhere(_first: Path, saved: Path, other: Path) -> Path:
    other.mkdir()
    shutil.copyfile(saved, other / FILE)
    return other


def _with_its_folder(first: Path, saved: Path, _other: Path) -> Path:
    """Bring back the whole folder, as a picture of a whole disk does: only clients can tell."""
    _in_place(first, saved, _other)
    shutil.copyfile(saved.with_suffix(".commits"), first / timeline.FILE)
    return first


def _without_log(folder: Path) -> None:
    for ending in ("-wal", "-shm"):
        (folder / f"{FILE}{ending}").unlink(missing_ok=True)


WAYS: Final[dict[str, Callable[[Path, Path, Path], Path]]] = {
    "command": _by_command,
    "in place": _in_place,
    "elsewhere": _elsewhere,
    "client": _with_its_folder,
}


async def _afterwards(folder: Path, kept: Sequence[ev.Entry], lost: Sheet, mark: str) -> list[str]:
    """Play on where a database was brought back; return what of it was known before."""
    store = SqliteStore(folder / FILE)
    room = Room(store, seed=len(lost.entries))
    try:
        await room.registry.open(lambda _: None)
        actor, lines = await _come(room, mark)
        if mark:
            await _gone(actor)
            actor, lines = await _come(room, "")
        wrong = _told(actor.table, kept)
        await _until_dealt(actor, lines, room)
        entries = await store.read(CODE, len(kept))
        return wrong + _known(entries, kept, lost)
    finally:
        await room.close()


async def _gone(actor: Actor) -> None:
    """Wait until a table is read again; where the mark was not believed it never is."""
    until = time.monotonic() + WAITED
    while not actor.gone and time.monotonic() < until:  # noqa: ASYNC110  (it says nothing)
        await asyncio.sleep(0.002)


async def _come(room: Room, mark: str) -> tuple[Actor, list[Connection]]:
    actor = await room.find(CODE)
    assert actor is not None
    people = [who for who in PEOPLE if actor.table.seat_of(who.id) is not None]
    lines = [actor.connect(who) for who in people]
    for line in lines:
        actor.take(line, cm.Hello(mark=mark, parts=True))
    await room.settle()
    _heard(lines)
    return actor, lines


def _told(table: Table, kept: Sequence[ev.Entry]) -> list[str]:
    """Return what is wrong with a table as people come back to it."""
    wrong = []
    if table.in_hand and table.phase == "playing":
        wrong.append("the hand under way goes on")
    promises = [one.event.key for one in kept if isinstance(one.event, ev.DealPromised)]
    if table.promise is None or table.promise.key in promises:
        wrong.append("the next deal is promised by an old key")
    proof = snapshot(table, None).proof
    if proof is not None and proof.key is None and any(proof.shares):
        wrong.append("shares are shown without the key")
    return wrong


async def _until_dealt(actor: Actor, lines: Sequence[Connection], room: Room) -> None:
    """Have everybody add a share that is known, and the next hand dealt."""
    number = -1 if actor.table.promise is None else actor.table.promise.number
    for at, line in enumerate(lines):
        actor.take(line, cm.Contribute(f"c{at}", number, SHARE))
        await quiet(actor)
        _heard(lines)  # who reads nothing is cut off
    asks: dict[str, cm.Changing] = {"lobby": cm.Start("s"), "over": cm.Rematch("r")}
    for at in range(60):
        if actor.table.proof is not None and actor.table.proof.number >= number:
            return
        if actor.table.in_hand and actor.table.phase == "playing":  # only where a fault is planted
            hand = actor.table.hand
            assert hand is not None
            line = next(one for one in lines if one.who.id == _person(actor, hand))
            text = without_seat(random_action(hand, Random(at)))
            actor.take(line, cm.Act(f"a{at}", text, actor.table.seq))
        elif actor.table.between_hands:
            for line in lines:
                actor.take(line, cm.Next(f"n{at}"))
        else:
            host = actor.table.chairs[actor.table.host or 0].person
            line = next(one for one in lines if one.who.id == host)
            actor.take(line, asks[actor.table.phase])
        await quiet(actor)
        _heard(lines)


def _heard(lines: Sequence[Connection]) -> None:
    for line in lines:
        told = [one for one in heard(line) if isinstance(one, ms.Closing)]
        assert all(one.code == MOVED for one in told), told


def _person(actor: Actor, hand: Hand) -> str | None:
    return None if hand.to_act is None else actor.table.chairs[hand.to_act].person


def _known(entries: Sequence[ev.Entry], kept: Sequence[ev.Entry], lost: Sheet) -> list[str]:
    """Return what of the events after a restore somebody knew who was there before it."""
    before = [one.event for one in lost.entries]
    keys = {event.key for event in before if isinstance(event, ev.DealPromised)}
    deals = [event.deal for event in before if isinstance(event, ev.HandDealt)]
    rules, wrong = lost.table.rules, []
    number = max(one.event.number for one in kept if isinstance(one.event, ev.DealPromised))
    events = [one.event for one in entries]
    dealt = next((one for one in events if isinstance(one, ev.HandDealt)), None)
    if dealt is None:
        return ["no hand is dealt afterwards"]
    if any(isinstance(one, ev.Acted) for one in events[: events.index(dealt)]):
        wrong.append("a card is played of the hand that was known")
    guessed = [
        deal_cards(rules, CODE, at, bytes.fromhex(key), shares).deal
        for at in (number, number + 1)
        for key in sorted(keys)
        for shares in (dealt.shares, [""] * rules.seats)
    ]
    if dealt.deal in deals or dealt.deal in guessed:
        wrong.append("the next deal was known")
    if any(event.key in keys for event in events if isinstance(event, ev.DealPromised)):
        wrong.append("a deal is promised by an old key")
    return wrong


def _promise_kept(table: Table, timeline_: str, _secret: object) -> list[ev.Event]:
    return [ev.TimelineBegun(timeline_)]


def _hand_kept(table: Table, event: ev.TimelineBegun, _at: int) -> Table:
    return replace(table, timeline=event.timeline)


def _nothing_begins(connection: Connected, _why: str = "") -> timeline.Timeline:
    return timeline.known(connection)[0]


# By each of these something known tells of a card: where it is, its name, and what is there then.
PLANTED: Final[dict[str, tuple[object, str, Any]]] = {
    "the next deal keeps its key": (registry, "promised_anew", _promise_kept),
    "the hand under way goes on": (fold, "_rejoined", _hand_kept),
    "no timeline begins": (timeline, "begin", _nothing_begins),
    "no mark is believed": (timeline.Timeline, "seen", lambda *_: 0),
}
