"""Which players of a finished hand were bots, so that a page can call them in its own language."""

from __future__ import annotations

from random import Random

from tests.server.core.tables import PEOPLE, Sheet

from rookery.rules import load
from rookery.server.registry.played import finished, replayed
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

QUICK = load({"base": "kd_tournament", "target": 60})


def test_a_hand_says_who_was_a_bot_when_its_match_began() -> None:
    sheet = Sheet(QUICK, people=2, seed=3)
    sheet.say(PEOPLE[0], cm.Start("g"))
    # People take the bots' places after the deal, so that people decide everywhere.
    sheet.add([ev.Sat(seat, *PEOPLE[seat]) for seat in (2, 3)])
    rng = Random(3)
    sheet.play(rng, lambda _: False)
    sheet.say(PEOPLE[3], cm.Leave("l"))
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    sheet.add([ev.Sat(3, *PEOPLE[4])])
    sheet.play(rng, lambda _: False)
    past = sheet.history
    hands = list(finished(past))
    assert {one.match_number for one in hands} == {0, 1}
    for one in hands:
        bots = one.listed().bots
        assert bots == [None, None, "papa" if one.match_number == 0 else None, "papa"]
        assert len(one.match.players) == 4
        told = replayed(past, one.number, None)
        assert told is not None
        assert told.bots == bots
