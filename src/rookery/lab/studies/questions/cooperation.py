"""What noticing your partner is worth: the same bot with and without it, on duplicate boards.

The first open question of the Menagerie paper, whose characters ignore their partners [S0].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from rookery.bots.names import bot
from rookery.bots.register import BOTS
from rookery.lab.duplicate.match import Match, Played
from rookery.lab.duplicate.result import difference_of, result_of
from rookery.lab.run.jobs import Job, Sums
from rookery.lab.studies.question import Answer, CannotAsk, Plan, Setting
from rookery.rules import Rules

if TYPE_CHECKING:
    import polars as pl

ABOUT: Final = "What noticing your partner is worth: a bot against itself without it."
WIDTH: Final = 80
BOTH, ONE = "both", "one"
HEADS: Final = {
    BOTH: "Both partners notice each other",
    ONE: "Only one of them notices, or one seat where the partner is called",
}
LABEL, CELL, ACROSS = 21, 14, 4  # of the text: widths, and bots beside one another


def jobs(plan: Plan) -> Sequence[Job]:
    """Return a job for each game with partners, each bot, and one or both noticing."""
    for name in plan.bots:
        if name not in BOTS or "partner" not in BOTS[name].options:
            raise CannotAsk(
                f"cooperation: {name} cannot be told to notice or ignore its partner; expected "
                + " or ".join(key for key, entry in BOTS.items() if "partner" in entry.options)
            )
    if not any(has_partners(setting.rules) for setting in plan.settings):
        raise CannotAsk("cooperation: nobody has a partner in these games")
    # Many games, few boards of each: code bound to each would take longer to compile than run.
    every = (meeting(plan, *asked).job(_name(*asked)) for asked in _asked(plan))
    return [replace(job, bound=False) for job in every]


def answer(plan: Plan, sums: Mapping[str, Sums]) -> Answer:
    """Return a row for each game, bot and line-up."""
    import polars as pl

    rows = [
        _row(*asked, meeting(plan, *asked).played(sums[_name(*asked)])) for asked in _asked(plan)
    ]
    table = pl.DataFrame(rows, infer_schema_length=None)
    return Answer(
        _text(table, plan),
        {"cooperation": table},
        lambda: {"cooperation.png": _picture(table, plan)},
    )


def has_partners(rules: Rules) -> bool:
    """Return whether players have partners under these rules."""
    return rules.partnership != "alone"


def meeting(plan: Plan, setting: Setting, name: str, who: str) -> Match:
    """Return the match of a bot that notices its partner against the same bot that does not."""
    noticing, ignoring = bot(f"{name}:partner=noticed"), bot(f"{name}:partner=ignored")
    others = 1 if who == BOTH else setting.rules.seats - 1
    return plan.match(setting, (noticing, *[ignoring] * others))


def _asked(plan: Plan) -> list[tuple[Setting, str, str]]:
    return [
        (setting, name, who)
        for setting in plan.settings
        if has_partners(setting.rules)
        for name in plan.bots
        # Where the partner is called there is no pair to begin with: one seat notices, or not.
        for who in ((ONE,) if setting.rules.calls_partner else (BOTH, ONE))
    ]


def _name(setting: Setting, name: str, who: str) -> str:
    return f"{setting.label}/{name}/{who}"


def _row(setting: Setting, name: str, who: str, played: Played) -> dict[str, object]:
    found, interval = result_of(played), difference_of(played)
    made, bid = found.made, found.mean_bid
    return {
        "rules": setting.label,
        "partners": "called" if setting.rules.calls_partner else "fixed",
        "bot": name,
        "noticing": who,
        "boards": found.deals,
        "points_a_board": interval.mean,
        "points_a_board_ci95": interval.ci95,
        "made_percent": None if made[0] is None else 100 * made[0],
        "ignoring_made_percent": None if made[1] is None else 100 * made[1],
        "contract": bid[0],
        "ignoring_contract": bid[1],
    }


def _text(table: pl.DataFrame, plan: Plan) -> str:
    about = (
        "Points a board by which those who notice their partner beat those who do not: the same "
        f"bot on both sides, {plan.boards:,} duplicate boards a figure, \u00b1 half of a 95 % "
        "interval."
    )
    lines = [fill(about, WIDTH)]
    for who, head in HEADS.items():
        own = table.filter(table["noticing"] == who)
        for first in range(0, len(plan.bots), ACROSS):
            names = plan.bots[first : first + ACROSS]
            heads = "".join(f"{name:>{CELL}}" for name in names)
            lines += ["", head, f"{'':<{LABEL}}{heads}"] if own.height else []
            for rules in own["rules"].unique(maintain_order=True):
                found = {row["bot"]: row for row in own.filter(own["rules"] == rules).to_dicts()}
                label = rules if len(rules) < LABEL else f"{rules[: LABEL - 2]}~"
                cells = "".join(f"{_cell(found[name]):>{CELL}}" for name in names)
                lines.append(f"{label:<{LABEL}}{cells}")
    return "\n".join(lines)


def _cell(row: dict[str, Any]) -> str:
    half = f"{row['points_a_board_ci95']:.1f}".replace("nan", "?")
    return f"{row['points_a_board']:+.1f} \u00b1 {half}"


def _picture(table: pl.DataFrame, plan: Plan) -> bytes:
    from rookery.lab import pictures as at

    colours = (("o", at.BLUE), ("D", at.ORANGE), ("s", at.GREEN), ("^", at.PURPLE), ("v", "k"))
    games = table["rules"].unique(maintain_order=True).to_list()
    names = table["bot"].unique(maintain_order=True).to_list()
    height = 1.75 + 0.34 * len(games)
    canvas = at.sheet(9.6, height)
    panels = canvas.subplots(1, 2, sharey=True, sharex=True)
    canvas.subplots_adjust(
        left=0.2, right=0.97, top=1 - 1.2 / height, bottom=0.55 / height, wspace=0.08
    )
    heads = {BOTH: "both partners notice each other", ONE: "only one of them notices"}
    for axes, (who, head) in zip(panels, heads.items(), strict=True):
        axes.axvline(0, color=at.INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        for i, name in enumerate(names):
            own = table.filter((table["bot"] == name) & (table["noticing"] == who))
            mark, colour = colours[i % len(colours)]
            y = [games.index(rules) + (i - (len(names) - 1) / 2) * 0.16 for rules in own["rules"]]
            axes.errorbar(
                own["points_a_board"], y, xerr=own["points_a_board_ci95"], fmt=mark, color=colour,
                markersize=4.6, ecolor=at.INK, elinewidth=0.8, label=name, zorder=3,
            )  # fmt: skip
        at.panel(axes, head)
        at.label_rows(axes, games)
        axes.set_xlabel("points a board ahead, with 95 % interval", fontsize=8.5, color=at.INK)
    if len(names) > 1:
        marks, labels = panels[1].get_legend_handles_labels()
        canvas.legend(
            marks, labels, loc="upper right", bbox_to_anchor=(0.98, 1 - 0.2 / height),
            ncols=len(names), frameon=False, fontsize=9, handletextpad=0.2, columnspacing=1.2,
        )  # fmt: skip
    at.titles(
        canvas,
        "What noticing your partner is worth",
        f"The same bot with and without it, {plan.boards:,} duplicate boards a game.",
    )
    return at.rendered(canvas)
