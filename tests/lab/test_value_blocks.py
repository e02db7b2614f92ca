"""Figures of sums have honest intervals."""

from math import isnan, sqrt
from statistics import mean, stdev

import numpy as np
import pytest

from rookery.lab.stats import student
from rookery.lab.studies.questions.blocks import (
    Blocks,
    Rows,
    block_count,
    block_size,
    jackknife,
)


def ratio(sums: Rows) -> Rows:
    return np.asarray(sums[..., 1] / sums[..., 0])


def test_of_a_mean_it_is_the_interval_that_everybody_knows() -> None:
    values = [3, 8, 1, 9, 4, 4, 12]
    rows = np.array([[1, value] for value in values])
    found = Blocks(rows)(ratio)
    assert found.mean == pytest.approx(mean(values))
    assert found.ci95 == pytest.approx(student(7) * stdev(values) / sqrt(7))


def test_a_paired_difference_forgets_what_both_share() -> None:
    rng = np.random.default_rng(3)
    shared = rng.integers(-1000, 1000, 60)
    one = Blocks(np.array([[1, x + 5 + x % 3] for x in shared]))
    other = Blocks(np.array([[1, x] for x in shared]))
    found = one.beyond(ratio, other, ratio)
    assert found.mean == pytest.approx(5 + mean(int(x % 3) for x in shared))
    assert found.ci95 < 0.5 < one(ratio).ci95
    assert other.beyond(ratio, other, ratio) == (0, 0)
    assert other.same(other)
    assert not one.same(other)


def test_what_nobody_measured_is_not_a_number() -> None:
    with np.errstate(invalid="ignore"):
        assert isnan(Blocks(np.zeros((4, 2), np.int64))(ratio).mean)
        alone = Blocks(np.array([[0, 0], [4, 2], [0, 0]]))(ratio)
    assert alone.mean == 0.5
    assert isnan(alone.ci95)
    assert not alone.known
    assert not alone.clear()


@pytest.mark.parametrize(("count", "known"), [(2, False), (39, False), (40, True), (79, True)])
def test_a_few_blocks_that_are_alike_but_not_level_have_no_interval(
    count: int, known: bool
) -> None:
    """A few are alike by chance."""
    base, moved = (Blocks(np.array([[4, value]] * count)) for value in (3, 1))
    found = moved.beyond(ratio, base, ratio)
    assert found.mean == -0.5
    assert (found.known, found.clear()) == (known, known)
    assert base.beyond(ratio, base, ratio) == (0, 0)


@pytest.mark.parametrize("boards", [2, 3, 39, 40, 41, 79, 80, 1000, 1234])
def test_every_board_has_a_block(boards: int) -> None:
    assert (boards - 1) // block_size(boards) == block_count(boards) - 1
    assert min(boards, 40) <= block_count(boards) <= 79


def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    """A skewed ratio of two sums that hang together; the repeats come of one seed."""
    rng = np.random.default_rng(11)
    inside = 0
    repeats = 4000
    for _ in range(repeats):
        whole = 1 + rng.poisson(3.0, (40, 25)).sum(axis=1)
        part = rng.binomial(whole, 0.6) + rng.poisson(0.5, 40)
        rows = np.stack([whole, part], axis=1)
        truth = 0.6 + 0.5 / (1 + 75.0)
        found = jackknife(
            float(part.sum() / whole.sum()),
            np.asarray((part.sum() - part) / (whole.sum() - whole)),
        )
        assert found == Blocks(rows)(ratio)
        inside += abs(found.mean - truth) < found.ci95
    assert 0.94 < inside / repeats < 0.96
