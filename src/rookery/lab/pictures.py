"""What the pictures of the laboratory have in common: colours, axes, titles and files."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

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


def sheet(width: float, height: float, dots: int = DOTS_PER_INCH) -> Canvas:
    """Return an empty white picture of this size in inches."""
    return Canvas(figsize=(width, height), dpi=dots, facecolor="white")


def unframe(axes: Any, *, base: bool = False) -> None:  # noqa: ANN401
    """Remove the frame around a panel; `base` keeps a light line below it."""
    axes.spines[:].set_visible(False)
    if base:
        axes.spines["bottom"].set(visible=True, color=LEVEL)


def titles(canvas: Canvas, title: str, under: str) -> None:
    """Write the title of a picture and the lines below it."""
    height = canvas.get_figheight()
    canvas.text(0.02, 1 - 0.35 / height, title, fontsize=14, weight="bold", color=INK)
    canvas.text(0.02, 1 - 0.47 / height, under, fontsize=9, color=INK, verticalalignment="top")


def png(canvas: Canvas, **options: Any) -> bytes:  # noqa: ANN401
    """Return the picture as a PNG file, which says nothing of the program that drew it."""
    file = BytesIO()
    canvas.savefig(file, format="png", metadata={"Software": None}, **options)
    return file.getvalue()
