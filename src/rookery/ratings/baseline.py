"""What bots score on the cards of a hand: the same nine tables of bots, whoever has played it.

A single table of bots says little, because one bid more or less turns the hand over. So nine play
it: three bots, seated so that every two of the first four seats have each pair of bots once (the
orthogonal array of nine rows and three levels). None of them has dice, so the same cards give the
same points for as long as the bots stay what they are.

>>> from rookery.rules import variant
>>> hand = Hand.shuffled(variant("kd_tournament"), dealer=0, seed=7)
>>> expected(hand) == expected(hand), len(expected(hand))
(True, 4)
"""

from __future__ import annotations

from typing import Final

from rookery.bots.names import LEVELS
from rookery.bots.player import KernelPlayer
from rookery.game import Hand

BOTS: Final = (LEVELS["club"], LEVELS["casual"], "club:partner=ignored")
TABLES: Final = len(BOTS) ** 2


def lineup(table: int, seats: int) -> tuple[str, ...]:
    """Return the bots of a table, from 0 to 8, from seat 0 on.

    >>> lineup(0, 4) == (BOTS[0],) * 4
    True
    """
    a, b = divmod(table, len(BOTS))
    columns = (a, b, a + b, a + 2 * b)
    # Beyond the fourth seat the same columns come again, each with the next bot.
    return tuple(BOTS[(columns[seat % 4] + seat // 4) % len(BOTS)] for seat in range(seats))


def expected(dealt: Hand) -> tuple[float, ...]:
    """Return what each seat scores with the cards of a hand, mean of the nine tables, game points.

    A table where the hand is thrown in scores nothing. It takes some 20 ms in plain Python.
    """
    seats = dealt.rules.seats
    sums = [0] * seats
    for table in range(TABLES):
        for seat, points in enumerate(played(dealt, lineup(table, seats))):
            sums[seat] += points
    return tuple(points / TABLES for points in sums)


def played(hand: Hand, bots: tuple[str, ...]) -> tuple[int, ...]:
    """Return what each seat scores where these bots play a hand from here; zeros if thrown in."""
    players = [KernelPlayer(bot, 0, seat) for seat, bot in enumerate(bots)]
    while hand.to_act is not None:
        hand = players[hand.to_act].move(hand)
    return tuple(hand.score) if hand.score is not None else (0,) * len(bots)
