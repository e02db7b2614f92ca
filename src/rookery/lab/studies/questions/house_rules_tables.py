"""Tables of `house-rules`: rule sets, their changes, and the changes that were not played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from rookery.lab.stats import Interval, student
from rookery.lab.studies.changes import changes_of
from rookery.lab.studies.questions.blocks import block_count
from rookery.lab.studies.questions.quantities import QUANTITIES
from rookery.rules import quoted

if TYPE_CHECKING:
    from rookery.lab.studies.question import Plan
    from rookery.lab.studies.questions.rule_sets import MeasuredSetting

WIDTH: Final = 80
COLUMNS: Final = {  # of the table in the text: heading, width and decimal places
    "made": ("made %", 7, 0),
    "contract": ("bid", 5, 0),
    "spread": ("spread", 7, 0),
    "rook": ("Rook", 5, 0),
    "lead": ("lead", 5, 0),
    "nest": ("nest", 5, 0),
    "seat_1": ("seat", 6, 1),
    "luck": ("luck %", 7, 0),
    "ahead": ("skill", 6, 0),
    "skill": ("in sd", 6, 2),
}
TOLD: Final = {
    "made": "contracts made, %",
    "contract": "mean contract, points",
    "spread": "spread of a hand, points",
    "rook": "value of the Rook, points",
    "lead": "value of the lead, points",
    "nest": "value of the nest, points",
    "seat_1": "value of the dealer's left, points",
    "luck": "decided by the deal, %",
    "skill": "skill, in sd of a hand",
}
OF_A_CHANGE: Final = tuple(
    name for name in QUANTITIES if name == "seat_1" or not name.startswith("seat_")
)
LABEL: Final = 21


def variants(found: Sequence[MeasuredSetting]) -> pl.DataFrame:
    """Return a row for each rule set: every quantity, and half of its 95 % interval."""
    rows = [
        {
            "rules": one.label,
            "name": one.base.rules.name,
            **dict(_pairs((name, one.base.figure(q)) for name, q in QUANTITIES.items())),
        }
        for one in found
    ]
    figures = {f"{name}{end}": pl.Float64 for name in QUANTITIES for end in ("", "_ci95")}
    return pl.DataFrame(rows, schema={"rules": pl.String, "name": pl.String, **figures})


def changes(found: Sequence[MeasuredSetting]) -> pl.DataFrame:
    """Return a row for each change that was played.

    Beside each quantity ``x`` there is ``x_change``: its difference from the unchanged rules on the
    same boards. ``points`` is the change in the total points of a hand. ``same`` is true where
    every hand came out the same.
    """
    rows: list[dict[str, Any]] = []
    for one in found:
        before = {name: one.base.figure(QUANTITIES[name]) for name in OF_A_CHANGE}
        for change, measured in one.played:
            row: dict[str, Any] = {
                "rules": one.label,
                "option": change.option,
                "setting": quoted(change.setting),
                "points": measured.rules.total_points - one.base.rules.total_points,
                "same": measured.blocks.same(one.base.blocks),
            }
            for name in OF_A_CHANGE:
                quantity = QUANTITIES[name]
                if row["same"]:
                    now = before[name]
                    moved = Interval(0.0 if isfinite(now.mean) else now.mean, now.ci95 * 0)
                else:
                    now = measured.figure(quantity)
                    moved = measured.beyond(one.base, quantity)
                row |= dict(_pairs([(name, now), (f"{name}_change", moved)]))
            rows.append(row)
    return pl.DataFrame(rows, schema=_CHANGES)


def left(plan: Plan) -> pl.DataFrame:
    """Return a row for each change that was not played, and why."""
    schema = dict.fromkeys(("rules", "option", "setting", "why"), pl.String)
    return pl.DataFrame(
        [
            {
                "rules": setting.label,
                "option": change.option,
                "setting": quoted(change.setting),
                "why": change.problem or "decides nothing in a hand here",
            }
            for setting in plan.settings
            for change in changes_of(setting.rules)
            if change.kind != "played"
        ],
        schema=schema,
    )


def text(variants: pl.DataFrame, changes: pl.DataFrame, left: pl.DataFrame, plan: Plan) -> str:
    """Return the report for a terminal of 80 columns."""
    bot, weak = plan.bots
    heads = "".join(f"{head:>{width}}" for head, width, _ in COLUMNS.values())
    lines = [f"{'':<{LABEL}}{heads}"]
    lines += [_line(row) for row in variants.iter_rows(named=True)]
    usual = {name: variants[f"{name}_ci95"].median() for name in COLUMNS}
    lines += [_line({"rules": "usual 95 %, \u00b1", **usual}), ""]
    lines += [
        fill(sentence, WIDTH)
        for sentence in (
            "Points unless said otherwise. Rook, lead, seat (left of the dealer): how far that "
            "side ends above the others. Nest: what it brings its declarer. Spread: standard "
            f"deviation of a hand. Luck: what comes again when {bot} and {weak} change places; "
            f"skill: {bot} over {weak}.",
            *_counted(changes, left, plan),
        )
    ]
    strongest = list(_strongest(changes, plan.boards))
    if strongest:
        head = "Single changes that do most and leave a hand worth as many points:"
        lines += ["", head, *strongest]
    return "\n".join(lines)


def wider(changes: pl.DataFrame, boards: int) -> float:
    """Return the factor by which Bonferroni's correction for many changes widens an interval."""
    blocks = block_count(boards)
    looked_at = max(1, changes.filter(~pl.col("same")).height * len(TOLD))
    return student(blocks, 0.05 / looked_at) / student(blocks)


def _line(row: dict[str, Any]) -> str:
    cells = ""
    for name, (_, width, places) in COLUMNS.items():
        value = row[name]
        cell = "-" if value is None else f"{round(value, places) + 0.0:.{places}f}"
        cells += f"{cell:>{width}}"
    label: str = row["rules"]
    return f"{label if len(label) < LABEL else label[: LABEL - 2] + '~':<{LABEL}}{cells}"


def _counted(changes: pl.DataFrame, left: pl.DataFrame, plan: Plan) -> Iterator[str]:
    same = int(changes["same"].sum()) if changes.height else 0
    idle = left.filter(pl.col("why") == "decides nothing in a hand here").height
    yield (
        f"{changes.height:,} single changes were played on the same {plan.boards:,} boards as "
        f"their rules; {same:,} of them changed nothing that {plan.bots[0]} does. {idle:,} more "
        f"decide nothing in a hand, and {left.height - idle:,} do not fit with the other rules; "
        "these are listed."
    )


def _strongest(changes: pl.DataFrame, boards: int) -> Iterator[str]:
    if not changes.height:
        return
    factor = wider(changes, boards)
    for name, label in TOLD.items():
        moved, sure = f"{name}_change", f"{name}_change_ci95"
        clear = changes.filter(
            (pl.col("points") == 0) & (pl.col(moved).abs() > factor * pl.col(sure))
        )
        if not clear.height:
            continue
        yield f"  {label}"
        for rising in (True, False):
            one = clear.sort(moved, descending=rising).row(0, named=True)
            if (one[moved] > 0) == rising:
                places = 2 if name == "skill" else 1
                figures = f"{one[moved]:+.{places}f} \u00b1{one[sure]:.{places}f}"
                change = f"{one['rules']}: {one['option']} = {one['setting']}"
                yield f"    {figures:<14} {change}"[:WIDTH]


def _pairs(figures: Any) -> Iterator[tuple[str, float | None]]:  # noqa: ANN401
    for name, measured in figures:
        yield name, measured.mean if isfinite(measured.mean) else None
        yield f"{name}_ci95", measured.ci95 if isfinite(measured.ci95) else None


_CHANGES: Final = {
    **dict.fromkeys(("rules", "option", "setting"), pl.String),
    "points": pl.Int64,
    "same": pl.Boolean,
    **{
        f"{name}{end}": pl.Float64
        for name in OF_A_CHANGE
        for end in ("", "_ci95", "_change", "_change_ci95")
    },
}
