"""The question `match`: which of two bots is ahead on duplicate boards, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Final

from rookery.bots.names import bot
from rookery.lab.duplicate.match import Match
from rookery.lab.duplicate.result import Result, result_of
from rookery.lab.run.jobs import Job, Sums
from rookery.lab.studies.question import Answer, CannotAsk, Plan

if TYPE_CHECKING:
    import polars as pl

ABOUT: Final = "Which of two bots is ahead, in points a board, and how often contracts are made."
BARS: Final = 40  # in one picture


def jobs(plan: Plan) -> Sequence[Job]:
    """Return a job for each rule set and pair of bots."""
    return [meeting.job(name) for name, meeting in _meetings(plan)]


def answer(plan: Plan, sums: Mapping[str, Sums]) -> Answer:
    """Return a row for each rule set and pair."""
    import polars as pl

    table = pl.DataFrame(
        [_row(result_of(meeting.played(sums[name]))) for name, meeting in _meetings(plan)]
    )
    return Answer(_text(table), {"match": table}, lambda: {"match.png": _picture(table)})


def _meetings(plan: Plan) -> Iterator[tuple[str, Match]]:
    if len(plan.bots) < 2:
        raise CannotAsk(f"match: {len(plan.bots)} bot to compare; expected 2 or more")
    bots = [bot(name) for name in plan.bots]
    if plan.target == "cuda" and any(one.kernel is None for one in bots):
        raise CannotAsk("match: only kernel bots can play on cuda; leave --target out")
    for setting in plan.settings:
        for one, other in combinations(bots, 2):
            yield f"{setting.label}, {one} - {other}", plan.match(setting, (one, other))


def _row(result: Result) -> dict[str, object]:
    low, high = result.difference.ci95 or (nan, nan)
    return {
        "rules": result.rules,
        "bot": result.seats[0],
        "against": result.seats[1],
        "boards": result.deals,
        "points_a_board": result.difference.mean,
        "points_a_board_ci95": (high - low) / 2,
        "points_a_hand": result.points_per_hand[0],
        "against_points_a_hand": result.points_per_hand[1],
        "contracts": result.contracts[0],
        "against_contracts": result.contracts[1],
        "made": result.made[0],
        "against_made": result.made[1],
        "illegal": result.illegal,
    }


def _text(table: pl.DataFrame) -> str:
    lines = ["Points a board ahead, with 95 % intervals:"]
    rules = ""
    for row in table.iter_rows(named=True):
        if row["rules"] != rules:
            rules = row["rules"]
            lines.append(f"  {rules}")
        sure = abs(row["points_a_board"]) > row["points_a_board_ci95"]
        half = f"{row['points_a_board_ci95']:.2f}".replace("nan", "?")
        lines.append(
            f"    {row['bot'] + ' - ' + row['against']:<28} "
            f"{row['points_a_board']:+8.2f} ± {half:<6}"
            f"{'' if sure else ' undecided'}".rstrip()
        )
    return "\n".join(lines)


def _picture(table: pl.DataFrame) -> bytes:
    from rookery.lab.pictures import BLUE, FAINT, rendered, sheet

    shown = table.head(BARS)
    labels = [f"{row['rules']}: {row['bot']} - {row['against']}" for row in shown.to_dicts()]
    figure = sheet(8, 1.2 + 0.3 * len(labels), dots=120)
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot()
    axes.axvline(0, color=FAINT, linewidth=1)
    axes.errorbar(
        shown["points_a_board"], range(len(labels)), xerr=shown["points_a_board_ci95"],
        fmt="o", color=BLUE, capsize=3,
    )  # fmt: skip
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel("points a board ahead, with 95 % interval")
    axes.spines[["top", "right", "left"]].set_visible(False)
    return rendered(figure)
