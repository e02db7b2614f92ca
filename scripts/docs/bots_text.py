"""The bots' page in words: the ladder, who is who, who wins, and what has not been shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from benchmarks.ladder.cells import Cell
from benchmarks.ladder.standings import by_place
from scripts.docs.bots_kept import Measured
from scripts.docs.bots_measured import calibration, learned, matches, others, times
from scripts.docs.bots_words import among, short, table

from rookery.bots.names import LEVELS, bot, unhurried
from rookery.bots.register import BOTS
from rookery.lab.league.league import Standing
from rookery.lab.league.standings import Matrix
from rookery.show.words import words

NOTE: Final = (
    "<!-- Made by `python -m benchmarks.ladder.ladder docs`; write nothing here by hand. -->"
)
ABOUT: Final = (
    "Which bots there are, how good they are, and how that was tested. Every figure comes from a "
    "file under `benchmarks/results`, and a command makes this page from these files. "
    "[Levels](levels.md) says how to choose a bot at a table."
)
HEAD: Final = f"# How strong the bots are\n\n{NOTE}\n\n{ABOUT}"
BOARD: Final = (
    "*Points a board*: one deal is played until each side has had each hand, so that nobody is "
    "lucky with the cards. The figure is how far one side scores above the others. The interval "
    "after ± contains the true value in 95 cases out of 100. Where partners are called, or "
    "nobody has one, one bot sits among strangers."
)
SURE: Final = 10  # points of percent, to either side
KINDS: Final = {"high": "proven", "low": "not better", None: "open"}


def page(
    promotions: Sequence[Cell],
    league: Sequence[Cell],
    tables: Sequence[Standing],
    kept: Mapping[str, Measured],
    picture: str,
) -> str:
    """Return the page as Markdown.

    Args:
        promotions: the steps of the ladder.
        league: the meetings of the league.
        tables: what these come to, game by game.
        kept: what else was measured, by file.
        picture: the picture's file name.
    """
    sections = [
        (
            "",
            f"{HEAD}\n\n**In short.** {_in_short(promotions, tables)}",
        ),
        ("The ladder", f"{_levels()}\n\n{_steps(promotions)}"),
        ("Who is who", _cast()),
        ("Between floor and ceiling", _places(tables, picture)),
        ("Who wins from whom", _cross(league, tables)),
        ("Whole matches", matches(kept)),
        ("Time", times(kept)),
        ("Are their chances right?", calibration(kept)),
        ("A network that learns", learned(kept)),
        ("Other matches", others(kept)),
        ("What has not been shown", _open(promotions, league)),
    ]
    parts = [f"## {title}\n\n{text}" if title else text for title, text in sections if text]
    return "\n\n".join(parts) + "\n"


def _in_short(promotions: Sequence[Cell], tables: Sequence[Standing]) -> str:
    proven = [cell for cell in promotions if cell.answer == "high"]
    said = (
        f"{len(proven)} of {len(promotions)} steps of the ladder passed a sequential test "
        "on unseen deals. A step is a level against the one below it, at one game."
    )
    far = [place for one in tables if (place := _best(one)) is not None]
    if far:
        said += (
            " Random play counts as 0 % and a player who sees all cards as 100 %. On that scale "
            f"the best bot that does not see them reaches {min(far):.0f} to {max(far):.0f} %, at "
            f"the {len(far)} games where that is known to within {SURE} percentage points."
        )
    return said


def _peeps(name: str) -> bool:
    return BOTS[name.partition(":")[0]].laboratory


def _best(one: Standing) -> float | None:
    """Return the best place of a bot that does not peep; None where it is not known well enough."""
    if (found := one.places) is None:
        return None
    at, limits = found
    best = max((i for i, name in enumerate(one.bots) if not _peeps(name)), key=lambda i: at[i])
    low, high = limits[best]
    return float(at[best]) if (high - low) / 2 <= SURE else None


def _levels() -> str:
    rows = [
        (words()[f"bot.name.{name}"], f"`{plays}`", words()[f"bot.about.{name}"])
        for name, plays in LEVELS.items()
    ]
    lines = ["| level | bot | how it plays |", "| --- | --- | --- |"]
    return (
        "At a table, a bot has one of these levels:\n\n"
        + "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])
    )  # fmt: skip


def _steps(promotions: Sequence[Cell]) -> str:
    parts = [
        "Each level has to beat the one below it, and the lowest has to beat random play. A "
        "sequential test plays on until it can say which is right: no better, or better by the "
        "points a board that are named below. It errs in at most 5 of 100 cases. Bots that search "
        "made a fixed number of rollouts, without a clock, so that the figures do not depend on "
        "the machine. A test that stops as soon as it knows overstates the difference a little.\n\n"
        f"{BOARD}"
    ]
    titles = {unhurried(plays): words()[f"bot.name.{name}"] for name, plays in LEVELS.items()}
    for (upper, lower, test), cells in groupby(
        promotions, key=lambda cell: (*cell.bots, cell.sprt)
    ):
        rows = [
            (f"`{cell.rules}`", f"{cell.boards:,}", _points(cell), KINDS[cell.answer])
            for cell in cells
        ]
        parts.append(
            f"**{titles.get(upper, upper)}**, `{short(upper)}` against `{short(lower)}`: "
            f"no better, or by {test.high if test else 0:g} points a board?\n\n"
            + table(("game", "boards", "points a board", "better?"), rows)
        )
    return "\n\n".join(parts)


def _points(cell: Cell) -> str:
    if cell.boards < 2:
        return "not played"
    return f"{cell.points.mean:+.1f} ± {cell.points.ci95:.1f}"


def _cast() -> str:
    options = {name: among([f"`{key}`" for key in entry.options]) for name, entry in BOTS.items()
               if entry.options}  # fmt: skip
    rows = [
        f"- **`{name}`**: {entry.about}."
        + (f" Options: {options[name]}." if name in options else "")
        for name, entry in BOTS.items()
    ]
    study = "Bots *of the study* play as [the Menagerie](../explanation/menagerie.md) says."
    return study + "\n\n" + "\n".join(rows)


def _places(tables: Sequence[Standing], picture: str) -> str:
    charts = [(one, one.places) for one in tables]
    shown = [(one, found) for one, found in charts if found is not None]
    if not shown:
        return ""
    names = by_place(tables)
    rows = [
        (f"`{short(name)}`", *(_place(one.bots.index(name), *found) for one, found in shown))
        for name in names
    ]
    return (
        "`random` does anything that the rules allow: the floor, 0 %. `open-hand` sees all cards, "
        "which no seat at a table may: the ceiling, 100 %, though not the best possible play. A "
        "bot's place between them is what it wins on average from the bots of the league, here "
        "with its 95 % interval.\n\n"
        f"![For each game, the bots on a line from random to open-hand](../img/{picture})\n\n"
        + table(("percent", *(f"`{one.setting.label}`" for one, _ in shown)), rows)
    )  # fmt: skip


def _place(i: int, at: Matrix, limits: Matrix) -> str:
    low, high = limits[i]
    return f"{at[i]:.0f}" if high - low < 0.5 else f"{at[i]:.0f} ({low:.0f} to {high:.0f})"


def _cross(league: Sequence[Cell], tables: Sequence[Standing]) -> str:
    if not tables:
        return ""
    quick = max((cell.boards for cell in league), default=0)
    parts = [
        "Points a board that the row wins from the column. Bots without search met on "
        f"{quick:,} boards; the line below each table says how many there were with search."
    ]
    for one in tables:
        order = sorted(range(len(one.bots)), key=lambda i: -float(one.points[i].mean()))
        rows = [
            (
                f"`{short(one.bots[i])}`",
                *(
                    "" if i == j else f"{one.points[i, j]:+.1f} ± {one.ci95[i, j]:.1f}"
                    for j in order
                ),
            )
            for i in order
        ]
        slow = sorted({cell.boards for cell in league if cell.rules == one.setting.label} - {quick})
        parts.append(
            f"**`{one.setting.label}`**\n\n"
            + table(("", *(f"`{short(one.bots[j])}`" for j in order)), rows)
            + f"\n\nWith search: {among([f'{n:,}' for n in slow]) if slow else quick} boards a "
            f"meeting. {one.illegal} of {one.decisions:,} actions were illegal."
        )
    return "\n\n".join(parts)


def _open(promotions: Sequence[Cell], league: Sequence[Cell]) -> str:
    lines = []
    steps: dict[tuple[str, str], list[str]] = {}
    for cell in promotions:
        if cell.answer != "high":
            steps.setdefault(cell.bots, []).append(f"`{cell.rules}`")
    for (upper, lower), rules in steps.items():
        lines.append(f"- That `{short(upper)}` is better than `{short(lower)}` at {among(rules)}.")
    there = {name for cell in league for name in cell.bots}
    absent = [
        short(name)
        for name in map(unhurried, LEVELS.values())
        if name not in there and bot(name).kernel is None
    ]
    if absent and league:
        lines.append(
            f"- Where {among([f'`{name}`' for name in absent])} would stand in the league: "
            "a whole league of so many rollouts took too long."
        )
    unmet = {cell.rules for cell in league if cell.boards < 2}
    if unmet:
        lines.append(
            "- The whole league at " + among([f"`{name}`" for name in sorted(unmet)]) + ": not "
            "every two bots have met there."
        )
    lines += [
        "- How good any of them is against people. No person took part in these measurements.",
        "- Whether the bots that search are strong against a strong bot that was made in another "
        "way. In their rollouts everybody plays by `club`'s script or by a network that began with "
        "it, and of the bots that they met, only those of the study and `random` are made without "
        "it.",
        "- How strong they are with a clock on a slow or busy machine. Figures here are by "
        "rollouts.",
    ]
    return "\n".join(lines)
