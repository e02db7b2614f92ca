"""A board as the ratings count it: who played with whom, and what is left without the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rookery.ratings.family import HUNDRED, family_of
from rookery.rules import Rules


class Board(NamedTuple):
    """A finished hand.

    Attributes:
        units: who scores together, by any names: partners, or each alone. Where a partner is called
            everybody is alone, because nobody knows at first whom they play with.
        results: for each of them, how far it is above the mean of all units, beyond what is
            expected after the bots with the same cards; hundredths. Their sum is 0.
    """

    units: tuple[tuple[str, ...], ...]
    results: tuple[float, ...]


def board_of(
    rules: Rules, players: Sequence[str], score: Sequence[int], expected: Sequence[float]
) -> Board:
    """Return the board of a hand, given who sat in each seat and what it scored, game points.

    `expected` is what bots score there, see `baseline.expected`; zeros for a board against nobody.

    >>> from rookery.rules import variant
    >>> rules = variant("kd_tournament")  # 120 points
    >>> board_of(rules, "abcd", [120, 0, 120, 0], [0.0] * 4)
    Board(units=(('a', 'c'), ('b', 'd')), results=(50.0, -50.0))
    """
    sides = rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))
    trust, scale = family_of(rules).trust, HUNDRED / rules.total_points
    beyond = [got - trust * bots for got, bots in zip(score, expected, strict=True)]
    # Where the rules give partners unlike scores, neither's is the pair's.
    units = [sum(beyond[seat] for seat in side) / len(side) for side in sides]
    middle = sum(units) / len(units)
    named = tuple(tuple(players[seat] for seat in side) for side in sides)
    return Board(named, tuple(scale * (one - middle) for one in units))
