"""The chances of a question's outcomes, counted or drawn, and which of the two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final, TypeVar

from rookery.lab.odds.answer import Average, Chance
from rookery.lab.odds.count import STEPS, Outcome, Question, TooMany, count
from rookery.lab.odds.sample import Sample, sample
from rookery.lab.odds.unseen import OddsError
from rookery.lab.stats import Z95

SAMPLES: Final = 20_000

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Way:
    """How an answer is found.

    Attributes:
        samples: draw so many deals even where counting would do; 0 to count where that is quick.
        seed: of the deals drawn.
        steps: how long a count may take before deals are drawn instead.
    """

    samples: int = 0
    seed: int = 1
    steps: int = STEPS


@dataclass(frozen=True, slots=True)
class Spread:
    """The chances of all outcomes of a question: exactly one of counted and drawn."""

    ways: dict[Outcome, int]
    drawn: Sample | None = None

    def by(self, key: Callable[[Outcome], _Key]) -> dict[_Key, Chance]:
        """Return the chance of each value that `key` gives the outcomes."""
        if self.drawn is None:
            whole = sum(self.ways.values())
            sums: dict[_Key, int] = defaultdict(int)
            for outcome, number in self.ways.items():
                sums[key(outcome)] += number
            return {value: _exact(Fraction(number, whole)) for value, number in sums.items()}
        weights: dict[_Key, float] = defaultdict(float)
        squares: dict[_Key, float] = defaultdict(float)
        for outcome, weight in self.drawn.weights.items():
            weights[key(outcome)] += weight
            squares[key(outcome)] += self.drawn.squares[outcome]
        return {value: _share(self.drawn, weights[value], squares[value]) for value in weights}

    def chance(self, test: Callable[[Outcome], bool]) -> Chance:
        """Return the chance of the outcomes that pass a test."""
        found = self.by(test)
        if True in found:
            return found[True]
        return _exact(Fraction(0)) if self.drawn is None else _share(self.drawn, 0.0, 0.0)

    def average(self, value: Callable[[Outcome], int]) -> Average:
        """Return the average of a number over all outcomes."""
        if self.drawn is None:
            total = sum(value(outcome) * number for outcome, number in self.ways.items())
            return Average(mean=total / sum(self.ways.values()), ci95=None)
        whole = sum(self.drawn.weights.values())
        mean = sum(value(o) * weight for o, weight in self.drawn.weights.items()) / whole
        spread = sum((value(o) - mean) ** 2 * square for o, square in self.drawn.squares.items())
        half = Z95 * sqrt(spread) / whole
        return Average(mean=mean, ci95=(mean - half, mean + half))


def _share(drawn: Sample, hit: float, hit_square: float) -> Chance:
    """Return a weighted share of the deals drawn, with Wilson's interval.

    Its number of deals is that of the equally weighted ones which would leave the share as
    uncertain as it is: from the delta method where it gives an error, else from
    the weights alone (Kish).
    """
    whole, square = sum(drawn.weights.values()), sum(drawn.squares.values())
    share = min(1.0, hit / whole)
    number = whole * whole / square
    error = (hit_square * (1 - share) ** 2 + (square - hit_square) * share**2) / whole**2
    if error > 0 and 0 < share < 1:
        number = share * (1 - share) / error
    z = Z95 * Z95 / number
    middle = (share + z / 2) / (1 + z)
    half = sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
    interval = (max(0.0, middle - half), min(1.0, middle + half))
    return Chance(probability=share, fraction=None, ci95=interval)


def _exact(chance: Fraction) -> Chance:
    return Chance(probability=float(chance), fraction=str(chance), ci95=None)


def spread(question: Question, way: Way) -> Spread:
    """Return the chances of a question's outcomes, counted where that is quick and wanted.

    Raises:
        OddsError: what is known cannot all be true.
    """
    if way.samples:
        return Spread({}, sample(question, way.samples, way.seed))
    try:
        ways = count(question, way.steps)
    except TooMany:
        return Spread({}, sample(question, SAMPLES, way.seed))
    if not ways:
        raise OddsError("the cards cannot lie so; check what you say of voids and played cards")
    return Spread(ways)
