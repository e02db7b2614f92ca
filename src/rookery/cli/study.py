"""`rookery study`: a study of ways to play, or of rules: a shipped one, or one in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

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
from rookery.cli.runs import RunOptions, run_file, run_menagerie, say_studies
from rookery.lab.menagerie.study import Mode

FEWEST: Final = 2  # games or boards; one alone has no interval
MOST: Final = 10**12
MENAGERIE: Final = "menagerie"


def command(
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
        int | None,
        typer.Option(metavar="N", help="Menagerie: how many games. [default: 100000]"),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many boards a rule set; else as the study says."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="S", help="The same seed, the same games. [default: the study's, 1]"),
    ] = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write tables, pictures and report here as well."),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --out: the first N boards or games in Parquet, hand by hand."
        ),
    ] = None,
    threads: Cores = None,
    cluster: Cluster = None,
    target: Where = Target.NUMBA,
    listed: Annotated[
        bool, typer.Option("--list", help="Show which studies and questions there are.")
    ] = False,
) -> None:
    """Run a study and print the answers; run it again to continue where it stopped."""
    if listed:
        say_studies()
        return
    if name is None:
        raise Refused("rookery study: which one? `rookery study --list` shows what there is")
    check_number("--games", games, FEWEST, MOST)
    check_number("--boards", boards, FEWEST, MOST)
    check_seed(seed)
    check_number("--rows", rows, 0, MOST)
    check_cores(threads, cluster)
    if rows and out is None:
        raise Refused(f"--rows {rows}: there is no folder to write them to; add --out DIR")
    if target is Target.CUDA:
        check_gpu()
    if out is not None:
        check_folder("--out", out)
    wanted = RunOptions(as_json, out, rows, threads, cluster, target.value)
    if name == MENAGERIE:
        if boards is not None:
            raise Refused(f"--boards {boards}: the Menagerie is played in games; use --games")
        run_menagerie(mode or Mode.PUBLISHED, games or 100_000, 1 if seed is None else seed, wanted)
        return
    for option, given in (("--as", mode), ("--games", games)):
        if given is not None:
            raise Refused(f"{option} {given}: is for the Menagerie; {name} is played in --boards")
    run_file(name, boards, seed, wanted)
