"""What a side's result is worth beside the others that held the same cards.

A side's *net* on a deal is what it scored less what the other side scored: these are the points a
board of `rookery match`. Two figures are made of it, and luck of the cards is in neither.

**Points against the others**: the net, less the mean net of all others that sat on that side of the
same deal. It is scored so in bridge, against the others' average, but on a scale of its own.

**Matchpoints**: one for each of these others with a lower net, half of one for each with the same.
Where a deal has fewer results than the fullest deal has, they are brought to the same scale by
Neuberg's formula, as bridge does: with `n` results in place of `N`, N / n * (matchpoints + 1/2)
- 1/2. A result that nobody can be compared with comes to 0 points and to half of the matchpoints.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

WHOLE: Final = 100


class BadResults(ValueError):
    """Results that cannot be, in one line."""


class Result(NamedTuple):
    """A deal at one table: who sat on each side, and what they scored, game points.

    Where the deal could not be played there are no scores, and percentages are awarded.
    """

    board: int
    pairs: tuple[int, ...]
    scores: tuple[int, ...] = ()
    awarded: tuple[int, ...] = ()


class Compared(NamedTuple):
    """A result, and what it is worth to each side.

    Attributes:
        result: what happened.
        points: against the others, by side.
        matchpoints: by side, on the scale of the fullest deal.
        percent: the matchpoints as a part of the most there can be, by side.
    """

    result: Result
    points: tuple[Fraction, ...]
    matchpoints: tuple[Fraction, ...]
    percent: tuple[Fraction, ...]


class Total(NamedTuple):
    """What a pair has come to: points against the others and matchpoints, in all its deals.

    `percent` is the mean of its percentages, and `side` the one on which it always sat, or None.
    """

    pair: int
    side: int | None
    boards: int
    points: Fraction
    matchpoints: Fraction
    percent: Fraction

    @property
    def points_a_board(self) -> Fraction:
        """The mean of its points against the others."""
        return self.points / self.boards


def compare(results: Iterable[Result], only: int | None = None) -> list[Compared]:
    """Return what each result is worth, in the order of the deals and as they were given.

    With `only` the number of a deal, those of that deal alone.

    Raises:
        BadResults: a pair has two results for a deal, or sides, scores and awards do not fit.
    """
    listed = sorted(results, key=lambda one: one.board)
    _check(listed)
    nets = [_net(one.scores) for one in listed]
    by_board: dict[int, list[tuple[int, ...]]] = {}
    for one, net in zip(listed, nets, strict=True):
        by_board.setdefault(one.board, []).extend([net] if net else [])
    fullest = max(map(len, by_board.values()), default=0)
    ranked = {
        board: [sorted(side) for side in zip(*there, strict=True)]
        for board, there in by_board.items()
    }
    sums = {board: list(map(sum, sides)) for board, sides in ranked.items()}
    return [
        _compared(one, net, ranked[one.board], sums[one.board], fullest)
        for one, net in zip(listed, nets, strict=True)
        if only in (None, one.board)
    ]


def _check(results: Sequence[Result]) -> None:
    seen = set()
    sides = len(results[0].pairs) if results else 0
    for one in results:
        where = f"deal {one.board}"
        if len(one.pairs) != sides or sides < 2:
            raise BadResults(f"{where}: {len(one.pairs)} sides; expected {max(2, sides)}")
        said = one.awarded or one.scores
        if len(said) != sides or (one.awarded and one.scores):
            raise BadResults(f"{where}: expected a score for each side, or an award for each")
        if not all(0 <= percent <= WHOLE for percent in one.awarded):
            raise BadResults(f"{where}: expected awards from 0 to {WHOLE} percent")
        for pair in one.pairs:
            if (one.board, pair) in seen:
                raise BadResults(f"{where}: pair {pair} has two results; expected one")
            seen.add((one.board, pair))


def _net(scores: Sequence[int]) -> tuple[int, ...]:
    """Return for each side its score less the mean of the others at the table, times the others."""
    whole = sum(scores)
    return tuple(score * len(scores) - whole for score in scores)


def _compared(
    one: Result,
    net: tuple[int, ...],
    ranked: Sequence[Sequence[int]],
    sums: Sequence[int],
    fullest: int,
) -> Compared:
    """Return what a result is worth, from all nets of each side at its deal and their sums."""
    top, parts = max(0, fullest - 1), len(net) - 1
    if not net:
        shares = [(percent, WHOLE) for percent in one.awarded]
        points = [Fraction(0)] * len(shares)
    else:
        shares, points = [], []
        for own, nets, whole in zip(net, ranked, sums, strict=True):
            many = len(nets)
            # Those with a lower net count twice; once those with the same, and this one itself.
            twice = bisect_left(nets, own) + bisect_right(nets, own)
            shares.append((fullest * twice - many, 2 * many * top) if top else (1, 2))
            others = parts * (many - 1)
            points.append(Fraction(own * many - whole, others) if others else Fraction(0))
    return Compared(
        one,
        tuple(points),
        tuple(Fraction(share * top, of) for share, of in shares),
        tuple(Fraction(share * WHOLE, of) for share, of in shares),
    )


def totals(compared: Iterable[Compared]) -> list[Total]:
    """Return what each pair has come to, in the order of their numbers."""
    rows: dict[int, list[tuple[int, Compared]]] = {}
    for one in compared:
        for side, pair in enumerate(one.result.pairs):
            rows.setdefault(pair, []).append((side, one))
    return [
        Total(
            pair,
            side=row[0][0] if len({side for side, _ in row}) == 1 else None,
            boards=len(row),
            points=_sum(one.points[side] for side, one in row),
            matchpoints=_sum(one.matchpoints[side] for side, one in row),
            percent=_sum(one.percent[side] for side, one in row) / len(row),
        )
        for pair, row in sorted(rows.items())
    ]


def _sum(figures: Iterable[Fraction]) -> Fraction:
    """Return the sum of many fractions, of which few have different denominators."""
    parts = Counter[int]()
    for figure in figures:
        parts[figure.denominator] += figure.numerator
    return sum((Fraction(part, of) for of, part in parts.items()), Fraction(0))


def rankings(every: Sequence[Total], by_matchpoints: bool = False) -> list[list[tuple[int, Total]]]:
    """Return the pairs with their places, the best first: a list, or one for each side.

    Where nobody has changed sides, as in a Mitchell, those of one side have never been compared
    with the others, so each side has a ranking of its own. Ranked by points a board, or by
    percent, so that whoever sat out loses nothing by it. Equals share a place.
    """
    apart = bool(every) and all(one.side is not None for one in every)
    groups: dict[int | None, list[Total]] = {}
    for one in every:
        groups.setdefault(one.side if apart else None, []).append(one)
    found = []
    for side in sorted(groups, key=lambda side: side or 0):
        figures = [one.percent if by_matchpoints else one.points_a_board for one in groups[side]]
        placed = [
            (1 + sum(other > figure for other in figures), one)
            for one, figure in zip(groups[side], figures, strict=True)
        ]
        found.append(sorted(placed, key=lambda row: row[0]))
    return found
