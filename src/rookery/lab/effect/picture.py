"""The picture of an effect: each change with its interval, and the figures before and after."""

from __future__ import annotations

from math import isfinite
from textwrap import fill
from typing import Any, Final

from rookery.lab.effect.effect import BOTS, Compared, Words
from rookery.lab.pictures import BLUE, FAINT, INK, label_rows, rendered, sheet, unframe

DOTS_PER_INCH: Final = 160
ROW: Final = 0.42  # inches
LEAST_SPAN: Final = 2.0  # points to either side, so that no speck fills the picture
LETTERS: Final = 92  # in a line of the title


def effect_picture(words: Words) -> bytes:
    """Return the picture as a PNG file."""
    rows = [one for one in words.told() if one.difference.known]
    lesson = fill(_lesson(words, rows), LETTERS)
    top = 1.05 + 0.2 * lesson.count("\n")
    height = top + 0.85 + ROW * max(1, len(rows))
    canvas = sheet(9.2, height, DOTS_PER_INCH)
    axes = canvas.add_axes((0.27, 0.85 / height, 0.5, 1 - (top + 0.85) / height))
    _rows(axes, words, rows)
    axes.set_xlabel(words.texts.text("picture.axis"), color=INK, fontsize=9)
    canvas.text(0.03, 1 - 0.4 / height, words.head(), fontsize=13, weight="bold", color=INK)
    canvas.text(0.03, 1 - 0.56 / height, lesson, fontsize=10, color=INK, verticalalignment="top")
    kind = "foot" if words.found.same_deals else "foot_apart"
    foot = words.texts.text(
        f"picture.{kind}",
        boards=words.whole(words.found.boards),
        bot=BOTS[0],
        seed=words.found.seed,
    )
    canvas.text(0.03, 0.12 / height, foot, fontsize=8, color=FAINT)
    return rendered(canvas)


def _lesson(words: Words, rows: list[Compared]) -> str:
    """Return the changed options, and what came of them where no change is drawn."""
    changed = words.changed()
    if not changed:
        return words.texts.text("changed.none", base=words.base)
    said = "; ".join(changed)
    return said if rows and not words.found.same_play else f"{said}. {words.sentences()[-1]}"


def _rows(axes: Any, words: Words, rows: list[Compared]) -> None:  # noqa: ANN401
    reach = max([LEAST_SPAN, *(abs(one.difference.mean) + one.difference.ci95 for one in rows)])
    axes.set_xlim(-1.08 * reach, 1.08 * reach)
    label_rows(axes, [words.label(one) for one in rows])
    axes.axvline(0, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.text(
        0, -0.62, words.texts.text("picture.before"), fontsize=8, color=FAINT,
        horizontalalignment="center", verticalalignment="bottom",
    )  # fmt: skip
    for y, one in enumerate(rows):
        stands_out = words.stands_out(one)
        colour = BLUE if stands_out else FAINT
        axes.plot([0, one.difference.mean], [y, y], color=colour, linewidth=1.2, zorder=2)
        axes.errorbar(
            one.difference.mean, y, xerr=one.difference.ci95, fmt="o", markersize=7.5,
            color=colour, markerfacecolor=colour if stands_out else "white",
            ecolor=INK, elinewidth=1.1, capsize=3, zorder=3,
        )  # fmt: skip
        axes.annotate(
            _from_to(words, one), (1.02, y), xycoords=("axes fraction", "data"),
            fontsize=9.5, color=INK if stands_out else FAINT, verticalalignment="center",
            weight="bold" if stands_out else "normal", annotation_clip=False,
        )  # fmt: skip
    axes.tick_params(length=0, labelcolor=INK, labelsize=9.5)
    axes.grid(axis="x", color="#EEEEEE", linewidth=0.8, zorder=0)
    unframe(axes, base=True)


def _from_to(words: Words, one: Compared) -> str:
    base, house = words.value(one, one.base), words.value(one, one.house)
    return house if base == house or not isfinite(one.base.mean) else f"{base} \u2192 {house}"
