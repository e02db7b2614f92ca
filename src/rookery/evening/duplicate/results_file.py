"""The results of an evening of the same deals as a file, TOML or JSON, and what comes of them.

rules = "kd_tournament"

[[result]]
deal = 1
pairs = ["Ann and Cy", "Bob and Dee"]
declarer = "North"
bid = 95
points = { North = "60+40-5" }

[[result]]
deal = 1
pairs = ["Eve and Gus", "Flo and Hal"]
scores = [-100, 30]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, ValidationError

from rookery.evening.duplicate.lines import DealLine
from rookery.evening.duplicate.scoring import (
    BadResults,
    Compared,
    Result,
    Total,
    compare,
    rankings,
    totals,
)
from rookery.evening.duplicate.slips import seat_names
from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.sheet_file import HandSaid, first_fault, tally_of
from rookery.evening.tally import BadTally
from rookery.rules import Rules, RulesError, load, parse, quoted

DIGITS: Final = 2  # of what is printed


class ResultSaid(HandSaid):
    """What is said of a deal at one table: `scores`, `awarded`, or what a score sheet asks for.

    ``pairs`` are the names of those on each side, and ``scores`` and ``awarded`` have a number for
    each of them; seats are called North, East, South and West, or Seat 0, Seat 1 and so on.
    """

    deal: Annotated[int, Field(ge=1, le=1000)]
    pairs: list[Annotated[str, Field(min_length=1, max_length=60)]]
    scores: list[Annotated[int, Field(ge=-99_999, le=99_999)]] = Field(default=[])
    awarded: list[int] = Field(default=[])


class ResultsFile(BaseModel, extra="forbid", strict=True):
    """The results of an evening as they are written down."""

    rules: str | dict[str, Any] = "kd_tournament"
    result: Annotated[list[ResultSaid], Field(max_length=20_000)] = []


class RankedPair(BaseModel):
    """A pair in a ranking.

    Attributes:
        place: its place, from 1; equals share one.
        pair: its name.
        deals: how many deals it has a result for.
        points: against the others, in all.
        points_a_deal: the mean of these.
        matchpoints: in all.
        percent: the mean of its percentages.
    """

    place: int
    pair: str
    deals: int
    points: float
    points_a_deal: float
    matchpoints: float
    percent: float


class DealResult(BaseModel):
    """A deal at one table, with a number for each side.

    Attributes:
        pairs: who sat on each side.
        scores: what each side scored; empty where something was awarded.
        points: against the others.
        matchpoints: of each side.
        percent: of each side.
    """

    pairs: list[str]
    scores: list[int]
    points: list[float]
    matchpoints: list[float]
    percent: list[float]


class DealPage(BaseModel):
    """All results of a deal; the best for the first side stands first.

    ``line`` is what a bot makes of it, where the cards are known.
    """

    deal: int
    results: list[DealResult]
    line: DealLine | None = None


class Results(BaseModel):
    """What an evening has come to.

    Attributes:
        rules: the name of the rules.
        rankings: one for all, or one for each side where nobody has changed sides.
        deals: the results of each deal.
    """

    rules: str
    rankings: list[list[RankedPair]]
    deals: list[DealPage]


def read_results(text: str, name: str = "results", by_matchpoints: bool = False) -> Results:
    """Return what the results in a file come to, TOML or JSON as the ending of its name says.

    With `by_matchpoints` these rank the pairs, and not points against the others.

    Raises:
        BadResults: it has none, or what is said of one cannot be.
    """
    try:
        file = ResultsFile.model_validate(parse(text, name))
        rules = load(file.rules)
    except ValidationError as error:
        line = first_fault(error, "result", (ResultSaid, ResultsFile), _EXPECTED)
        raise BadResults(line) from None
    except RulesError as error:
        raise BadResults(str(error)) from None
    sides = rules.fixed_sides or tuple((seat,) for seat in range(rules.seats))
    names = list(dict.fromkeys(pair for said in file.result for pair in said.pairs))
    listed = []
    for at, said in enumerate(file.result, 1):
        where = f"result {at}"
        if len(set(said.pairs)) != len(sides):
            raise BadResults(f"{where}: pairs: expected {len(sides)} names, one for each side")
        try:
            scores = _scores(said, rules, sides)
        except BadTally as error:
            line = error.to(seat_names(rules))
            raise BadResults(f"{where}: {error.code}: {line}") from None
        pairs = tuple(names.index(pair) for pair in said.pairs)
        listed.append(Result(said.deal, pairs, scores, tuple(said.awarded)))
    try:
        compared = compare(listed)
    except BadResults as error:
        raise BadResults(_named(str(error), names)) from None
    ranked = rankings(totals(compared), by_matchpoints)
    return Results(
        rules=rules.name,
        rankings=[[_ranked(*row, names) for row in one] for one in ranked],
        deals=_pages(compared, names),
    )


def _scores(said: ResultSaid, rules: Rules, sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return what each side scored, added up by the rules where that is not said."""
    if said.scores or said.awarded:
        return tuple(said.scores)
    tally = tally_of(said, rules, seat_names(rules))
    score = ScoreSheet(rules, (tally,)).entries[0].line.score
    if score is None:
        raise BadTally("redealt", "has no result; expected scores, awarded, or what was played")
    return tuple(score[side[0]] for side in sides)


def _named(line: str, names: Sequence[str]) -> str:
    """Return a refusal with the name of a pair in place of its number."""
    head, found, rest = line.partition(": pair ")
    number, _, tail = rest.partition(" ")
    return f"{head}: {quoted(names[int(number)])} {tail}" if found else line


def _ranked(place: int, row: Total, names: Sequence[str]) -> RankedPair:
    return RankedPair(
        place=place,
        pair=names[row.pair],
        deals=row.boards,
        points=_short(row.points),
        points_a_deal=_short(row.points_a_board),
        matchpoints=_short(row.matchpoints),
        percent=_short(row.percent),
    )


def _pages(compared: Sequence[Compared], names: Sequence[str]) -> list[DealPage]:
    pages = []
    for deal in sorted({one.result.board for one in compared}):
        played = [one for one in compared if one.result.board == deal]
        played.sort(key=lambda one: (-one.percent[0], *one.result.pairs))
        results = [
            DealResult(
                pairs=[names[pair] for pair in one.result.pairs],
                scores=list(one.result.scores),
                points=[_short(points) for points in one.points],
                matchpoints=[_short(points) for points in one.matchpoints],
                percent=[_short(percent) for percent in one.percent],
            )
            for one in played
        ]
        pages.append(DealPage(deal=deal, results=results))
    return pages


def _short(figure: Fraction) -> float:
    return float(round(figure, DIGITS))


_EXPECTED: Final = {
    "rules": "an id of the catalogue, or changes to one",
    "result": "a table [[result]] for each deal at each table",
    "deal": "the number of the deal, from 1",
    "pairs": "a list of names, one for each side",
    "scores": "a list of numbers, one for each side",
    "awarded": "a list of percentages, one for each side",
}
