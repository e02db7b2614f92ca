"""A copy of the table is the table, and is its own."""

import pytest
from tests.solver.test_sample import positions

from rookery.engine.records import copy_of
from rookery.engine.state import Hidden, State, copy_hidden, copy_state
from rookery.rules import catalog, load


@pytest.mark.parametrize("name", catalog())
def test_a_copy_equals_the_table_in_every_position(name: str) -> None:
    s2, h2 = State(), Hidden()
    for table, s, h, _ in positions(load(name), range(1), "random"):
        before = copy_of(s), copy_of(h)
        copy_state(table, s, s2)
        copy_hidden(table, h, h2)
        h2.rng = h.rng
        assert (s2, h2) == (s, h)
        s2.trick[0], s2.won[0], h2.hand[0] = 99, 99, 99
        assert (s, h) == before
