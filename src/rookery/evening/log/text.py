"""An evening as text and as CSV: who came how far, and what each table scored."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.told import DIGITS, pairs_told, ranks_told
from rookery.evening.movements.state import Table
from rookery.evening.sheet_text import plain
from rookery.show.words import printable


def lines(log: EveningLog, name: str) -> Iterator[str]:
    """Yield the standings and all rounds of an evening, for a person to read."""
    if name:
        yield from (printable(name, 80), "")
    for row in ranks_told(log.evening):
        games = f"{row.games} game{'' if row.games == 1 else 's'}"
        yield f"{row.place}. {called(log, row.person)}: {row.points} in {games}"
    pairs = pairs_told(log)
    if pairs:
        yield from ("", "On the same deals, points a deal against the others:")
    for pair in pairs:
        who = _all(log, pair.people)
        side = "" if pair.side is None else f" (side {pair.side + 1})"
        yield f"{pair.place}. {who}{side}: {pair.points_a_deal:+.{DIGITS}f}, {pair.percent:.1f} %"
    for number, one in enumerate(log.evening.rounds, 1):
        yield from ("", f"Round {number}")
        for table in one.tables:
            yield f"Table {table.number}: {_table(log, table)}"
        if one.byes:
            yield f"Out: {_all(log, one.byes)}"


def table(log: EveningLog) -> str:
    """Return what each person scored at each table as CSV, a line for each of them.

    ``person`` counts from 1 here, as on paper.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("round", "table", "seat", "person", "name", "deals", "score"))
    for number, one in enumerate(log.evening.rounds, 1):
        for at in one.tables:
            deals = " ".join(map(str, at.boards))
            for seat, who in enumerate(at.seats):
                score = "" if at.scores is None else at.scores[seat]
                name = plain(called(log, who))
                writer.writerow((number, at.number, seat, who + 1, name, deals, score))
    return text.getvalue()


def called(log: EveningLog, person: int) -> str:
    """Return what somebody is called; who has no name any more is known by their number."""
    return printable(log.names[person], 60) or f"No. {person + 1}"


def _all(log: EveningLog, people: Sequence[int]) -> str:
    return ", ".join(called(log, person) for person in people)


def _table(log: EveningLog, at: Table) -> str:
    sides = log.evening.game_at(at).sides or [(seat,) for seat in range(len(at.seats))]
    parts = []
    for side in sides:
        who = " and ".join(called(log, at.seats[seat]) for seat in side)
        parts.append(who if at.scores is None else f"{who} {at.scores[side[0]]}")
    return " v ".join(parts)
