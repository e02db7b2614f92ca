"""The language that a command speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.errors import Refused

if TYPE_CHECKING:
    from rookery.rules import Language

In = Annotated[str, typer.Option("--lang", help="The language of the words: en or es.")]


def language(written: str) -> Language:
    """Return the language that somebody asked for by ``--lang``.

    Raises:
        Refused: there are no texts in it.
    """
    from rookery.rules import LANGUAGES

    for lang in LANGUAGES:
        if written.lower() == lang:
            return lang
    raise Refused(f"--lang {written}: expected {' or '.join(LANGUAGES)}")
