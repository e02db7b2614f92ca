"""Whoever is alone with bots may have them wait once the auction is over."""

from __future__ import annotations

from random import Random

from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Room, heard, last_table, running, started

from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.settings import PACES
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.projection import snapshot

MOVE = PACES["normal"].trick
WEEK = 7 * 24 * 3_600_000


async def auction_over(room: Room, actor: Actor, ann: Connection) -> None:
    """Pass, or do the first thing that is legal, until somebody has won the auction."""
    while (hand := actor.table.hand) is None or hand.declarer is None:
        heard(ann)
        if hand is not None and hand.to_act == 0:
            texts = [one.words for one in hand.legal()]
            text = "pass" if "pass" in texts else texts[0]
            actor.take(ann, cm.Act(f"a{actor.table.seq}", text, actor.table.seq))
            await room.settle()
        else:
            await room.turn(MOVE)


def test_the_bots_wait_after_the_auction_until_they_are_told_to_go_on() -> None:
    async def scene() -> None:
        room = Room(seed=2)
        actor, [ann] = await room.table(1)
        actor.take(ann, cm.Halt("h"))
        await room.settle()
        assert not snapshot(actor.table, 0).halted  # the auction goes on
        await auction_over(room, actor, ann)
        hand = actor.table.hand
        assert hand is not None
        assert hand.to_act != 0
        assert last_table(heard(ann))["halted"]
        seq = actor.table.seq
        await room.turn(WEEK)
        assert actor.table.seq == seq
        actor.take(ann, cm.Halt("g", on=False))
        await room.settle()
        assert not last_table(heard(ann))["halted"]
        await room.turn(MOVE)
        assert actor.table.seq > seq + 1
        await room.close()

    running(scene)


def test_nobody_else_waits() -> None:
    async def scene() -> None:
        room = Room(seed=2)
        actor, [ann] = await room.table(1)
        actor.take(ann, cm.Halt("h"))
        await auction_over(room, actor, ann)
        # Somebody who waits for the end of the hand has it played.
        bob = actor.connect(PEOPLE[1])
        actor.take(bob, cm.Hello())
        actor.take(bob, cm.Sit("s", wait=True))
        seq = actor.table.seq
        await room.turn(MOVE)
        assert actor.table.seq > seq
        await room.close()

    running(scene)


def test_it_is_for_whoever_is_alone() -> None:
    sheet = started(people=2)
    assert sheet.code(PEOPLE[0], cm.Halt("h")) == "not-now"
    assert sheet.code(PEOPLE[2], cm.Halt("h")) == "not-seated"
    # Whoever comes later may have them go on.
    sheet.add([ev.Halted(0, on=True)])
    assert sheet.say(PEOPLE[1], cm.Halt("g", on=False)) == [ev.Halted(1, False)]


def test_a_card_that_they_play_ends_it() -> None:
    sheet = started()
    for text in ("bid 75", "pass", "pass", "pass"):
        sheet.act(text)
    sheet.add([ev.Halted(0, on=True)])
    while sheet.hand.phase != "play":
        sheet.act(random_action(sheet.hand, Random(1)))
        assert sheet.table.halt
    sheet.act(random_action(sheet.hand, Random(1)))
    assert not sheet.table.halt
