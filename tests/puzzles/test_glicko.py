"""Glicko-2 against its author's published example."""

from __future__ import annotations

import pytest

from rookery.puzzles.glicko import BOTS, Rating, first_rating


def test_glickmans_example() -> None:
    """Of *Example of the Glicko-2 system*: a period of three games."""
    games = [
        (Rating(1400, 30), 1.0),
        (Rating(1550, 100), 0.0),
        (Rating(1700, 300), 0.0),
    ]
    after = Rating(1500, 200, 0.06).after(games)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_plays_nobody_becomes_less_certain() -> None:
    after = Rating(1500, 200, 0.06).after([])
    assert (after.value, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(200.27, abs=0.01)


def test_an_unlikely_win_moves_both_and_raises_the_volatility() -> None:
    person, puzzle = Rating(1200, 60), Rating(2400, 60)
    winner, loser = person.after([(puzzle, 1.0)] * 5), puzzle.after([(person, 0.0)] * 5)
    assert winner.value > person.value + 40
    assert loser.value < puzzle.value - 40
    assert winner.volatility > person.volatility


def test_a_puzzle_is_harder_the_fewer_bots_find_it() -> None:
    ladder = [
        first_rating((20, *[100 if at < known else 0 for at in range(len(BOTS) - 1)][::-1])).value
        for known in range(len(BOTS))
    ]
    assert ladder == sorted(ladder, reverse=True)
    assert ladder[0] - ladder[-1] > 400
