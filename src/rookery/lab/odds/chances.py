"""The chances of a question's outcomes: counted exactly, or drawn where that takes too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, sqrt
from typing import Final, TypeVar

from rookery.cards import pack_cards, unpack
from rookery.engine.rng import below, seeded
from rookery.lab.odds.answer import Average, Chance
from rookery.lab.odds.count import STEPS, Outcome, Question, TooMany, count, outcome_of
from rookery.lab.odds.unseen import OddsError, Unseen
from rookery.lab.stats import Z95

FEWEST = 50  # deals, counted by what their weights are good for, that an interval needs


@dataclass(slots=True)
class Dice:
    """The state of a random generator."""

    rng: int


def draw(unseen: Unseen, dice: Dice) -> tuple[list[int], float]:
    """Return a deal, the set of cards in each place, and its weight; 0 for an impossible deal."""
    deal = [0] * len(unseen.places)
    left = unseen.cards
    weight = 1.0

    def allowed(place: int) -> int:
        return (left & ~unseen.places[place].closed).bit_count()

    waiting = [i for i, place in enumerate(unseen.places) if place.closed & unseen.cards]
    while waiting:
        place = min(waiting, key=lambda i: (allowed(i) - unseen.places[i].size, i))
        waiting.remove(place)
        choice, size = left & ~unseen.places[place].closed, unseen.places[place].size
        if choice.bit_count() < size:
            return deal, 0.0
        weight *= comb(choice.bit_count(), size)
        deal[place] = _some(choice, size, dice)
        left &= ~deal[place]
    for i, there in enumerate(unseen.places):
        if not there.closed & unseen.cards:
            deal[i] = _some(left, there.size, dice)
            left &= ~deal[i]
    return deal, 0.0 if left else weight


def _some(cards: int, size: int, dice: Dice) -> int:
    """Return `size` cards of a set, all choices equally likely."""
    rest = list(unpack(cards))
    for i in range(size):
        j = i + below(dice, len(rest) - i)
        rest[i], rest[j] = rest[j], rest[i]
    return pack_cards(rest[:size])


SAMPLES: Final = 20_000

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Way:
    """How chances are computed.

    Attributes:
        samples: draw this many deals, even where counting is quick; 0 to count where it is quick.
        seed: of the deals drawn.
        steps: steps that a count may take before deals are drawn instead.
    """

    samples: int = 0
    seed: int = 1
    steps: int = STEPS


@dataclass(frozen=True, slots=True)
class Spread:
    """The chances of all outcomes of a question.

    Attributes:
        weights: for each outcome how many deals lead to it, or the sum of the weights of those
            that were drawn.
        squares: for each outcome the sum of the squares of these weights; empty where counted.
        samples: how many deals were drawn; None where all were counted.
    """

    weights: Mapping[Outcome, float]
    squares: Mapping[Outcome, float] = field(default_factory=dict)
    samples: int | None = None

    def by(self, key: Callable[[Outcome], _Key]) -> dict[_Key, Chance]:
        """Return the chance of each value that `key` gives the outcomes."""
        weights: dict[_Key, float] = defaultdict(int)
        squares: dict[_Key, float] = defaultdict(float)
        for outcome, weight in self.weights.items():
            weights[key(outcome)] += weight
            squares[key(outcome)] += self.squares.get(outcome, 0.0)
        return {value: self._share(weight, squares[value]) for value, weight in weights.items()}

    def chance(self, test: Callable[[Outcome], bool]) -> Chance:
        """Return the chance of the outcomes that pass a test."""
        return self.by(test).get(True) or self._share(0, 0.0)

    def average(self, value: Callable[[Outcome], int]) -> Average:
        """Return the average of a number over all outcomes."""
        whole = sum(self.weights.values())
        mean = sum(value(o) * weight for o, weight in self.weights.items()) / whole
        if self.samples is None:
            return Average(mean=mean, ci95=None)
        spread = sum((value(o) - mean) ** 2 * square for o, square in self.squares.items())
        half = Z95 * sqrt(spread) / whole
        return Average(mean=mean, ci95=(mean - half, mean + half))

    def _share(self, hit: float, hit_square: float) -> Chance:
        """Return a share of all deals: exact, or with Wilson's interval for those drawn.

        The interval uses the effective number of deals: so many equally weighted deals would have
        the same error. It comes from the delta method where that gives an error, else from the
        weights alone (Kish).
        """
        whole = sum(self.weights.values())
        if self.samples is None:
            exact = Fraction(int(hit), int(whole))
            return Chance(probability=float(exact), fraction=str(exact), ci95=None)
        square = sum(self.squares.values())
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


def sample(question: Question, samples: int, seed: int) -> Spread:
    """Return the outcomes of `samples` deals drawn with `seed`, 0 to 2^63 - 1.

    Raises:
        OddsError: too few of the drawn deals are possible.
    """
    weights: dict[Outcome, float] = defaultdict(float)
    squares: dict[Outcome, float] = defaultdict(float)
    dice = Dice(seeded(seed, 0))
    for _ in range(samples):
        deal, weight = draw(question.unseen, dice)
        outcome = outcome_of(question, deal) if weight else None
        if outcome is not None:
            weights[outcome] += weight
            squares[outcome] += weight * weight
    total, square = sum(weights.values()), sum(squares.values())
    if not square or total * total / square < FEWEST:
        raise OddsError(
            f"of {samples:,} deals drawn hardly any fits what is known; check it, or --sample more"
        )
    return Spread(dict(sorted(weights.items())), dict(sorted(squares.items())), samples)


def spread(question: Question, way: Way) -> Spread:
    """Return the chances of a question's outcomes, counted where `way` allows it and it is quick.

    Raises:
        OddsError: the known facts contradict each other.
    """
    if way.samples:
        return sample(question, way.samples, way.seed)
    try:
        ways = count(question, way.steps)
    except TooMany:
        return sample(question, SAMPLES, way.seed)
    if not ways:
        raise OddsError("the cards cannot lie so; check what you say of voids and played cards")
    return Spread(ways)
