"""A score sheet as text: for a screen, and as comma-separated values for a table."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.cards import Seat
from rookery.evening.score_sheet import Entry, ScoreSheet
from rookery.show.words import printable

WIDTH: Final = 80  # columns
_HEAD: Final = 32  # of them before the scores


def lines(
    sheet: ScoreSheet, names: Sequence[str], numbers: Sequence[int] | None = None
) -> Iterator[str]:
    """Yield a sheet line by line, the name of its rules first.

    Args:
        sheet: the sheet.
        names: who sits in each seat.
        numbers: of its hands, from 0; by default they are counted.
    """
    columns = _columns(sheet, names)
    width = (WIDTH - _HEAD) // len(columns)

    def row(head: str, cells: Sequence[object]) -> str:
        return f"{head:<{_HEAD}}" + "".join(f"{cell!s:>{width}}" for cell in cells)

    yield printable(sheet.rules.name, WIDTH)
    yield row("hand  contract", [head for head, _ in columns])
    for number, entry in zip(numbers or range(len(sheet.entries)), sheet.entries, strict=True):
        score = entry.line.score
        cells = ["-" if score is None else score[seat] for _, seat in columns]
        yield row(f"{number + 1:>4}  {_contract(entry, names)}", cells)
    yield row("      total", [sheet.totals[seat] for _, seat in columns])
    if sheet.winners:
        winners = " and ".join(printable(names[seat], 20) for seat in sheet.winners)
        yield f"{winners} {'has' if len(sheet.winners) == 1 else 'have'} won."
    else:
        aim = f"{sheet.rules.target} points" if sheet.hands is None else f"{sheet.hands} hands"
        yield f"{printable(names[sheet.dealer], 20)} deals next. The game goes to {aim}."


def table(sheet: ScoreSheet, names: Sequence[str], numbers: Sequence[int] | None = None) -> str:
    """Return a sheet as comma-separated values: a line a hand, scores and totals by player.

    The arguments are those of `lines`.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    heads = [*(f"{name} score" for name in names), *(f"{name} total" for name in names)]
    rows.writerow(["hand", "dealer", "declarer", "bid", "made", *map(plain, heads)])
    for number, entry in zip(numbers or range(len(sheet.entries)), sheet.entries, strict=True):
        line = entry.line
        declarer = "" if line.declarer is None else plain(names[line.declarer])
        made = {True: "made", False: "set", None: ""}[entry.made]
        score = ("",) * len(names) if line.score is None else line.score
        head = (number + 1, plain(names[line.dealer]), declarer, line.bid, made)
        rows.writerow([*head, *score, *line.totals])
    return out.getvalue()


def _columns(sheet: ScoreSheet, names: Sequence[str]) -> list[tuple[str, Seat]]:
    """Return what stands above each column of scores, and a seat whose scores they are."""
    sides = sheet.rules.fixed_sides or [(seat,) for seat in range(sheet.rules.seats)]
    width = (WIDTH - _HEAD) // len(sides) - 2
    room = max(2, (width + 1) // max(map(len, sides)) - 1)
    return [("+".join(printable(names[seat], room) for seat in side), side[0]) for side in sides]


def _contract(entry: Entry, names: Sequence[str]) -> str:
    line = entry.line
    if line.score is None:
        return "dealt again"
    if line.declarer is None:
        return "no contract"
    how = {True: "made", False: "set", None: "revoke"}[entry.made]
    after = ", after the end" if entry.extra else f" {how}"
    return f"{line.bid} {printable(names[line.declarer], 10)}{after}"


def plain(text: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    shown = printable(text, 60)
    first = unicodedata.normalize("NFKC", shown[:1])  # a wide sign counts too in East Asia
    return f"'{shown}" if first in {*"=+-@"} else shown
