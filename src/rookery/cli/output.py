"""What commands print: JSON documents, and lines that fit a terminal."""

from __future__ import annotations

import json
import textwrap

import typer

WIDTH = 80


def print_json(document: object) -> None:
    """Print one JSON document on standard output."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def wrapped(label: str, text: str, indent: int = 2, hang: int = 12) -> str:
    """Return a label and a text behind it, folded to the terminal's width."""
    head = f"{'':{indent}}{label:<{hang - indent - 1}} "
    return "\n".join(
        textwrap.wrap(
            text or "-",
            WIDTH,
            initial_indent=head,
            subsequent_indent=" " * hang,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def printable(text: str, longest: int = 14) -> str:
    """Return a name that a stranger chose, without control characters and not too long."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "~"
