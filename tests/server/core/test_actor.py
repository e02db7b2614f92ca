"""A table alive: presence, bots, pace, clocks, powers, votes; every period by a clock of ours."""

from __future__ import annotations

from tests.hands import ENDLESS
from tests.server.core.tables import (
    PEOPLE,
    Room,
    acts,
    heard,
    last_table,
    play_one,
    running,
    turn_of,
)

from rookery.rules import stored
from rookery.server.settings import PACES
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

NORMAL = PACES["normal"]


def test_a_table_is_made_joined_begun_and_played() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        welcome = next(m for m in heard(lines[2]) if isinstance(m, ms.Welcome))
        assert welcome.you is None
        assert actor.table.phase == "playing"
        asked = play_one(actor, lines, 1)
        await room.settle()
        told = heard(lines[1])
        assert any(isinstance(m, ms.Ack) and m.id == asked for m in told)
        table = last_table(told)
        assert table["you"] == 1
        assert actor.table.hand is not None
        assert table["view"]["calls"] == [str(action) for action in actor.table.hand.actions]
        assert [seat["name"] for seat in table["seats"]] == ["Ann", "Bob", "Cy", "Dee"]
        watcher = actor.connect(PEOPLE[5])
        actor.take(watcher, cm.Hello())
        actor.take(watcher, cm.Ping())
        actor.take(watcher, cm.Hint())
        await room.settle()
        shown = heard(watcher)
        assert isinstance(shown[0], ms.Welcome)
        assert last_table(shown)["view"]["hand"] is None
        assert shown[1] == ms.Pong(actor.table.seq)
        assert isinstance(shown[2], ms.Refused)
        assert shown[2].code == "no-hint"
        assert len(actor.company.watchers(actor.table)) == 1
        await room.close()
        assert isinstance(heard(watcher)[-1], ms.Closing)

    running(scene)


def test_bots_act_one_by_one_and_only_while_somebody_is_there() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(people=1)
        for _ in range(3):
            before = acts(actor)
            await room.turn(NORMAL.move - 1)
            assert acts(actor) == before
            await room.turn(1)
            assert acts(actor) == before + 1
        actor.disconnect(lines[0])
        await room.settle()
        before = acts(actor)
        for _ in range(20):
            await room.turn(1_000)
        assert acts(actor) == before  # nobody is there; nothing moves
        await room.close()

    running(scene)


def test_a_dropped_seat_is_away_then_a_bots_then_its_own_again() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(pace="instant")
        seat = turn_of(actor)
        line = lines[seat]
        second_tab = actor.connect(line.who)
        actor.disconnect(line)
        await room.settle()
        assert actor.table.chairs[seat].here
        actor.disconnect(second_tab)
        await room.settle()
        assert actor.table.chairs[seat].away_since == room.clock.now()
        before = acts(actor)
        await room.turn(room.settings.grace - 1)
        assert actor.table.chairs[seat].stand_in is None
        await room.turn(1)
        assert actor.table.chairs[seat].stand_in == room.settings.default_bot
        assert acts(actor) == before + 1
        assert actor.table.hand is not None
        back = actor.connect(line.who)
        actor.take(back, cm.Hello())
        await room.settle()
        chair = actor.table.chairs[seat]
        assert (chair.here, chair.stand_in, chair.kind) == (True, None, "person")
        table = last_table(heard(back))
        assert table["you"] == seat
        assert table["view"]["hand"] == actor.table.hand.names(actor.table.hand.cards_held[seat])
        await room.close()

    running(scene)


def test_the_powers_of_an_absent_host_pass_on() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(begin=False)
        actor.disconnect(lines[0])
        await room.settle()
        await room.turn(room.settings.grace - 1)
        assert actor.table.host == 0
        await room.turn(1)
        assert actor.table.host == 1
        actor.take(lines[1], cm.Start("go"))
        await room.settle()
        assert actor.table.phase == "playing"
        await room.close()

    running(scene)


def test_a_clock_ends_a_turn_and_an_unanswered_question_is_a_no() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=20)
        seat, before = turn_of(actor), acts(actor)
        await room.turn(20_000 + room.settings.lag - 1)
        assert acts(actor) == before
        await room.turn(1)
        assert acts(actor) == before + 1
        events = [m for m in heard(lines[0]) if isinstance(m, ms.Update)][-1].events
        assert (events[-1]["seat"], events[-1]["by"]) == (seat, "auto")
        play_one(actor, lines, 1)
        await room.settle()
        last = lines[(seat + 1) % 4]
        actor.take(last, cm.Undo("undo"))
        await room.settle()
        assert actor.table.pending is not None
        await room.turn(room.settings.vote)
        assert actor.table.pending is None
        assert acts(actor) == before + 2
        await room.close()

    running(scene)


def test_a_move_that_was_on_its_way_when_the_clock_showed_nothing_left_counts() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(clock=20)
        seat, before = turn_of(actor), acts(actor)
        await room.turn(20_999)
        play_one(actor, lines, 1)
        await room.settle()
        assert acts(actor) == before + 1
        told = [m for m in heard(lines[0]) if isinstance(m, ms.Update)][-1].events[-1]
        assert (told["seat"], told["by"]) == (seat, "person")
        # The next turn has all of its own time.
        await room.turn(20_999)
        assert acts(actor) == before + 1
        await room.turn(1)
        assert acts(actor) == before + 2
        await room.close()

    running(scene)


def test_the_next_hand_is_dealt_by_itself() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        number = 0
        while not actor.table.between_hands:
            number += 1
            play_one(actor, lines, number)
            await room.settle()
            for line in lines:
                heard(line)
        await room.turn(NORMAL.hand - 1)
        assert actor.table.between_hands
        await room.turn(1)
        assert not actor.table.between_hands
        assert last_table(heard(lines[0]))["hand_number"] == 1
        await room.close()

    running(scene)


def test_an_empty_table_keeps_still_and_everybody_finds_the_seat_again() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        names = [chair.name for chair in actor.table.chairs]
        for line in lines:
            actor.disconnect(line)
        await room.turn(10 * room.settings.grace)
        seq = actor.table.seq
        await room.turn(10 * room.settings.grace)
        assert actor.table.seq == seq
        again = [actor.connect(line.who) for line in lines]
        for line in again:
            actor.take(line, cm.Hello())
        await room.settle()
        assert [chair.name for chair in actor.table.chairs] == names
        assert all(chair.here for chair in actor.table.chairs)
        await room.close()

    running(scene)


def test_whoever_does_not_ask_for_parts_is_told_the_whole_sheet() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(2, stored(ENDLESS))
        actor.take(lines[1], cm.Hello(parts=True))
        await room.turn(NORMAL.trick)
        for line in lines:
            heard(line)
        await room.turn(NORMAL.trick)
        whole, parts = (last_table(heard(line)) for line in lines)
        assert (whole["hands_from"], len(whole["hands"])) == (0, actor.table.place + 1)
        assert 0 < parts["hands_from"] < actor.table.place
        await room.close()

    running(scene)
