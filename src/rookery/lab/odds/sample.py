"""Chances of how unseen cards lie, from deals drawn at random where counting takes too long.

The hands that are known to lack suits draw first, the tightest before the others, each from the
cards that may lie there; the rest falls where it may. Drawn so, not all deals are equally likely: a
deal weighs the number of draws that each hand had to choose from, and the weighted share of the
deals is right for any known void (self-normalised importance sampling).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import comb

from rookery.cards import pack_cards, unpack
from rookery.engine.rng import below, seeded
from rookery.lab.odds.count import Outcome, Question, outcome_of
from rookery.lab.odds.unseen import OddsError, Unseen

FEWEST = 50  # deals, counted by what their weights are good for, that an interval needs


@dataclass(slots=True)
class Dice:
    """A generator of its own."""

    rng: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn.

    Attributes:
        samples: how many deals.
        weights: for each outcome the sum of its deals' weights.
        squares: for each outcome the sum of the squares of these weights.
    """

    samples: int
    weights: dict[Outcome, float]
    squares: dict[Outcome, float]


def sample(question: Question, samples: int, seed: int) -> Sample:
    """Return the outcomes of `samples` deals drawn with `seed`, 0 to 2^63 - 1.

    Raises:
        OddsError: hardly any deal drawn is possible, so nothing can be said.
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
    return Sample(samples, dict(sorted(weights.items())), dict(sorted(squares.items())))


def draw(unseen: Unseen, dice: Dice) -> tuple[list[int], float]:
    """Return a deal, the set of cards in each place, and its weight; 0 where it cannot be."""
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
