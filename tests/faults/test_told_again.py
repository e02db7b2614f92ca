"""P11: what was stored tells the table again, and its record says what was played."""

from __future__ import annotations

import pytest
from tests.faults.told_again import complaints

from rookery.rules import catalog


@pytest.mark.parametrize("number", range(0, 3 * len(catalog()), 5))
def test_a_match_is_told_again(number: int) -> None:
    assert list(complaints(number)) == []


def test_the_control_a_log_that_lost_an_act_is_found_out() -> None:
    assert all(any(complaints(number, lossy=True)) for number in range(0, len(catalog()), 5))
