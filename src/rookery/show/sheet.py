"""A score sheet as an HTML table that takes its colours from the page around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

_CELL: Final = "padding:.25em .8em;border-bottom:1px solid;border-color:rgba(128,128,128,.45)"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the sheet.

    Attributes:
        cells: its texts; the first one heads the line.
        strong: whether it is a sum.
    """

    cells: Sequence[str]
    strong: bool = False


def sheet(caption: str, head: Sequence[str], lines: Sequence[Line], foot: str = "") -> str:
    """Return a table: `head` names the columns, numbers stand at the right."""
    rows = "".join(_line(line) for line in lines)
    heads = "".join(
        f'<th scope="col" style="{_CELL};text-align:right">{escape(h)}</th>' for h in head
    )
    below = f'<p style="margin:.4em 0 0">{escape(foot)}</p>' if foot else ""
    return (
        '<div><table style="border-collapse:collapse;color:inherit;background:none">'
        f'<caption style="text-align:left;font-weight:700;padding:.3em 0;color:inherit">'
        f"{escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{below}</div>"
    )


def _line(line: Line) -> str:
    weight = ";font-weight:700" if line.strong else ""
    first, *rest = line.cells
    cells = "".join(f'<td style="{_CELL};text-align:right{weight}">{escape(c)}</td>' for c in rest)
    head = f'<th scope="row" style="{_CELL};text-align:right{weight}">{escape(first)}</th>'
    return f'<tr style="background:none">{head}{cells}</tr>'
