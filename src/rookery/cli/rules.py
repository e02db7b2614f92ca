"""`rookery rules`: the catalogue, a variant in plain words, and whether house rules fit."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from rookery.cli import effect
from rookery.cli.errors import Refused
from rookery.cli.language import In, language
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
    from rookery.rules import catalog, list_entry, texts, variant

    words = language(lang)
    lines = [list_entry(variant(name), words) for name in catalog()]
    if as_json:
        print_json(lines)
        return
    columns = ("id", "seats", "cards", "name")
    head = {column: texts(words).text(f"listing.{column}") for column in columns}
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
    from rookery.rules import RulesError, describe, full_entry, load, summary, texts

    words = language(lang)
    try:
        rules = load(rules_id)
    except RulesError as error:
        raise Refused(error.details[0].line(words)) from None
    if as_json:
        print_json(full_entry(rules, words))
        return
    own = describe(rules, words)
    typer.echo(f"{own.name}{f' ({rules.id})' if rules.id else ''}\n")
    if own.special:
        typer.echo(f"{fill(own.special, WIDTH)}\n")
    if own.reconstructed:
        why = f"{texts(words).text('title.reconstructed')}: {own.reconstructed}"
        typer.echo(f"{fill(why, WIDTH)}\n")
    typer.echo(summary(rules, words))


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A house-rule file, TOML or JSON.")],
    lang: In = "en",
    as_json: AsJson = False,
) -> None:
    """Say whether house rules fit together: every problem, a line each."""
    from rookery.rules import RulesError, RulesUnreadable, load, texts

    words = language(lang)
    problems: list[str] = []
    try:
        load(file)
    except RulesUnreadable as error:
        raise Refused(error.details[0].line(words)) from None
    except RulesError as error:
        problems = [problem.line(words) for problem in error.details]
    if as_json:
        print_json({"fits": not problems, "problems": problems})
    else:
        typer.echo("\n".join(problems) or f"{file}: {texts(words).text('listing.fit')}")
    if problems:
        raise typer.Exit(1)
