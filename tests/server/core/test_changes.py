"""Whoever is told only what is new of a table comes to the same table as everybody else."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.core.renewed import renew
from tests.server.core.tables import PEOPLE, Sheet, started
from tests.server.core.test_leaks import VARIANTS, other_world, positions

from rookery.cards import unpack
from rookery.rules import catalog, load
from rookery.server.live import connection
from rookery.server.live.changes import Changes
from rookery.server.live.connection import CHECKED, Audience, Connection, Outbox
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table import projection, state
from rookery.server.table.audit import unknown_to
from rookery.server.table.projection import Showing, Shown
from rookery.server.table.state import Who
from rookery.server.table.timers import halted
from rookery.view import own_view

WATCHER = Who("w", "Wil")


class Client:
    """Somebody who asks for changes, and what they come to."""

    def __init__(self, who: Who) -> None:
        self.line = Connection(who, Outbox(10_000), set(), greeted=True, changes=True)
        self.table: dict[str, Any] = {}
        self.sizes: list[int] = []
        self.checked = 0

    def read(self) -> bool:
        """Read what there is; return whether the table was told of."""
        news = False
        while len(self.line.outbox):
            message = self.line.outbox.take()
            # A fraction would be written otherwise by a browser.
            told = json.loads(self.line.outbox.text(), parse_float=pytest.fail)
            if isinstance(message, ms.Welcome):
                self.table, news = told["table"], True
            elif isinstance(message, ms.Changed):
                self.sizes.append(len(json.dumps(told, separators=(",", ":"))))
                self.change(told)
                news = True
        return news

    def change(self, told: dict[str, Any]) -> None:
        renew(self.table, told)
        if "check" in told:
            self.checked += 1
            whole = in_browser(self.table | {"rules": None, "hands_from": 0})
            text = json.dumps(whole, separators=(",", ":"), ensure_ascii=False)
            assert zlib.crc32(text.encode()) == told["check"]


def in_browser(value: Any) -> Any:  # noqa: ANN401
    """Return JSON as a browser holds it: of an object's keys the numbers come first, sorted."""
    if isinstance(value, list):
        return [in_browser(one) for one in value]
    if not isinstance(value, dict):
        return value
    numbers = sorted((key for key in value if key.isdecimal()), key=int)
    keys = [*numbers, *(key for key in value if not key.isdecimal())]
    return {key: in_browser(value[key]) for key in keys}


def tell(before: Showing, sheet: Sheet, clients: list[Client], known: int) -> Showing:
    """Tell everybody what has happened since there were so many events, and it was shown before."""
    audience = Audience(sheet.table, 1, Timeline("", "00"), before)
    for one in clients:
        audience.tell(one.line, sheet.entries[known:])
        seat = sheet.table.seat_of(one.line.who.id)
        whole = msgspec.to_builtins(Showing(sheet.table, 1).to(seat, rules=False))
        # Of talk, and of what concerns somebody else alone, the table says nothing but its number.
        seq = {} if one.read() else {"seq": one.table["seq"]}
        came = {"hands_from": one.table["hands_from"]}  # it is the welcome's
        assert json.loads(json.dumps(whole | seq | came)) == one.table | {"rules": None}
    return audience.showing


def follow(sheet: Sheet, clients: list[Client], steps: int, rng: Random) -> Showing:
    """Play so many actions at random, and tell everybody of each."""
    welcome = Audience(sheet.table, 1, Timeline("", "00"))
    shown = welcome.showing
    for one in clients:
        one.line.outbox.put(welcome.welcome(one.line))
        one.read()
    for _ in range(steps):
        if sheet.table.phase != "playing":
            break
        known, done = len(sheet.entries), iter((False, True))
        sheet.play(rng, lambda _, done=done: next(done))  # type: ignore[misc]
        shown = tell(shown, sheet, clients, known)
    return shown


@pytest.mark.parametrize("rules", catalog())
def test_a_copy_that_is_changed_is_the_table_at_every_seat_in_every_variant(rules: str) -> None:
    sheet = started(load(rules))
    seats = load(rules).seats
    clients = [Client(who) for who in (*PEOPLE[:seats], WATCHER)]
    follow(sheet, clients, 60, Random(7))
    assert all(len(one.sizes) >= 40 for one in clients)
    assert all(one.checked >= 40 // CHECKED for one in clients)


def test_what_is_kept_from_act_to_act_is_what_would_be_made_anew() -> None:
    rng, sheet = Random(5), started(load({"base": "kd_tournament", "target": 2_000}))
    shown, waits = Showing(sheet.table), 0
    between: list[list[ev.Event]] = [
        [ev.SettingsChanged("", False, "normal", clock)] for clock in (30, 60, None)
    ]
    between += [[ev.Away(1), ev.Away(2), ev.Away(3), ev.Halted(0, True)]] * 4
    between += [[ev.Back(1), ev.Back(2), ev.Back(3)], *([],) * 8]
    for _ in range(300):
        sheet.add(rng.choice(between))
        waits += halted(sheet.table)
        watchers, steps_in = int(rng.random() < 0.1), {2: 9} if rng.random() < 0.1 else {}
        for acts in (False, True):
            if acts:
                done = iter((False, True))
                sheet.play(rng, lambda _, done=done: next(done))  # type: ignore[misc]
            shown = Showing(sheet.table, watchers, steps_in, shown)
            for seat in (None, *range(4)):
                anew = Showing(sheet.table, watchers, steps_in).shown(seat)
                assert shown.shown(seat).whole() == anew.whole()
    assert waits > 10


@pytest.mark.parametrize("size", [state.SHEET, 1])
def test_a_whole_match_with_a_talk_an_undo_and_a_change_of_settings(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "SHEET", size)  # of a long match only the last hands are shown
    sheet = started(load({"base": "kd_tournament", "target": 150}))
    clients = [Client(who) for who in (*PEOPLE[:4], WATCHER)]
    rng = Random(3)
    shown = follow(sheet, clients, 30, rng)
    for who, command in (
        (PEOPLE[0], cm.Chat("c", text='hello \u2028 \u20ac "quoted"')),
        (PEOPLE[0], cm.Table("t", title="Küche \u2028 </b>")),
        (PEOPLE[1], cm.Block("b", 0)),
    ):
        known = len(sheet.entries)
        sheet.say(who, command)
        shown = tell(shown, sheet, clients, known)
    follow(sheet, clients, 2_000, rng)
    assert sheet.table.phase == "over"
    assert clients[0].table["hands"][-1]["hand"] > 0
    assert (len(clients[0].table["hands"]) > 1) == (size > 1)
    sizes = sorted(clients[0].sizes)
    assert sizes[len(sizes) // 2] <= 400  # bytes


def test_a_browser_comes_to_the_same_table_in_whatever_order_people_are_muted_or_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "CHECKED", 1)
    sheet, one = started(), Client(PEOPLE[0])
    sheet.play(Random(1), lambda hand: hand.phase == "play")
    shown = follow(sheet, [one], 1, Random(1))
    lines = [sheet.table.seq + 1, sheet.table.seq + 2]
    asks = sheet.person(sheet.hand.actions[-1].seat)
    voters = [seat for seat in range(3, -1, -1) if sheet.person(seat) != asks]
    happens: list[tuple[Who, cm.Changing]] = [
        *((who, cm.Chat("c", phrase="hello")) for who in PEOPLE[4:6]),
        *((PEOPLE[0], cm.Mute("m", line)) for line in reversed(lines)),
        (asks, cm.Undo("u")),
        *((sheet.person(seat), cm.Vote("v", yes=True)) for seat in voters[:2]),
    ]
    checked = one.checked
    for who, command in happens:
        known = len(sheet.entries)
        sheet.say(who, command)
        shown = tell(shown, sheet, [one], known)
    assert list(one.table["silenced"]) == [str(line) for line in lines]
    assert list(one.table["pending"]["votes"]) == [str(seat) for seat in sorted(voters[:2])]
    assert one.checked == checked + 5


def test_a_client_that_missed_a_change_or_has_another_table_notices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheet, one = started(), Client(PEOPLE[0])
    whole = Changes.between

    def lost(self: Changes, before: Shown, after: Shown) -> dict[str, Any]:
        told = whole(self, before, after)
        return {name: value for name, value in told.items() if name != "turn_since"}

    monkeypatch.setattr(Changes, "between", lost)
    with pytest.raises(AssertionError):
        follow(sheet, [one], 3 * CHECKED, Random(1))
    one.table["seq"] -= 1
    with pytest.raises(AssertionError):
        one.change({"base": sheet.table.seq, "seq": sheet.table.seq + 1, "table": {}})


def test_whatever_happens_to_the_seats_is_told_too() -> None:
    sheet = Sheet()
    clients = [Client(who) for who in (*PEOPLE[:4], WATCHER)]
    welcome = Audience(sheet.table, 1, Timeline("", "00"))
    for one in clients:
        one.line.outbox.put(welcome.welcome(one.line))
        one.read()
    shown, rng = welcome.showing, Random(5)
    promise = sheet.table.promise
    assert promise is not None

    def undo() -> list[ev.Event]:
        sheet.play(rng, lambda hand: len(hand.actions) > 2 and not hand.trick)
        who = sheet.person(sheet.hand.actions[-1].seat)
        return sheet.say(who, cm.Undo("u")) or []

    happens: list[Callable[[], object]] = [
        lambda: sheet.say(PEOPLE[2], cm.Face("f", "Heron")),
        lambda: sheet.say(PEOPLE[1], cm.Contribute("c", promise.number, "ab" * 16)),
        lambda: sheet.say(PEOPLE[0], cm.Host("h", 1)),
        lambda: sheet.say(PEOPLE[1], cm.Arrange("a", [1, 0, 2, 3])),
        lambda: sheet.say(PEOPLE[3], cm.Leave("l")),
        lambda: sheet.say(PEOPLE[1], cm.Bot("b", 3, "club")),
        lambda: sheet.say(PEOPLE[1], cm.Bot("n", 3, None)),
        lambda: sheet.say(PEOPLE[3], cm.Sit("s")),
        lambda: sheet.say(PEOPLE[1], cm.Start("g")),
        undo,
        lambda: [
            sheet.say(sheet.person(seat), cm.Vote("v", yes=False))
            for seat in list(sheet.table.pending.voters if sheet.table.pending else ())[:1]
        ],
        lambda: sheet.add([ev.Away(2), ev.StoodIn(2, "club")]),
        lambda: sheet.add([ev.Back(2), ev.Renamed(2, "Another")]),
        lambda: sheet.say(sheet.person(0), cm.Halt("x", on=False)),
        lambda: sheet.add([ev.TimelineBegun("another")]),
    ]
    for happened in happens:
        known = len(sheet.entries)
        happened()
        shown = tell(shown, sheet, clients, known)
    assert sheet.table.restored
    shown = follow(sheet, clients, 60, rng)
    assert len(clients[0].table["hands"]) > 1


def told_differently(name: str, seed: int) -> Iterator[str]:
    """Yield where a seat that cannot tell two worlds apart is told other changes in each."""
    rng, (first, *rest) = Random(name), [table for table, _ in positions(name, seed)]
    before = first
    for now in rest:
        assert now.hand is not None
        for seat in (None, *range(now.hand.rules.seats)):
            hidden = list(unpack(unknown_to(now.hand, seat)))
            if now.hand.phase == "done" or len(hidden) < 2 or rng.random() < 0.5:
                continue
            swap = rng.sample(hidden, 2)
            sent = []
            for world in (lambda table: table, lambda table, s=swap: other_world(table, *s)):
                old = Showing(world(before))
                known = old.shown(seat)
                new, changes = Showing(world(now), before=old), Changes()
                told = changes.between(known, new.shown(seat))
                for other in range(now.hand.rules.seats):  # what they are told is not in it
                    changes.between(old.shown(other), new.shown(other))
                sent.append(msgspec.json.encode(told))
            if sent[0] != sent[1]:
                yield f"seat {seat} in {now.hand.phase}"
        before = now


@pytest.mark.parametrize("name", VARIANTS)
def test_no_change_tells_a_seat_what_it_may_not_know(name: str) -> None:
    assert list(told_differently(name, 5)) == []


def test_a_change_that_shows_what_another_may_do_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        projection,
        "own_view",
        lambda hand, seat: own_view(hand, seat)._replace(legal=hand.legal().as_json()),
    )
    assert list(told_differently("kd_tournament", 5))
