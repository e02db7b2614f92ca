"""The puzzles that come with the program, and those in a file that somebody made.

>>> shipped = shelf()
>>> len(shipped) == len({one.id for one in shipped})
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rookery.puzzles.puzzle import FORMAT, BadPuzzle, Puzzle, read_line

EXPECTED: Final = "expected puzzles as `rookery puzzles make` writes them"
SHIPPED: Final = Path(__file__).parent / "shipped.jsonl"


class UnknownPuzzle(ValueError):
    """An id that no puzzle has. Code: ``unknown-puzzle``."""

    code = "unknown-puzzle"


@cache
def shelf() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program, the easiest first."""
    return tuple(read(SHIPPED))


@cache
def by_id() -> Mapping[str, Puzzle]:
    """Return the puzzles that come with the program, by id."""
    return {one.id: one for one in shelf()}


def read(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles in a file; other lines of a file that is being made are left out.

    Raises:
        BadPuzzle: a line holds none, or the file no text; or it has no puzzle and never will.
        OSError: it cannot be opened.
    """
    fits = False
    with path.open(encoding="utf-8") as lines:
        try:
            for number, line in enumerate(lines, 1):
                # One that was only begun may have found none yet.
                fits = fits or line.startswith("[") or FORMAT in line
                if not line.startswith("["):
                    continue
                try:
                    one = read_line(line)
                except BadPuzzle as error:
                    raise BadPuzzle(f"{path}: line {number}: {error}; {EXPECTED}") from None
                yield one
        except UnicodeDecodeError:
            raise BadPuzzle(f"{path}: is no text in UTF-8; {EXPECTED}") from None
    if not fits:
        raise BadPuzzle(f"{path}: has no puzzles; {EXPECTED}")


def found(identity: str, among: Mapping[str, Puzzle]) -> Puzzle:
    """Return the puzzle with an id, in either letter case.

    Raises:
        UnknownPuzzle: there is none.
    """
    try:
        return among[identity.strip().lower()]
    except KeyError:
        raise UnknownPuzzle(
            f"no puzzle is called {identity[:32]!r}; see `rookery puzzles list`"
        ) from None


def chosen(
    puzzles: Iterable[Puzzle], rules: str | None = None, theme: str | None = None
) -> Iterator[Puzzle]:
    """Yield the puzzles of a rule set and a theme; None is any."""
    for one in puzzles:
        if rules in (None, one.rules_name) and (theme is None or theme in one.themes):
            yield one
