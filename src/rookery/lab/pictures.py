"""What the pictures of the laboratory have in common: colours, axes, titles and files."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas

INK: Final = "#333333"
FAINT: Final = "#8A8A8A"
RULE: Final = "#E6E6E6"
LEVEL: Final = "#BBBBBB"
BLUE: Final = "#0072B2"  # Okabe and Ito's colours: safe for colour-blind readers, dark in grey
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#7A5195"
DOTS_PER_INCH: Final = 150
LEFT_OUT: Final = {"png": "Software", "svg": "Date", "pdf": "CreationDate"}


def sheet(width: float, height: float, dots: int = DOTS_PER_INCH) -> Canvas:
    """Return an empty white picture of this size in inches."""
    return Canvas(figsize=(width, height), dpi=dots, facecolor="white")


def unframe(axes: Any, *, base: bool = False) -> None:  # noqa: ANN401
    """Remove the frame around a panel; `base` keeps a light line below it."""
    axes.spines[:].set_visible(False)
    if base:
        axes.spines["bottom"].set(visible=True, color=LEVEL)


def panel(axes: Any, title: str, size: float = 10) -> None:  # noqa: ANN401
    """Give a panel its title and a light grid, without a frame."""
    axes.set_title(title, loc="left", fontsize=size, color=INK)
    axes.tick_params(length=0, labelsize=8.5, labelcolor=INK)
    axes.grid(color=RULE, linewidth=0.7, zorder=0)
    unframe(axes)


def label_rows(axes: Any, names: list[str]) -> None:  # noqa: ANN401
    """Name the rows of a panel, the first at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)


def titles(canvas: Canvas, title: str, under: str) -> None:
    """Write the title of a picture and the lines below it."""
    height = canvas.get_figheight()
    canvas.text(0.02, 1 - 0.35 / height, title, fontsize=14, weight="bold", color=INK)
    canvas.text(0.02, 1 - 0.47 / height, under, fontsize=9, color=INK, verticalalignment="top")


def rendered(canvas: Canvas, kind: str = "png") -> bytes:
    """Return the picture as the bytes of a ``png``, ``svg`` or ``pdf`` file.

    It holds no date, so the same picture makes the same file.
    """
    file = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rookery"}):
        canvas.savefig(file, format=kind, metadata={LEFT_OUT[kind]: None})
    return file.getvalue()
