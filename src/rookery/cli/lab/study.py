"""`rookery study`: a study of ways to play, or of rules: a shipped one, or one in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rookery.cli.arguments import (
    MOST_SEED,
    AsJson,
    Cluster,
    Cores,
    Out,
    Refused,
    Where,
    check_folder,
    number,
    place,
    say_unused,
)
from rookery.cli.lab.runs import executor_of, journal_of
from rookery.cli.output import print_answer, say_files, shown, wrapped, write_files
from rookery.engine.targets import Target as Place
from rookery.lab.duplicate.holdout import begin_look, usual_ledger
from rookery.lab.menagerie.study import Mode, run_of_games, run_study
from rookery.lab.menagerie.text import report
from rookery.lab.rows.schema import TABLES
from rookery.lab.studies.file import find, read, shipped
from rookery.lab.studies.question import QUESTIONS, question
from rookery.lab.studies.run import conduct, run_of

if TYPE_CHECKING:
    from rookery.lab.rows.frames import Frames
    from rookery.lab.run.jobs import Executor, Progress

FEWEST: Final = 2  # games or boards; one alone has no interval
MOST: Final = 10**12
MENAGERIE: Final = "menagerie"
ABOUT: Final = "The four characters of the paper, in its program or in the real game."
DATASET: Final = "dataset"


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="STUDY", help="Which study: a name that --list shows, or a file."),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(
            "--as",
            help="Menagerie: the paper's program as it is, or the real game by its rules. "
            "[default: published]",
        ),
    ] = None,
    games: Annotated[
        int | None, number("Menagerie: how many games. [default: 100000]", FEWEST, MOST)
    ] = None,
    boards: Annotated[
        int | None, number("How many boards a rule set; else as the study says.", FEWEST, MOST)
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Data set: a variant's id or a house-rule file. [default: kd_tournament]",
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOT,BOT,...",
            help="Data set: who plays, as in rookery match. [default: expert:ms=600000,club]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        number(
            "The same seed, the same games. [default: the study's, 1]", 0, MOST_SEED, metavar="S"
        ),
    ] = None,
    as_json: AsJson = False,
    out: Out = None,
    rows: Annotated[
        int | None,
        number("With --out: the first N boards or games in Parquet, hand by hand.", 0, MOST),
    ] = None,
    threads: Cores = None,
    cluster: Cluster = None,
    target: Where = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Show which studies and questions there are.")
    ] = False,
) -> None:
    """Run a study and print the answers; run it again to continue where it stopped."""
    if listed:
        say_unused(ctx, "it is not for --list")
        _list_studies()
        return
    if name is None:
        raise Refused("rookery study: which one? `rookery study --list` shows what there is")
    if rows and out is None:
        raise Refused(f"--rows {rows}: there is no folder to write them to; add --out DIR")
    played = place(target)
    executor = executor_of(threads, cluster, played)
    check_folder("--out", out)
    if name == DATASET:
        for option, given in (("--as", mode), ("--games", games), ("--rows", rows)):
            if given is not None:
                raise Refused(f"{option} {given}: is not for the data set")
        if cluster is not None:
            raise Refused("--cluster: a data set is written on one machine; use --threads")
        from rookery.cli.lab.dataset import make_dataset

        make_dataset(rules, bots, boards, 1 if seed is None else seed, executor, as_json, out)
        return
    for option, asked in (("--rules", rules), ("--bots", bots)):
        if asked is not None:
            raise Refused(f"{option} {asked}: is for the data set; a study's file has its own")
    if name == MENAGERIE:
        if boards is not None:
            raise Refused(f"--boards {boards}: the Menagerie is played in games; use --games")
        _run_menagerie(
            mode or Mode.PUBLISHED, games or 100_000, 1 if seed is None else seed,
            executor, played, as_json, out, rows,
        )  # fmt: skip
        return
    for option, given in (("--as", mode), ("--games", games)):
        if given is not None:
            raise Refused(f"{option} {given}: is for the Menagerie; {name} is played in --boards")
    _run_file(name, {"boards": boards, "seed": seed, "rows": rows}, executor, played, as_json, out)


def _list_studies() -> None:
    from rookery.cli.lab.dataset import ABOUT as ABOUT_DATASET

    studies = {
        MENAGERIE: ABOUT,
        DATASET: ABOUT_DATASET,
        **{name: read(find(name)).about for name in shipped()},
    }
    questions = {name: question(name).ABOUT for name in QUESTIONS}
    for title, listed in (
        ("Studies:", studies),
        ("\nQuestions that a study file can ask:", questions),
    ):
        typer.echo(title)
        for name, about in listed.items():
            typer.echo(wrapped(name, about, hang=17))


def _run_menagerie(
    mode: Mode,
    games: int,
    seed: int,
    executor: Executor,
    target: Place,
    as_json: bool,
    out: Path | None,
    rows: int | None,
) -> None:
    with journal_of(run_of_games(mode, games, seed), out) as journal:
        with shown("games") as progress:
            study = run_study(
                mode, games, seed,
                executor=executor, journal=journal, progress=progress, target=target,
            )  # fmt: skip
        print_answer(study.as_json, report(study).splitlines(), as_json)
        if out is None:
            return
        from rookery.lab.menagerie.publication import files_of

        write_files(out, files_of(study))
        if not rows:
            _say_old_rows(out)
        else:
            from rookery.lab.rows.games import game_rows

            _write_rows(
                out,
                "games in rows",
                partial(game_rows, mode, min(rows, games), seed, target=target),
            )


def _run_file(
    name: str,
    options: dict[str, int | None],
    executor: Executor,
    target: Place,
    as_json: bool,
    out: Path | None,
) -> None:
    path = find(name)
    study = read(path)
    study = study.model_copy(update={k: v for k, v in options.items() if v is not None})
    plan = study.plan(path.parent, target=target)
    rows = study.rows if out is not None else 0
    if rows:
        from rookery.lab.rows.rows import check_bots

        check_bots(plan)
    look = None
    if study.family == "holdout":
        asked = f"seed {study.seed}, {study.boards} boards"
        look = begin_look(usual_ledger(), study.asks(plan), asked)
    with journal_of(run_of(study, plan), out) as journal:
        with shown("boards") as progress:
            outcome = conduct(study, plan, executor=executor, journal=journal, progress=progress)
        print_answer(outcome.as_json, [outcome.text], as_json)
        if out is not None:
            write_files(out, outcome.files())
            if not rows:
                _say_old_rows(out)
            else:
                from rookery.lab.rows.rows import plan_rows

                _write_rows(out, "boards in rows", partial(plan_rows, plan, rows))
        if look is not None:  # last: what did not come out may be asked again
            look.done(f"{len(outcome.tables)} tables")


def _say_old_rows(out: Path) -> None:
    """Say which rows in a folder are not of this run, which has written none."""
    names = [name for name in (f"{table}.parquet" for table in TABLES) if (out / name).exists()]
    if names:
        typer.echo(f"{out}: of an earlier run: {', '.join(names)}", err=True)


def _write_rows(out: Path, unit: str, rows: Callable[[Progress], Iterable[Frames]]) -> None:
    from rookery.lab.rows.rows import write_rows

    with shown(unit) as progress:
        written = write_rows(out, rows(progress))
    say_files(out, (path.name for path in written))
