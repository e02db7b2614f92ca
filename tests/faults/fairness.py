"""Whether deals are fair: what many deals have in common, against what chance would have.

Three figures, each with a limit that fair deals pass once in a million times:

- which card lies at which place: chi-square with ``(n - 1)²`` degrees of freedom;
- runs: in how many places a card is followed by a lower one, which for a permutation of ``n`` has
  the mean ``(n - 1) / 2`` and the variance ``(n + 1) / 12``, in standard deviations;
- which card comes first, and first in the deal after: chi-square with ``n² - 1``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

import numpy as np

from rookery.rules import variant
from rookery.server.deals import permuted

ONCE_IN_A_MILLION: Final = 4.753  # standard deviations, one-sided
GAME: Final = "kd_tournament"
_BLOCK: Final = 10_000

Shuffle = Callable[[Sequence[int], bytes], list[int]]


class Fairness(NamedTuple):
    """What some deals came to.

    Attributes:
        places: chi-square of cards by places.
        places_limit: what it may be.
        runs: standard deviations from the mean number of descents.
        following: chi-square of the first cards of deals that follow one another.
        following_limit: what it may be.
    """

    places: float
    places_limit: float
    runs: float
    following: float
    following_limit: float

    @property
    def fair(self) -> bool:
        """Whether none of the figures is beyond its limit."""
        return (
            self.places <= self.places_limit
            and abs(self.runs) <= ONCE_IN_A_MILLION
            and self.following <= self.following_limit
        )


def fairness(deals: int, seed: int, shuffle: Shuffle = permuted) -> Fairness:
    """Return what so many deals of the Kentucky deck come to; their keys follow from `seed`."""
    deck = list(variant(GAME).deck)
    rank = {card: at for at, card in enumerate(deck)}
    orders = ([rank[card] for card in shuffle(deck, key)] for key in _keys(deals, seed))
    return _counted(orders, deals, len(deck))


def naive(cards: Sequence[int], key: bytes) -> list[int]:
    """Return cards in an order that is not fair: each swaps with any place at all."""
    order, dice = list(cards), Random(key)
    for i in range(len(order)):
        j = dice.randrange(len(order))
        order[i], order[j] = order[j], order[i]
    return order


def limit(freedom: int) -> float:
    """Return what a chi-square exceeds once in a million times (Wilson and Hilferty's formula).

    >>> round(limit(1600))
    1883
    """
    share = 2 / (9 * freedom)
    return freedom * float((1 - share + ONCE_IN_A_MILLION * math.sqrt(share)) ** 3)


def _keys(deals: int, seed: int) -> Iterator[bytes]:
    return (sha256(f"{seed} {number}".encode()).digest() for number in range(deals))


def _counted(orders: Iterable[list[int]], deals: int, n: int) -> Fairness:
    at, following = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    descents, last = 0, -1
    block: list[list[int]] = []
    for number, order in enumerate(orders, 1):
        block.append(order)
        if len(block) < _BLOCK and number < deals:
            continue
        found = np.array(block)
        block.clear()
        for place in range(n):
            at[place] += np.bincount(found[:, place], minlength=n)
        descents += int((found[:, 1:] < found[:, :-1]).sum())
        first = found[:, 0] if last < 0 else np.concatenate(([last], found[:, 0]))
        np.add.at(following, (first[:-1], first[1:]), 1)
        last = int(found[-1, 0])
    mean, spread = deals * (n - 1) / 2, math.sqrt(deals * (n + 1) / 12)
    return Fairness(
        places=_chi_square(at, deals / n),
        places_limit=limit((n - 1) ** 2),
        runs=(descents - mean) / spread,
        following=_chi_square(following, (deals - 1) / n**2),
        following_limit=limit(n**2 - 1),
    )


def _chi_square(seen: np.ndarray[tuple[int, int], np.dtype[np.int64]], expected: float) -> float:
    return float(((seen - expected) ** 2).sum() / expected)
