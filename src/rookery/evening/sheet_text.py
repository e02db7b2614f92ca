"""A score sheet as text: for a screen, and as comma-separated values for a table.

The words are of the catalogues that the browser shows: each stands there once.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from rookery.cards import Seat
from rookery.evening.score_sheet import Entry, ScoreSheet
from rookery.rules import Language, translate_name
from rookery.show.words import printable, words

WIDTH: Final = 80  # columns
_HEAD: Final = 32  # of them before the scores


@cache
def file_words(language: Language = "en") -> Mapping[str, str]:
    """Return the words of sheets and evenings in a language by their keys, with {gaps} to fill in.

    >>> file_words("es")["evening.nameless"].format(n=2)
    'N.º 2'
    """
    parts = ("beside/sheet", "beside/evening", "beside/files")
    return {key: text for part in parts for key, text in words(part, language).items()}


def counted(said: Mapping[str, str], key: str, n: int, **more: object) -> str:
    """Return a sentence about `n` things, one or several; `more` are its other gaps.

    >>> counted(file_words(), "file.won", 1, names="Ann")
    'Ann has won.'
    """
    return said[f"{key}.{'one' if n == 1 else 'other'}"].format(n=n, **more)


def lines(
    sheet: ScoreSheet,
    names: Sequence[str],
    numbers: Sequence[int] | None = None,
    language: Language = "en",
) -> Iterator[str]:
    """Yield a sheet line by line, the name of its rules first; `names` are of who sits there.

    The numbers of its hands are from 0; by default they are counted.
    """
    said = file_words(language)
    columns = _columns(sheet, names)
    width = (WIDTH - _HEAD) // len(columns)

    def row(head: str, cells: Sequence[object]) -> str:
        return f"{head:<{_HEAD}}" + "".join(f"{cell!s:>{width}}" for cell in cells)

    yield printable(translate_name(sheet.rules.name, language), WIDTH)
    yield row(f"{said['file.hand']:>4}  {said['file.contract']}", [head for head, _ in columns])
    for number, entry in zip(numbers or range(len(sheet.entries)), sheet.entries, strict=True):
        score = entry.line.score
        cells = ["-" if score is None else score[seat] for _, seat in columns]
        yield row(f"{number + 1:>4}  {_contract(entry, names, said)}", cells)
    yield row(f"      {said['file.total']}", [sheet.totals[seat] for _, seat in columns])
    if sheet.winners:
        winners = said["file.and"].join(printable(names[seat], 20) for seat in sheet.winners)
        yield counted(said, "file.won", len(sheet.winners), names=winners)
    else:
        dealer = printable(names[sheet.dealer], 20)
        if sheet.hands is None:
            yield counted(said, "file.to_points", sheet.rules.target, name=dealer)
        else:
            yield counted(said, "file.to_hands", sheet.hands, name=dealer)


def table(
    sheet: ScoreSheet,
    names: Sequence[str],
    numbers: Sequence[int] | None = None,
    language: Language = "en",
) -> str:
    """Return a sheet as comma-separated values: a line a hand, scores and totals by player.

    The arguments are those of `lines`. A person opens it in a spreadsheet, so the heads of the
    columns are in their language too; programs take the English one, or JSON.
    """
    said = file_words(language)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    columns = ("file.hand", "file.dealer", "file.declarer", "file.bid", "file.made")
    each = [
        said[key].format(name=name) for key in ("file.score_of", "file.total_of") for name in names
    ]
    rows.writerow([*(said[key] for key in columns), *map(plain, each)])
    for number, entry in zip(numbers or range(len(sheet.entries)), sheet.entries, strict=True):
        line = entry.line
        declarer = "" if line.declarer is None else plain(names[line.declarer])
        made = {True: said["score.made"], False: said["score.set"], None: ""}[entry.made]
        score = ("",) * len(names) if line.score is None else line.score
        head = (number + 1, plain(names[line.dealer]), declarer, _bid(line.bid, said), made)
        rows.writerow([*head, *score, *line.totals])
    return out.getvalue()


def _columns(sheet: ScoreSheet, names: Sequence[str]) -> list[tuple[str, Seat]]:
    """Return what stands above each column of scores, and a seat whose scores they are."""
    sides = sheet.rules.fixed_sides or [(seat,) for seat in range(sheet.rules.seats)]
    width = (WIDTH - _HEAD) // len(sides) - 2
    room = max(2, (width + 1) // max(map(len, sides)) - 1)
    return [("+".join(printable(names[seat], room) for seat in side), side[0]) for side in sides]


def _bid(bid: int | str | None, said: Mapping[str, str]) -> int | str | None:
    return said["score.sun"].lower() if bid == "sun" else bid


def _contract(entry: Entry, names: Sequence[str], said: Mapping[str, str]) -> str:
    line = entry.line
    if line.score is None:
        return said["score.redealt"].lower()
    if line.declarer is None:
        return said["file.no_contract"]
    how = {True: said["score.made"], False: said["score.set"], None: said["file.revoke"]}[
        entry.made
    ]
    after = f", {said['file.after']}" if entry.extra else f" {how}"
    return f"{_bid(line.bid, said)} {printable(names[line.declarer], 10)}{after}"


def plain(text: str) -> str:
    """Return a name of which no spreadsheet takes anything for a formula.

    Where a comma is decimal, as in Spain, it may divide by semicolons.
    """
    return ";".join(map(_no_formula, printable(text, 60).split(";")))


def _no_formula(cell: str) -> str:
    # A wide sign counts too in East Asia; a quotation mark may be taken for one around the cell.
    first = unicodedata.normalize("NFKC", cell.lstrip(' "')[:1])
    return f"'{cell}" if first in {*"=+-@"} else cell
