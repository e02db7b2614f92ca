"""A link as a QR code: for a phone across the table."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segno import QRCode


def svg(link: str) -> bytes:
    """Return the code as an SVG picture, black on white, four modules of quiet around it.

    >>> svg("http://localhost:8000/t/ABCDEF2")[:4]
    b'<svg'
    """
    out = io.BytesIO()
    # White is drawn, not left out: on a dark page a scanner would find no edge.
    _code(link, "m").save(
        out, kind="svg", border=4, scale=8, dark="#000", light="#fff", xmldecl=False, svgns=True
    )
    return out.getvalue()


def terminal(link: str) -> str:
    """Return the code as text that a terminal shows, two modules a character cell.

    >>> "▄" in terminal("http://localhost:8000/") or "█" in terminal("http://localhost:8000/")
    True
    """
    rows = [list(row) for row in _code(link, "l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    # A module that is dark on paper is left dark here, and the light ones are drawn.
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = (
        "".join(blocks[int(a), int(b)] for a, b in zip(top, low, strict=True)) for top, low in pairs
    )
    # White on black, whatever the terminal's own colours are.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)


def _code(link: str, error: str) -> QRCode:
    from segno import make  # not before somebody wants a picture: a start does not wait for it

    return make(link, error=error, micro=False)
