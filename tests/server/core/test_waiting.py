"""Whoever wants a spare seat during a hand may wait for its end, and sits down by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, play_one, running

from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.settings import PaceName
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms

ANN, BOB, CY = PEOPLE[:3]
LONG = 2_000  # milliseconds; longer than a bot's move stays on the screen


def answers(messages: Sequence[ms.Message]) -> list[str]:
    return [
        "ack" if isinstance(one, ms.Ack) else one.code
        for one in messages
        if isinstance(one, ms.Ack | ms.Refused)
    ]


async def come(room: Room, actor: Actor, line: Connection, *commands: cm.Command) -> list[str]:
    """Say hello and these things; return the answers."""
    for command in (cm.Hello(), *commands):
        actor.take(line, command)
    await room.settle()
    return answers(heard(line))


async def play_out(
    room: Room, actor: Actor, lines: Sequence[Connection], waits: Connection
) -> list[str]:
    """Play the hand under way to its end, and not on; return what whoever waits is answered."""
    dealt, told = actor.table.dealt_seq, []
    for number in range(200):
        told += answers(heard(waits))
        if not actor.table.in_hand or actor.table.dealt_seq != dealt:
            return told
        seat = actor.table.to_act
        assert seat is not None
        if actor.table.chairs[seat].player is None:
            play_one(actor, lines, number)
        for line in lines:
            heard(line)  # who does not read is cut off
        await room.turn(LONG if actor.table.pace != "instant" else 0)
    raise AssertionError("the hand does not end")


@pytest.mark.parametrize("pace", ["calm", "instant"])
def test_who_waits_sits_down_before_the_next_deal(pace: PaceName) -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(people=1, pace=pace)
        line = actor.connect(BOB)
        assert await come(room, actor, line, cm.Sit("at-once", 2)) == ["hand-under-way"]
        assert await come(room, actor, line, cm.Sit("later", 2, wait=True)) == []
        assert await play_out(room, actor, lines, line) == ["ack"]
        assert actor.table.chairs[2].person == BOB.id
        stored = await room.store.read(actor.table.code)
        sat = next(one.seq for one in stored if one.client == f"{BOB.id}:later")
        dealt = [one.seq for one in stored if isinstance(one.event, ev.HandDealt)]
        assert dealt[0] < sat
        assert all(sat < seq for seq in dealt[1:])
        await room.close()

    running(scene)


def test_where_all_are_away_who_waits_has_the_hand_played_out() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(people=1, pace="brisk")
        actor.disconnect(lines[0])
        await room.settle()
        await room.turn(10 * room.settings.grace)
        seq = actor.table.seq
        assert actor.table.chairs[0].stand_in is None
        line = actor.connect(BOB)
        assert await come(room, actor, line, cm.Sit("s", wait=True)) == []
        assert actor.table.seq > seq
        assert actor.table.chairs[0].stand_in is not None
        assert await play_out(room, actor, [], line) == ["ack"]
        assert BOB.id in [chair.person for chair in actor.table.chairs]
        # Ann has her seat all the same.
        assert actor.table.chairs[0].person == ANN.id
        await room.close()

    running(scene)


def test_a_later_wish_answers_the_earlier_one_and_who_goes_waits_no_more() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(people=1, pace="calm")
        bob, cy = actor.connect(BOB), actor.connect(CY)
        assert await come(room, actor, bob, cm.Sit("one", 1, wait=True)) == []
        assert await come(room, actor, bob, cm.Sit("one", 1, wait=True)) == []
        assert await come(room, actor, bob, cm.Sit("two", 2, wait=True)) == ["hand-under-way"]
        # A refused command stays refused, however late a copy of it comes.
        assert await come(room, actor, bob, cm.Sit("one", 1, wait=True)) == ["hand-under-way"]
        assert await come(room, actor, cy, cm.Sit("s", 3, wait=True)) == []
        actor.disconnect(cy)
        assert await play_out(room, actor, lines, bob) == ["ack"]
        sitting = [chair.person for chair in actor.table.chairs]
        assert sitting == [ANN.id, None, BOB.id, None]
        await room.close()

    running(scene)
