"""A match as one picture: the histogram of the boards and the running mean."""

from __future__ import annotations

from typing import Any, Final

from matplotlib import ticker

from rookery.game.errors import counted
from rookery.lab.duplicate.boards import BINS, SPREAD
from rookery.lab.duplicate.job import bin_width
from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.result import Result, times, who
from rookery.lab.pictures import BLUE, FAINT, INK, LEVEL, ORANGE, rendered, sheet, unframe
from rookery.lab.stats import interval_of

AHEAD, BEHIND = BLUE, ORANGE
DOTS_PER_INCH: Final = 160
KINDS: Final = ("png", "svg", "pdf")


def picture(played: Played, result: Result, kind: str) -> bytes:
    """Return the picture as the bytes of a ``png``, ``svg`` or ``pdf`` file."""
    one, other = (_short(name) for name in who(result))
    figure = sheet(9.6, 4.6, DOTS_PER_INCH)
    left, right = figure.subplots(1, 2)
    figure.subplots_adjust(left=0.07, right=0.97, top=0.76, bottom=0.17, wspace=0.22)
    _spread(left, played)
    left.set_xlabel(f"points a board, {one} less {other}", color=INK)
    left.set_ylabel("% of the boards", color=INK)
    _running(right, played)
    right.set_xlabel("boards played", color=INK)
    right.set_ylabel("mean, points a board", color=INK)
    for axes in (left, right):
        axes.tick_params(length=0, pad=6, labelcolor=INK)
        unframe(axes, base=True)
    ends = result.difference.ci95
    interval = "without an interval" if ends is None else "95 % interval {:+.2f} to {:+.2f}"
    figure.text(0.07, 0.92, f"{one} against {other}", fontsize=16, weight="bold", color=INK)
    subtitle = (
        f"{result.difference.mean:+.2f} points a board, {interval.format(*ends or ())}; "
        f"{counted(result.deals, 'deal')} of {result.rules}, each played {times(result.rooms)}"
    )
    figure.text(0.07, 0.855, subtitle, fontsize=10, color=INK)
    return rendered(figure, kind)


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def _spread(axes: Any, played: Played) -> None:  # noqa: ANN401
    match = played.match
    width = bin_width(match.table, match.rooms) / match.scale
    counts = played.sums[SPREAD : SPREAD + BINS]
    shares = [100 * count / sum(counts) for count in counts]
    middle = BINS // 2
    at = [(i - middle) * width for i in range(BINS)]
    used = [abs(x) for x, share in zip(at, shares, strict=True) if share]
    colours = [AHEAD if i > middle else BEHIND if i < middle else LEVEL for i in range(BINS)]
    axes.bar(at, shares, width=0.92 * width, color=colours)
    reach = max(used) + width
    axes.set_xlim(-reach, reach)
    axes.set_title("How the boards came out", loc="left", fontsize=11, color=INK, pad=10)
    above, below = sum(shares[middle + 1 :]), sum(shares[:middle])
    corners = ((0.99, "ahead", above, AHEAD, "right"), (0.01, "behind", below, BEHIND, "left"))
    for x, text, share, colour, side in corners:
        axes.text(
            x, 0.97, f"{text}\n{share:.0f} %", transform=axes.transAxes, fontsize=12, weight="bold",
            color=colour, horizontalalignment=side, verticalalignment="top",
        )  # fmt: skip


def _running(axes: Any, played: Played) -> None:  # noqa: ANN401
    scale = played.match.scale
    track = [point for point in played.track if point[0] >= 2]
    axes.set_title("How the mean settled", loc="left", fontsize=11, color=INK, pad=10)
    if not track:  # one board alone has no interval to settle
        return
    boards = [count for count, *_ in track]
    bands = [interval_of(count, total, squares, scale) for count, total, squares, _ in track]
    axes.fill_between(
        boards, [b.low for b in bands], [b.high for b in bands], color=AHEAD, alpha=0.18, lw=0
    )
    axes.plot(boards, [b.mean for b in bands], color=AHEAD, linewidth=2)
    axes.axhline(0, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)))
    last = bands[-1]
    # The first few boards scatter widely and would hide the rest.
    reach = 4 * last.ci95
    low, high = min(0.0, last.mean - reach), max(0.0, last.mean + reach)
    pad = 0.05 * (high - low) or 1.0
    axes.set_ylim(low - pad, high + pad)
    axes.set_xlim(0, boards[-1] * 1.01)
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
