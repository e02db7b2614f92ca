"""`rookery schema`: the JSON schemas of what this program reads and prints."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from rookery.cli.arguments import Refused
from rookery.cli.main import COMMANDS, load
from rookery.cli.output import print_json

SCHEMAS: Final = dict(
    sorted(schema for entry in COMMANDS.values() for schema in entry.schemas.items())
)


def command(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(SCHEMAS)}.")],
) -> None:
    """Print the JSON schema of a file that is read, or of what `--json` prints."""
    if name not in SCHEMAS:
        raise Refused(f"no schema is called {name!r}; expected one of {', '.join(SCHEMAS)}")
    found = load(SCHEMAS[name])
    print_json(found.model_json_schema() if hasattr(found, "model_json_schema") else found())
