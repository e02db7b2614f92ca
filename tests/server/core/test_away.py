"""Somebody is away: the table says when a bot steps in, and who may have it step in now."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.core.tables import PEOPLE, Room, heard, last_table, running, started

from rookery.server.live.actor import Actor
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.absence import RELOADING
from rookery.server.table.projection import Showing

ANN, BOB, CY = PEOPLE[:3]
GRACE = Settings().grace


def test_the_table_says_when_a_bot_steps_in_and_keeps_to_it() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(3)
        assert last_table(heard(lines[0]))["absent"] == []
        actor.disconnect(lines[1])
        await room.settle()
        since = room.clock.now()
        told: list[dict[str, Any]] = [last_table(heard(line)) for line in (lines[0], lines[2])]
        # The host may call one; whoever else sits there sees the time alone.
        assert told[0]["absent"] == [
            {"seat": 1, "bot_at": since + GRACE, "now_from": since + RELOADING}
        ]
        assert told[1]["absent"] == [{"seat": 1, "bot_at": since + GRACE, "now_from": None}]
        await room.turn(GRACE - 1)
        assert actor.table.chairs[1].stand_in is None
        await room.turn(1)
        assert actor.table.chairs[1].stand_in is not None
        assert last_table(heard(lines[0]))["absent"] == []
        await room.close()

    running(scene)


def test_the_time_counts_from_when_this_server_took_the_table_over() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(2)
        actor.disconnect(lines[1])
        await room.settle()
        await room.turn(GRACE // 2)
        other = Room(room.store)
        other.clock.turn(room.clock.now() - other.clock.now())
        again = await other.find(actor.table.code)
        assert again is not None
        ann = again.connect(ANN)
        again.take(ann, cm.Hello())
        await other.settle()
        [absent] = last_table(heard(ann))["absent"]
        assert absent["bot_at"] == other.clock.now() + GRACE
        await other.close()
        await room.close()

    running(scene)


def test_the_host_has_a_bot_step_in_after_ten_seconds() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(3)
        actor.disconnect(lines[1])
        await room.settle()
        for wait, line, answer in (
            (RELOADING - 1, 0, "may-return"),
            (1, 2, "not-host"),
            (0, 0, None),
            (0, 0, "not-now"),
        ):
            await room.turn(wait)
            heard(lines[line])
            actor.take(lines[line], cm.StandIn(f"s{wait}{line}{answer}", 1))
            await room.settle()
            codes = [one.code for one in heard(lines[line]) if hasattr(one, "code")]
            assert codes == ([] if answer is None else [answer])
        assert actor.table.chairs[1].player == "club"
        # They keep the seat as long as if nobody had called it.
        actor.take(lines[0], cm.Replace("r1", 1))
        await room.turn(GRACE - RELOADING - 1)
        assert actor.table.chairs[1].person == BOB.id
        await room.turn(1)
        actor.take(lines[0], cm.Replace("r2", 1))
        await room.settle()
        assert actor.table.chairs[1].person is None
        await room.close()

    running(scene)


def test_who_comes_back_plays_on() -> None:
    sheet = started()
    sheet.add([ev.Away(1), ev.StoodIn(1, "papa", called=True), ev.Back(1)])
    assert (sheet.table.chairs[1].player, sheet.table.chairs[1].called) == (None, False)


@pytest.mark.parametrize("seat", [1, 2])
def test_anybody_may_call_one_while_the_host_is_away(seat: int) -> None:
    sheet = started()
    sheet.add([ev.Away(3)])
    steps_in = {3: sheet.now + GRACE}
    shown = Showing(sheet.table, 0, steps_in).to(seat, rules=True)
    assert shown.absent[0].now_from is None
    sheet.add([ev.Away(0)])
    shown = Showing(sheet.table, 0, steps_in).to(seat, rules=True)
    assert shown.absent[0].now_from is not None
    assert Showing(sheet.table, 0, steps_in).to(None, rules=True).absent[0].now_from is None


def test_only_who_is_away_in_a_match_is_stood_in_for() -> None:
    sheet = started(people=3)
    assert sheet.code(ANN, cm.StandIn("s", 1)) == "not-away"
    assert sheet.code(ANN, cm.StandIn("s", 3)) == "no-person"
    assert sheet.code(ANN, cm.StandIn("s", 7)) == "no-seat"
    assert sheet.code(BOB, cm.StandIn("s", 2)) == "not-host"


def test_a_table_where_all_are_there_is_not_woken_over_and_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    woken, sound = list[int](), Actor._wake

    async def wake(actor: Actor, moment: int) -> None:
        woken.append(moment)
        await sound(actor, moment)

    monkeypatch.setattr(Actor, "_wake", wake)

    async def scene() -> None:
        room = Room()
        await room.table(begin=False)
        await room.turn(room.settings.unseen)
        assert woken == []
        await room.close()

    running(scene)
