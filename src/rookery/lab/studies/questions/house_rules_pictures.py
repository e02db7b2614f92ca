"""Rules in two pictures: what hands are like under each, and what each option can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from rookery.lab.pictures import BLUE, FAINT, INK, label_rows, panel, rendered, sheet, titles
from rookery.lab.studies.questions.house_rules_tables import TOLD

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from rookery.lab.studies.question import Plan

PANELS: Final = ("made", "spread", "rook", "nest", "lead", "luck", "skill")
MOVED: Final = ("made", "luck", "skill")


def rule_sets(variants: pl.DataFrame, plan: Plan) -> bytes:
    """Return a PNG with a row a rule set and a panel a quantity, each with its interval."""
    ordered = variants.sort("skill", descending=True, nulls_last=True)
    names = ordered["rules"].to_list()
    canvas, panels = _sheet(names, [_head(name) for name in PANELS], 0.24)
    for axes, column in zip(panels, PANELS, strict=True):
        shown = ordered.with_row_index("y").filter(pl.col(column).is_not_null())
        if shown[column].min() is not None and float(str(shown[column].min())) < 0:
            axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1)
        axes.errorbar(
            shown[column], shown["y"], xerr=shown[f"{column}_ci95"].fill_null(0), fmt="o",
            markersize=4.2, color=BLUE, ecolor=INK, elinewidth=0.9, zorder=3,
        )  # fmt: skip
    bot, weak = plan.bots
    titles(
        canvas,
        "The games of Rook, and what decides them",
        f"{plan.boards:,} boards a game, played by {bot}; skill is {bot} over {weak}; lines are 95 "
        "% intervals; most skill at the top. No dot: no such card or nest.",
    )
    return rendered(canvas)


def changes(table: pl.DataFrame, plan: Plan) -> bytes:
    """Return a PNG with a row an option: a dot for each single change of it in each rule set."""
    columns = [f"{name}_change" for name in MOVED]
    moving = table.filter(~pl.col("same"))
    reach = (
        moving.group_by("option", maintain_order=True)
        .agg(
            pl.max_horizontal(pl.col(c).abs().max() / _scale(moving, c) for c in columns).alias("r")
        )
        .sort("r", descending=True, maintain_order=True)
    )
    names = reach["option"].to_list()
    heads = [f"{_head(name)}, \u00b1 {_usual(moving, name)}" for name in MOVED]
    canvas, panels = _sheet(names, heads, 0.25)
    for axes, column in zip(panels, columns, strict=True):
        axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1)
        for y, option in enumerate(names):
            own = moving.filter(pl.col("option") == option)[column].drop_nulls()
            axes.plot(
                own, [y] * len(own), "|", markersize=9, markeredgewidth=1.1, color=BLUE, alpha=0.55
            )  # fmt: skip
    games = table["rules"].n_unique() if table.height else 0
    titles(
        canvas,
        "What one changed rule can do",
        f"A stroke is one change of that option alone in one of {games} games, against the same "
        f"{plan.boards:,} boards;\n"
        f"played by {plan.bots[0]}; \u00b1 is half of a usual 95 % interval.",
    )
    return rendered(canvas)


def _head(name: str) -> str:
    """Return a quantity's name and unit, on two lines."""
    return TOLD[name].replace(", in ", ", ").replace(", ", "\n")


def _scale(table: pl.DataFrame, column: str) -> float:
    most = table[column].abs().max()
    return float(str(most)) if most else 1.0


def _usual(table: pl.DataFrame, name: str) -> str:
    usual = table[f"{name}_change_ci95"].median()
    return "?" if usual is None else f"{float(str(usual)):.2g}"


def _sheet(names: list[str], heads: list[str], row: float) -> tuple[Canvas, list[Any]]:
    height = 1.75 + row * max(1, len(names))
    canvas = sheet(1.9 + 1.55 * len(heads), height)
    panels = list(canvas.subplots(1, len(heads), sharey=True, squeeze=False)[0])
    canvas.subplots_adjust(
        left=2.0 / canvas.get_figwidth(), right=0.985, top=1 - 1.32 / height,
        bottom=0.33 / height, wspace=0.14,
    )  # fmt: skip
    for axes, head in zip(panels, heads, strict=True):
        panel(axes, head, 9)
        label_rows(axes, names)
        axes.locator_params(axis="x", nbins=4)
    return canvas, panels
