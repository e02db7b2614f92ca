"""`rookery study`: a study of ways to play, repeated, beside the published figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from rookery.cli.errors import Refused
from rookery.cli.output import print_json
from rookery.lab.menagerie import Mode, run_study

FEWEST: Final = 2  # games; one alone has no interval
MOST: Final = 10**12
SEEDS: Final = 2**63


class Name(StrEnum):
    """The studies."""

    MENAGERIE = "menagerie"


def command(
    name: Annotated[Name, typer.Argument(metavar="STUDY", help="Which study: menagerie.")],
    mode: Annotated[
        Mode,
        typer.Option("--as", help="The paper's program as it is, or the real game by its rules."),
    ] = Mode.PUBLISHED,
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 100_000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write tables, picture and report here as well."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="How many cores to use; all, if not said.")
    ] = None,
) -> None:
    """Repeat a study of ways to play, and say which of its conclusions survive."""
    _check("--games", games, FEWEST, MOST)
    _check("--seed", seed, 0, SEEDS - 1)
    cores = _cores() if threads is None else threads
    _check("--threads", cores, 1, 1024)
    if out is not None:
        _check_folder(out)
    with _progress(games) as (ready, played):
        study = run_study(mode, games, seed, cores, ready=ready, played=played)
    if as_json:
        print_json(study.as_json())
    else:
        from rookery.lab.text import report

        typer.echo(report(study), nl=False)
    if out is not None:
        from rookery.lab.files import write_all
        from rookery.lab.publication import files_of

        files = files_of(study)
        write_all(out, files)
        typer.echo(f"{out}: {', '.join(files)}", err=True)


def _check(option: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise Refused(f"{option} {number}: expected a number from {least} to {most}")


def _check_folder(folder: Path) -> None:
    """Refuse, before the games are played, a folder that cannot take the files."""
    from rookery.lab.files import prepare

    try:
        prepare(folder)
    except OSError as error:
        raise Refused(f"--out {folder}: {(error.strerror or str(error)).lower()}") from None


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def _progress(games: int) -> Iterator[tuple[Callable[[], None], Callable[[int], None]]]:
    """Give what to call when compiled and after some games; shows a bar where somebody watches."""
    import sys

    if not sys.stderr.isatty():
        yield (lambda: None), (lambda _: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("games", total=games, rate="")

    def played(more: int) -> None:
        speed = bar.tasks[0].finished_speed or bar.tasks[0].speed or 0
        bar.update(task, advance=more, rate=f"{speed:,.0f} a second" if speed else "")

    def ready() -> None:
        bar.reset(task)
        bar.start()

    try:
        yield ready, played
    finally:
        bar.stop()
