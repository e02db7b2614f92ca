"""Whoever is told only what is new of a table comes to the same table as everybody else."""

from __future__ import annotations

import json
import zlib
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.rules import catalog, load
from rookery.server.live import changes as new
from rookery.server.live.connection import CHECKED, Audience, Connection, Outbox
from rookery.server.store.timeline import Timeline
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.projection import Showing
from rookery.server.table.state import Table, Who

WATCHER = Who("w", "Wil")


def renew(known: dict[str, Any], new: dict[str, Any]) -> None:
    """Give a table, or the view in it, what is new."""
    for name, (kept, follows) in new.pop("more", {}).items():
        assert 0 < kept <= len(known[name])
        known[name][kept:] = follows
    assert new.keys() <= known.keys()
    known.update(new)


class Client:
    """A copy of a table that follows what it is sent, as docs/reference/socket.md says."""

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
        assert told["base"] == self.table["seq"]
        new = told["table"]
        if new.get("view") is not None and self.table["view"] is not None:
            renew(self.table["view"], new.pop("view"))
        renew(self.table, new)
        self.table["seq"] = told["seq"]
        if "check" in told:
            self.checked += 1
            text = json.dumps(
                self.table | {"rules": None}, separators=(",", ":"), ensure_ascii=False
            )
            assert zlib.crc32(text.encode()) == told["check"]


def tell(before: Table, sheet: Sheet, clients: list[Client], known: int) -> None:
    """Tell everybody what has happened since there were so many events."""
    audience = Audience(sheet.table, 1, Timeline("", "00"), before)
    for one in clients:
        audience.tell(one.line, sheet.entries[known:])
        seat = sheet.table.seat_of(one.line.who.id)
        whole = msgspec.to_builtins(Showing(sheet.table, 1).to(seat, rules=False))
        # Of talk, and of what concerns somebody else alone, the table says nothing but its number.
        seq = {} if one.read() else {"seq": one.table["seq"]}
        assert json.loads(json.dumps(whole | seq)) == one.table | {"rules": None}


def follow(sheet: Sheet, clients: list[Client], steps: int, rng: Random) -> None:
    """Play so many actions at random, and tell everybody of each."""
    welcome = Audience(sheet.table, 1, Timeline("", "00"))
    for one in clients:
        one.line.outbox.put(welcome.welcome(one.line))
        one.read()
    for _ in range(steps):
        if sheet.table.phase != "playing":
            return
        before, known = sheet.table, len(sheet.entries)
        done = iter((False, True))
        sheet.play(rng, lambda _, done=done: next(done))  # type: ignore[misc]
        tell(before, sheet, clients, known)


@pytest.mark.parametrize("rules", catalog())
def test_a_copy_that_is_changed_is_the_table_at_every_seat_in_every_variant(rules: str) -> None:
    sheet = started(load(rules))
    seats = load(rules).seats
    clients = [Client(who) for who in (*PEOPLE[:seats], WATCHER)]
    follow(sheet, clients, 60, Random(7))
    assert all(len(one.sizes) >= 40 for one in clients)
    assert all(one.checked >= 40 // CHECKED for one in clients)


def test_a_whole_match_with_a_talk_an_undo_and_a_change_of_settings() -> None:
    sheet = started(load({"base": "kd_tournament", "target": 150}))
    clients = [Client(who) for who in (*PEOPLE[:4], WATCHER)]
    rng = Random(3)
    follow(sheet, clients, 30, rng)
    for who, command in (
        (PEOPLE[0], cm.Chat("c", text='hello \u2028 \u20ac "quoted"')),
        (PEOPLE[0], cm.Table("t", title="Küche \u2028 </b>")),
        (PEOPLE[1], cm.Block("b", 0)),
    ):
        before, known = sheet.table, len(sheet.entries)
        sheet.say(who, command)
        tell(before, sheet, clients, known)
    follow(sheet, clients, 2_000, rng)
    assert sheet.table.phase == "over"
    assert len(clients[0].table["hands"]) > 1
    sizes = sorted(clients[0].sizes)
    assert sizes[len(sizes) // 2] <= 400  # bytes


def test_a_client_that_missed_a_change_or_has_another_table_notices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheet, one = started(), Client(PEOPLE[0])
    whole = new.changes
    lost = lambda before, after: {  # noqa: E731
        name: value for name, value in whole(before, after).items() if name != "turn_since"
    }
    monkeypatch.setattr(new, "changes", lost)
    with pytest.raises(AssertionError):
        follow(sheet, [one], 3 * CHECKED, Random(1))
    one.table["seq"] -= 1
    with pytest.raises(AssertionError):
        one.change({"base": sheet.table.seq, "seq": sheet.table.seq + 1, "table": {}})
