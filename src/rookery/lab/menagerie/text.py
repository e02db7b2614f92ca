"""The report of the study as text, for a terminal of 80 columns and for a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Final

from rookery.lab.menagerie.figures import (
    HONEST,
    NAMES,
    PAIR_NAMES,
    PAPER,
    SWAPPED,
    Conclusion,
    Key,
    Verdict,
)
from rookery.lab.menagerie.study import Mode, Study
from rookery.lab.stats import Interval

COLUMNS: Final = 79
WIDE: Final = 100  # percentage points: an interval of few games that leaves no room for hundredths
HEADINGS: Final = {
    Mode.PUBLISHED: "The Menagerie study: the paper's program, played again",
    Mode.RULES: "The Menagerie study: the paper's characters at the real game",
}
TABLE_NAMES: Final = {
    "games_won": "games won",
    "tricks_won": "tricks won",
    "partnerships.games": "games won together",
    "partnerships.tricks": "tricks of the partnership",
    "partnerships.tricks_honest": "tricks of the partnership, counted honestly",
    "trimesters": "trimester",
}
THIRDS: Final = ("tricks 1-3", "tricks 4-6", "tricks 7-9")
AGREES: Final = 4.0  # standard errors of the difference


def report(study: Study) -> str:
    """Return the report: the tables beside the paper's, notes, and the conclusions."""
    parts = [_head(study), _cast(study), _trimesters(study), _pairs(study), _notes(study)]
    if study.mode is Mode.PUBLISHED:
        parts.append(_agreement(study.distances()))
    parts.append(_verdicts(study))
    return "\n\n".join(parts) + "\n"


def _head(study: Study) -> str:
    return "\n".join(
        (
            HEADINGS[study.mode],
            f"{study.games:,} games, {study.hands:,} hands, seed {study.seed}, "
            f"{study.seconds:.1f} s.",
            "Percent, each ± half its 95 % interval; beside it the paper's figure.",
        )
    )


def _value(figure: Interval) -> str:
    places = 2 if figure.ci95 < WIDE else 0
    return f"{figure.mean:6.2f} ± {figure.ci95:4.{places}f}"


def _cast(study: Study) -> str:
    lines = [f"{'':10}{'games won':>16}{'paper':>9}{'tricks won':>18}{'paper':>9}"]
    for name in NAMES:
        star = "*" if name in SWAPPED else " "
        lines.append(
            f"{name.title():10}{_value(study.tables.games_won[name]):>16}"
            f"{PAPER.games_won[name]:8.2f}{star}"
            f"{_value(study.tables.tricks_won[name]):>18}{PAPER.tricks_won[name]:9.2f}"
        )
    return "\n".join(lines)


def _trimesters(study: Study) -> str:
    lines = [f"{'':10}" + "".join(f"{head:>14}{'paper':>9}" for head in THIRDS)]
    for name in NAMES:
        cells = (
            f"{_value(now[name]):>14}{paper[name]:9.2f}"
            for now, paper in zip(study.tables.trimesters, PAPER.trimesters, strict=True)
        )
        lines.append(f"{name.title():10}" + "".join(cells))
    return "\n".join(lines)


def _pairs(study: Study) -> str:
    tables = study.tables
    honest = tables.pair_tricks_honest
    paper_tricks = PAPER.pair_tricks if honest else HONEST
    last = f"{'tricks, true':>17}" if honest else "†"
    lines = [f"{'':15}{'games won':>14}{'paper':>8}{'tricks':>14}{'paper':>8}{last}"]
    for name in PAIR_NAMES:
        last = f"{_value(honest[name]):>17}" if honest else ""
        lines.append(
            f"{name.title():15}{_value(tables.pair_games[name]):>14}"
            f"{PAPER.pair_games[name]:8.2f}{_value(tables.pair_tricks[name]):>14}"
            f"{paper_tricks[name]:8.2f}{last}"
        )
    return "\n".join(lines)


def _notes(study: Study) -> str:
    notes = [
        "* The paper prints these two the wrong way round, Karapet 54.90 and Papa 54.82; its own "
        "table of partnerships shows whose is whose, and here the names are right."
    ]
    if study.mode is Mode.PUBLISHED:
        notes.append(
            "The partnerships' tricks are booked as the program books them: from the second game "
            'on, every trick to its winner and the player in the last seat. "Tricks, true" counts '
            "each for the two who were partners."
        )
    else:
        notes.append(
            "† The paper's own games counted again, each trick for the two who were partners; the "
            "column that the paper prints is not what it says."
        )
    return "\n".join(fill(note, COLUMNS, subsequent_indent="  ") for note in notes)


def _agreement(distances: Mapping[Key, float]) -> str:
    far = [key for key, distance in distances.items() if abs(distance) > AGREES]
    if not distances:
        return "Too few games to compare with the paper."
    farthest = max(distances, key=lambda key: abs(distances[key]))
    line = (
        f"{len(distances) - len(far)} of {len(distances)} figures lie within four standard errors "
        f"of the paper's; the farthest, {_named(farthest)}, is {abs(distances[farthest]):.1f} away."
    )
    return fill(line, COLUMNS)


def _named(key: Key) -> str:
    table, third, name = key
    return f"{name.title()}'s {TABLE_NAMES[table]}" + (f" {third}" if third else "")


def _verdicts(study: Study) -> str:
    lines = ["Which of the paper's conclusions survive?"]
    for number, conclusion in enumerate(study.conclusions, 1):
        lines.extend(_verdict(number, conclusion))
    return "\n".join(lines)


def _verdict(number: int, conclusion: Conclusion) -> Iterator[str]:
    yield f"{number}. {conclusion.title} This {conclusion.verdict}."
    for statement in conclusion.statements:
        mark = {Verdict.SURVIVES: "yes", Verdict.FAILS: "no"}.get(statement.verdict, "open")
        gap = f"[{statement.gap.mean:+.2f}~±~{statement.gap.ci95:.2f}]"
        line = fill(
            f"{mark + ':':6}{statement.text.replace(' %', '~%')} {gap}",
            COLUMNS,
            initial_indent="   ",
            subsequent_indent=" " * 9,
            break_on_hyphens=False,
        )
        yield line.replace("~", " ")
    if not conclusion.statements:
        yield "   No two characters are certain to stand in opposite order."
