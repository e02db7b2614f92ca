"""What commands print: JSON documents, and lines that fit a terminal."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

import typer

WIDTH = 80


def print_json(document: object) -> None:
    """Print one JSON document on standard output."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder and say on standard error which.

    Raises:
        OSError: they cannot be written.
    """
    from rookery.lab.run.files import write_all

    write_all(folder, files)
    say_files(folder, files)


def say_files(folder: Path, names: Iterable[str]) -> None:
    """Say on standard error which files have been written into a folder."""
    typer.echo(f"{folder}: {', '.join(names)}", err=True)


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
