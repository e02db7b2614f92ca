"""The time of a turn ends, and the next hand comes, whatever somebody does to hold them up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import (
    PATIENCE,
    PEOPLE,
    Room,
    acts,
    heard,
    play_one,
    running,
    settled,
    started,
    turn_of,
)

from rookery.server.clock import Clock
from rookery.server.live.actor import Actor
from rookery.server.live.alarm import Alarm
from rookery.server.live.connection import Connection
from rookery.server.settings import PACES, Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers
from rookery.server.table.projection import snapshot

ANN, BOB = PEOPLE[:2]
CLOCK = 10  # seconds
HOUR = 3_600_000  # milliseconds
Trick = Callable[[Room, Actor, Connection, str], Awaitable[Connection]]


async def does_nothing(room: Room, actor: Actor, line: Connection, mark: str) -> Connection:
    return line


async def loads_the_page(room: Room, actor: Actor, line: Connection, mark: str) -> Connection:
    actor.disconnect(line)
    await room.settle()
    again = actor.connect(line.who)
    actor.take(again, cm.Hello())
    return again


async def leaves_and_comes(room: Room, actor: Actor, line: Connection, mark: str) -> Connection:
    seat = actor.table.seat_of(line.who.id)
    actor.take(line, cm.Leave(f"leave-{mark}"))
    actor.take(line, cm.Sit(f"sit-{mark}", seat=seat))
    return line


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("trick", [does_nothing, loads_the_page, leaves_and_comes])
def test_nobody_makes_a_turn_longer_by_coming_and_going(trick: Trick, own: bool) -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(4, clock=CLOCK)
        seat, before = turn_of(actor), acts(actor)
        line = lines[seat if own else (seat + 1) % 4]
        ends = 1000 * CLOCK + room.settings.lag
        for second in range(ends // 1000 + 2):
            line = await trick(room, actor, line, str(second))
            for each in lines:
                heard(each)
            await room.turn(1000)
        assert acts(actor) > before
        assert actor.table.people_here == (0, 1, 2, 3)
        await room.close()

    running(scene)


def test_whoever_was_waited_for_has_time_when_they_come() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(1, clock=CLOCK)
        while turn_of(actor) != 0:
            await room.turn(PACES["normal"].trick)
        before = acts(actor)
        actor.disconnect(lines[0])
        await room.turn(1000 * CLOCK * 9)
        actor.take(actor.connect(ANN), cm.Hello())
        await room.settle()
        await room.turn(1000 * CLOCK)
        assert acts(actor) == before
        await room.turn(room.settings.lag)
        assert acts(actor) > before
        await room.close()

    running(scene)


def test_whoever_acts_has_no_new_timer_made_and_the_turn_ends_when_it_is_over() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=CLOCK)
        timers = len(room.clock._waiting)
        for number in range(CLOCK - 1):
            play_one(actor, lines, number)
            await room.turn(1000)
        assert len(room.clock._waiting) == timers
        await room.turn(1000 * CLOCK + room.settings.lag - 1)
        assert acts(actor) == CLOCK - 1
        await room.turn(1)
        assert acts(actor) == CLOCK
        await room.close()

    running(scene)


def test_an_alarm_rings_at_the_moment_set_last_and_at_none_that_is_called_off() -> None:
    async def scene() -> None:
        clock, rung = HandTurnedClock(0), list[int]()
        alarm = Alarm(clock, noting(rung))
        for moments, passes in (((9, 5), 5), ((9, 12), 4), ((12,), 3), ((20, None), 99)):
            for moment in moments:
                alarm.set(moment)
            await settled()
            clock.turn(passes)
            await settled()
        assert rung == [5, 12]

    running(scene)


def test_an_alarm_put_off_is_not_early_where_the_clock_has_jumped() -> None:
    async def scene() -> None:
        clock, rung = HandTurnedClock(0), list[int]()
        alarm = Alarm(clock, noting(rung))
        alarm.set(9)
        alarm.set(12)
        await settled()
        clock.set(clock.now() + HOUR)
        for passes, expected in ((9, []), (2, []), (1, [12])):
            clock.turn(passes)
            await settled()
            assert rung == expected

    running(scene)


def test_an_alarm_is_not_late_where_the_clock_has_jumped() -> None:
    async def scene() -> None:
        clock, rang = Clock(), asyncio.Event()  # no timer of this one follows a jump

        async def wake(_: int) -> None:
            rang.set()

        alarm = Alarm(clock, wake)
        alarm.set(clock.now() + HOUR // 2)
        await settled()
        clock.set(clock.now() + HOUR)
        alarm.set(clock.now() + 20)
        await asyncio.wait_for(rang.wait(), PATIENCE)

    running(scene)


def noting(rung: list[int]) -> Callable[[int], Awaitable[None]]:
    async def wake(moment: int) -> None:
        rung.append(moment)

    return wake


def test_a_host_sets_a_clock_for_somebody_who_does_nothing() -> None:
    sheet, settings = started(), Settings()
    assert timers.due(sheet.table, settings, 0) is None  # the control: nothing ends this turn
    sheet.now += 60_000
    sheet.say(ANN, cm.Table("t", clock=CLOCK))
    due = timers.due(sheet.table, settings, 0)
    assert due == timers.Due(
        sheet.now + 1000 * CLOCK + settings.lag, "clock", sheet.hand.to_act or 0
    )
    # Said again, or without a clock, it changes this turn no more.
    for clock in (0, CLOCK * 9):
        sheet.now += 1000
        sheet.say(ANN, cm.Table("t", clock=clock))
        assert timers.due(sheet.table, settings, 0) == due


def test_the_next_hand_comes_though_somebody_loads_the_page() -> None:
    sheet = started()
    sheet.play(Random(1), lambda hand: hand.over)
    due = timers.due(sheet.table, Settings(), 0)
    assert due is not None
    assert due.what == "deal"
    sheet.add([ev.Away(2), ev.Back(2), *sheet.ask(PEOPLE[3], cm.Leave("l"))])  # type: ignore[misc]
    assert timers.due(sheet.table, Settings(), 0) == due


def test_what_nobody_has_seen_goes_back_once_where_a_clock_runs() -> None:
    for clock, told in ((0, []), (CLOCK, "asked-already")):
        sheet = started()
        sheet.say(ANN, cm.Table("t", clock=clock))
        sheet.play(Random(1), lambda hand: hand.phase == "nest")
        seat = sheet.hand.to_act
        assert seat is not None
        for _ in range(2):
            outcome = sheet.act(random_action(sheet.hand, Random(1)))
            assert isinstance(outcome[0], ev.Acted)
            if snapshot(sheet.table, seat).may_undo:
                assert sheet.say(PEOPLE[seat], cm.Undo("u")) == [ev.Undone(seat)]
        if told:
            assert sheet.code(PEOPLE[seat], cm.Undo("u")) == told
            # What all have seen goes back as often as all want that.
            sheet.act(random_action(sheet.hand, Random(1)))
            assert isinstance(sheet.say(PEOPLE[seat], cm.Undo("u"))[0], ev.VoteAsked)
        else:
            assert sheet.hand.phase == "nest"
