"""An evening as text and as CSV: who came how far, and what each table scored."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.pairs import DIGITS, pairs_told
from rookery.evening.log.told import ranks_told
from rookery.evening.movements.state import Table
from rookery.evening.sheet_text import counted, file_words, plain
from rookery.rules import Language
from rookery.show.words import printable

_COLUMNS: Final = (
    *("file.round", "file.table", "file.seat", "file.person", "file.name", "file.deals"),
    "file.score",
)


def lines(log: EveningLog, name: str, language: Language = "en") -> Iterator[str]:
    """Yield the standings and all rounds of an evening, for a person to read in their language."""
    said = file_words(language)
    if name:
        yield from (printable(name, 80), "")
    for row in ranks_told(log.evening):
        who = called(log, row.person, said)
        yield counted(said, "file.rank", row.games, place=row.place, name=who, points=row.points)
    pairs = pairs_told(log)
    if pairs:
        yield from ("", said["file.pairs"])
    for pair in pairs:
        who = _all(log, pair.people, said)
        if pair.side is not None:
            who = said["file.side"].format(names=who, n=pair.side + 1)
        points, percent = (
            written.replace(".", said["file.decimal"])
            for written in (f"{pair.points_a_deal:+.{DIGITS}f}", f"{pair.percent:.1f}")
        )
        yield f"{pair.place}. {who}: {points}, {percent} %"
    for number, one in enumerate(log.evening.rounds, 1):
        yield from ("", said["evening.round"].format(n=number))
        for table in one.tables:
            yield f"{said['evening.table'].format(n=table.number)}: {_table(log, table, said)}"
        if one.byes:
            yield said["file.out"].format(names=_all(log, one.byes, said))


def table(log: EveningLog, language: Language = "en") -> str:
    """Return what each person scored at each table as CSV, a line for each of them.

    ``person`` counts from 1 here, as on paper. The heads of the columns are in the language too.
    """
    said = file_words(language)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([said[key] for key in _COLUMNS])
    for number, one in enumerate(log.evening.rounds, 1):
        for at in one.tables:
            deals = " ".join(map(str, at.boards))
            for seat, who in enumerate(at.seats):
                score = "" if at.scores is None else at.scores[seat]
                name = plain(called(log, who, said))
                writer.writerow((number, at.number, seat, who + 1, name, deals, score))
    return text.getvalue()


def called(log: EveningLog, person: int, said: Mapping[str, str]) -> str:
    """Return what somebody is called; who has no name any more is known by their number."""
    return printable(log.names[person], 60) or said["evening.nameless"].format(n=person + 1)


def _all(log: EveningLog, people: Sequence[int], said: Mapping[str, str]) -> str:
    return ", ".join(called(log, person, said) for person in people)


def _table(log: EveningLog, at: Table, said: Mapping[str, str]) -> str:
    sides = log.evening.game_at(at).sides or [(seat,) for seat in range(len(at.seats))]
    parts = []
    for side in sides:
        who = said["file.and"].join(called(log, at.seats[seat], said) for seat in side)
        parts.append(who if at.scores is None else f"{who} {at.scores[side[0]]}")
    return said["file.versus"].join(parts)
