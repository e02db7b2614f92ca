"""`rookery rules`: the catalogue, a variant in plain words, and whether house rules fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.errors import Refused
from rookery.cli.output import WIDTH, print_json

if TYPE_CHECKING:
    from rookery.rules import Language

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

app = typer.Typer(
    help="The catalogue of variants, and your house rules.",
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("list")
def list_rules(as_json: AsJson = False) -> None:
    """List every variant of the catalogue."""
    from rookery.rules import catalog, variant
    from rookery.rules.listing import line

    variants = [variant(name) for name in catalog()]
    if as_json:
        print_json([line(rules) for rules in variants])
        return
    typer.echo(f"{'id':<23}{'seats':>5}{'cards':>6}  name")
    for rules in variants:
        text = f"{rules.id:<23}{rules.seats:>5}{rules.cards:>6}  {rules.name}"
        typer.echo(text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}...")


@app.command("show")
def show(
    rules_id: Annotated[
        str, typer.Argument(metavar="ID", help="A variant's id, or a house-rule file.")
    ],
    lang: Annotated[str, typer.Option(help="The language of the words: en or es.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Put one variant into plain words."""
    from rookery.rules import described, load, summary
    from rookery.rules.listing import in_full
    from rookery.rules.tongue import tongue

    words = _language(lang)
    rules = load(rules_id)
    if as_json:
        print_json(in_full(rules, words))
        return
    told = described(rules, words)
    typer.echo(f"{told.name}{f' ({rules.id})' if rules.id else ''}\n")
    if told.reconstructed:
        typer.echo(f"{tongue(words).say('title.reconstructed')}: {told.reconstructed}\n")
    typer.echo(summary(rules, words))


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A house-rule file, TOML or JSON.")],
    as_json: AsJson = False,
) -> None:
    """Say whether house rules fit together: every problem, a line each."""
    from rookery.rules import RulesError, RulesUnreadable, load

    problems: tuple[str, ...] = ()
    try:
        load(file)
    except RulesUnreadable as error:
        raise Refused(str(error)) from None
    except RulesError as error:
        problems = error.problems
    if as_json:
        print_json({"fits": not problems, "problems": list(problems)})
    else:
        typer.echo("\n".join(problems) or f"{file}: these rules fit together")
    if problems:
        raise typer.Exit(1)


def _language(written: str) -> Language:
    from rookery.rules import LANGUAGES

    for lang in LANGUAGES:
        if written.lower() == lang:
            return lang
    raise Refused(f"--lang {written}: expected {' or '.join(LANGUAGES)}")
