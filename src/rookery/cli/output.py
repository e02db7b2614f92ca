"""What commands print: JSON, lines that fit a terminal, and the progress of a long command."""

from __future__ import annotations

import json
import logging
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from rookery.files import write_all
from rookery.show.words import printable as printable

if TYPE_CHECKING:
    from rich.progress import Progress

WIDTH = 80

log = logging.getLogger(__name__)


def say(text: str) -> None:
    """Print what a server says of itself; a full disk or a closed pipe is no reason to end."""
    try:
        typer.echo(text)
    except OSError as error:
        # What could not be written would fail again when the program ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        log.warning("nothing can be printed: %s", (error.strerror or str(error)).lower())


def one_line(text: str) -> str:
    r"""Return a text on one line, with what would steer a terminal written out.

    >>> one_line("our\n\x1b[2J rules")
    'our \\x1b[2J rules'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))


def print_json(document: object) -> None:
    r"""Print one JSON document on standard output, with what would steer a terminal written out.

    >>> print_json(["Rook \u00e9\x9b\u202e"])
    [
      "Rook é\u009b\u202e"
    ]
    """
    # What an encoding lacks is spelled as Python does it, and only JSON's own way is JSON.
    wide = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(document, indent=2, ensure_ascii=not wide)
    typer.echo("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def print_answer(document: Callable[[], object], lines: Iterable[str], as_json: bool) -> None:
    """Print what a command has found: as a JSON document if that is asked for, else as lines."""
    if as_json:
        print_json(document())
    else:
        typer.echo("\n".join(lines))


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder and say on standard error which.

    Raises:
        OSError: they cannot be written.
    """
    write_all(folder, files)
    say_files(folder, files)


def say_files(folder: Path, names: Iterable[str]) -> None:
    """Say on standard error which files have been written into a folder."""
    line = f"{folder}: {', '.join(names)}"
    typer.echo(textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False), err=True)


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


EVERY: Final = 10.0  # seconds between two lines
LATEST: Final = 30.0  # seconds of work that the rate is measured over


class Pace:
    """Units done, and how fast: over the last half minute, what was found done left aside.

    The time to the first units is left aside too: in it the code is compiled.

    >>> pace = Pace("games")
    >>> pace.add(100, 0.0)
    >>> pace.add(300, 25.0)
    >>> pace.line(100_000)
    '300 of 100,000 games'
    >>> pace.add(500, 29.0)
    >>> pace.line(100_000)
    '500 of 100,000 games, 50 a second, 33:10 left'
    >>> pace = Pace("deals")
    >>> pace.add(0, 0.0), pace.add(2, 70.0), pace.add(4, 150.0)
    (None, None, None)
    >>> pace.line(6)
    '4 of 6 deals, 40 s each, 1:20 left'
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._seen: list[tuple[float, int]] = []
        self._ready = False

    def add(self, done: int, now: float) -> None:
        """Note that `done` units are done at a time in seconds."""
        if self._seen and not self._ready and done > self._seen[0][1]:
            self._seen.clear()
            self._ready = True
        self._seen.append((now, done))
        while len(self._seen) > 2 and self._seen[1][0] < now - LATEST:
            self._seen.pop(0)

    def line(self, whole: int) -> str:
        """Return how far it is, in words."""
        (began, before), (now, done) = self._seen[0], self._seen[-1]
        said = f"{done:,} of {whole:,} {self._unit}"
        if now <= began or done in (before, whole):
            return said
        rate = (done - before) / (now - began)
        minutes, seconds = divmod(round((whole - done) / rate), 60)
        hours, minutes = divmod(minutes, 60)
        clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
        speed = f"{rate:,.0f} a second" if rate >= 1 else f"{1 / rate:,.0f} s each"
        return f"{said}, {speed}, {clock} left"


@contextmanager
def shown(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Give what to call with how many units are done, and how many there are.

    Shows a bar on standard error if that is a terminal, and a line every ten seconds if not.
    """
    pace = Pace(unit)
    bar = _bar() if sys.stderr.isatty() else None
    task = None if bar is None else bar.add_task(unit, total=None, text="")
    begun = False
    last_line = time.monotonic()

    def show(done: int, whole: int) -> None:
        nonlocal begun, last_line
        now = time.monotonic()
        if done and not begun:
            typer.echo(f"resumed: {done:,} of {whole:,} {unit} were done before", err=True)
        begun = True
        pace.add(done, now)
        text = pace.line(whole)
        if bar is not None and task is not None:
            bar.start()
            bar.update(task, completed=done, total=whole, text=text)
        elif done and now - last_line >= EVERY:
            last_line = now
            typer.echo(text, err=True)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = BarColumn(bar_width=12), TextColumn("{task.fields[text]}")
    return Progress(*columns, console=Console(stderr=True), transient=True)
