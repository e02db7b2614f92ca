"""`rookery league`: every bot against every other, with ratings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rookery.bots.names import bot_or_level
from rookery.bots.names import bots as named
from rookery.cli.arguments import AsJson, Cores, Out, Refused, Seed, check_folder, number
from rookery.cli.output import print_answer, shown, write_files
from rookery.engine.targets.choice import for_laboratory
from rookery.rules import catalog, load

MOST = 10**9


def command(
    bots: Annotated[
        str, typer.Option(metavar="A,B,C", help="Two or more bots; see rookery match --list.")
    ],
    rules: Annotated[
        str, typer.Option(metavar="ID,ID", help="Variants' ids, or house-rule files.")
    ] = "kd_tournament",
    deals: Annotated[int, number("Deals for every two bots.", 2, MOST)] = 1000,
    seed: Seed = 1,
    as_json: AsJson = False,
    out: Out = None,
    threads: Cores = None,
) -> None:
    """Let every two bots meet, each deal from every side of the table, and rate them all."""
    from rookery.cli.lab.runs import journal_of
    from rookery.lab.league.league import play_league
    from rookery.lab.league.report import document, files_of, report_text
    from rookery.lab.run.jobs import Threads
    from rookery.lab.studies.question import Setting

    cast = named(bots, bot_or_level)
    names = [name.strip() for name in rules.split(",")]
    if not all(names):
        raise Refused(f"--rules {rules!r}: expected names apart by commas, none of them empty")
    games = [(name, load(name)) for name in names]
    settings = [Setting(game.id or _called(Path(name)), game) for name, game in games]
    labels = [setting.label for setting in settings]
    if len(set(labels)) < len(labels):
        raise Refused(f"--rules {rules}: two rule sets have one name; expected different ones")
    check_folder("--out", out)
    run: dict[str, str | int] = {
        "league": " ".join(str(bot) for bot in cast),
        "rules": " ".join(repr(setting.table) for setting in settings),
        "deals": deals,
        "seed": seed,
    }
    with journal_of(run, out) as journal, shown("deals") as progress:
        standings = play_league(
            settings,
            cast,
            deals,
            seed,
            executor=Threads(threads),
            journal=journal,
            progress=progress,
            target=for_laboratory(),
        )
    told = partial(document(standings, seed).model_dump, mode="json")
    print_answer(told, [report_text(standings, seed)], as_json)
    if out is not None:
        write_files(out, files_of(standings, seed))


def _called(file: Path) -> str:
    """Return what reports call the rules of a file: its name, in full where a variant has it."""
    return file.name if file.stem in catalog() else file.stem
