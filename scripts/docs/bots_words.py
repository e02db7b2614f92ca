"""Words and tables that the sections of the bots' page share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.ladder.plan import NO_CLOCK


def short(name: str) -> str:
    """Return a bot's name without the clock that was taken out for measuring.

    >>> short("expert:rollouts=200:ms=600000"), short("papa")
    ('expert:rollouts=200', 'papa')
    """
    return name.replace(NO_CLOCK, "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown, the first column to the left, the others to the right."""
    lines = [
        f"| {' | '.join(head)} |",
        f"| --- |{' ---: |' * (len(head) - 1)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join(lines)


def among(parts: Sequence[str]) -> str:
    """Return a list in words.

    >>> among(["a", "b", "c"]), among(["a"])
    ('a, b and c', 'a')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
