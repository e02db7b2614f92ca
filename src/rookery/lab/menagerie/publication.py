"""A study as files: the figures as JSON and CSV, the report, and the picture.

The picture shows when in a hand each character wins its tricks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from rookery.lab import pictures as at
from rookery.lab.menagerie.figures import NAMES, PAPER, PAPER_GAMES, PEOPLE, front_runners
from rookery.lab.menagerie.study import Mode, Study
from rookery.lab.menagerie.text import THIRDS, report
from rookery.lab.stats import Interval
from rookery.rules import capital

COLOURS: Final = dict(zip(NAMES, (at.BLUE, at.GREEN, at.ORANGE, at.PURPLE), strict=True))
MARKS: Final = dict(zip(NAMES, ("o", "s", "^", "D"), strict=True))  # for print in grey
DOTS_PER_INCH: Final = 160
LABEL_GAP: Final = 2.6  # points of the scale between two names at the right


def files_of(study: Study) -> dict[str, bytes]:
    """Return the study's files by name: its JSON, a CSV table, the report and the picture."""
    document = json.dumps({**study.as_json(), "seed": study.seed}, indent=2) + "\n"
    # The paper's figures stay as it prints them, with two places.
    figures = study.frame.with_columns(pl.col("paper").cast(pl.String))
    return {
        "study.json": document.encode(),
        "figures.csv": figures.write_csv(float_precision=4).encode(),
        "report.txt": report(study).encode(),
        **picture(study),
    }


def picture(study: Study) -> dict[str, bytes]:
    """Return the picture as files: ``trimesters.png`` and ``trimesters.svg``."""
    canvas = at.sheet(9.6, 5.0, DOTS_PER_INCH)
    left, right = canvas.subplots(1, 2, sharey=True)
    canvas.subplots_adjust(left=0.07, right=0.865, top=0.76, bottom=0.15, wspace=0.42)
    _panel(left, PAPER.trimesters, f"As printed: the program, {PAPER_GAMES:,} games")
    name = "The program again" if study.mode is Mode.PUBLISHED else "The real game"
    now = [{who: cell.mean for who, cell in cells.items()} for cells in study.tables.trimesters]
    _panel(right, now, f"{name}, {study.games:,} games")
    _intervals(right, study.tables.trimesters)
    left.set_ylabel("share of tricks won, %", color=at.INK)
    canvas.text(0.07, 0.93, "Who wins tricks when", fontsize=16, weight="bold", color=at.INK)
    canvas.text(0.07, 0.875, _lesson(study), fontsize=10.5, color=at.INK)
    canvas.text(0.07, 0.03, _foot(study), fontsize=8, color=at.FAINT)
    return {f"trimesters.{kind}": at.rendered(canvas, kind) for kind in ("png", "svg")}


def _lesson(study: Study) -> str:
    first, _, last = study.tables.trimesters
    early = max(zip(NAMES, PEOPLE, strict=True), key=lambda who: first[who[0]].mean)[1]
    late = max(zip(NAMES, PEOPLE, strict=True), key=lambda who: last[who[0]].mean)[1]
    best = " and ".join(PEOPLE[kind] for kind in front_runners(study.sums))
    return f"{capital(early)} takes most tricks early, {late} most late. Most games go to {best}."


def _foot(study: Study) -> str:
    widest = max(cell.ci95 for cells in study.tables.trimesters for cell in cells.values())
    return (
        f"95 % intervals on the right: at most ± {widest:.2f} points. "
        f"Seed {study.seed}. Left: the Menagerie paper's table."
    )


def _panel(axes: Any, thirds: Sequence[Mapping[str, float]], title: str) -> None:  # noqa: ANN401
    axes.set_title(title, loc="left", fontsize=11, color=at.INK, pad=10)
    axes.axhline(25, color=at.FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.text(-0.13, 25.6, "a quarter", fontsize=8, color=at.FAINT)
    for name in NAMES:
        heights = [cells[name] for cells in thirds]
        axes.plot(
            range(len(THIRDS)), heights, color=COLOURS[name], marker=MARKS[name], markersize=6.5,
            linewidth=2.2, zorder=3,
        )  # fmt: skip
    ends = {name: thirds[-1][name] for name in NAMES}
    for name, height in _spread(ends).items():
        axes.text(
            2.1, height, f"{name.title()} {ends[name]:.1f}", color=COLOURS[name], fontsize=10,
            weight="bold", verticalalignment="center",
        )  # fmt: skip
    axes.set_xticks(range(len(THIRDS)), THIRDS, color=at.INK)
    axes.set_xlim(-0.15, 2.05)
    axes.set_ylim(0, 50)
    axes.grid(axis="y", color=at.RULE, linewidth=0.8, zorder=0)
    axes.tick_params(length=0, pad=7, labelcolor=at.INK, labelleft=True)
    at.unframe(axes, base=True)


def _spread(ends: Mapping[str, float]) -> dict[str, float]:
    """Return the heights of the names at the right: in order, at least a gap apart."""
    places: dict[str, float] = {}
    floor = 0.0
    for name in sorted(ends, key=lambda name: ends[name]):
        places[name] = max(ends[name], floor)
        floor = places[name] + LABEL_GAP
    return places


def _intervals(axes: Any, thirds: Sequence[Mapping[str, Interval]]) -> None:  # noqa: ANN401
    for name in NAMES:
        axes.errorbar(
            range(len(THIRDS)), [cells[name].mean for cells in thirds],
            yerr=[cells[name].ci95 for cells in thirds],
            fmt="none", ecolor=at.INK, elinewidth=1, capsize=0, zorder=2,
        )  # fmt: skip
