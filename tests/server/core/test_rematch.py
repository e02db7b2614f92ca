"""After a match: the host stays host while they look at the review, and nobody waits for long."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.server.core.tables import PEOPLE, Room, Sheet, heard, running

from rookery.fairness.check import proven
from rookery.fairness.deal import proof
from rookery.record import HandRecord
from rookery.rules import load, variant
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers
from rookery.server.table.promise import proof_seen

QUICK = load({"base": "kd_tournament", "target": 60})
ANN, BOB = PEOPLE[:2]


def over(people: int = 4) -> Sheet:
    """Return a table whose match is over."""
    sheet = Sheet(QUICK, people)
    sheet.say(ANN, cm.Start("g"))
    sheet.play(Random(1), lambda _: False)
    assert sheet.table.phase == "over"
    return sheet


def test_a_rematch_is_the_hosts_while_they_are_there() -> None:
    sheet = over()
    assert sheet.code(BOB, cm.Rematch("r")) == "not-host"
    sheet.say(ANN, cm.Rematch("r"))
    assert sheet.table.phase == "playing"
    assert [chair.person for chair in sheet.table.chairs] == [who.id for who in PEOPLE[:4]]


def test_while_the_host_is_away_anybody_who_sits_there_may_begin_it() -> None:
    sheet = over()
    sheet.add([ev.Away(0)])
    assert sheet.code(PEOPLE[5], cm.Rematch("r")) == "not-seated"
    assert sheet.code(BOB, cm.Bot("b", 3, "papa")) == "not-host"
    sheet.say(BOB, cm.Rematch("r"))
    assert (sheet.table.phase, sheet.table.host) == ("playing", 0)


@pytest.mark.parametrize("seed", range(4))
def test_where_partners_are_drawn_again_a_share_goes_with_its_person(seed: int) -> None:
    sheet = Sheet(variant("wanamingo"), 2, seed)
    sheet.say(ANN, cm.Start("g"))
    promise = sheet.table.promise
    assert promise is not None
    share = "5a" * 16
    sheet.say(BOB, cm.Contribute("c", promise.number, share))
    sheet.table = replace(sheet.table, phase="over")
    sheet.say(ANN, cm.Rematch("r"))
    events = [entry.event for entry in sheet.entries]
    assert next(one for one in events if isinstance(one, ev.Rematched)).seats != [0, 1, 2, 3]
    dealt = [one for one in events if isinstance(one, ev.HandDealt)][-1]
    seat = sheet.table.seat_of(BOB.id)
    assert dealt.shares == [share if one == seat else "" for one in range(4)]
    found = proof_seen("ABCDEF2", sheet.table.rules, None, sheet.table.proof, done=True)
    assert found is not None
    assert found.contributors == [seat]
    shown = proof(
        sheet.table.rules, "ABCDEF2", found.number, bytes.fromhex(found.key or ""), found.shares
    )
    assert shown["commitment"] == promise.commitment == found.commitment
    hand = HandRecord(0, dealt.deal, dealt.nest, extra={"proof": shown})
    assert proven(sheet.table.rules, hand)


def test_after_a_match_the_host_stays_host_for_as_long_as_a_review_takes() -> None:
    sheet, settings = over(), Settings()
    sheet.add([ev.Away(0)])
    due = timers.due(sheet.table, settings, 0)
    assert due == timers.Due(sheet.now + timers.READING, "host", 0)
    assert 5 * settings.grace < timers.READING
    assert sheet.code(BOB, cm.Bot("b", 3, "papa")) == "not-host"
    sheet.add(timers.happens(sheet.table, due, settings, sheet.chances))
    assert sheet.table.host == 1
    assert isinstance(sheet.ask(BOB, cm.Replace("b", 0)), list)


def test_a_period_that_is_longer_by_the_settings_stays_longer() -> None:
    sheet, settings = over(), Settings(grace=2 * timers.READING)
    sheet.add([ev.Away(0)])
    due = timers.due(sheet.table, settings, 0)
    assert due == timers.Due(sheet.now + settings.grace, "host", 0)


def test_the_host_goes_sooner_in_a_match() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table(4, QUICK)
        for line in lines:
            heard(line)
        actor.disconnect(lines[0])
        await room.settle()
        await room.turn(room.settings.grace + 1)
        assert actor.table.host == 1
        await room.close()

    running(scene)
