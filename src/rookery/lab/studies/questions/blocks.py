"""Sums over blocks of boards, and confidence intervals of figures that follow from them.

A figure such as a ratio or a standard deviation is not a mean over boards. Nor is the difference of
two figures over the same deals. So the error is estimated by the jackknife of Quenouille and Tukey:
one block of boards is left out at a time. Student's factor allows for the number of blocks. A
board is always in one block, and rule sets measured on the same boards stay paired.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.lab.stats import Interval, student

Rows: TypeAlias = npt.NDArray[np.float64]
Statistic: TypeAlias = Callable[[Rows], Rows]
"""A figure of summed rows: from shape (..., columns) to (...); nan where it is undefined."""


FEWEST_BLOCKS: Final = 40  # where there are as many boards


def block_size(boards: int) -> int:
    """Return how many boards are summed to a block; the last block may have fewer.

    >>> block_size(4000), block_size(39)
    (100, 1)
    """
    return max(1, boards // FEWEST_BLOCKS)


def block_count(boards: int) -> int:
    """Return how many blocks there are.

    >>> block_count(4000), block_count(39)
    (40, 39)
    """
    return -(-boards // block_size(boards))


def jackknife(whole: float, without: Rows) -> Interval:
    """Return a figure with its interval, from its values with each block left out in turn.

    The values, of two blocks or more, have the shape (blocks,). There is no interval where few
    blocks are alike, and the figure is not 0: few are alike by chance.
    """
    blocks = len(without)
    alike = blocks < FEWEST_BLOCKS and whole != 0 and np.allclose(without, without[0], 1e-9, 0)
    if alike or not (isfinite(whole) and np.all(np.isfinite(without))):
        return Interval(whole, float("nan"))
    variance = (blocks - 1) / blocks * float(np.sum((without - without.mean()) ** 2))
    return Interval(whole, student(blocks) * variance**0.5)


@dataclass(frozen=True, eq=False)
class Blocks:
    """The summed rows of some boards, block by block: shape (blocks, columns)."""

    rows: npt.NDArray[np.int64]

    @property
    def total(self) -> Rows:
        """Return the sums over all boards, shape (columns,)."""
        return np.asarray(self.rows.sum(axis=0), np.float64)

    @property
    def _without(self) -> Rows:
        return np.asarray(self.rows.sum(axis=0) - self.rows, np.float64)

    def __call__(self, figure: Statistic) -> Interval:
        """Return a figure with its interval.

        >>> rows = np.array([[10, 4], [10, 5], [10, 9]])
        >>> Blocks(rows)(lambda sums: sums[..., 1] / sums[..., 0]).mean
        0.6
        """
        return jackknife(float(figure(self.total)), figure(self._without))

    def beyond(self, figure: Statistic, base: Blocks, of_base: Statistic) -> Interval:
        """Return the figure less that of `base`, over the same boards, with its interval."""
        whole = float(figure(self.total) - of_base(base.total))
        return jackknife(whole, figure(self._without) - of_base(base._without))

    def same(self, base: Blocks) -> bool:
        """Return whether all numbers equal those of `base`."""
        return np.array_equal(self.rows, base.rows)
