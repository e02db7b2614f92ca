"""A match played for the command line: by whom, told how, written to what."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from rookery.cli.output import print_json, write_files
from rookery.cli.progress import shown
from rookery.cli.study_runs import executor_of, journal_of
from rookery.lab.duplicate.match import Match, Played, play_match
from rookery.lab.duplicate.result import Result, result_of
from rookery.lab.duplicate.seeds import Family
from rookery.lab.run.files import write_all

if TYPE_CHECKING:
    from rookery.lab.duplicate.holdout import Look

TOLD: Final = 20  # lines about bots that were answered for; the rest is counted


@dataclass(frozen=True)
class Wanted:
    """How a match is to be played, and what is to become of it; see the options of the command."""

    as_json: bool
    out: Path | None
    picture: Path | None
    threads: int | None
    cluster: str | None
    ledger: Path | None


def run_match(match: Match, wanted: Wanted) -> None:
    """Play a match and print what came of it."""
    look = _look(match, wanted)
    match.stretches()[0].count(0, 0)  # compiles, before anybody counts the seconds
    with journal_of(match.run, wanted.out) as journal:
        executor = executor_of(wanted.threads, wanted.cluster, match.target)
        with shown("deals") as progress, _fallbacks_told():
            played = play_match(match, executor=executor, journal=journal, progress=progress)
        result = result_of(played)
        if look is not None:
            low, high = result.difference.ci95
            look.done(f"{result.difference.mean:+.2f}, {low:+.2f} to {high:+.2f}")
        _print(result, as_json=wanted.as_json)
        _write(played, result, wanted)


def _look(match: Match, wanted: Wanted) -> Look | None:
    if match.family is not Family.HOLDOUT:
        return None
    from rookery.lab.duplicate.holdout import begin_look, usual_ledger

    test = f", test {match.sprt.low:g},{match.sprt.high:g}" if match.sprt else ""
    asked = f"seed {match.seed}, {match.deals} deals{test}"
    return begin_look(wanted.ledger or usual_ledger(), match.question, asked)


def _print(result: Result, *, as_json: bool) -> None:
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    from rookery.lab.duplicate.text import report

    typer.echo(report(result), nl=False)


def _write(played: Played, result: Result, wanted: Wanted) -> None:
    if wanted.picture is not None:
        from rookery.lab.duplicate.picture import picture

        kind = wanted.picture.suffix.lower().removeprefix(".")
        folder, name = wanted.picture.parent, wanted.picture.name
        write_all(folder, {name: picture(played, result, kind)})
        typer.echo(str(wanted.picture), err=True)
    if wanted.out is not None:
        from rookery.lab.duplicate.picture import picture
        from rookery.lab.duplicate.text import report

        files = {
            "match.json": (result.model_dump_json(indent=2) + "\n").encode(),
            "report.txt": report(result).encode(),
            "match.png": picture(played, result, "png"),
            "match.svg": picture(played, result, "svg"),
        }
        write_files(wanted.out, files)


class _Teller(logging.Handler):
    """Writes the first lines of a log to standard error and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        if self.count <= TOLD:
            typer.echo(" ".join(record.getMessage().split()), err=True)


@contextmanager
def _fallbacks_told() -> Iterator[None]:
    """Say on standard error which actions were made for a bot."""
    log, teller = logging.getLogger("rookery.match"), _Teller()
    log.addHandler(teller)
    before, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.propagate = before
        log.removeHandler(teller)
        if teller.count > TOLD:
            typer.echo(f"... and {teller.count - TOLD:,} more times", err=True)
