"""How many hands are of a type, against exactly how many chance would deal.

A hand is what the deal gives to seat 0: the first places of the order. With `n` cards in the deck,
`h` of them in a hand and `k` of a kind (the counters, say), a hand holds `j` of that kind in

    C(k, j) C(n - k, h - j) / C(n, h)

of all deals, which is the hypergeometric distribution; the other types follow likewise.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.cards import ROOK, colour_of, rank_of
from rookery.rules import Rules

FEW = 10.0  # hands of a type that are expected at the least; rarer types count as one

Deals = npt.NDArray[np.int64]


class HandType(NamedTuple):
    """A way to sort hands.

    Attributes:
        name: what is counted in a hand.
        weight: what each card of the deck adds to the number of the hand's type; of suits, the
            suit's own bit.
        suits: whether what is added are suits, of which a hand may have several cards.
        chances: the share of each type among all deals, by its number.
    """

    name: str
    weight: npt.NDArray[np.int64]
    suits: bool
    chances: tuple[float, ...]

    def counted(self, hands: Deals) -> npt.NDArray[np.int64]:
        """Return how many hands are of each type; a row of `hands` holds places in the deck."""
        cards = self.weight[hands]
        if self.suits:
            found = 4 - np.bitwise_count(np.bitwise_or.reduce(cards, axis=1)).astype(np.int64)
        else:
            found = cards.sum(axis=1)
        return np.bincount(found, minlength=len(self.chances))


def hand_types(rules: Rules) -> tuple[HandType, ...]:
    """Return the types that are looked at: Rook and highest cards, counters, suits not held."""
    deck, size = list(rules.deck), rules.hand_size
    highest = max(rank_of(card) for card in deck if card != ROOK)
    tops = [card != ROOK and rank_of(card) == highest for card in deck]
    rooks = [card == ROOK for card in deck]
    counters = [card in rules.card_points for card in deck]
    suits = [0 if card == ROOK else 1 << colour_of(card) for card in deck]
    top, ways = sum(tops), comb(len(deck), size)
    both = (
        comb(1, rook) * comb(top, j) * _comb(len(deck) - top - 1, size - rook - j)
        for rook in range(2)
        for j in range(top + 1)
    )
    worth = (
        comb(sum(counters), j) * _comb(len(deck) - sum(counters), size - j) for j in range(size + 1)
    )
    weights = np.array(tops, np.int64) + (top + 1) * np.array(rooks, np.int64)
    return (
        HandType("the Rook and highest cards", weights, False, _shares(both, ways)),
        HandType("counters", np.array(counters, np.int64), False, _shares(worth, ways)),
        HandType("suits not held", np.array(suits, np.int64), True, _shares(_voids(rules), ways)),
    )


def _voids(rules: Rules) -> list[int]:
    """Return how many hands lack exactly 0, 1 ... 4 suits, by inclusion and exclusion."""
    deck = list(rules.deck)
    each = sum(card != ROOK and colour_of(card) == 0 for card in deck)
    lacking = [comb(4, j) * comb(len(deck) - j * each, rules.hand_size) for j in range(5)]
    return [
        sum((-1) ** (j - exactly) * comb(j, exactly) * lacking[j] for j in range(exactly, 5))
        for exactly in range(5)
    ]


def _comb(n: int, k: int) -> int:
    return comb(n, k) if k >= 0 else 0


def _shares(ways: Iterable[int], all_ways: int) -> tuple[float, ...]:
    return tuple(one / all_ways for one in ways)


def pooled(
    seen: npt.NDArray[np.int64], expected: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return both with all types as one of which too few are expected for a chi-square."""
    rare = expected < FEW
    if not rare.any():
        return seen.astype(np.float64), expected
    # Enough of the next ones besides, so that they are worth a cell together.
    order = np.argsort(expected)
    many = max(int(rare.sum()), int(np.searchsorted(np.cumsum(expected[order]), FEW)) + 1)
    few, rest = order[:many], order[many:]
    return (
        np.append(seen[rest], seen[few].sum()).astype(np.float64),
        np.append(expected[rest], expected[few].sum()),
    )
