"""Reports of a league: JSON, a frame, text and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
import numpy as np
from pydantic import BaseModel, Field

from rookery.lab.duplicate.result import where_they_stand
from rookery.lab.league.league import RATED, Standing
from rookery.lab.pictures import BLUE, GREEN, INK, ORANGE, rendered, sheet, unframe

if TYPE_CHECKING:
    import polars as pl

COLUMNS: Final = 79
TIGHT: Final = 6  # columns of a cell, too few for a tenth
BESIDE: Final = 13  # bots that fit beside each other there; of more there are several tables
ROOM: Final = 5  # bots whose intervals fit into the cross table of a terminal


class RatingLine(BaseModel, frozen=True):
    """A bot's rating by openskill."""

    mu: float = Field(description="The estimated strength.")
    sigma: float = Field(description="Its standard deviation.")
    ordinal: float = Field(description="mu - 3 sigma.")


class League(BaseModel, frozen=True):
    """A league under one rule set; rows and columns stand in the order of ``bots``."""

    rules: str
    bots: list[str]
    deals: int = Field(description="Boards of each meeting.")
    points: list[list[float]] = Field(description="What row wins from column, points a board.")
    ci95: list[list[float]] = Field(
        description="Half of the 95 % intervals of the points. 0 where all boards came out alike: "
        "unless they were level, there is none."
    )
    boards_won: list[list[int]] = Field(description="Boards that row won from column.")
    mix: list[float] = Field(description="Shares in the equilibrium with the largest entropy.")
    mix_ci95: list[tuple[float, float]]
    against_mix: list[float] = Field(description="What each wins from the mix; none above 0.")
    ratings: list[RatingLine]
    places: list[float] | None = Field(
        description="Where each stands between random (0) and open-hand (100), percent; null "
        "unless both took part."
    )
    places_ci95: list[tuple[float, float]] | None
    decisions: int
    illegal: int


class Leagues(BaseModel, frozen=True):
    """What ``rookery league --json`` prints."""

    seed: int
    leagues: list[League]


def document(standings: Sequence[Standing], seed: int) -> Leagues:
    """Return the JSON document of leagues."""
    return Leagues(seed=seed, leagues=[_league(one) for one in standings])


def _league(one: Standing) -> League:
    places, limits = one.places or (None, None)
    return League(
        rules=one.setting.label,
        bots=list(one.bots),
        deals=one.deals,
        points=np.round(one.points, 4).tolist(),
        ci95=np.round(one.ci95, 4).tolist(),
        boards_won=one.won.astype(int).tolist(),
        mix=np.round(one.mix, 6).tolist(),
        mix_ci95=[(round(low, 4), round(high, 4)) for low, high in one.mix_ci95.tolist()],
        against_mix=np.round(one.against_mix, 4).tolist(),
        ratings=[
            RatingLine(mu=round(r.mu, 3), sigma=round(r.sigma, 3), ordinal=round(r.ordinal(), 3))
            for r in one.ratings
        ],
        places=None if places is None else np.round(places, 1).tolist(),
        places_ci95=None if limits is None else np.round(limits, 1).tolist(),
        decisions=one.decisions,
        illegal=one.illegal,
    )


def frame(standings: Sequence[Standing]) -> pl.DataFrame:
    """Return the cross tables as a frame: a row for each rule set and ordered pair of bots."""
    import polars as pl

    return pl.DataFrame(
        [
            {
                "rules": one.setting.label,
                "bot": one.bots[i],
                "against": one.bots[j],
                "points_a_board": float(one.points[i, j]),
                "points_a_board_ci95": float(one.ci95[i, j]),
                "boards_won": int(one.won[i, j]),
                "boards_level": int(one.level[i, j]),
            }
            for one in standings
            for i in range(len(one.bots))
            for j in range(len(one.bots))
            if i != j
        ]
    )


def files_of(standings: Sequence[Standing], seed: int) -> dict[str, bytes]:
    """Return a league's files by name: JSON, CSV, the report, and a picture for each rule set."""
    files = {
        "league.json": (document(standings, seed).model_dump_json(indent=2) + "\n").encode(),
        "league.csv": frame(standings).write_csv().encode(),
        "report.txt": (report_text(standings, seed) + "\n").encode(),
    }
    for one in standings:
        safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in one.setting.label)
        files[f"league-{safe}.png"] = picture(one)
    return files


def report_text(standings: Sequence[Standing], seed: int) -> str:
    """Return the report of leagues as text, for a terminal of 80 columns."""
    return "\n\n\n".join("\n".join(_told(one, seed)) for one in standings)


def _told(one: Standing, seed: int) -> Iterator[str]:
    yield fill(
        f"{one.setting.label}: {one.deals:,} deals for every two bots, seed {seed}. "
        f"{one.illegal} of {one.decisions:,} actions were illegal.",
        COLUMNS,
    )
    yield ""
    yield from _cross(one)
    yield ""
    yield f"{'':12}{'rating':>14}{'in the mix':>12}{'95 %':>12}{'wins from the mix':>20}"
    for i in one.order:
        rating = one.ratings[i]
        low, high = 100 * one.mix_ci95[i]
        yield (
            f"{_short(one.bots[i])}{f'{rating.mu:.1f} ± {2 * rating.sigma:.1f}':>14}"
            f"{100 * one.mix[i]:>10.1f} %{f'{low:.0f} to {high:.0f}':>12}"
            f"{round(one.against_mix[i], 1) + 0.0:>+20.1f}"
        )
    yield ""
    yield from _places(one)
    yield fill(_lesson(one), COLUMNS)
    yield ""
    yield fill(
        f"Ratings: openskill, ± two sigma, from {RATED} boards of each pair at most. They press "
        "the table above into one number a bot, which is wrong where the bots beat each other in "
        "a ring; the mix is right there too.",
        COLUMNS,
    )


def _cross(one: Standing) -> Iterator[str]:
    with_intervals = len(one.bots) <= ROOM
    tables = ceil(len(one.bots) / BESIDE)
    beside = ceil(len(one.bots) / tables)
    width = 13 if with_intervals else (COLUMNS - 12) // beside
    yield "Points a board that row wins from column" + (
        ", ± half of the 95 % interval:"
        if with_intervals
        else f"; 95 % intervals, ± {one.ci95.max():.1f} at most:"
    )
    places = 1 if width > TIGHT else 0
    if with_intervals:  # of few deals an interval may be too wide for a tenth
        widest = max(
            len(f"{p:+.1f} ± {c:.1f}") for p, c in zip(one.points.flat, one.ci95.flat, strict=True)
        )
        places = 1 if widest < width else 0
    for start in range(0, len(one.bots), beside):
        columns = one.order[start : start + beside]
        if start:
            yield ""
        yield f"{'':12}" + "".join(
            f"{_short(one.bots[j], width - 1).strip():>{width}}" for j in columns
        )
        for i in one.order:
            cells = (
                "-"
                if i == j
                else f"{one.points[i, j]:+.{places}f} ± "
                + ("?" if one.alike[i, j] else f"{one.ci95[i, j]:.{places}f}")
                if with_intervals
                else f"{one.points[i, j]:+.{places}f}"
                for j in columns
            )
            yield _short(one.bots[i]) + "".join(f"{cell:>{width}}" for cell in cells)
    if one.alike.any():
        yield fill(
            "Of some pairs all deals came out alike, but not level, which gives no interval; more "
            "deals have one. The intervals below take these results for certain.",
            COLUMNS,
        )


def _places(one: Standing) -> Iterator[str]:
    places = one.places
    if places is None:
        yield fill(where_they_stand(one.setting.label, one.bots), COLUMNS)
        yield ""
        return
    yield fill("Where they stand between random (0 %) and open-hand (100 %):", COLUMNS)
    for i in one.order:
        low, high = places[1][i]
        yield f"{_short(one.bots[i])}{places[0][i]:>8.0f} %   ({low:.0f} to {high:.0f})"
    yield ""


def _short(name: str, longest: int = 11) -> str:
    shown = name if len(name) <= longest else name[: longest - 1] + "~"
    return f"{shown:12}"


def _lesson(one: Standing) -> str:
    playing = [i for i in one.order if one.mix[i] > 0]
    if len(playing) == 1:
        best = one.bots[playing[0]]
        return (
            f"The equilibrium is {best} alone: whoever meets it loses or ends level, so nobody "
            "gains by sending another bot."
        )
    shares = ", ".join(f"{one.bots[i]} {100 * one.mix[i]:.0f} %" for i in playing)
    return (
        f"The equilibrium is a mix: {shares}. Against it no bot wins anything; of several such "
        "mixes this is the one with the largest entropy."
    )


def picture(one: Standing) -> bytes:
    """Return the cross table as a heat map, with the mix beside it, as PNG."""
    n = len(one.bots)
    canvas = sheet(3.6 + 0.95 * n, 2.0 + 0.62 * n)
    left, right = canvas.subplots(1, 2, width_ratios=[n, 1.6])
    canvas.subplots_adjust(left=0.16, right=0.96, top=1 - 1.15 / (2.0 + 0.62 * n), bottom=0.1)
    order = one.order
    names = [one.bots[i] for i in order]
    points = one.points[np.ix_(order, order)]
    top = np.abs(points).max() or 1.0
    # Blue to orange through white: safe for colour-blind readers.
    colours = mpl.colors.LinearSegmentedColormap.from_list("", [ORANGE, "#FFFFFF", BLUE])
    left.imshow(points, cmap=colours, vmin=-1.25 * top, vmax=1.25 * top, aspect="auto")
    for i, j in np.ndindex(n, n):
        if i == j:
            continue
        half, alike = one.ci95[order[i], order[j]], one.alike[order[i], order[j]]
        clear = abs(points[i, j]) > half and not alike
        left.text(
            j, i, f"{points[i, j]:+.1f}\n± {'?' if alike else f'{half:.1f}'}",
            ha="center", va="center", fontsize=8.5, color="black",
            weight="bold" if clear else "normal",
        )  # fmt: skip
    left.set_xticks(range(n), names)
    left.xaxis.tick_top()
    left.set_yticks(range(n), names)
    _mix(right, one, order)
    for axes in (left, right):
        axes.tick_params(length=0, labelcolor=INK)
        unframe(axes)
    height = canvas.get_figheight()
    title = f"{one.setting.label}: points a board that row wins from column"
    canvas.text(0.03, 1 - 0.35 / height, title, fontsize=11.5, weight="bold", color=INK)
    note = f"{one.deals:,} deals a pair; bold where the 95 % interval leaves zero out"
    canvas.text(0.03, 1 - 0.6 / height, note, fontsize=8.5, color=INK)
    return rendered(canvas)


def _mix(axes: Any, one: Standing, order: Sequence[int]) -> None:  # noqa: ANN401
    shares = 100 * one.mix[list(order)]
    low, high = 100 * one.mix_ci95[list(order)].T
    rows = np.arange(len(order))
    axes.barh(rows, shares, color=GREEN, height=0.55)
    axes.hlines(rows, low, high, color=INK, linewidth=1.4)
    for row, share, end in zip(rows, shares, np.maximum(high, shares), strict=True):
        if share > 0.5:
            axes.text(end + 4, row, f"{share:.0f}", va="center", fontsize=9, color=INK)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0, 125)
    axes.set_yticks([])
    axes.set_xticks([0, 50, 100], ["0", "50", "100 %"])
    axes.set_title("the mix", fontsize=9.5, color=INK)
