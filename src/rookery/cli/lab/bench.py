"""`rookery bench`: how fast this machine runs the engine."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from rookery.cli.arguments import MOST_THREADS, AsJson, Refused, number
from rookery.cli.output import WIDTH

LONGEST: Final = 60.0  # seconds of one run


def command(
    variants: Annotated[
        str | None,
        typer.Option(metavar="ID,ID", help="Random play of these; of a few variants by default."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Random play of all variants.")] = False,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="How long one run takes, about.")
    ] = 1.0,
    threads: Annotated[
        int | None, number("How many cores to use at most; all by default.", 1, MOST_THREADS)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how many hands a second this machine plays."""
    from rookery.lab.bench import HANDFUL, report, run_bench
    from rookery.lab.run.jobs import cores
    from rookery.rules import catalog, load

    if variants is not None and every:
        raise Refused("--variants and --all: expected one of them")
    if not 0 < seconds <= LONGEST:
        raise Refused(f"--seconds {seconds:g}: expected more than 0, at most {LONGEST:g}")
    rules = catalog() if every else HANDFUL
    if variants is not None:
        rules = tuple(name.strip() for name in variants.split(",") if name.strip())
        if not rules:
            raise Refused("--variants: expected ids with commas between, like kd_tournament,circus")
    for name in rules:
        load(name)  # so that a wrong name is refused before anything is measured
    bench = run_bench(
        rules,
        cores=threads or cores(),
        seconds=seconds,
        tell=lambda line: typer.echo(f"measuring {line} ...", err=True),
    )
    if as_json:
        typer.echo(bench.model_dump_json(indent=2))
    else:
        typer.echo(report(bench, WIDTH), nl=False)
