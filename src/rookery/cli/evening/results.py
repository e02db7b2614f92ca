"""`rookery evening results`: who held the same cards and made more of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson
from rookery.cli.evening.written import read_written
from rookery.cli.output import WIDTH, print_answer, printable
from rookery.evening.duplicate.results_file import DealPage, RankedPair, Results, read_results
from rookery.evening.duplicate.scoring import BadResults

_NAME = 34  # columns for the name of a pair


def results(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The results, TOML or JSON; - for standard input."),
    ],
    matchpoints: Annotated[
        bool, typer.Option("--matchpoints", help="Rank by matchpoints, not by points.")
    ] = False,
    deals: Annotated[bool, typer.Option("--deals", help="Print every deal as well.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare what several tables made of the same deals, and rank the pairs.

    Points are those of a side against the others that sat there: what it scored less what the other
    side scored, less the mean of that at the other tables. Matchpoints count how many of them it
    has beaten.
    """
    found = read_written(
        file,
        lambda text, name: read_results(text, name, matchpoints),
        "a file of results",
        BadResults,
    )
    print_answer(found.model_dump, _lines(found, deals), as_json)


def _lines(found: Results, deals: bool) -> Iterator[str]:
    yield typer.style(printable(found.rules, WIDTH), bold=True)
    for number, ranking in enumerate(found.rankings, 1):
        yield ""
        if len(found.rankings) > 1:
            yield f"Side {number}"
        yield from _ranking(ranking)
    if deals:
        for page in found.deals:
            yield ""
            yield from _page(page)


def _ranking(ranking: list[RankedPair]) -> Iterator[str]:
    yield f"{'':>4}  {'':<{_NAME}}{'deals':>6}{'points':>9}{'a deal':>8}{'matchp.':>9}{'%':>7}"
    for row in ranking:
        yield (
            f"{row.place:>4}  {printable(row.pair, _NAME - 1):<{_NAME}}{row.deals:>6}"
            f"{row.points:>9.1f}{row.points_a_deal:>8.1f}{row.matchpoints:>9.1f}{row.percent:>7.1f}"
        )


def _page(page: DealPage) -> Iterator[str]:
    yield f"{f'Deal {page.deal}':<42}{'scores':>13}{'points':>9}{'%':>7}"
    for one in page.results:
        names = " v ".join(printable(pair, 18) for pair in one.pairs)
        scores = " ".join(f"{score:>5}" for score in one.scores) or "awarded"
        yield f"  {names:<40}{scores:>13}{one.points[0]:>9.1f}{one.percent[0]:>7.1f}"
