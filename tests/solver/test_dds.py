"""The solver against a bridge solver, in a rule set that is bridge: a trick is a point."""

from __future__ import annotations

from random import Random

import pytest
from tests.solver.compiled import solver
from tests.solver.positions import BRIDGE, bridge_position

from rookery.rules import load
from rookery.rules.table import compile_rules

pytest.importorskip("endplay")


@pytest.mark.numba
@pytest.mark.slow
@pytest.mark.parametrize(("cards", "positions"), [(5, 600), (6, 600), (7, 400), (8, 150), (9, 60)])
def test_a_bridge_solver_agrees(cards: int, positions: int) -> None:
    from tests.solver.dds import dds_value

    table, rng = compile_rules(load(BRIDGE)), Random(cards)
    for _ in range(positions):
        position = bridge_position(table, rng, cards, rng.randrange(4))
        assert solver()(position) == dds_value(position)
