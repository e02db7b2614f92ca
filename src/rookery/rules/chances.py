"""Chances of cards in a hand drawn at random, exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb


def exactly(deck: int, targets: int, hand: int, count: int) -> Fraction:
    """Return the chance that `hand` cards drawn from `deck` hold exactly `count` of its `targets`.

    The plain hypergeometric. A nest set aside unseen carries no information about a hand and does
    not appear: summing over what it may hold gives the same number.

    >>> exactly(5, 2, 1, 1)
    Fraction(2, 5)
    """
    if not 0 <= count <= targets or not 0 <= hand - count <= deck - targets:
        return Fraction(0)
    return Fraction(comb(targets, count) * comb(deck - targets, hand - count), comb(deck, hand))


def at_least(deck: int, targets: int, hand: int, count: int) -> Fraction:
    """Return the chance that `hand` cards drawn from `deck` hold `count` of its `targets` or more.

    The paper's case: four or more low cards (20 of 41) among nine, 74.79 % [S0].

    >>> round(float(at_least(41, 20, 9, 4)), 4)
    0.7479
    """
    return sum(
        (exactly(deck, targets, hand, n) for n in range(max(count, 0), hand + 1)), Fraction(0)
    )


def each_holds(deck: int, targets: int, hand: int, hands: int) -> Fraction:
    """Return the chance that each of `hands` hands of `hand` cards holds one of the `targets`.

    By inclusion and exclusion over the hands that hold none.

    >>> each_holds(5, 2, 1, 2), each_holds(5, 1, 1, 2)
    (Fraction(1, 10), Fraction(0, 1))
    """
    ways = ((-1) ** n * comb(hands, n) * comb(deck - n * hand, targets) for n in range(hands + 1))
    return Fraction(sum(ways), comb(deck, targets))


@cache
def likely_count(deck: int, targets: int, hand: int) -> int:
    """Return the largest n such that a hand holds n targets or more at least half the time.

    >>> likely_count(32, 7, 9)
    2
    """
    n = 0
    while n < hand and at_least(deck, targets, hand, n + 1) >= Fraction(1, 2):
        n += 1
    return n
