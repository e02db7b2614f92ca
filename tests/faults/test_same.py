"""P12: the same seeds are the same matches, compiled or not, whoever shares the work."""

from __future__ import annotations

import pytest
from tests.engine import stepping
from tests.faults.same import hash_of
from tests.faults.whole_games import golden, unordered

from rookery.engine.targets import load

MATCHES = 76


def test_plain_matches_are_those_that_are_known_whoever_shares_them() -> None:
    assert hash_of(MATCHES) == hash_of(MATCHES, workers=2) == golden()[str(MATCHES)]


@pytest.mark.numba
def test_compiled_matches_are_the_same() -> None:
    compiled = load("numba", stepping.step)
    assert hash_of(MATCHES, compiled, workers=2) == golden()[str(MATCHES)]


def test_the_control_legal_acts_in_another_order_are_found_out() -> None:
    with unordered():
        turned = hash_of(MATCHES)
    assert turned != golden()[str(MATCHES)]
