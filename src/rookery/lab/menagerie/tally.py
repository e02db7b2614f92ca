"""The sums over the games of a study, and the percentages that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

from rookery.cards import CARDS
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden
from rookery.lab.stats import Interval, student
from rookery.rules.fields import cells

CAST: Final = 4
PAIRS: Final = 6
THIRDS: Final = 3  # trimesters of a hand

# Places in a game's row.
ONE: Final = 0  # always 1
HANDS: Final = 1
GAMES: Final = 2  # + character: 1 where it won the game
TRICKS: Final = GAMES + CAST  # + trimester * CAST + character
PAIR_GAMES: Final = TRICKS + THIRDS * CAST  # + pair
PAIR_TRICKS: Final = PAIR_GAMES + PAIRS  # + pair: tricks won by either of the two
BOOKED: Final = PAIR_TRICKS + PAIRS  # + pair: tricks as the paper's program books them
WIDTH: Final = BOOKED + PAIRS


@dataclass(slots=True)
class Tally:
    """The state of a study: the seating, this game's row, and the sums over all games so far."""

    cast: list[int] = cells(CAST)  # which character sits at each seat
    total: list[int] = cells(CAST)  # each seat's score in this game, points
    order: list[int] = cells(CARDS)  # the shuffled deck
    row: list[int] = cells(WIDTH)
    sums: list[int] = cells(WIDTH * WIDTH)  # [i * WIDTH + j], i <= j: products of places i and j


@kernel
def pair_of(one: int, other: int) -> int:
    """Return the number, 0 to 5, of two different characters: 01 02 03 12 13 23.

    >>> [pair_of(0, 1), pair_of(3, 0), pair_of(1, 2), pair_of(3, 2)]
    [0, 2, 3, 5]
    """
    low = min(one, other)
    return low * (5 - low) // 2 + max(one, other) - 1


@kernel
def open_game(h: Hidden, t: Tally) -> None:
    """Seat the characters at random and clear the scores and the row."""
    for seat in range(CAST):
        t.cast[seat] = seat
        t.total[seat] = 0
    for seat in range(CAST - 1, 0, -1):
        other = below(h, seat + 1)
        kind = t.cast[seat]
        t.cast[seat] = t.cast[other]
        t.cast[other] = kind
    for i in range(WIDTH):
        t.row[i] = 0
    t.row[ONE] = 1


@kernel
def note_trick(t: Tally, third: int, seat: int) -> None:
    """Count a trick won by `seat` in trimester `third`, 0 to 2; its partner sits opposite."""
    kind = t.cast[seat]
    t.row[TRICKS + third * CAST + kind] += 1
    t.row[PAIR_TRICKS + pair_of(kind, t.cast[seat ^ 2])] += 1


@kernel
def close_game(t: Tally, won: int) -> None:
    """Note the winners, a mask of seats, and add the game's row to the sums."""
    for seat in range(CAST):
        if won >> seat & 1:
            t.row[GAMES + t.cast[seat]] = 1
    for seat in range(CAST // 2):
        if won >> seat & 1 and won >> (seat + 2) & 1:
            t.row[PAIR_GAMES + pair_of(t.cast[seat], t.cast[seat + 2])] = 1
    for i in range(WIDTH):
        if t.row[i]:
            for j in range(i, WIDTH):
                t.sums[i * WIDTH + j] += t.row[i] * t.row[j]


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
        return Interval(100 * ratio, 100 * student(games) * sqrt(variance * games) / whole_total)


def difference(one: Weights, other: Weights) -> Weights:
    """Return the weights of `one` less those of `other`.

    >>> difference({1: 1.0, 2: 1.0}, {2: 1.0})
    {1: 1.0, 2: 0.0}
    """
    return {i: one.get(i, 0) - other.get(i, 0) for i in sorted({*one, *other})}
