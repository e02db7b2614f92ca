"""`rookery match`: bots against bots on duplicate deals."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rookery.cli.arguments import (
    AsJson,
    Cluster,
    Cores,
    Refused,
    Target,
    Where,
    check_cores,
    check_folder,
    check_gpu,
    check_number,
    check_seed,
)

if TYPE_CHECKING:
    from rookery.lab.duplicate.sprt import Sprt

MOST: Final = 10**12
SLOWEST: Final = 600_000  # ms
PICTURES: Final = ("png", "svg", "pdf")


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
    deals: Annotated[int, typer.Option(metavar="N", help="How many deals.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same deals.")] = 1,
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
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write figures, report and picture here as well."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the match: a .png, .svg or .pdf file.")
    ] = None,
    threads: Cores = None,
    cluster: Cluster = None,
    target: Where = Target.NUMBA,
    deadline: Annotated[
        int, typer.Option(metavar="MS", help="How long a program of yours has for an action.")
    ] = 1000,
    ledger: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file that notes looks at the holdout."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show which bots there are.")] = False,
) -> None:
    """Let bots meet on the same deals from every side of the table, and say who is ahead."""
    if listed:
        _say_bots()
        return
    if seats is None:
        raise Refused("--seats: missing; expected bots with commas between, like papa,karapet")
    check_number("--deals", deals, 2, MOST)
    check_seed(seed)
    check_cores(threads, cluster)
    check_number("--deadline", deadline, 1, SLOWEST)
    if ledger is not None and family is not Family.HOLDOUT:
        raise Refused(f"--ledger {ledger}: is for --family holdout")
    from rookery.bots.levels import bot_or_level
    from rookery.bots.names import bots
    from rookery.cli.runs import MatchOptions, run_match
    from rookery.lab.duplicate import match, seeds
    from rookery.rules import load

    asked = match.Match(
        load(rules), rules, bots(seats, bot_or_level), deals, seed, seeds.Family(family.value),
        _test(sprt), target.value, deadline,
    )  # fmt: skip
    outsiders = [str(bot) for bot in asked.bots if bot.kernel is None]
    if outsiders and target is Target.CUDA:
        raise Refused(f"--target cuda: {outsiders[0]} cannot play there; leave it out")
    if target is Target.CUDA:
        check_gpu()
    if picture is not None:
        _check_picture(picture)
    if out is not None:
        check_folder("--out", out)
    run_match(asked, MatchOptions(as_json, out, picture, threads, cluster, ledger))


def _test(text: str | None) -> Sprt | None:
    from math import isfinite

    from rookery.lab.duplicate.sprt import Sprt

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high or not isfinite(high - low):
        raise Refused(f"--sprt {text}: expected two numbers of points, the lower first, like 0,5")
    return Sprt(low, high)


def _check_picture(path: Path) -> None:
    if path.suffix.lower().removeprefix(".") not in PICTURES:
        raise Refused(f"--picture {path}: expected a name that ends in .{', .'.join(PICTURES)}")
    check_folder("--picture", path.parent)


def _say_bots() -> None:
    from rookery.bots.register import BOTS
    from rookery.cli.output import wrapped

    typer.echo("Bots:")
    for name, entry in BOTS.items():
        typer.echo(wrapped(name, entry.about, hang=13))
        for key, option in entry.options.items():
            said = f"{option.expected}; {option.default} if not said"
            told = f":{key}= {option.about} ({said})"
            typer.echo(wrapped("", told, hang=13))
    typer.echo(wrapped("exec:...", "a program of yours; see docs/how-to/write-a-bot.md", hang=13))
