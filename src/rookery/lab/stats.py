"""Intervals of 95 % around a mean, from whole-number sums."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959964
MANY: Final = 1000  # values from which on Student's distribution and the normal one are the same


class Interval(NamedTuple):
    """A mean and half the width of its 95 % interval, in the same unit."""

    mean: float
    half: float

    @property
    def low(self) -> float:
        """The lower end."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.half

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside."""
        return abs(self.mean) > self.half


@lru_cache(maxsize=MANY)
def quantile(count: int) -> float:
    """Return by how many standard errors a 95 % interval of `count` values, 2 or more, reaches.

    Student's t up to a thousand values, the normal distribution's 1.96 beyond.

    >>> round(quantile(5), 3), round(quantile(10**6), 3)
    (2.776, 1.96)
    """
    if count > MANY:
        return Z95
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    return float(stdtrit(count - 1, 0.975))


def variance_of(count: int, total: int, squares: int) -> float:
    """Return the variance of `count` values, 2 or more, from their sum and that of their squares.

    >>> variance_of(3, 6, 14)
    1.0
    """
    return max(0, squares * count - total * total) / (count * (count - 1))


def interval_of(count: int, total: int, squares: int, unit: float = 1) -> Interval:
    """Return the mean of `count` values, 2 or more, with its 95 % interval.

    Args:
        count: how many values.
        total: their sum.
        squares: the sum of their squares.
        unit: by what the values are divided to be in the unit wanted.

    >>> found = interval_of(4, 8, 24, 2)
    >>> found.mean, round(found.half, 3)
    (1.0, 1.299)
    """
    error = sqrt(variance_of(count, total, squares) / count)
    return Interval(total / count / unit, quantile(count) * error / unit)
