"""What a kernel of Numba's is given lies apart in memory, and a test that gives it more is red."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.engine.apart import Apart, together

from rookery.engine.kernel import kernel
from rookery.engine.records import array_of
from rookery.engine.state import Hidden
from rookery.engine.targets import load

pytestmark = pytest.mark.numba


@kernel
def read_again(one: list[int], other: list[int]) -> int:
    """Return what stands in the first list before and after the other is written to, summed."""
    before = one[0]
    other[0] = 5
    return before + one[0]


def test_every_kernel_in_these_tests_looks_at_what_it_is_given() -> None:
    code = load("numba", read_again)
    assert isinstance(code, Apart)
    assert code(np.array([7]), np.array([7])) == 14


@pytest.mark.parametrize("begin", [0, 1])
def test_the_control_memory_that_is_given_twice_is_found(begin: int) -> None:
    code: Any = load("numba", read_again)
    row = np.array([7, 8])
    with pytest.raises(AssertionError, match=r"read_again is given \[\(0, 1\)\] in one memory"):
        code(row, row[begin:])


def test_the_control_a_record_is_found_beside_itself_and_beside_its_list() -> None:
    many = array_of(Hidden(), Hidden())
    assert together((many[0], many[0])) == together((many, many[1])) == [(0, 1)]
    assert together((many[0], many[1])) == []
