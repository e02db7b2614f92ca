"""P18: nothing that a million deals would show is wrong with the live scheme; here with fewer."""

from __future__ import annotations

from tests.faults.fairness import fairness, limit, naive

DEALS = 20_000


def test_the_deals_of_the_scheme_are_fair() -> None:
    found = fairness(DEALS, seed=1)
    assert found.fair, found
    # Neither too good to be true: fixed numbers would pass every limit from below.
    assert found.places > 1_600 - 5 * (2 * 1_600) ** 0.5


def test_the_control_a_shuffle_that_swaps_with_any_place_is_found_out() -> None:
    found = fairness(DEALS, 1, naive)
    assert found.places > 2 * found.places_limit
    assert not found.fair


def test_the_control_deals_that_hang_on_one_another_are_found_out() -> None:
    found = fairness(DEALS, 1, lambda deck, key: [*deck[key[0] % 41 :], *deck[: key[0] % 41]])
    assert abs(found.runs) > 100
    assert not found.fair


def test_the_limit_is_that_of_the_tables() -> None:
    # Chi-square at 10^-6, exactly: 1883.43 for 1,600 degrees of freedom, 209.81 for 121.
    assert abs(limit(1_600) - 1_883.43) < 0.1
    assert abs(limit(121) - 209.81) < 1
