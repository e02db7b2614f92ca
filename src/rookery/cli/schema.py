"""`rookery schema`: the JSON schemas of what this program reads and prints."""

from __future__ import annotations

from typing import Annotated

import typer

from rookery.cli.errors import Refused
from rookery.cli.output import print_json

NAMES = ("bench", "rules", "view")


def command(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(NAMES)}.")],
) -> None:
    """Print the JSON schema of a house-rule file, a seat's view or what `bench --json` prints."""
    if name == "view":
        from rookery.view import schema

        print_json(schema())
    elif name == "bench":
        from rookery.lab.bench import Bench

        print_json(Bench.model_json_schema())
    elif name == "rules":
        from rookery.rules import Rules

        print_json(Rules.model_json_schema())
    else:
        raise Refused(f"no schema is called {name!r}; expected one of {', '.join(NAMES)}")
