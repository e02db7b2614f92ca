"""`rookery rules effect`: what a house rule does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from rookery.cli.checks import check_cores, check_number, check_seed
from rookery.cli.errors import Refused
from rookery.cli.language import In, language
from rookery.cli.options import AsJson, Cores
from rookery.cli.output import print_json

BOARDS: Final = 10_000
FEWEST: Final = 2  # deals; one alone has no interval
MOST: Final = 10**8


def command(
    file: Annotated[
        str, typer.Argument(help="A house-rule file, TOML or JSON; or a variant's id.")
    ],
    against: Annotated[
        str | None,
        typer.Option(
            "--base", metavar="ID", help="Compare with this variant; else with the file's base."
        ),
    ] = None,
    boards: Annotated[int, typer.Option(metavar="N", help="How many deals.")] = BOARDS,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same deals.")] = 1,
    lang: In = "en",
    picture: Annotated[
        Path | None,
        typer.Option("--picture", "--out", metavar="FILE", help="Draw the picture here, a PNG."),
    ] = None,
    as_json: AsJson = False,
    threads: Cores = None,
) -> None:
    """Say what a house rule does: how often contracts make, what cards and seats are worth.

    The rules and their base are played by the same bots on the same deals.
    """
    from rookery.cli.progress import shown
    from rookery.rules import RulesError, base_of, load, variant

    words_in = language(lang)
    check_number("--boards", boards, FEWEST, MOST)
    check_seed(seed)
    check_cores(threads)
    try:
        rules = load(file)
    except RulesError as error:
        raise Refused(error.details[0].line(words_in)) from None
    if picture is not None:
        _check_picture(picture)

    from rookery.lab.effect.effect import document, effect
    from rookery.lab.effect.words import Words
    from rookery.lab.run.jobs import Threads

    base = variant(against) if against is not None else base_of(file)
    with shown("deals") as progress:
        found = effect(
            rules, base, boards=boards, seed=seed, executor=Threads(threads), progress=progress
        )
    words = Words(found, words_in)
    if as_json:
        print_json(document(found).model_dump(mode="json"))
    else:
        typer.echo(words.text())
    if picture is not None:
        from rookery.lab.effect.picture import effect_picture
        from rookery.lab.run.files import write_all

        write_all(picture.parent, {picture.name: effect_picture(words)})
        typer.echo(str(picture), err=True)


def _check_picture(path: Path) -> None:
    """Refuse, before anything is played, a file that cannot be written."""
    from rookery.lab.run.files import prepare

    if path.suffix.lower() != ".png":
        raise Refused(f"--picture {path}: expected a name that ends in .png")
    if path.is_dir():
        raise Refused(f"--picture {path}: is a folder; expected a file")
    if path.parent.exists() and not path.parent.is_dir():
        raise Refused(f"--picture {path}: {path.parent} is no folder")
    try:
        prepare(path.parent)
    except OSError as error:
        raise Refused(f"--picture {path}: {(error.strerror or str(error)).lower()}") from None
