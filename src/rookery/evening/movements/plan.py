"""Where pairs and prepared deals are in each round, and what the two kinds of movement are.

Deals are prepared in sets: a table plays one set in a round, and then the set goes on. Pairs are
numbered from 0, sets from 0, and tables from 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias


class Placed(NamedTuple):
    """A table in one round: the pair on the first side, the other one, and their set of deals."""

    table: int
    pairs: tuple[int, int]
    deals: int


Rounds: TypeAlias = tuple[tuple[Placed, ...], ...]
FEWEST: Final = 3  # pairs; with fewer nobody else plays the same deal


def mitchell(pairs: int, relay: bool = False) -> Rounds:
    """Return the rounds of a Mitchell movement for a number of pairs.

    The first side stays, the second goes to the next table, and the deals to the one before. Where
    the tables are even in number, the second side skips a table half-way, so that it does not meet
    the deals again; then one round fewer is played. With `relay` nobody skips: the first and the
    last table share their deals, and one set rests beside the tables opposite them. Two tables
    always do that. If the pairs are odd in number, the last one of the second side is missing.
    """
    tables = (pairs + 1) // 2
    half = tables // 2
    skips = tables % 2 == 0 and tables > 2 and not relay
    shares = tables % 2 == 0 and not skips
    rounds = []
    for turn in range(tables - skips):
        moved = turn + (skips and turn >= half)
        placed = []
        for at in range(tables):
            stand = at + (shares and at >= half)
            pair = 2 * ((at - moved) % tables) + 1
            if pair < pairs:
                placed.append(Placed(at + 1, (2 * at, pair), (stand + turn) % tables))
        rounds.append(tuple(placed))
    return tuple(rounds)


def howell(pairs: int) -> Rounds:
    """Return the rounds of a Howell movement, in which each pair meets each other once.

    If the pairs are odd in number, whoever would meet the last one sits out.

    Raises:
        KeyError: there is none for so many pairs.
    """
    even = pairs + pairs % 2
    clock = even - 1
    first = _STARTERS[even]
    listed = [[tuple(map(int, table.split())) for table in text.split(",")] for text in first]
    rounds = listed if len(listed) > 1 else [_moved(listed[0], clock, i) for i in range(clock)]
    return tuple(
        tuple(
            Placed(number, (one, other), deals)
            for number, (one, other, deals) in enumerate(tables, 1)
            if max(one, other) < pairs
        )
        for tables in rounds
    )


def _moved(tables: list[tuple[int, ...]], clock: int, turn: int) -> list[tuple[int, ...]]:
    """Return a first round moved on: all but the last pair stand on a clock, and so do the sets."""
    return [tuple(n if n == clock else (n + turn) % clock for n in table) for table in tables]


# The first round: at each table the first side, the second, and the set of deals. All of six
# pairs' rounds are listed, since no first round can do it. `scripts/howell.py` finds them.
_STARTERS: Final = {
    4: ("3 0 0, 1 2 0",),
    6: (
        "0 1 0, 2 3 0, 4 5 0",
        "0 2 1, 1 4 2, 3 5 3",
        "0 3 2, 1 5 1, 2 4 4",
        "0 4 3, 1 3 4, 5 2 2",
        "0 5 4, 2 1 3, 3 4 1",
    ),
    8: ("7 0 0, 2 6 1, 5 4 2, 1 3 4",),
    10: ("9 0 0, 6 4 2, 7 3 4, 1 2 5, 5 8 7",),
    12: ("11 0 0, 10 7 2, 6 4 3, 3 8 4, 1 2 6, 5 9 7",),
    14: ("13 0 0, 8 6 1, 4 9 5, 12 3 6, 5 2 7, 11 10 9, 7 1 11",),
    16: ("15 0 0, 13 6 1, 10 14 6, 2 8 7, 9 12 10, 5 7 11, 3 4 12, 11 1 13",),
    18: ("17 0 0, 2 11 3, 6 13 8, 4 1 9, 7 12 10, 16 15 12, 3 14 13, 8 10 14, 9 5 16",),
    20: ("19 0 0, 14 8 1, 13 6 2, 1 3 5, 11 16 10, 2 12 13, 5 9 14, 17 18 15, 7 10 17, 4 15 18",),
}
MOST_HOWELL: Final = max(_STARTERS)
