"""`rookery study dataset`: deals with every bid, play and outcome, in a folder to publish."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rookery.bots.names import bots as named
from rookery.cli.arguments import Refused
from rookery.cli.lab.runs import journal_of
from rookery.cli.output import print_answer, say_files, shown
from rookery.lab.dataset.making import BOTS, MADE, DataSet, clear_parts, make
from rookery.lab.dataset.read import Facts
from rookery.lab.run.jobs import Executor
from rookery.lab.studies.question import Setting
from rookery.rules import load

ABOUT: Final = "Deals with every bid, play and outcome, in a folder to publish."
RULES: Final = "kd_tournament"
DEALS: Final = 20_000


def make_dataset(
    rules: str | None,
    bots: str | None,
    deals: int | None,
    seed: int,
    executor: Executor,
    as_json: bool,
    out: Path | None,
) -> None:
    """Make a data set in a folder, or go on with it, and say what is in it.

    Raises:
        Refused: no folder is named.
    """
    if out is None:
        raise Refused("rookery study dataset: where to? add --out DIR")
    label = rules or RULES
    names = BOTS if bots is None else tuple(str(bot) for bot in named(bots))
    asked = DataSet(Setting(label, load(label)), names, deals or DEALS, seed)
    with journal_of(asked.run, out) as journal:
        with shown("deals") as progress:
            facts = make(asked, out, executor=executor, journal=journal, progress=progress)
        print_answer(facts.model_dump, _lines(facts, out), as_json)
        say_files(out, MADE)
    clear_parts(out)


def _lines(facts: Facts, out: Path) -> list[str]:
    size = sum(path.stat().st_size for path in (out / "data").iterdir())
    rows = ", ".join(f"{count:,} {name}" for name, count in facts.rows.items())
    return [f"{facts.deals:,} deals of {facts.rules}: {rows}; {size / 1e6:,.1f} MB"]
