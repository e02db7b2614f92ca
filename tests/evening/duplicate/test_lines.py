"""What a bot makes of a deal in all seats, beside what the engine makes of the same actions."""

from __future__ import annotations

import pytest

from rookery.bots.names import Bot
from rookery.evening.duplicate.lines import line_of
from rookery.evening.duplicate.slips import seat_names
from rookery.fairness.evening import EveningDeals
from rookery.rules import load


@pytest.mark.parametrize(
    ("changes", "opens"),
    [
        ({"base": "kd_tournament"}, True),
        ({"base": "rook_two_1914", "dummy": "none", "nest_size": 18}, True),
        ({"base": "rook_two_1914"}, False),  # with a blind hand nobody plays their best
        ({"base": "rook_three_1914"}, False),  # nor where there are three sides
    ],
)
def test_a_line_says_what_its_actions_come_to(changes: dict[str, object], *, opens: bool) -> None:
    rules = load(changes)
    hand = EveningDeals(rules, "Friday", 4, bytes(32)).hand(1)
    sides = rules.fixed_sides or [(seat,) for seat in range(rules.seats)]
    line = line_of(hand, Bot("papa"), sides)
    end = hand.act_all(line.actions)
    assert end.over
    assert end.declarer is not None
    assert end.score is not None
    assert (line.declarer, line.bid) == (seat_names(rules)[end.declarer], end.bid)
    assert line.scores == [end.score[side[0]] for side in sides]
    assert (line.open is not None) == opens
    assert line.open is None or len(line.open) == len(sides)
