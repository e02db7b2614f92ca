"""Hands as one SVG, laid out on green felt, and a score sheet as an HTML table.

The felt brings its own ground and its own ink, so the picture reads the same on a light page and
on a dark one; where the reader's screen is set to dark, the felt is dimmed. The score sheet takes
its colours from the page around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from rookery.cards import Card, Pack, card_name
from rookery.show.face import HEIGHT, WIDTH, face

SCALE: Final = 0.52
STEP: Final = 27.0  # pixels from card to card of a hand
EDGE: Final = 16.0
HEAD: Final = 40.0  # height of the title
LABEL: Final = 22.0
CARD: Final = HEIGHT * SCALE
ROW: Final = LABEL + CARD + 14
GONE: Final = 0.38  # how much is left of a card that has gone
LINE: Final = 20.0

_FELT: Final = (
    "<style>.rookery-felt{fill:#1f5a45}"
    "@media (prefers-color-scheme:dark){.rookery-felt{fill:#17392d}}</style>"
)
_CELL: Final = "padding:.25em .8em;border-bottom:1px solid;border-color:rgba(128,128,128,.45)"


@dataclass(frozen=True, slots=True)
class Row:
    """A hand to lay out.

    Attributes:
        label: whose it is.
        note: what is to say of it, in smaller type.
        cards: the cards, from left to right.
        gone: those of them that have been played or put away; they are drawn faintly.
    """

    label: str
    note: str = ""
    cards: Sequence[Card] = ()
    gone: frozenset[Card] = frozenset()


def drawn(
    title: str,
    rows: Sequence[Row],
    *,
    pack: Pack,
    worth: Mapping[Card, int],
    foot: Sequence[str] = (),
    columns: int = 2,
) -> str:
    """Return the picture of some hands, as SVG.

    Args:
        title: the line above them, also what a screen reader says first.
        rows: the hands, laid out from left to right and then downwards.
        pack: which pack they are of.
        worth: what the counters count, in game points.
        foot: lines below the hands.
        columns: how many hands stand side by side.
    """
    column = max((_width(row) for row in rows), default=0.0) + EDGE
    lines = -(-len(rows) // columns)
    width = max(columns * column + EDGE, 7.4 * max(map(len, (title, *foot))) + 2 * EDGE)
    height = HEAD + lines * ROW + len(foot) * LINE + (8 if foot else 2)
    parts = [_text(title, EDGE, 27, 16, bold=True)]
    for i, row in enumerate(rows):
        place = (EDGE + i % columns * column, HEAD + i // columns * ROW)
        parts.append(_row(row, *place, pack=pack, worth=worth))
    for i, line in enumerate(foot):
        parts.append(_text(line, EDGE, HEAD + lines * ROW + 12 + i * LINE, 13))
    label = escape(". ".join((title, *(_row_label(row, pack) for row in rows), *foot)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" style="max-width:100%;height:auto" '
        f'font-family="system-ui,Segoe UI,Roboto,sans-serif" role="img" aria-label="{label}">'
        f'{_FELT}<rect class="rookery-felt" width="{width:.0f}" height="{height:.0f}" rx="12"/>'
        f"{''.join(parts)}</svg>"
    )


def _width(row: Row) -> float:
    cards = (len(row.cards) - 1) * STEP + WIDTH * SCALE if row.cards else 0.0
    return max(cards, 8.2 * len(row.label) + 6.6 * len(row.note) + 10)


def _row_label(row: Row, pack: Pack) -> str:
    names = " ".join(card_name(card, pack) for card in row.cards if card not in row.gone)
    return f"{row.label}: {names or 'no cards'}"


def _text(text: str, x: float, y: float, size: float, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{weight} fill="#ffffff">'
        f"{escape(text)}</text>"
    )


def _row(row: Row, x: float, y: float, *, pack: Pack, worth: Mapping[Card, int]) -> str:
    parts = [_text(row.label, x, y + 14, 14, bold=True)]
    if row.note:
        parts.append(_text(row.note, x + 8.2 * len(row.label) + 10, y + 14, 12.5))
    for i, card in enumerate(row.cards):
        # A card that has gone still hides the one below: felt first, then the faint face.
        ground = f'<rect class="rookery-felt" x="1" y="1" width="{WIDTH - 2}" height="138" rx="9"/>'
        body = face(card, pack, worth.get(card, 0))
        if card in row.gone:
            body = f'{ground}<g opacity="{GONE}">{body}</g>'
        place = f"translate({x + i * STEP:.1f} {y + LABEL:.1f}) scale({SCALE})"
        parts.append(f'<g transform="{place}">{body}</g>')
    return "".join(parts)


def sheet(
    caption: str,
    head: Sequence[str],
    lines: Sequence[Sequence[str]],
    total: Sequence[str],
    foot: str,
) -> str:
    """Return a score sheet as an HTML table, numbers at the right.

    Args:
        caption: the line above it.
        head: the names of the columns.
        lines: the cells of each line; the first one heads the line.
        total: the cells of the last line, which stands out.
        foot: the line below.
    """
    heads = "".join(
        f'<th scope="col" style="{_CELL};text-align:right">{escape(h)}</th>' for h in head
    )
    rows = "".join((*map(_line, lines), _line(total, ";font-weight:700")))
    return (
        '<div><table style="border-collapse:collapse;color:inherit;background:none">'
        f'<caption style="text-align:left;font-weight:700;padding:.3em 0;color:inherit">'
        f"{escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f'<p style="margin:.4em 0 0">{escape(foot)}</p></div>'
    )


def _line(texts: Sequence[str], weight: str = "") -> str:
    first, *rest = map(escape, texts)
    style = f"{_CELL};text-align:right{weight}"
    cells = "".join(f'<td style="{style}">{cell}</td>' for cell in rest)
    head = f'<th scope="row" style="{style}">{first}</th>'
    return f'<tr style="background:none">{head}{cells}</tr>'
