"""Long runs for the command line: who carries them out, and where they are noted and written."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from rookery.cli.output import print_json, say_files, shown, wrapped, write_files
from rookery.engine.targets import Target
from rookery.lab.duplicate.match import Match, Played, play_match
from rookery.lab.duplicate.result import Result, result_of
from rookery.lab.duplicate.seeds import Family
from rookery.lab.menagerie.study import Mode, run_of_games, run_study
from rookery.lab.run.files import write_all
from rookery.lab.run.jobs import Counted, Executor, Threads
from rookery.lab.run.journal import FileJournal, WrongJournal, code_version

if TYPE_CHECKING:
    from rookery.lab.duplicate.holdout import Look
    from rookery.lab.menagerie.study import Study
    from rookery.lab.studies.file import StudyFile
    from rookery.lab.studies.run import Outcome

JOURNAL: Final = "journal"
MENAGERIE: Final = "The four characters of the paper, in its program or in the real game."


@dataclass(frozen=True)
class RunOptions:
    """How a study is to be run, and what is to become of it; see the options of the command."""

    as_json: bool
    out: Path | None
    rows: int | None
    threads: int | None
    cluster: str | None
    target: Target

    @property
    def executor(self) -> Executor:
        """Return who does the work."""
        return executor_of(self.threads, self.cluster, self.target)


def executor_of(threads: int | None, cluster: str | None, target: Target) -> Executor:
    """Return who does the work: a cluster, or so many threads, all cores where None says so."""
    if cluster is None:
        # A GPU takes one chunk at a time.
        return Threads(1 if target == "cuda" else threads)
    from rookery.lab.run.cluster import Cluster

    return Cluster(cluster)


def run_menagerie(mode: Mode, games: int, seed: int, wanted: RunOptions) -> None:
    """Play the Menagerie and print what came of it."""
    with journal_of(run_of_games(mode, games, seed), wanted.out) as journal:
        with shown("games") as progress:
            study = run_study(
                mode, games, seed,
                executor=wanted.executor, journal=journal, progress=progress, target=wanted.target,
            )  # fmt: skip
        if wanted.as_json:
            print_json(study.as_json())
        else:
            from rookery.lab.menagerie.text import report

            typer.echo(report(study), nl=False)
        if wanted.out is not None:
            _write_menagerie(study, wanted.out, wanted.rows or 0)


def run_file(name: str, boards: int | None, seed: int | None, wanted: RunOptions) -> None:
    """Carry out a study file and print what came of it."""
    from rookery.lab.studies.file import find, read
    from rookery.lab.studies.run import conduct, run_of

    path = find(name)
    study = read(path)
    given = {"boards": boards, "seed": seed, "rows": wanted.rows}
    study = study.model_copy(update={k: v for k, v in given.items() if v is not None})
    plan = study.plan(path.parent, target=wanted.target)
    look = _look(study)
    with journal_of(run_of(study, plan), wanted.out) as journal:
        with shown("boards") as progress:
            outcome = conduct(
                study, plan, executor=wanted.executor, journal=journal, progress=progress
            )
        if look is not None:
            look.done(f"{len(outcome.tables)} tables")
        if wanted.as_json:
            print_json(outcome.as_json())
        else:
            typer.echo(outcome.text)
        if wanted.out is not None:
            _write_study(outcome, wanted.out)


def _look(study: StudyFile) -> Look | None:
    """Note that a study looks at the holdout, where it does; it may do so once."""
    if study.family != "holdout":
        return None
    from rookery.lab.duplicate.holdout import begin_look, usual_ledger

    return begin_look(usual_ledger(), study.asks, f"seed {study.seed}, {study.boards} boards")


def say_studies() -> None:
    """Print the studies and the questions that there are."""
    from rookery.lab.studies.file import find, read, shipped
    from rookery.lab.studies.questions import QUESTIONS, question

    typer.echo("Studies:")
    typer.echo(_listed("menagerie", MENAGERIE))
    for name in shipped():
        typer.echo(_listed(name, read(find(name)).about))
    typer.echo("\nQuestions that a study file can ask:")
    for name in QUESTIONS:
        typer.echo(_listed(name, question(name).about))


def _listed(name: str, about: str) -> str:
    return wrapped(name, about, hang=17)


@contextmanager
def journal_of(run: Mapping[str, str | int], out: Path | None) -> Iterator[FileJournal | None]:
    """Give the journal of a run: in its folder, else in the cache; gone once the run is over.

    Args:
        run: all that its answer depends on, the version of this program left aside.
        out: the folder that its files go to.
    """
    run = {**run, "version": code_version()}
    if out is not None:
        with FileJournal(out / JOURNAL, run) as journal:
            with _told():
                yield journal
            journal.remove()
        return
    from rookery.engine.targets.numba import cache_folder

    mark = sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:16]
    folder = cache_folder() / "studies" / mark
    try:
        folder.mkdir(parents=True, exist_ok=True)
        journal = _Spare(folder / JOURNAL, run)
    except (OSError, WrongJournal):  # nobody asked for one
        yield None
        return
    with journal:
        with _told():
            yield journal
        with suppress(OSError):
            journal.remove()
            folder.rmdir()


class _Spare(FileJournal):
    """A journal that nobody asked for: where it cannot be written, the run goes on without."""

    def note(self, batch: Mapping[str, Counted]) -> None:
        """Note finished work if that can be done."""
        with suppress(OSError):
            super().note(batch)


@contextmanager
def _told() -> Iterator[None]:
    """Say after an interruption that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from here", err=True)
        raise


def _write_menagerie(study: Study, out: Path, rows: int) -> None:
    from rookery.lab.menagerie.publication import files_of

    write_files(out, files_of(study))
    if rows:
        from rookery.lab.rows.games import game_rows
        from rookery.lab.rows.rows import write_rows

        with shown("games in rows") as progress:
            written = write_rows(
                out, game_rows(study.mode, min(rows, study.games), study.seed, progress)
            )
        say_files(out, (path.name for path in written))


def _write_study(outcome: Outcome, out: Path) -> None:
    write_files(out, outcome.files())
    if outcome.study.rows:
        from rookery.lab.rows.rows import plan_rows, write_rows

        with shown("boards in rows") as progress:
            written = write_rows(out, plan_rows(outcome.plan, outcome.study.rows, progress))
        say_files(out, (path.name for path in written))


TOLD: Final = 20  # lines about bots that were answered for; the rest is counted


@dataclass(frozen=True)
class MatchOptions:
    """How a match is to be played, and what is to become of it; see the options of the command."""

    as_json: bool
    out: Path | None
    picture: Path | None
    threads: int | None
    cluster: str | None
    ledger: Path | None


def run_match(match: Match, wanted: MatchOptions) -> None:
    """Play a match and print what came of it."""
    look = _holdout_look(match, wanted)
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


def _holdout_look(match: Match, wanted: MatchOptions) -> Look | None:
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


def _write(played: Played, result: Result, wanted: MatchOptions) -> None:
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
