"""`rookery match`: bots against bots on duplicate deals."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rookery.bots.names import bot_or_level, bots
from rookery.bots.register import BOTS
from rookery.cli.arguments import (
    AsJson,
    Cluster,
    Cores,
    Out,
    Refused,
    Seed,
    Target,
    Where,
    check_folder,
    check_picture,
    number,
    place,
)
from rookery.cli.output import print_answer, shown, wrapped, write_files
from rookery.files import write_file
from rookery.lab.duplicate.holdout import begin_look, usual_ledger
from rookery.lab.duplicate.sprt import Sprt
from rookery.rules import load

if TYPE_CHECKING:
    from rookery.lab.duplicate.match import Played
    from rookery.lab.duplicate.result import Result

MOST: Final = 10**12
SLOWEST: Final = 600_000  # ms
LINES: Final = 20  # lines about actions made for a bot; the rest is counted


class Family(StrEnum):
    """What the deals are for."""

    TUNING = "tuning"
    VALIDATION = "validation"
    HOLDOUT = "holdout"


def command(
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="BOT,BOT,...",
            help="Two bots for the two sides, or one a seat: a name, NAME:option=value, or "
            "exec:COMMAND for a program of yours.",
        ),
    ] = None,
    rules: Annotated[
        str, typer.Option(metavar="ID", help="A variant's id or a house-rule file.")
    ] = "kd_tournament",
    deals: Annotated[int, number("How many deals.", 2, MOST)] = 1000,
    seed: Seed = 1,
    family: Annotated[
        Family,
        typer.Option(help="What the deals are for; no deal is in two families."),
    ] = Family.TUNING,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop once the deals decide between these, in points a board.",
        ),
    ] = None,
    as_json: AsJson = False,
    out: Out = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the match: a .png, .svg or .pdf file.")
    ] = None,
    threads: Cores = None,
    cluster: Cluster = None,
    target: Where = None,
    deadline: Annotated[
        int,
        number("How long a program of yours has for an action.", 1, SLOWEST, metavar="MS"),
    ] = 1000,
    ledger: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file that notes looks at the holdout."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show which bots there are.")] = False,
) -> None:
    """Let bots meet on the same deals from every side of the table, and say who is ahead."""
    if listed:
        _list_bots()
        return
    if seats is None:
        raise Refused("--seats: missing; expected bots with commas between, like papa,karapet")
    if ledger is not None and family is not Family.HOLDOUT:
        raise Refused(f"--ledger {ledger}: is for --family holdout")
    from rookery.cli.lab.runs import executor_of, journal_of
    from rookery.lab.duplicate import seeds
    from rookery.lab.duplicate.match import Match, play_match
    from rookery.lab.duplicate.result import result_of

    match = Match(
        load(rules), rules, bots(seats, bot_or_level), deals, seed, seeds.Family(family.value),
        sprt_of(sprt), place(target), deadline,
    )  # fmt: skip
    outsiders = [str(bot) for bot in match.bots if bot.kernel is None]
    if target is Target.CUDA and outsiders:
        raise Refused(f"--target cuda: {outsiders[0]} cannot play there; leave it out")
    executor = executor_of(threads, cluster, match.target)
    check_picture(picture, ".png", ".svg", ".pdf")
    check_folder("--out", out)
    look = None
    if family is Family.HOLDOUT:
        test = f", test {match.sprt.low:g},{match.sprt.high:g}" if match.sprt else ""
        asked = f"seed {seed}, {deals} deals{test}"
        look = begin_look(ledger or usual_ledger(), match.question, asked)
    match.stretches()[0].count(0, 0)  # compiles, before anybody counts the seconds
    with journal_of(match.run, out) as journal:
        with shown("deals") as progress, _fallbacks_shown():
            played = play_match(match, executor=executor, journal=journal, progress=progress)
        result = result_of(played)
        if look is not None:
            low, high = result.difference.ci95
            look.done(f"{result.difference.mean:+.2f}, {low:+.2f} to {high:+.2f}")
        _write(played, result, as_json, out, picture)


def sprt_of(text: str | None) -> Sprt | None:
    """Return the test that ``--sprt`` names; None where it is not given."""
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high or not isfinite(high - low):
        raise Refused(f"--sprt {text}: expected two numbers of points, the lower first, like 0,5")
    return Sprt(low, high)


def _list_bots() -> None:
    typer.echo("Bots:")
    for name, entry in BOTS.items():
        typer.echo(wrapped(name, entry.about, hang=13))
        for key, option in entry.options.items():
            values = f"{option.expected}; {option.default} if not said"
            typer.echo(wrapped("", f":{key}= {option.about} ({values})", hang=13))
    typer.echo(wrapped("exec:...", "a program of yours; see docs/how-to/write-a-bot.md", hang=13))


def _write(
    played: Played, result: Result, as_json: bool, out: Path | None, picture: Path | None
) -> None:
    """Print the result of a match, draw it and write its files, as far as they are wanted."""
    from rookery.lab.duplicate.result import report

    text = report(result)
    print_answer(partial(result.model_dump, mode="json"), text.splitlines(), as_json)
    if picture is None and out is None:
        return
    from rookery.lab.duplicate.picture import picture as drawn

    if picture is not None:
        kind = picture.suffix.lower().removeprefix(".")
        write_file(picture, drawn(played, result, kind))
        typer.echo(str(picture), err=True)
    if out is not None:
        files = {
            "match.json": (result.model_dump_json(indent=2) + "\n").encode(),
            "report.txt": text.encode(),
            "match.png": drawn(played, result, "png"),
            "match.svg": drawn(played, result, "svg"),
        }
        write_files(out, files)


class _FirstLines(logging.Handler):
    """Writes the first lines of a log to standard error and counts the rest."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        if self.count <= LINES:
            typer.echo(" ".join(record.getMessage().split()), err=True)


@contextmanager
def _fallbacks_shown() -> Iterator[None]:
    """Say on standard error which actions were made for a bot."""
    log, handler = logging.getLogger("rookery.match"), _FirstLines()
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.propagate = before
        log.removeHandler(handler)
        if handler.count > LINES:
            typer.echo(f"... and {handler.count - LINES:,} more times", err=True)
