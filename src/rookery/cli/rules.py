"""`rookery rules`: the catalogue, a variant in words, and what a house rule does."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Annotated, Final

import typer

from rookery.cli.arguments import (
    AsJson,
    Cores,
    In,
    Refused,
    Seed,
    check_picture,
    group,
    language,
    number,
)
from rookery.cli.output import WIDTH, one_line, print_answer, print_json, shown
from rookery.files import write_file
from rookery.rules import (
    Language,
    Rules,
    RulesError,
    RulesUnreadable,
    base_of,
    catalog,
    describe,
    full_entry,
    list_entry,
    load,
    summary,
    texts,
    variant,
)

app = group("The catalogue of variants, and your house rules.")


@app.command("list")
def list_rules(lang: In = "en", as_json: AsJson = False) -> None:
    """List every variant of the catalogue."""
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
    words = language(lang)
    rules = _loaded(rules_id, words)
    if as_json:
        print_json(full_entry(rules, words))
        return
    own = describe(rules, words)
    typer.echo(one_line(f"{own.name}{f' ({rules.id})' if rules.id else ''}") + "\n")
    if own.special:
        typer.echo(f"{fill(one_line(own.special), WIDTH)}\n")
    if own.reconstructed:
        why = f"{texts(words).text('title.reconstructed')}: {own.reconstructed}"
        typer.echo(f"{fill(one_line(why), WIDTH)}\n")
    typer.echo(summary(rules, words))


def _loaded(source: str, words: Language) -> Rules:
    try:
        return load(source)
    except RulesError as error:
        raise Refused(error.details[0].line(words)) from None


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A house-rule file, TOML or JSON.")],
    lang: In = "en",
    as_json: AsJson = False,
) -> None:
    """Say whether house rules fit together: every problem, a line each."""
    words = language(lang)
    problems: list[str] = []
    try:
        load(file)
    except RulesUnreadable as error:
        raise Refused(error.details[0].line(words)) from None
    except RulesError as error:
        problems = [problem.line(words) for problem in error.details]
    lines = [one_line(line) for line in problems]
    fits = f"{file}: {texts(words).text('listing.fit')}"
    print_answer(lambda: {"fits": not problems, "problems": problems}, lines or [fits], as_json)
    if problems:
        raise typer.Exit(1)


BOARDS: Final = 10_000
FEWEST: Final = 2  # deals; one alone has no interval
MOST: Final = 10**8


@app.command("effect")
def measure_effect(
    file: Annotated[
        str, typer.Argument(help="A house-rule file, TOML or JSON; or a variant's id.")
    ],
    against: Annotated[
        str | None,
        typer.Option(
            "--base", metavar="ID", help="Compare with this variant; else with the file's base."
        ),
    ] = None,
    boards: Annotated[int, number("How many deals.", FEWEST, MOST)] = BOARDS,
    seed: Seed = 1,
    lang: In = "en",
    picture: Annotated[
        Path | None,
        typer.Option("--picture", "--out", metavar="FILE", help="Draw the picture here, a PNG."),
    ] = None,
    as_json: AsJson = False,
    threads: Cores = None,
) -> None:
    """Say what a house rule does: how often contracts are made, what cards are worth.

    The rules and their base are played by the same bots on the same deals.
    """
    words_in = language(lang)
    rules = _loaded(file, words_in)
    check_picture(picture, ".png")

    from rookery.engine.targets.choice import for_laboratory
    from rookery.lab.effect.effect import Words, document, effect
    from rookery.lab.run.jobs import Threads

    base = variant(against) if against is not None else base_of(file)
    with shown("deals") as progress:
        found = effect(
            rules, base,
            boards=boards, seed=seed, executor=Threads(threads), progress=progress,
            target=for_laboratory(),
        )  # fmt: skip
    words = Words(found, words_in)
    print_answer(lambda: document(found).model_dump(mode="json"), [words.text()], as_json)
    if picture is not None:
        from rookery.lab.effect.picture import effect_picture

        write_file(picture, effect_picture(words))
        typer.echo(str(picture), err=True)
