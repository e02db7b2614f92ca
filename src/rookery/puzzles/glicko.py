"""Glicko-2: how strong a player or how hard a puzzle is, and how sure that is.

After Mark E. Glickman, *Example of the Glicko-2 system* (2022), whose example is a test here. A
puzzle and a person who tries it are opponents: whoever finds the answer has won.

>>> person, puzzle = Rating(), Rating(1700.0, 80.0)
>>> after = person.after([(puzzle, 1.0)])
>>> round(after.value), round(after.deviation)
(1801, 268)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178  # points of Glicko for one of Glicko-2's own units
START: Final = 1500.0
TAU: Final = 0.5  # how quickly the volatility may change; Glickman: 0.3 to 1.2
EXACT: Final = 1e-6

# What the bots of `rookery.puzzles.difficulty` are worth as opponents of puzzles, and how sure.
BOTS: Final = (1360.0, 1480.0, 1550.0, 1800.0, 1850.0, 2100.0)
BOTS_DEVIATION: Final = 60.0
LEAST_DEVIATION: Final = 60.0  # a puzzle that bots have tried stays open to what people do


class Rating(NamedTuple):
    """A rating.

    Attributes:
        value: 1500 in the middle; 400 more wins ten games of eleven.
        deviation: its standard error.
        volatility: how erratic the results are.
    """

    value: float = START
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, games: Iterable[tuple[Rating, float]]) -> Rating:
        """Return the rating after games of one period, opponents with scores from 0 to 1."""
        mu, phi = (self.value - START) / SCALE, self.deviation / SCALE
        information = gained = 0.0
        for other, score in games:
            weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
            expected = 1 / (1 + exp(-weight * (mu - (other.value - START) / SCALE)))
            information += weight**2 * expected * (1 - expected)
            gained += weight * (score - expected)
        if not information:
            wider = sqrt(phi**2 + self.volatility**2)
            return self._replace(deviation=wider * SCALE)
        volatility = _volatility(phi, self.volatility, gained / information, 1 / information)
        narrow = 1 / sqrt(1 / (phi**2 + volatility**2) + information)
        return Rating(START + SCALE * (mu + narrow**2 * gained), SCALE * narrow, volatility)


def _volatility(phi: float, sigma: float, delta: float, variance: float) -> float:
    """Return the new volatility, by the Illinois method of Glickman's step 5."""
    middle = log(sigma**2)

    def slope(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - middle) / TAU**2

    low = middle
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(middle - steps * TAU) < 0:
            steps += 1
        high = middle - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > EXACT:
        between = low + (low - high) * at_low / (at_high - at_low)
        at = slope(between)
        if at * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at
    return exp(low / 2)


def first_rating(found: Sequence[int]) -> Rating:
    """Return a puzzle's rating from how many of 100 times each bot finds its answer.

    >>> easy, hard = first_rating((50, 100, 100, 100, 100, 100)), first_rating((5, 0, 0, 0, 30, 80))
    >>> easy.value < 1300 < 1900 < hard.value
    True
    """
    bots = (Rating(value, BOTS_DEVIATION) for value in BOTS)
    rating = Rating().after((bot, 1 - one / 100) for bot, one in zip(bots, found, strict=True))
    return rating._replace(deviation=max(LEAST_DEVIATION, rating.deviation))
