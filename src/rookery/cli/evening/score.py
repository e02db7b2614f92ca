"""`rookery evening score`: a score sheet of a game with real cards, added up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson, read_written, say_unused
from rookery.cli.output import print_answer
from rookery.evening.sheet_file import BadSheet, read, seen
from rookery.evening.sheet_text import lines, table


def score(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The sheet, TOML or JSON; - for standard input.")
    ],
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a line a hand, for a spreadsheet.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Add up the score sheet of a game with real cards, by that game's own rules.

    The file says what the rules are and who plays, and of each hand who bid what, who was called,
    and what each side has taken. Sums such as 60+15-5 are added up.
    """
    if as_csv:
        say_unused(ctx, "it is not for --csv", "as_json")
    sheet, names = read_written(file, read, "a score sheet", BadSheet)
    if as_csv:
        typer.echo(table(sheet, names), nl=False)
        return
    head, *rest = lines(sheet, names)
    shown = [typer.style(head, bold=True), *rest]
    print_answer(seen(sheet, names).model_dump, shown, as_json)
