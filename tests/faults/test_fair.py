"""P18: nothing that a million deals would show is wrong with the live scheme; here with fewer."""

from __future__ import annotations

import itertools
from math import comb, isclose

import numpy as np
import pytest
from tests.faults.fairness import counted, fairness, limit, naive
from tests.faults.hand_types import hand_types, pooled
from tests.faults.unfair import PLANTED, Fault, dealt

from rookery.rules import load

DEALS = 20_000
SPOILED = 300_000


def test_the_deals_of_the_scheme_are_fair() -> None:
    found = fairness(DEALS, seed=1)
    assert found.unfair == []
    # Neither too good to be true: fixed numbers would pass every limit from below.
    assert found.places.found > 1_600 - 5 * (2 * 1_600) ** 0.5
    assert found.neighbours.found > 10
    assert all(figure.found > 0.1 for figure in found.hands.values())


def test_the_control_a_shuffle_that_swaps_with_any_place_is_found_out() -> None:
    found = fairness(DEALS, 1, naive)
    assert found.places.found > 2 * found.places.most
    assert not found.fair


def test_the_control_deals_that_hang_on_one_another_are_found_out() -> None:
    found = fairness(DEALS, 1, lambda deck, key: [*deck[key[0] % 41 :], *deck[: key[0] % 41]])
    assert abs(found.runs.found) > 100
    assert not found.fair


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.figure)
def test_the_control_each_fault_is_found_out_by_the_figure_that_is_for_it(fault: Fault) -> None:
    found = counted(dealt(SPOILED, 1, fault)).unfair
    assert fault.figure in found
    # A card that stays with its neighbour, or comes a little too often, is nowhere else to be seen.
    assert len(found) == 1 or fault not in PLANTED[:2]


def test_a_fair_shuffle_is_not_found_out() -> None:
    assert counted(dealt(SPOILED, 1)).unfair == []


def test_the_limit_is_that_of_the_tables() -> None:
    # Chi-square at 10^-6: 1883.43 for 1,600 degrees of freedom, 209.81 for 121, 33.38 for 4.
    assert abs(limit(1_600) - 1_883.43) < 0.01
    assert abs(limit(121) - 209.81) < 1
    assert abs(limit(4) - 33.38) < 0.01


def test_the_chances_are_those_of_all_hands_of_a_small_deck() -> None:
    small = {"base": "kd_tournament", "ranks": [5, 6, 14], "hand_size": 3, "nest_size": 1}
    rules = load({**small, "name": "Small", "bid_minimum": 5, "bid_maximum": 80})
    every = np.array(list(itertools.combinations(range(13), 3)))
    assert len(every) == comb(13, 3)
    for each in hand_types(rules):
        assert isclose(sum(each.chances), 1)
        exactly = [round(chance * len(every), 6) for chance in each.chances]
        assert each.counted(every).tolist() == exactly


def test_types_of_which_there_are_too_few_count_as_one() -> None:
    seen, expected = pooled(np.array([1, 90, 2, 40]), np.array([0.5, 90.0, 3.0, 40.5]))
    assert seen.tolist() == [90, 43]
    assert expected.tolist() == [90, 44]
