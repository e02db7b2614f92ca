"""Whether deals are fair: what many deals have in common, against what chance would have.

Each figure has a limit that fair deals pass once in a million times:

- which card lies at which place: chi-square with ``(n - 1)²`` degrees of freedom;
- runs: in how many places a card is followed by a lower one, which for a permutation of ``n`` has
  the mean ``(n - 1) / 2`` and the variance ``(n + 1) / 12``, in standard deviations;
- which card comes first, and first in the deal after: chi-square with ``n² - 1``;
- neighbours: how often each card of the fresh deck is still followed by its next one. That happens
  to each pair in one of ``n`` deals, and two pairs have the covariance ``1 / (n² (n - 1))``;
  chi-square with ``n - 1``;
- hands of a type: see `hand_types`; chi-square with a degree less than there are types.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, ndtri  # type: ignore[import-untyped, unused-ignore]
from tests.faults.hand_types import Deals, HandType, hand_types, pooled

from rookery.fairness.deal import permuted
from rookery.rules import variant

ONCE_IN_A_MILLION: Final = 1e-6
GAME: Final = "kd_tournament"
BLOCK: Final = 10_000  # deals that are counted at a time

Shuffle = Callable[[Sequence[int], bytes], list[int]]


class Figure(NamedTuple):
    """What some deals came to, and what it may be."""

    found: float
    most: float

    @property
    def fair(self) -> bool:
        """Whether it is within its limit."""
        return abs(self.found) <= self.most


class Fairness(NamedTuple):
    """What some deals came to.

    Attributes:
        places: chi-square of cards by places.
        runs: standard deviations from the mean number of descents.
        following: chi-square of the first cards of deals that follow one another.
        neighbours: chi-square of pairs of the fresh deck that are still together.
        hands: chi-square of hands by type, by what is counted in them.
    """

    places: Figure
    runs: Figure
    following: Figure
    neighbours: Figure
    hands: dict[str, Figure]

    @property
    def fair(self) -> bool:
        """Whether none of the figures is beyond its limit."""
        return not self.unfair

    @property
    def unfair(self) -> list[str]:
        """The names of the figures that are beyond their limits."""
        named = {
            "places": self.places,
            "runs": self.runs,
            "following": self.following,
            "neighbours": self.neighbours,
            **self.hands,
        }
        return [name for name, figure in named.items() if not figure.fair]


def fairness(deals: int, seed: int, shuffle: Shuffle = permuted) -> Fairness:
    """Return what so many deals of the Kentucky deck come to; their keys follow from `seed`."""
    deck = list(variant(GAME).deck)
    rank = {card: at for at, card in enumerate(deck)}
    orders = ([rank[card] for card in shuffle(deck, key)] for key in _keys(deals, seed))
    return counted(_blocks(orders))


def naive(cards: Sequence[int], key: bytes) -> list[int]:
    """Return cards in an order that is not fair: each swaps with any place at all."""
    order, dice = list(cards), Random(key)
    for i in range(len(order)):
        j = dice.randrange(len(order))
        order[i], order[j] = order[j], order[i]
    return order


def limit(freedom: int) -> float:
    """Return what a chi-square exceeds once in a million times.

    >>> round(limit(1600))
    1883
    """
    return float(chdtri(freedom, ONCE_IN_A_MILLION))


def counted(blocks: Iterable[Deals]) -> Fairness:
    """Return what deals come to: a row a deal, of places in the fresh deck."""
    n, rules = len(variant(GAME).deck), variant(GAME)
    at, following = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    together = np.zeros(n, dtype=np.int64)
    types = hand_types(rules)
    hands = [np.zeros(len(each.chances), dtype=np.int64) for each in types]
    deals, descents, last = 0, 0, -1
    for found in blocks:
        deals += len(found)
        for place in range(n):
            at[place] += np.bincount(found[:, place], minlength=n)
        step = np.diff(found, axis=1)
        descents += int((step < 0).sum())
        together += np.bincount(found[:, :-1][step == 1], minlength=n)
        first = found[:, 0] if last < 0 else np.concatenate(([last], found[:, 0]))
        np.add.at(following, (first[:-1], first[1:]), 1)
        last = int(found[-1, 0])
        for each, sums in zip(types, hands, strict=True):
            sums += each.counted(found[:, : rules.hand_size])
    mean, spread = deals * (n - 1) / 2, math.sqrt(deals * (n + 1) / 12)
    return Fairness(
        places=Figure(_chi_square(at, deals / n), limit((n - 1) ** 2)),
        runs=Figure((descents - mean) / spread, -float(ndtri(ONCE_IN_A_MILLION))),
        following=Figure(_chi_square(following, (deals - 1) / n**2), limit(n**2 - 1)),
        neighbours=Figure(_together(together[:-1], deals), limit(n - 1)),
        hands={
            each.name: _of_types(each, sums, deals) for each, sums in zip(types, hands, strict=True)
        },
    )


def _keys(deals: int, seed: int) -> Iterator[bytes]:
    return (sha256(f"{seed} {number}".encode()).digest() for number in range(deals))


def _blocks(orders: Iterable[list[int]]) -> Iterator[Deals]:
    block: list[list[int]] = []
    for order in orders:
        block.append(order)
        if len(block) == BLOCK:
            yield np.array(block)
            block.clear()
    if block:
        yield np.array(block)


def _chi_square(seen: npt.NDArray[np.int64], expected: float) -> float:
    return float(((seen - expected) ** 2).sum() / expected)


def _together(pairs: npt.NDArray[np.int64], deals: int) -> float:
    """Return the chi-square of how often each pair was together, by the pairs' own covariance."""
    n = len(pairs) + 1
    both = 1 / (n * n * (n - 1))
    own = (n - 1) / n**2 - both
    off = pairs - deals / n
    whole = both / (own + len(pairs) * both)
    return float(((off**2).sum() - whole * off.sum() ** 2) / (own * deals))


def _of_types(each: HandType, sums: npt.NDArray[np.int64], deals: int) -> Figure:
    seen, expected = pooled(sums, deals * np.array(each.chances))
    return Figure(float(((seen - expected) ** 2 / expected).sum()), limit(len(seen) - 1))
