"""From sums over games to percentages with honest intervals.

The game is the unit: tricks of one game hang together, so a share of tricks is a ratio of two sums
over games and its error comes from how the games scatter around that ratio (the delta method).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from rookery.lab.menagerie.tally import ONE, WIDTH
from rookery.lab.stats import Z95, Interval

Weights: TypeAlias = Mapping[int, float]
"""A sum of places of a game's row, each times its weight."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The summed products of all games' rows, as `Tally.sums` holds them."""

    products: Sequence[int]

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.products[ONE * WIDTH + ONE]

    def total(self, weights: Weights) -> float:
        """Return the weighted sum of some places over all games."""
        return sum(weight * self.products[ONE * WIDTH + i] for i, weight in weights.items())

    def _square(self, weights: Weights) -> float:
        return sum(
            one * other * self.products[min(i, j) * WIDTH + max(i, j)]
            for i, one in weights.items()
            for j, other in weights.items()
        )

    def share(self, part: Weights, whole: Weights) -> Interval:
        """Return `part` as a percentage of `whole`, both summed over all games; two games at least.

        For the difference of two shares of one whole, let `part` be the difference of the parts.
        """
        whole_total = self.total(whole)
        ratio = self.total(part) / whole_total
        residual = {i: part.get(i, 0) - ratio * whole.get(i, 0) for i in {*part, *whole}}
        games = self.games
        variance = max(self._square(residual), 0.0) / (games - 1)
        return Interval(100 * ratio, 100 * Z95 * sqrt(variance * games) / whole_total)


def difference(one: Weights, other: Weights) -> Weights:
    """Return the weights of `one` less those of `other`.

    >>> difference({1: 1.0, 2: 1.0}, {2: 1.0})
    {1: 1.0, 2: 0.0}
    """
    return {i: one.get(i, 0) - other.get(i, 0) for i in sorted({*one, *other})}
