"""The solver's bounds where a trick is worth something, each claim against brute force."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from tests.solver.minimax import plain_minimax
from tests.solver.positions import BRIDGE, Position, plain_memory, plain_value, tricks_count

from rookery.cards import parse_card
from rookery.engine.records import copy_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules import load
from rookery.rules.table import compile_rules
from rookery.solver.answer import begin
from rookery.solver.bounds import certain_tricks
from rookery.solver.ending import Ending

TRICKS: Final = {2: 7, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 3}


def claimed(position: Position) -> tuple[int, int]:
    """Return the least and the most points that the bounds alone leave to the side."""
    table, s, h = position
    w = Ending()
    begin(table, copy_of(s), copy_of(h), w, plain_memory(1))
    low, high = 0, w.left[0]
    for need in range(1, high + 1):
        w.need[0] = need
        result = certain_tricks(table, w, 0)
        if result == 1:
            low = max(low, need)
        elif result == 0:
            high = min(high, need - 1)
    return w.base + w.unit * low, w.base + w.unit * high


@pytest.mark.numba
@pytest.mark.slow
def test_what_the_bounds_claim_is_so() -> None:
    from tests.solver.compiled import brute_force

    said = 0
    for rules, position in tricks_count(Random(1), 600, TRICKS):
        low, high = claimed(position)
        said += low == high
        assert low <= brute_force()(position) <= high, rules
    assert said > 200


def test_three_that_play_together_may_have_to_waste_a_high_trump() -> None:
    """Seats 1 and 3 have one trump each, the two highest, and lose both to one trick."""
    table = compile_rules(load({**BRIDGE, "partnership": "alone"}))
    s, h = State(), Hidden()
    s.phase, s.contract, s.sides_known, s.allies = PLAY, 1, 1, 1
    h.allies = 1
    s.call = s.row = 1
    s.tricks = table.hand_size - 4
    hands = ("G12 G11 G10 R1", "G1 B2 B3 B4", "G2 G3 Y2 Y3", "G13 B5 B6 B7")
    for seat, names in enumerate(hands):
        h.hand[seat] = sum(1 << parse_card(name) for name in names.split())
    position = table, s, h
    assert plain_value(position) == plain_minimax(*position) == 3
    low, high = claimed(position)
    assert low <= 3 <= high
