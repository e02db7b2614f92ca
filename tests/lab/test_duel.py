"""A duel is fair, repeatable, and says how sure it is."""

from dataclasses import replace
from statistics import mean, stdev

import pytest

from rookery.bots.decide import kind_of
from rookery.lab.duel import BOARDS, SQUARES, TOTAL, WIDTH, Contracts, duel, outcome, scale
from rookery.rules import load
from rookery.rules.table import compile_rules

TOURNAMENT = compile_rules(load("kd_tournament"))
PAPA, KARAPET, RANDOM = kind_of("papa"), kind_of("karapet"), kind_of("random")


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("kd_tournament", 2 * 2 * 2),  # rooms, seats of one, seats of the other
        ("dixie_6", 2 * 3 * 3),
        ("call_partner_5", 5 * 1 * 4),
        ("rook_1906_8", 8 * 1 * 7),
        ("rook_two_1914", 2 * 1 * 1),
    ],
)
def test_every_side_of_the_table_is_tried(variant: str, expected: int) -> None:
    assert scale(compile_rules(load(variant))) == expected


@pytest.mark.parametrize("variant", ["kd_tournament", "call_partner_5", "rook_two_1914"])
def test_a_bot_without_dice_draws_with_itself_on_every_board(variant: str) -> None:
    result = duel(compile_rules(load(variant)), PAPA, PAPA, 20, seed=3, target="python")
    assert (result.mean, result.ci95) == (0, 0)
    assert result.one.played + result.other.played > 0


def test_changing_places_changes_the_sign() -> None:
    there = duel(TOURNAMENT, PAPA, KARAPET, 60, seed=5, target="python")
    back = duel(TOURNAMENT, KARAPET, PAPA, 60, seed=5, target="python")
    assert there.mean == -back.mean != 0
    assert there.ci95 == back.ci95
    assert (there.one, there.other) == (back.other, back.one)


def test_a_duel_may_be_played_in_parts() -> None:
    whole = duel(TOURNAMENT, PAPA, RANDOM, 30, seed=9, target="python")
    parts = [
        duel(TOURNAMENT, PAPA, RANDOM, 15, seed=9, first=at, target="python") for at in (0, 15)
    ]
    assert whole.mean == pytest.approx(mean(part.mean for part in parts))
    assert whole.one.played == sum(part.one.played for part in parts)


def test_the_interval_is_that_of_the_boards() -> None:
    results = [8, -16, 40, 0, 24]
    sums = [0] * WIDTH
    sums[BOARDS], sums[TOTAL] = 5, sum(results)
    sums[SQUARES] = sum(result * result for result in results)
    points = [result / scale(TOURNAMENT) for result in results]
    found = outcome(TOURNAMENT, sums)
    assert found.mean == pytest.approx(mean(points))
    assert found.ci95 == pytest.approx(1.959964 * stdev(points) / 5**0.5)
    assert not found.ahead
    assert replace(found, ci95=found.mean / 2).ahead


def test_the_share_of_contracts_made() -> None:
    assert Contracts(played=8, made=6, bid=600, taken=700).made_percent == 75
    assert Contracts(0, 0, 0, 0).made_percent == 0


@pytest.mark.numba
def test_every_target_and_any_number_of_threads_agree() -> None:
    plain = duel(TOURNAMENT, PAPA, RANDOM, 40, seed=9, target="python")
    assert duel(TOURNAMENT, PAPA, RANDOM, 40, seed=9, cores=1) == plain
    assert duel(TOURNAMENT, PAPA, RANDOM, 1_100, seed=9, cores=1) == duel(
        TOURNAMENT, PAPA, RANDOM, 1_100, seed=9, cores=3
    )
