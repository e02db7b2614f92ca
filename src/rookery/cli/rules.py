"""`rookery rules`: the catalogue, a variant in plain words, and whether house rules fit."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from rookery.cli import effect
from rookery.cli.errors import Refused
from rookery.cli.language import In, language, told_in
from rookery.cli.options import AsJson
from rookery.cli.output import WIDTH, print_json

app = typer.Typer(
    help="The catalogue of variants, and your house rules.",
    add_completion=False,
    rich_markup_mode=None,
)
app.command("effect")(effect.command)


@app.command("list")
def list_rules(lang: In = "en", as_json: AsJson = False) -> None:
    """List every variant of the catalogue."""
    from rookery.rules import catalog, variant
    from rookery.rules.listing import line
    from rookery.rules.tongue import tongue

    words = language(lang)
    lines = [line(variant(name), words) for name in catalog()]
    if as_json:
        print_json(lines)
        return
    columns = ("id", "seats", "cards", "name")
    head = {column: tongue(words).say(f"listing.{column}") for column in columns}
    seats, cards = (max(5, len(head[column])) for column in ("seats", "cards"))
    for one in (head, *lines):
        text = f"{one['id']:<23}{one['seats']:>{seats}} {one['cards']:>{cards}}  {one['name']}"
        typer.echo(text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}...")


@app.command("show")
def show(
    rules_id: Annotated[
        str, typer.Argument(metavar="ID", help="A variant's id, or a house-rule file.")
    ],
    lang: In = "en",
    as_json: AsJson = False,
) -> None:
    """Put one variant into plain words."""
    from rookery.rules import RulesError, described, load, summary
    from rookery.rules.listing import in_full
    from rookery.rules.tongue import tongue

    words = language(lang)
    try:
        rules = load(rules_id)
    except RulesError as error:
        raise Refused(told_in(error.found[0], words)) from None
    if as_json:
        print_json(in_full(rules, words))
        return
    told = described(rules, words)
    typer.echo(f"{told.name}{f' ({rules.id})' if rules.id else ''}\n")
    if told.special:
        typer.echo(f"{fill(told.special, WIDTH)}\n")
    if told.reconstructed:
        why = f"{tongue(words).say('title.reconstructed')}: {told.reconstructed}"
        typer.echo(f"{fill(why, WIDTH)}\n")
    typer.echo(summary(rules, words))


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A house-rule file, TOML or JSON.")],
    lang: In = "en",
    as_json: AsJson = False,
) -> None:
    """Say whether house rules fit together: every problem, a line each."""
    from rookery.rules import RulesError, RulesUnreadable, load
    from rookery.rules.tongue import tongue

    words = language(lang)
    problems: list[str] = []
    try:
        load(file)
    except RulesUnreadable as error:
        raise Refused(str(error)) from None
    except RulesError as error:
        problems = [told_in(problem, words) for problem in error.found]
    if as_json:
        print_json({"fits": not problems, "problems": problems})
    else:
        typer.echo("\n".join(problems) or f"{file}: {tongue(words).say('listing.fit')}")
    if problems:
        raise typer.Exit(1)
