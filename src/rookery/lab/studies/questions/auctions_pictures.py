"""Hands in two pictures: what each card is worth, and where to stop bidding."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.lab.pictures import BLUE, FAINT, INK, ORANGE, panel, rendered, sheet, titles
from rookery.lab.studies.questions import hand_value as at

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from rookery.lab.studies.question import Plan
    from rookery.lab.studies.questions.hand_worth import Worth

TRUMP, OTHER = ORANGE, BLUE  # with a mark each for print in grey
BAND: Final = "#56B4E9"
ACROSS: Final = 3
MOST: Final = 12  # panels


def card_values(found: Sequence[Worth], plan: Plan) -> bytes:
    """Return a PNG with a panel a rule set: points that each card adds, trumps and others."""
    canvas, panels = _sheet(
        found,
        "What a card adds",
        "Points more that a declarer's side takes for each card that the declarer is dealt, above "
        f"the lowest card of another suit.\n{plan.boards:,} hands a game, bot {plan.bots[0]}; thin "
        "lines are 95 % intervals.",
    )
    for axes, worth in panels:
        names = worth.place_names
        axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
        for first, last, colour, mark, label, over in (
            (at.TRUMPS, at.SIDE, TRUMP, "D", "trumps", 5),
            (at.SIDE, at.TAKEN, OTHER, "o", "others", -10),
        ):
            places = [place for place in worth.places if first <= place < last]
            points = [worth.values[place] for place in places]
            sure = [one.ci95 if isfinite(one.ci95) else 0 for one in points]
            where = [place - first for place in places]
            axes.errorbar(
                where, [one.mean for one in points], yerr=sure, fmt=f"-{mark}", color=colour,
                markersize=4, linewidth=1.3, ecolor=INK, elinewidth=0.8, zorder=3,
            )  # fmt: skip
            for place, one in zip(places, points, strict=True):
                axes.annotate(
                    names.get(place, ""), (place - first, one.mean), xytext=(0, over),
                    textcoords="offset points", color=colour, fontsize=6.5,
                    horizontalalignment="center",
                )  # fmt: skip
            if places:
                _name(axes, label, where[-1], points[-1].mean, colour, "center")
        axes.margins(x=0.06, y=0.1)
        axes.set_xlim(right=axes.get_xlim()[1] * 1.22)
        axes.set_xlabel("from the best card of the suit down", fontsize=8.5, color=INK)
        axes.set_xticks([])
    return rendered(canvas)


def stopping_bids(found: Sequence[Worth], plan: Plan) -> bytes:
    """Return a PNG with a panel a rule set: what hands of each strength take, and where to stop."""
    canvas, panels = _sheet(
        found,
        "How far to go",
        "By what a hand promises: the points that it takes as declarer (band: the middle half, "
        "line: the middle), and the bid at which to stop\n(upright lines: what may be as good). "
        f"{plan.boards:,} hands a game, bot {plan.bots[0]} in all seats.",
    )
    for axes, worth in panels:
        strong = worth.strengths
        if not strong:
            axes.text(
                0.5, 0.5, "too few hands", transform=axes.transAxes, fontsize=9, color=INK,
                horizontalalignment="center", verticalalignment="center",
            )  # fmt: skip
            axes.grid(visible=False)
            axes.tick_params(labelbottom=False, labelleft=False)
            continue
        x = [one.promise for one in strong]
        _, low, middle, high, _ = zip(*(one.quantiles for one in strong), strict=True)
        axes.fill_between(x, low, high, color=BAND, alpha=0.35, linewidth=0, zorder=1)
        axes.plot(x, middle, color=OTHER, linewidth=1.6, zorder=2)
        stop = _stops(axes, worth)
        # The two names lie apart, whether or not what they name does.
        above = stop is None or middle[-1] >= stop
        _name(axes, "takes", x[-1], middle[-1], OTHER, "bottom" if above else "top")
        if stop is not None:
            _name(axes, "stop", x[-1], stop, TRUMP, "top" if above else "bottom")
        axes.set_xlabel("points that the hand promises", fontsize=8.5, color=INK)
        axes.margins(x=0.13)
    return rendered(canvas)


def _name(axes: Any, name: str, x: float, y: float, colour: str, align: str) -> None:  # noqa: ANN401
    """Write the name of a line behind its last point."""
    axes.annotate(
        name, (x, y), xytext=(7, 0), textcoords="offset points", color=colour, fontsize=8.5,
        weight="bold", verticalalignment=align,
    )  # fmt: skip


def _stops(axes: Any, worth: Worth) -> float | None:  # noqa: ANN401
    """Draw where to stop; return where the strongest hands do, None where none bids."""
    bidding = [one for one in worth.strengths if one.best.bid is not None]
    if not bidding:
        return None
    bids = [
        [stop.bid or worth.table.bid_minimum for stop in (one.best, *one.as_good)]
        for one in bidding
    ]
    best, low, high = np.array(bids, float).T
    axes.errorbar(
        [one.promise for one in bidding], best, yerr=[best - low, high - best], fmt="D",
        color=TRUMP, markersize=4.5, ecolor=TRUMP, elinewidth=1.0, zorder=3,
    )  # fmt: skip
    return float(best[-1])


def _sheet(
    found: Sequence[Worth], title: str, under: str
) -> tuple[Canvas, list[tuple[Any, Worth]]]:
    shown = list(found[:MOST])
    across = min(ACROSS, max(1, len(shown)))
    down = ceil(max(1, len(shown)) / across)
    height = 1.1 + 2.75 * down
    canvas = sheet(10.5, height)
    grid = canvas.subplots(down, across, squeeze=False)
    canvas.subplots_adjust(
        left=0.055, right=0.97, top=1 - 1.25 / height, bottom=0.5 / height, hspace=0.5, wspace=0.18
    )
    cells = list(grid.flat)
    for axes in cells[len(shown) :]:
        axes.set_visible(False)
    for axes, worth in zip(cells, shown, strict=False):
        panel(axes, worth.label)
    titles(canvas, title, under)
    return canvas, list(zip(cells, shown, strict=False))
