"""What pairs have made of the prepared deals, and what all tables made of one of these."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pydantic import BaseModel

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.screens import DealOpen
from rookery.evening.movements.state import Evening, Table

if TYPE_CHECKING:
    from rookery.evening.duplicate.scoring import Compared

DIGITS = 2  # of what is told


class PairTold(BaseModel):
    """What a pair has made of the prepared deals, against the others that held the same cards.

    ``side`` is theirs where nobody changes sides, so that each side has places of its own.
    """

    place: int
    people: list[int]
    side: int | None
    deals: int
    points: float
    points_a_deal: float
    percent: float


class DealResult(BaseModel):
    """A prepared deal at one table: for each side its people, score, points and percent."""

    people: list[list[int]]
    scores: list[int]
    points: list[float]
    percent: list[float]


class DealTold(BaseModel):
    """What all tables made of a prepared deal; the best for the first side stands first.

    ``open`` is the deal itself, where the server dealt it and the key is shown.
    """

    deal: int
    results: list[DealResult]
    open: DealOpen | None = None


def pairs_told(log: EveningLog) -> list[PairTold]:
    """Return the pairs of an evening of prepared deals, as far as results are there."""
    # Imported late: a start loads only what a page needs.
    from rookery.evening.duplicate.scoring import rankings, totals

    ranked = rankings(totals(_compared(log)))
    return [
        PairTold(
            place=place,
            people=_people_of(log.evening, row.pair),
            side=row.side if len(ranked) > 1 else None,
            deals=row.boards,
            points=_short(row.points),
            points_a_deal=_short(row.points_a_board),
            percent=_short(row.percent),
        )
        for ranking in ranked
        for place, row in ranking
    ]


def deal_told(log: EveningLog, number: int) -> DealTold | None:
    """Return what all tables made of a prepared deal; None where nobody has played it."""
    played = _compared(log, number)
    played.sort(key=lambda one: (-one.percent[0], *one.result.pairs))
    tables = (table for one in log.evening.rounds for table in one.tables)
    at = {table.teams: table for table in tables if number in table.boards}
    results = [
        DealResult(
            people=_sides(log.evening, at[one.result.pairs]),
            scores=list(one.result.scores),
            points=[_short(points) for points in one.points],
            percent=[_short(percent) for percent in one.percent],
        )
        for one in played
    ]
    return DealTold(deal=number, results=results) if results else None


def _people_of(evening: Evening, place: int) -> list[int]:
    """Return whose the results of a pair are, by its place in the order in which pairs came.

    Whoever has played for it and left stays among them, unless they belong to another one now, or
    only helped out.
    """
    tables = (table for one in evening.rounds for table in one.tables if place in table.teams)
    sat = {who for table in tables for who in _sides(evening, table)[table.teams.index(place)]}
    theirs = {*evening.teams[place]}
    others = {who for team in evening.teams for who in team} | {*evening.helped}
    return sorted(theirs | (sat - others) if theirs else sat)


def _sides(evening: Evening, table: Table) -> list[list[int]]:
    """Return who sat on each side of a table."""
    return [[table.seats[seat] for seat in side] for side in evening.game_at(table).sides or ()]


def _compared(log: EveningLog, only: int | None = None) -> list[Compared]:
    """Return what the result of each prepared deal, or of `only` that one, is worth by table."""
    # Imported late: a start loads only what a page needs.
    from rookery.evening.duplicate.scoring import Result, compare

    evening, results = log.evening, list[Result]()
    for number, one in enumerate(evening.rounds, 1):
        for table in one.tables:
            said = log.said(number, table.number)
            if not table.boards or table.scores is None or said is None:
                continue
            sides = evening.game_at(table).sides or ()
            for board, row in zip(table.boards, said.stands.said or (), strict=True):
                scores = tuple(row[side[0]] for side in sides)
                results.append(Result(board, table.teams, scores))
    return compare(results, only)


def _short(figure: Fraction) -> float:
    return float(round(figure, DIGITS))
