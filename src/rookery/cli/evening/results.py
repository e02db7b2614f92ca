"""`rookery evening results`: who held the same cards and made more of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from rookery import record
from rookery.bots.names import EXTERNAL, Bot
from rookery.bots.names import bot as named
from rookery.cli.arguments import AsJson, Refused, read_written, say_unused
from rookery.cli.output import WIDTH, print_answer, printable, shown
from rookery.cli.records.replay import read_bytes, refused_records
from rookery.evening.duplicate.lines import DealLine, line_of
from rookery.evening.duplicate.results_file import DealPage, RankedPair, Results, read_results
from rookery.evening.duplicate.scoring import BadResults
from rookery.game import BadDeal, Hand, IllegalAction

BOT: Final = "expert:version=2:rollouts=400:ms=600000"  # what it does follows from tries
_NAME = 34  # columns for the name of a pair


def results(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The results, TOML or JSON; - for standard input."),
    ],
    matchpoints: Annotated[
        bool, typer.Option("--matchpoints", help="Rank by matchpoints, not by points.")
    ] = False,
    deals: Annotated[bool, typer.Option("--deals", help="Print every deal as well.")] = False,
    opened: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="opened.json of the evening; shows what a bot makes of each deal."
        ),
    ] = None,
    bot: Annotated[str, typer.Option(metavar="NAME", help="Which bot that is.")] = BOT,
    as_json: AsJson = False,
) -> None:
    """Compare what several tables made of the same deals, and rank the pairs.

    A side's points compare it with the others that held its cards: by how much it outscored the
    other side, less the mean of that at the other tables. Matchpoints count how many it has beaten.
    """
    if opened is None:
        say_unused(ctx, "it is for --opened, which has the cards", "bot")
    found = read_written(
        file,
        lambda text, name: read_results(text, name, matchpoints),
        "a file of results",
        BadResults,
    )
    if opened is not None:
        _add_lines(found, opened, named(bot))
    print_answer(found.model_dump, _lines(found, deals or opened is not None), as_json)


def _add_lines(found: Results, opened: Path, bot: Bot) -> None:
    """Add what a bot makes of each deal whose cards are in the record of an evening."""
    with refused_records(str(opened), as_json=False):
        kept = record.loads(read_bytes(str(opened)))
    if kept.rules.name != found.rules:
        raise Refused(f"--opened {opened}: is of {kept.rules.name}; expected {found.rules}")
    sides = kept.rules.fixed_sides or tuple((seat,) for seat in range(kept.rules.seats))
    cards = {}
    for at, hand in enumerate(kept.hands):
        proof = hand.extra.get("proof")
        number = proof.get("number") if isinstance(proof, dict) else None
        if not isinstance(number, int) or hand.deal is None:
            raise Refused(f"--opened {opened}: hand {at}: expected a deal of an evening")
        try:
            cards[number] = Hand.deal(kept.rules, hand.dealer, hand.deal, hand.nest)
        except (BadDeal, IllegalAction) as error:
            raise Refused(f"--opened {opened}: hand {at}: {error}") from None
    pages = [page for page in found.deals if page.deal in cards]
    with shown("deals") as progress:
        for done, page in enumerate(pages):
            progress(done, len(pages))
            page.line = line_of(cards[page.deal], bot, sides)


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
    if page.line is not None:
        yield from _bot_line(page.line)


def _bot_line(line: DealLine) -> Iterator[str]:
    program = line.bot.startswith(f"{EXTERNAL}:")
    who = printable(line.bot, 28) if program else line.bot.partition(":")[0]
    if line.declarer is None:
        yield f"  {who}: nobody plays it"
        return
    name = f"{who}: {line.declarer} {line.bid}"
    yield f"  {name:<40}{' '.join(f'{score:>5}' for score in line.scores):>13}"
    if line.open is not None:
        name = "the same contract, all hands open"
        yield f"  {name:<40}{' '.join(f'{score:>5}' for score in line.open):>13}"
