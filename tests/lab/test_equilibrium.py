"""The equilibrium mix of a matrix of payoffs."""

from __future__ import annotations

import numpy as np
import pytest

from rookery.lab.league.standings import (
    Matrix,
    equilibrium,
    gains,
    mix_interval,
    vertex,
)

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def game(upper: list[list[float]]) -> Matrix:
    """Return the zero-sum game whose rows above the diagonal are these."""
    n = len(upper) + 1
    matrix = np.zeros((n, n))
    for i, row in enumerate(upper):
        matrix[i, i + 1 :] = row
    return matrix - matrix.T


def test_rock_paper_scissors_is_a_third_each() -> None:
    for scale in (1.0, 250.0, 1e-3):
        mix = equilibrium(scale * ROCK_PAPER_SCISSORS)
        assert mix == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_uneven_rock_paper_scissors_follows_the_formula() -> None:
    # a beats b by 1, b beats c by 2, c beats a by 3: each plays as the game of the others weighs.
    mix = equilibrium(game([[1, -3], [2]]))
    assert mix == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-6)


def test_a_dominated_bot_gets_nothing() -> None:
    four = np.zeros((4, 4))
    four[:3, :3] = ROCK_PAPER_SCISSORS
    four[3, :3], four[:3, 3] = -0.5, 0.5
    assert equilibrium(four) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)


def test_a_ladder_gives_all_to_the_best() -> None:
    assert equilibrium(game([[1, 2, 3], [1, 2], [1]])) == pytest.approx([1, 0, 0, 0])
    assert equilibrium(game([[-1, -2], [-0.01]])) == pytest.approx([0, 0, 1])


def test_a_bot_that_enters_twice_shares_its_part() -> None:
    twice = [0, 0, 1, 2]
    matrix = ROCK_PAPER_SCISSORS[np.ix_(twice, twice)]
    assert equilibrium(matrix) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5)


def test_where_nobody_wins_everybody_plays() -> None:
    assert equilibrium(np.zeros((5, 5))) == pytest.approx([0.2] * 5)
    assert equilibrium(np.zeros((1, 1))) == pytest.approx([1])


@pytest.mark.parametrize("seed", range(25))
def test_no_bot_gains_against_the_mix(seed: int) -> None:
    dice = np.random.default_rng(seed)
    n = int(dice.integers(2, 9))
    half = np.triu(np.round(dice.normal(0, 10, (n, n)), int(dice.integers(0, 3))), 1)
    matrix = half - half.T
    for mix in (equilibrium(matrix), vertex(matrix)):
        assert mix.sum() == pytest.approx(1)
        assert mix.min() >= 0
        assert gains(matrix, mix).max() <= 1e-5 * (1 + np.abs(matrix).max())
    # The control: a mix with all its weight on a bot that somebody beats is no equilibrium.
    loser = int(np.argmin(matrix.min(axis=1)))
    if matrix[loser].min() < 0:
        assert gains(matrix, np.eye(n)[loser]).max() > 0


def test_no_mix_has_more_entropy() -> None:
    dice = np.random.default_rng(4)
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = ROCK_PAPER_SCISSORS  # two triangles that do not meet
    best = equilibrium(matrix)

    def entropy(mix: Matrix) -> float:
        held = mix[mix > 0]
        return -float(np.sum(held * np.log(held)))

    assert best == pytest.approx([1 / 6] * 6, abs=1e-5)
    for _ in range(20):
        other = vertex(matrix, dice.normal(size=6))
        assert entropy(other) <= entropy(best) + 1e-6


def test_the_interval_holds_the_mix_and_widens_with_doubt() -> None:
    sure = mix_interval(ROCK_PAPER_SCISSORS, np.full((3, 3), 0.01), seed=1)
    unsure = mix_interval(ROCK_PAPER_SCISSORS, np.full((3, 3), 0.3), seed=1)
    assert np.all((sure[:, 0] < 1 / 3) & (sure[:, 1] > 1 / 3))
    assert np.all(unsure[:, 1] - unsure[:, 0] > sure[:, 1] - sure[:, 0])
    assert np.array_equal(sure, mix_interval(ROCK_PAPER_SCISSORS, np.full((3, 3), 0.01), seed=1))
