"""Percentages and their intervals."""

from collections import Counter
from math import hypot
from statistics import fmean

import pytest

from rookery.lab.menagerie.figures import PAIR_NAMES, Key
from rookery.lab.menagerie.study import Mode, Study, run_study
from rookery.lab.menagerie.tally import ONE, WIDTH, Sums
from rookery.lab.stats import Z95


def summed(rows: list[dict[int, int]]) -> Sums:
    """Return the sums over games of which only some places are given."""
    products = [0] * (WIDTH * WIDTH)
    for row in rows:
        full = {ONE: 1, **row}
        for i, one in full.items():
            for j, other in full.items():
                if i <= j:
                    products[i * WIDTH + j] += one * other
    return Sums(products)


def test_a_share_of_games_has_the_error_of_a_coin() -> None:
    sums = summed([{2: 1}] * 30 + [{2: 0}] * 70)
    share = sums.share({2: 1}, {ONE: 1})
    assert share.mean == pytest.approx(30)
    assert share.ci95 == pytest.approx(1.984 * 100 * (0.3 * 0.7 / 99) ** 0.5, rel=1e-3)


def test_a_share_of_tricks_scatters_game_by_game() -> None:
    # Two of ten tricks in one game, eight in the other: half of all, give or take a lot.
    sums = summed([{1: 10, 6: 2}, {1: 10, 6: 8}])
    share = sums.share({6: 1}, {1: 1})
    assert share.mean == pytest.approx(50)
    residuals = [2 - 5, 8 - 5]
    error = (sum(r * r for r in residuals) / (2 - 1) * 2) ** 0.5 / 20
    assert share.ci95 == pytest.approx(12.706 * 100 * error, rel=1e-3)  # Student's t of two games


def test_a_share_that_never_varies_has_no_error() -> None:
    assert summed([{1: 10, 6: 2}, {1: 20, 6: 4}]).share({6: 1}, {1: 1}).ci95 == pytest.approx(
        0, abs=1e-5
    )


def test_a_distance_counts_standard_errors_however_few_games_there_are() -> None:
    study = run_study(Mode.PUBLISHED, games := 12, seed=1, threads=1, target="python")
    key = ("games_won", 0, "papa")
    share = dict(study.tables.cells())[key].mean / 100
    assert 0 < share < 1
    # Beside twelve games the paper's hundred thousand have no error.
    error = 100 * (share * (1 - share) / (games - 1)) ** 0.5
    away = 100 * share - study.papers_figures()[key]
    assert study.distances()[key] == pytest.approx(away / error, rel=1e-3)


@pytest.mark.numba
@pytest.mark.parametrize("mode", Mode)
def test_intervals_cover_the_truth_as_often_as_they_say(
    mode: Mode, request: pytest.FixtureRequest
) -> None:
    truth: Study = request.getfixturevalue("published" if mode is Mode.PUBLISHED else "real")
    target = dict(truth.tables.cells())
    runs, games = 300, 400
    covered: Counter[Key] = Counter()
    for seed in range(10_000, 10_000 + runs):
        small = run_study(mode, games, seed, threads=1)
        for key, figure in small.tables.cells():
            spread = hypot(figure.ci95, target[key].ci95)
            covered[key] += abs(figure.mean - target[key].mean) <= spread
    shares = {key: covered[key] / runs for key in target}
    assert fmean(shares.values()) == pytest.approx(0.95, abs=0.015)
    assert min(shares.values()) > 0.89, shares


@pytest.mark.numba
def test_tricks_of_a_game_hang_together(real: Study) -> None:
    # An interval that took each trick for a draw of its own would be too narrow by half.
    for name in PAIR_NAMES:
        figure = real.tables.pair_tricks[name]
        share = figure.mean / 100
        lone = 100 * (share * (1 - share) / (9 * real.hands)) ** 0.5
        assert figure.ci95 > 2 * Z95 * lone
