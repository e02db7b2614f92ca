"""`rookery rules`: the catalogue, a variant in plain words, and whether house rules fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.cli.errors import Refused
from rookery.cli.output import WIDTH, print_json

if TYPE_CHECKING:
    from rookery.rules import Rules

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

    variants = [variant(name) for name in catalog()]
    if as_json:
        print_json([_entry(rules) for rules in variants])
        return
    typer.echo(f"{'id':<23}{'seats':>5}{'cards':>6}  name")
    for rules in variants:
        line = f"{rules.id:<23}{rules.seats:>5}{rules.cards:>6}  {rules.name}"
        typer.echo(line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}...")


@app.command("show")
def show(
    rules_id: Annotated[
        str, typer.Argument(metavar="ID", help="A variant's id, or a house-rule file.")
    ],
    as_json: AsJson = False,
) -> None:
    """Put one variant into plain words."""
    from rookery.rules import load, summary

    rules = load(rules_id)
    if as_json:
        print_json(_described(rules))
        return
    typer.echo(f"{rules.name}{f' ({rules.id})' if rules.id else ''}\n")
    if rules.reconstructed:
        typer.echo(f"Reconstructed: {rules.reconstructed}\n")
    typer.echo(summary(rules))


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


def _entry(rules: Rules) -> dict[str, Any]:
    return {
        "id": rules.id,
        "name": rules.name,
        "seats": rules.seats,
        "cards": rules.cards,
        "origin": rules.origin,
        "reconstructed": rules.reconstructed,
    }


def _described(rules: Rules) -> dict[str, Any]:
    from rookery.cards import by_suit, card_name, pack_cards

    deck = by_suit(pack_cards(rules.deck))
    return {
        "id": rules.id,
        "name": rules.name,
        "seats": rules.seats,
        "cards": [card_name(card, rules.pack) for card in deck],
        "hand_size": rules.hand_size,
        "nest_size": rules.nest_size,
        "bid_minimum": rules.bid_minimum,
        "bid_maximum": rules.bid_maximum,
        "total_points": rules.total_points,
        "target": rules.target,
        "reconstructed": rules.reconstructed,
        "options": rules.options(),
    }
