"""What is noted of every game of a study: one short row of counts, and the sums of its products.

A game's row holds who won, who won which tricks and with whom. Its products with itself, summed
over the games, are all that any percentage, interval or comparison needs, so memory stays flat, and
as the sums are of whole numbers it does not matter in which order the games were played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rookery.cards import CARDS
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden
from rookery.rules.fields import cells

CAST: Final = 4
PAIRS: Final = 6
THIRDS: Final = 3  # trimesters of a hand

# Places in a game's row.
ONE: Final = 0  # always 1
HANDS: Final = 1
GAMES: Final = 2  # + character: 1 where he won the game
TRICKS: Final = GAMES + CAST  # + trimester * CAST + character
PAIR_GAMES: Final = TRICKS + THIRDS * CAST  # + pair
PAIR_TRICKS: Final = PAIR_GAMES + PAIRS  # + pair: tricks won by either of the two
BOOKED: Final = PAIR_TRICKS + PAIRS  # + pair: tricks as the paper's program books them
WIDTH: Final = BOOKED + PAIRS


@dataclass(slots=True)
class Tally:
    """A study's table: who sits where, this game's row, and the sums over all games so far."""

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
    """Note that `seat` won a trick in trimester `third`, 0 to 2; its partner sits opposite."""
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
