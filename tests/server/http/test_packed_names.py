"""What somebody writes is never deflated with the cards that somebody else holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from tests.server.core.tables import PEOPLE, Room, running
from websockets.extensions.permessage_deflate import PerMessageDeflate

from rookery.server.http import packed
from rookery.server.http.packed import SHORT, Packed
from rookery.server.live.connection import Connection
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

HELD = ["R14", "R11", "R7", "G14", "G9", "Y13", "Y6", "B10", "Rook"]
NOT_HELD = ["R13", "R12", "R8", "G13", "G8", "Y12", "Y5", "B11", "Roxx"]
MARK = "Zzyzx"  # in whatever is written here
EVENT = {"seq": 78, "at": 1_764_432_000_000}


def socket() -> Packed:
    return Packed(PerMessageDeflate(True, False, 15, 15))


def change(table: dict[str, Any], *events: dict[str, Any]) -> bytes:
    return ms.encoded(ms.Changed(78, 77, list(events), table, "abcdefghijklmnop"))


DEALT = change({"view": {"hand": HELD, "legal": ["pass", "bid 105"]}, "turn_since": 1_764_432_000})
TOLD: dict[str, Callable[[list[str]], bytes]] = {
    "watchers": lambda names: ms.encoded(ms.Watching(9, [*names, "somebody else"])),
    "a new name": lambda names: change(
        {}, *({**EVENT, "type": "renamed", "name": n} for n in names)
    ),
    "seats": lambda names: change({"seats": [{"name": name, "total": 0} for name in names]}),
    "more seats": lambda names: change({"more": {"seats": [1, [{"name": n} for n in names]]}}),
    "names": lambda names: change({"names_at_table": names, "ready": [0, 1, 2]}),
    "a title": lambda names: change({"title": " ".join(names), "pace": "instant"}),
    "a table": lambda names: ms.encoded(ms.Update(78, [EVENT], ms.raw({"seats": names}))),
    "all": lambda names: ms.encoded(ms.Welcome(78, 0, ms.raw({"seats": names, "view": HELD}), [])),
    "talk": lambda names: ms.encoded(ms.Chat(78, 1, MARK, " ".join(names))),
    "a refusal": lambda names: ms.encoded(
        ms.Refused("s", "seat-taken", f"{' '.join(names)} sits there {'.' * SHORT}")
    ),
}


def lengths(tells: Callable[[list[str]], bytes], names: list[str]) -> list[int]:
    """Return how long what is told comes out, and what is told of the cards after that."""
    to = socket()
    return [len(to.framed(one)) for one in (DEALT, tells(names), DEALT)]


@pytest.mark.parametrize("what", TOLD)
def test_from_the_length_nobody_learns_how_like_the_cards_a_text_is(what: str) -> None:
    assert lengths(TOLD[what], HELD) == lengths(TOLD[what], NOT_HELD)
    assert len(socket().framed(DEALT)) < len(DEALT)


# In a seat more comes between two names than they have in common with the cards.
@pytest.mark.parametrize("what", [what for what in TOLD if what != "seats"])
def test_the_control_deflated_it_tells(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "GAME", b"{")
    monkeypatch.setattr(packed, "_WRITTEN", re.compile(b"never"))
    assert lengths(TOLD[what], HELD) != lengths(TOLD[what], NOT_HELD)


def taken(lines: Iterable[Connection]) -> list[bytes]:
    """Return what connections have been told since the last look."""
    return [ms.encoded(line.outbox.take()) for line in lines for _ in range(len(line.outbox))]


def test_whatever_a_table_tells_with_a_text_in_it_is_sent_as_it_is() -> None:
    told = list[bytes]()

    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(3, pace="instant", begin=False)
        watcher = actor.connect(PEOPLE[4]._replace(name=f"{MARK} 4"))
        everybody = [*lines, watcher]

        async def happens(line: Connection, command: cm.Command) -> None:
            actor.take(line, command)
            await room.settle()
            told.extend(taken(everybody))

        for line in everybody:
            await happens(line, cm.Hello(changes=True))
        for number, who in enumerate(PEOPLE[:3]):
            actor.rename(who._replace(name=f"{MARK} {number}"))
        await happens(lines[0], cm.Table("t", title=f"{MARK} at home"))
        await happens(lines[0], cm.Start("g"))
        await happens(watcher, cm.Chat("c", text=f"{MARK} says hello"))
        actor.rename(PEOPLE[2]._replace(name=f"{MARK} the other"))
        actor.disconnect(lines[1])
        await room.settle()
        lines[1] = everybody[1] = actor.connect(lines[1].who)
        await happens(lines[1], cm.Hello(changes=True))
        number = 0
        while not actor.table.scores and number < 600:
            assert actor.table.hand is not None
            seat = actor.table.to_act
            if seat is not None and seat < len(lines):
                action = next(iter(actor.table.hand.legal())).words
                await happens(lines[seat], cm.Act(f"a{number}", action, actor.table.seq))
            else:
                await room.turn(0)
            number += 1
        assert actor.table.scores
        await room.close()

    running(scene)
    written = [one for one in told if MARK.encode() in one]
    assert {one.split(b'"')[3] for one in written} == {b"welcome", b"change", b"chat", b"watching"}
    assert [one for one in written if socket().deflated(one) is not None] == []
    assert sum(socket().deflated(one) is not None for one in told) > 100  # the control
