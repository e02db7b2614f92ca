"""The result of a hand stays until it is read, and the table says when the next one is dealt."""

from __future__ import annotations

from tests.server.core.tables import PEOPLE, Room, heard, running

from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.settings import PACES, PaceName
from rookery.server.table import commands as cm
from rookery.server.table.projection import snapshot

NORMAL = PACES["normal"]
WEEK = 7 * 24 * 3_600_000


async def hand_over(
    room: Room, people: int, pace: PaceName = "normal"
) -> tuple[Actor, list[Connection]]:
    """Return a table where a hand has just been played to its end."""
    actor, lines = await room.table(people, pace=pace)
    while not (actor.table.between_hands and actor.table.hand and actor.table.hand.score):
        hand, seat = actor.table.hand, actor.table.to_act
        for line in lines:
            heard(line)
        assert hand is not None
        if seat is not None and seat < people:
            bids = [str(one) for one in hand.legal() if "bid" in str(one)]
            text = bids[0] if bids else str(next(iter(hand.legal())))
            act = cm.Act(f"a{actor.table.seq}", text.partition(" ")[2], actor.table.seq)
            actor.take(lines[seat], act)
            await room.settle()
        else:
            await room.turn(NORMAL.trick)
    return actor, lines


def test_nothing_is_dealt_by_itself_while_one_person_is_alone() -> None:
    async def scene() -> None:
        for pace in PACES:
            room = Room()
            actor, [ann] = await hand_over(room, 1, pace)
            assert snapshot(actor.table, 0).pause is None
            await room.turn(WEEK)
            assert actor.table.between_hands
            actor.take(ann, cm.Next("n"))
            await room.settle()
            assert not actor.table.between_hands
            await room.close()

    running(scene)


def test_with_others_the_table_says_when_it_is_dealt_and_keeps_to_it() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await hand_over(room, 2)
        assert snapshot(actor.table, 0).pause == NORMAL.hand
        await room.turn(NORMAL.hand - 1)
        assert actor.table.between_hands
        await room.turn(1)
        assert not actor.table.between_hands
        assert snapshot(actor.table, 0).pause is None
        await room.close()

    running(scene)


def test_coming_and_going_holds_up_nobody_who_has_asked_for_the_next_hand() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await hand_over(room, 2)
        actor.take(lines[0], cm.Next("n"))
        await room.settle()
        for _ in range(4):
            assert actor.table.between_hands
            actor.disconnect(lines[1])
            await room.settle()
            await room.turn(NORMAL.hand // 4)
            lines[1] = actor.connect(PEOPLE[1])
            actor.take(lines[1], cm.Hello())
            await room.settle()
        assert not actor.table.between_hands
        await room.close()

    running(scene)


def test_whoever_is_left_alone_reads_in_peace() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await hand_over(room, 2)
        actor.disconnect(lines[1])
        await room.settle()
        assert snapshot(actor.table, 0).pause is None
        await room.turn(WEEK)
        assert actor.table.between_hands
        back = actor.connect(PEOPLE[1])
        actor.take(back, cm.Hello())
        await room.settle()
        assert snapshot(actor.table, 0).pause == NORMAL.hand
        await room.turn(NORMAL.hand)
        assert not actor.table.between_hands
        await room.close()

    running(scene)


def test_the_result_says_whether_the_contract_was_made_and_where_points_came_from() -> None:
    async def scene() -> None:
        room = Room()
        actor, _ = await hand_over(room, 4)
        shown = snapshot(actor.table, None)
        assert shown.view is not None
        assert shown.result is not None
        assert shown.view.declarer is not None
        assert shown.view.score is not None
        assert shown.result.made == (shown.view.score[shown.view.declarer] > 0)
        sums = [one.tricks + one.nest + one.bonus for one in shown.result.sources]
        assert sums == shown.view.points
        await room.close()

    running(scene)
