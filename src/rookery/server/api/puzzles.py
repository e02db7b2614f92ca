"""The puzzles that come with the program: the list, one as its seat sees it, and its answer."""

from __future__ import annotations

from typing import Any

from rookery.puzzles.document import answer, entry, question
from rookery.puzzles.puzzle import Puzzle
from rookery.server.api.problems import Problem


def listed() -> list[dict[str, Any]]:
    """Return every puzzle in a line, the easiest first."""
    # Imported late: a start loads only what a page needs.
    from rookery.puzzles.shelf import shelf

    return [entry(one).model_dump() for one in shelf()]


def asked(puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle as its seat sees it.

    Raises:
        Problem: there is none with that id; code ``no-puzzle``.
    """
    return question(_named(puzzle_id)).model_dump()


def answered(puzzle_id: str) -> dict[str, Any]:
    """Return a puzzle with its answer; the errors are those of `asked`."""
    return answer(_named(puzzle_id)).model_dump()


def _named(puzzle_id: str) -> Puzzle:
    from rookery.puzzles.shelf import UnknownPuzzle, by_id, found

    try:
        return found(puzzle_id, by_id())
    except UnknownPuzzle:
        raise Problem("no-puzzle") from None
