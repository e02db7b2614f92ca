"""The solver's bounds where a trick is worth something, each claim against brute force."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from tests.laws.house import CALLED, ORDER, Change
from tests.solver.minimax import plain_minimax
from tests.solver.positions import (
    BLIND,
    BRIDGE,
    Position,
    plain_memory,
    plain_value,
    tricks_count,
)

from rookery.cards import parse_card
from rookery.engine.records import copy_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules import load
from rookery.rules.order import NOTRUMP
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


ALONE: Final[Change] = {"partnership": "alone"}
CALLS: Final[Change] = {**CALLED, "called_cards": 1, "declaration_order": ORDER}
RUFFS: Final[Change] = {"void_duty": "must_trump"}
# Changes to the bridge game, the trump call, the declarer, their side, hands from the leader's on,
# and what the side takes. Green is trumps in row 1.
TIGHT: Final[dict[str, tuple[Change, int, int, int, str, int]]] = {
    "three lose their two high trumps to one trick": (
        ALONE, 1, 0, 0b0001, "G12 G11 G10 R1, G1 B2 B3 B4, G2 G3 Y2 Y3, G13 B5 B6 B7", 3,
    ),
    "two that must beat lose theirs to one trick": (
        {**CALLS, "void_duty": "must_beat"},
        1, 0, 0b0011, "R1 R13 R12, G4 G5 B4, G13 G2 B2, G1 G3 B3", 2,
    ),
    "three leave one hand no card to throw away": (
        ALONE, NOTRUMP, 1, 0b0010, "R7 R5 G2, G13 Y13 B13, R9 R3 Y2, R8 R2 B2", 0,
    ),
    "one of two partners is reached": (
        ALONE, NOTRUMP, 1, 0b0010, "R2 B2, Y13 Y12, R1 Y2, B1 Y3", 1,
    ),
    "the Rook takes the trick that was to reach a partner": (
        {"rook_in_deck": True, "nest_size": 1, "rook_rank": "bottom", "rook_any_time": True},
        1, 0, 0b0101, "R2 Y2 Y3, R3 RK B13, R1 G13 B2, Y1 Y13 Y12", 1,
    ),
    "the leader has to ruff a partner's trick": (
        RUFFS, 1, 0, 0b0101,
        "R2 G2 B2 B3 B4 B5, B1 B13 B12 Y1 Y13 Y12, R1 R13 R12 R11 Y2 Y3, R3 R4 R5 G9 B6 B7", 2,
    ),
    "a partner has to ruff the leader's trick": (
        RUFFS, 1, 0, 0b0101, "B1 B13 R2 Y2, R3 R4 B3 Y4, R1 R13 G2 Y3, R5 R6 B4 Y13", 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIGHT)
def test_a_count_of_tricks_goes_no_further(name: str) -> None:
    changes, row, declarer, side, hands, tricks = TIGHT[name]
    table = compile_rules(load({**BRIDGE, **changes}))
    s, h = State(), Hidden()
    s.phase, s.contract, s.sides_known, s.declarer = PLAY, 1, 1, declarer
    s.allies = h.allies = side
    s.call = s.row = row
    for seat, names in enumerate(hands.split(",")):
        h.hand[seat] = sum(1 << parse_card(card) for card in names.split())
    s.tricks = table.hand_size - h.hand[0].bit_count()
    position = table, s, h
    assert plain_value(position) == plain_minimax(*position) == tricks
    low, high = claimed(position)
    assert low <= tricks <= high


def test_a_blind_hand_wastes_a_high_trump() -> None:
    """Its first card falls to the lead that takes seat 1's only trump."""
    table = compile_rules(load(BLIND))
    s, h = State(), Hidden()
    s.phase, s.contract, s.sides_known, s.declarer = PLAY, 1, 1, 0
    s.allies = h.allies = s.call = s.row = 1
    s.tricks = table.hand_size - 2
    for place, names in enumerate(("G8 G7", "G13 B6", "B7 B8", "G12 G6")):
        h.hand[place] = sum(1 << parse_card(card) for card in names.split())
    h.blind[s.tricks :] = [parse_card("G12"), parse_card("G6"), *h.blind[s.tricks + 2 :]]
    h.blind_at = s.tricks
    position = table, s, h
    assert plain_value(position) == plain_minimax(*position) == 1
    low, high = claimed(position)
    assert low <= 1 <= high
