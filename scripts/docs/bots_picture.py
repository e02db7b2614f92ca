"""The picture of the bots' page: where each stands between floor and ceiling, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

import matplotlib as mpl
from benchmarks.ladder.standings import by_place
from matplotlib.figure import Figure as Canvas
from scripts.docs.bots_words import short

from rookery.lab.league.league import Standing
from rookery.lab.league.standings import ends

ACROSS: Final = 4
INK, FAINT, DOT, ENDS = "#333333", "#DDDDDD", "#0072B2", "#8A8A8A"


def picture(tables: Sequence[Standing]) -> bytes:
    """Return one small chart a game, side by side, as SVG."""
    charts = [(one, found) for one in tables if (found := one.places) is not None]
    down = max(1, -(-len(charts) // ACROSS))
    canvas = Canvas(figsize=(11, 0.9 + 2.5 * down), facecolor="white")
    grid = canvas.subplots(down, ACROSS, squeeze=False)
    names = by_place(tables)
    widest = max((float(limits.max()) for _, (_, limits) in charts), default=100.0)
    rows = range(len(names))
    canvas.subplots_adjust(
        left=0.12, right=0.98, top=1 - 0.95 / (0.9 + 2.5 * down), bottom=0.1, wspace=0.1, hspace=0.3
    )
    for place, axes in enumerate(grid.flat):
        if place >= len(charts):
            axes.set_visible(False)
            continue
        one, (at, limits) = charts[place]
        for row, i in enumerate(one.bots.index(name) for name in names):
            axes.hlines(row, *limits[i], color=INK, linewidth=1.3)
            colour = ENDS if i in (ends(one.bots) or ()) else DOT
            axes.plot(at[i], row, "o", color=colour, markersize=6, zorder=3)
            axes.annotate(
                f"{at[i]:.0f}", (at[i], row), xytext=(0, 5), textcoords="offset points",
                ha="center", fontsize=7.5, color=INK,
            )  # fmt: skip
        axes.set_title(one.setting.label, fontsize=9.5, color=INK)
        first = place % ACROSS == 0
        axes.set_yticks(rows, [short(name) if first else "" for name in names], fontsize=8.5)
        axes.set_ylim(len(names) - 0.4, -0.8)
        axes.set_xlim(-8, widest + 6)
        axes.set_xticks([0, 50, 100], ["0", "50", "100 %"], fontsize=8)
        axes.grid(axis="x", color=FAINT, linewidth=0.8)
        axes.tick_params(length=0, labelcolor=INK)
        for side in axes.spines.values():
            side.set_visible(False)
    height = canvas.get_figheight()
    canvas.text(
        0.02, 1 - 0.34 / height, "Where each bot stands: random is 0, one that sees all cards 100",
        fontsize=13, weight="bold", color=INK,
    )  # fmt: skip
    canvas.text(
        0.02, 1 - 0.58 / height, "lines: 95 % intervals; the best over all games on top",
        fontsize=9, color=INK,
    )  # fmt: skip
    file = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rookery"}):
        canvas.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()
