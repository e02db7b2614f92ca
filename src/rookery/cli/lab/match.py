"""`rookery match`: bots against bots on duplicate deals."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from rookery.bots.names import LEVELS, bot_or_level, bots
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
    check_name,
    check_picture,
    number,
    place,
    say_unused,
)
from rookery.cli.output import wrapped
from rookery.lab.duplicate.holdout import begin_look, usual_ledger
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import FARTHEST, Sprt
from rookery.rules import load

MOST: Final = 10**12
SLOWEST: Final = 600_000  # ms
LINES: Final = 20  # lines about actions made for a bot; the rest is counted


def command(
    ctx: typer.Context,
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
    deals: Annotated[int | None, number("How many deals. [default: 1000]", 1, MOST)] = None,
    games: Annotated[
        int | None,
        number("Play N whole matches to the target instead, counting every seating.", 1, MOST),
    ] = None,
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
    hands: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write each hand here, as a line of JSON.")
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
        say_unused(ctx, "it is not for --list")
        _list_bots()
        return
    if seats is None:
        raise Refused("--seats: missing; expected bots with commas between, like papa,karapet")
    if ledger is not None and family is not Family.HOLDOUT:
        raise Refused(f"--ledger {ledger}: is for --family holdout")
    check_name("--hands", hands)
    if hands is not None and cluster is not None:
        raise Refused("--hands and --cluster: one or the other, not both")
    if games is not None:
        for option, value in (("--deals", deals), ("--sprt", sprt), ("--picture", picture)):
            if value is not None:
                raise Refused(f"{option} {value}: is for deals, not for --games")
        if target is Target.CUDA:
            raise Refused("--target cuda: whole matches are played on the cores; leave it out")
    from rookery.cli.lab.meeting import Asked, Deals, Games
    from rookery.cli.lab.runs import executor_of

    cast = bots(seats, bot_or_level)
    if not any(bot.command for bot in cast):
        say_unused(ctx, "it is for programs (exec:), and none plays", "deadline")
    asked = Asked(
        load(rules), rules, cast, seed, family, place(target), deadline, hands,
        as_json, out, picture,
    )  # fmt: skip
    outsiders = [str(bot) for bot in cast if bot.kernel is None]
    if target is Target.CUDA and (outsiders or hands is not None):
        what = f"{outsiders[0]} cannot play" if outsiders else "no hand can be written"
        raise Refused(f"--target cuda: {what} there; leave it out")
    meeting = (
        Deals(asked, 1000 if deals is None else deals, sprt_of(sprt))
        if games is None
        else Games(asked, games)
    )
    executor = executor_of(threads, cluster, asked.target)
    check_picture(picture, ".png", ".svg", ".pdf")
    check_folder("--out", out)
    if hands is not None:
        check_folder("--hands", hands.absolute().parent)
    look = None
    if family is Family.HOLDOUT:
        look = begin_look(ledger or usual_ledger(), *meeting.question)
    with _fallbacks_shown():
        meeting.play(executor, look)


def sprt_of(text: str | None) -> Sprt | None:
    """Return the test that ``--sprt`` names; None where it is not given."""
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not -FARTHEST < low < high < FARTHEST:
        raise Refused(f"--sprt {text}: expected two numbers of points, the lower first, like 0,5")
    return Sprt(low, high)


def _list_bots() -> None:
    typer.echo("Bots:")
    for name, entry in BOTS.items():
        typer.echo(wrapped(name, entry.about, hang=13))
        for key, option in entry.options.items():
            values = f"{option.expected}; {option.default} if not said"
            typer.echo(wrapped("", f":{key}= {option.about} ({values})", hang=13))
    for level, plays in LEVELS.items():
        if level not in BOTS:
            typer.echo(wrapped(level, f"the level at a table: {plays}", hang=13))
    typer.echo(wrapped("exec:...", "a program of yours; see docs/how-to/write-a-bot.md", hang=13))


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
