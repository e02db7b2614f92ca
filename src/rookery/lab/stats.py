"""Intervals of 95 %: the one kind that every figure of the laboratory carries."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959964
MANY: Final = 1000  # values from which on Student's distribution and the normal one are the same


class Interval(NamedTuple):
    """A measured figure and half the width of its 95 % interval, both in the figure's unit.

    Both are nan where there was nothing to measure; the second alone where the figure's error
    cannot be told.
    """

    mean: float
    ci95: float

    @property
    def low(self) -> float:
        """The lower end."""
        return self.mean - self.ci95

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.ci95

    @property
    def known(self) -> bool:
        """Whether there is a figure with an interval."""
        return isfinite(self.mean) and isfinite(self.ci95)

    def clear(self, wider: float = 1.0) -> bool:
        """Return whether the interval, made `wider` so many times, leaves 0 out."""
        return abs(self.mean) > wider * self.ci95


@lru_cache(maxsize=MANY)
def student(count: int, doubt: float = 0.05) -> float:
    """Return by how many standard errors an interval of `count` values, 2 or more, reaches.

    Student's t; from a thousand values on, at 95 %, the normal distribution's 1.96. `doubt` is the
    share of intervals that may miss, both sides together.

    >>> round(student(5), 3), round(student(10**6), 3), round(student(100, 0.05 / 1000), 2)
    (2.776, 1.96, 4.24)
    """
    if count > MANY and doubt == 0.05:
        return Z95
    from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

    return float(stdtrit(count - 1, 1 - doubt / 2))


def variance_of(count: int, total: int, squares: int) -> float:
    """Return the variance of `count` values, 2 or more, from their sum and that of their squares.

    >>> variance_of(3, 6, 14)
    1.0
    """
    return max(0, squares * count - total * total) / (count * (count - 1))


def interval_of(count: int, total: int, squares: int, unit: float = 1) -> Interval:
    """Return the mean of values, 2 or more, divided by `unit`, with its 95 % interval.

    They are given by their sum and that of their squares, as for `variance_of`.

    >>> found = interval_of(4, 8, 24, 2)
    >>> found.mean, round(found.ci95, 3)
    (1.0, 1.299)
    """
    error = sqrt(variance_of(count, total, squares) / count)
    return Interval(total / count / unit, student(count) * error / unit)
