"""A restart, in any phase: the same seats, the same cards, and time to come back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import (
    PEOPLE,
    Room,
    heard,
    last_table,
    looks,
    quiet,
    running,
    without_seat,
)

from rookery.game import Hand
from rookery.rules import variant
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

PHASES: dict[str, tuple[str, Callable[[Hand], bool]]] = {
    "auction": ("kd_tournament", lambda hand: hand.phase == "auction" and len(hand.actions) > 1),
    "nest": ("kd_tournament", lambda hand: hand.phase == "nest"),
    "trump": ("kd_tournament", lambda hand: hand.phase == "trump"),
    "call": ("call_partner_5", lambda hand: hand.phase == "call"),
    "play": ("kd_tournament", lambda hand: hand.phase == "play" and len(hand.trick) == 2),
    "done": ("kd_tournament", lambda hand: hand.over),
}


async def play_until(
    room: Room, actor: Actor, lines: list[Connection], wanted: Callable[[Hand], bool]
) -> None:
    rng = Random(5)
    for number in range(400):
        hand = actor.table.hand
        assert hand is not None
        if wanted(hand):
            return
        seat = hand.to_act
        assert seat is not None, "the hand went by"
        text = without_seat(random_action(hand, rng))
        actor.take(lines[seat], cm.Act(f"a{number}", text, actor.table.seq))
        await quiet(actor)
        for line in lines:
            heard(line)
    raise AssertionError("it never came to that")


@pytest.mark.parametrize("phase", PHASES)
def test_a_restart_keeps_every_seat_and_card(phase: str, tmp_path: Path) -> None:
    name, wanted = PHASES[phase]

    async def scene() -> None:
        rules = variant(name)
        room = Room(SqliteStore(tmp_path / "db"))
        actor, lines = await room.table(people=rules.seats, rules=rules)
        await quiet(actor)
        await play_until(room, actor, lines, wanted)
        before = actor.table
        await room.close()
        assert all(line.outbox.ended for line in lines)

        after = Room(SqliteStore(tmp_path / "db"))
        after.clock.turn(3_600_000)
        again = await after.find(before.code.lower())
        assert again is not None
        assert looks(again.table) == looks(before)
        back = [again.connect(line.who) for line in lines[1:]]
        for line in back:
            again.take(line, cm.Hello(before.seq))
        await quiet(again)
        for seat, line in enumerate(back, 1):
            table = last_table(heard(line))
            assert table["you"] == seat
            assert before.hand is not None
            assert table["view"]["hand"] == before.hand.names(before.hand.cards_held[seat])
        # The one who does not come back is given the whole grace again before a bot plays.
        assert again.table.chairs[0].here
        after.clock.turn(after.settings.unseen)
        await quiet(again)
        assert again.table.chairs[0].away_since == after.clock.now()
        assert again.table.chairs[0].stand_in is None
        after.clock.turn(after.settings.grace)
        await quiet(again)
        assert again.table.chairs[0].stand_in is not None
        await after.close()

    running(scene)


def test_a_lobby_and_a_question_survive_too(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / "db"))
        actor, lines = await room.table(people=3, begin=False)
        await quiet(actor)
        actor.take(lines[0], cm.Bot("b", 3, "hog"))
        await quiet(actor)
        seen = looks(actor.table)
        await room.close()
        room = Room(SqliteStore(tmp_path / "db"))
        again = await room.find(actor.table.code)
        assert again is not None
        assert looks(again.table) == seen
        lines = [again.connect(who) for who in PEOPLE[:3]]
        again.take(lines[0], cm.Start("go"))
        await quiet(again)
        again.take(lines[1], cm.Act("x", "bid 75", again.table.seq))
        again.take(lines[1], cm.Undo("u"))
        await quiet(again)
        assert again.table.pending is not None
        await room.close()
        room = Room(SqliteStore(tmp_path / "db"))
        third = await room.find(actor.table.code)
        assert third is not None
        assert third.table.pending == again.table.pending
        for who in (PEOPLE[0], PEOPLE[2]):
            third.take(third.connect(who), cm.Vote("v", True))
        await quiet(third)
        assert third.table.pending is None
        assert third.table.hand is not None
        assert third.table.hand.actions == ()
        await room.close()

    running(scene)


def test_tables_are_listed_put_to_sleep_and_forgotten(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(SqliteStore(tmp_path / "db"))
        actor, lines = await room.table(people=2, begin=False)
        await quiet(actor)
        assert await room.registry.lobby.tables() == []
        actor.take(lines[0], cm.Table("t", open=True, title="Come in"))
        await quiet(actor)
        (listed,) = await room.registry.lobby.tables()
        assert (listed.code, listed.title, listed.people, listed.free) == (
            actor.table.code, "Come in", 2, 2,
        )  # fmt: skip
        await room.registry.sweep()
        assert len(room.registry.actors) == 1
        for line in lines:
            actor.disconnect(line)
        await quiet(actor)
        room.clock.turn(room.settings.idle)
        await room.registry.sweep()
        assert not room.registry.actors
        late = heard(actor.connect(PEOPLE[0]))
        assert [type(message) for message in late] == [ms.Closing]
        assert await room.registry.table(actor.table.code) is not None
        assert len(await room.registry.lobby.tables()) == 1
        room.clock.turn(room.settings.keep_lobby)
        await room.registry.sweep()
        assert await room.find(actor.table.code) is None
        for code in ("", "x", "../../etc", "ABCDEF2", "\u0131" * 7):
            assert await room.find(code) is None
            assert await room.registry.table(code) is None
        await room.close()

    running(scene)
