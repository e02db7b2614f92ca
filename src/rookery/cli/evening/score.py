"""`rookery evening score`: a score sheet of a game with real cards, added up."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from rookery.cards import Seat
from rookery.cli.arguments import AsJson, Refused
from rookery.cli.output import WIDTH, print_answer, printable
from rookery.evening.score_sheet import Entry, ScoreSheet
from rookery.evening.sheet_file import BadSheet, read, seen

_HEAD: Final = 32  # columns before the scores


def score(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The sheet, TOML or JSON; - for standard input.")
    ],
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a line a hand, for a table.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Add up the score sheet of a game with real cards, by that game's own rules.

    The file says what the rules are and who plays, and of each hand who bid what, who was called,
    and what each side has captured. Sums such as 60+15-5 are added up.
    """
    sheet, names = _read(file)
    if as_csv:
        typer.echo(_table(sheet, names), nl=False)
        return
    print_answer(seen(sheet, names).model_dump, _lines(sheet, names), as_json)


def _read(file: Path) -> tuple[ScoreSheet, tuple[str, ...]]:
    where = "standard input" if str(file) == "-" else str(file)
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read(data.decode(), file.name)
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise Refused(f"{where}: {reason}; expected a score sheet") from None
    except UnicodeDecodeError:
        raise Refused(f"{where}: is no text in UTF-8; expected a score sheet") from None
    except BadSheet as error:
        raise Refused(f"{where}: {error}") from None


def _columns(sheet: ScoreSheet, names: Sequence[str]) -> list[tuple[str, Seat]]:
    """Return what stands above each column of scores, and a seat whose scores they are."""
    sides = sheet.rules.fixed_sides or [(seat,) for seat in range(sheet.rules.seats)]
    width = (WIDTH - _HEAD) // len(sides) - 2
    room = max(2, (width + 1) // max(map(len, sides)) - 1)
    return [("+".join(printable(names[seat], room) for seat in side), side[0]) for side in sides]


def _lines(sheet: ScoreSheet, names: Sequence[str]) -> Iterator[str]:
    columns = _columns(sheet, names)
    width = (WIDTH - _HEAD) // len(columns)

    def row(head: str, cells: Sequence[object]) -> str:
        return f"{head:<{_HEAD}}" + "".join(f"{cell!s:>{width}}" for cell in cells)

    yield typer.style(printable(sheet.rules.name, WIDTH), bold=True)
    yield row("hand  contract", [head for head, _ in columns])
    for entry in sheet.entries:
        score = entry.line.score
        cells = ["-" if score is None else score[seat] for _, seat in columns]
        yield row(f"{entry.line.number + 1:>4}  {_contract(entry, names)}", cells)
    yield row("      total", [sheet.totals[seat] for _, seat in columns])
    if sheet.winners:
        winners = " and ".join(printable(names[seat], 20) for seat in sheet.winners)
        yield f"{winners} {'has' if len(sheet.winners) == 1 else 'have'} won."
    else:
        aim = f"{sheet.rules.target} points" if sheet.hands is None else f"{sheet.hands} hands"
        yield f"{printable(names[sheet.dealer], 20)} deals next. The game goes to {aim}."


def _contract(entry: Entry, names: Sequence[str]) -> str:
    line = entry.line
    if line.score is None:
        return "dealt again"
    if line.declarer is None:
        return "no contract"
    how = {True: "made", False: "set", None: "revoke"}[entry.made]
    after = ", after the end" if entry.extra else f" {how}"
    return f"{line.bid} {printable(names[line.declarer], 10)}{after}"


def _table(sheet: ScoreSheet, names: Sequence[str]) -> str:
    """Return the sheet as comma-separated values: a line a hand, scores and totals by player."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    heads = [*(f"{name} score" for name in names), *(f"{name} total" for name in names)]
    lines.writerow(["hand", "dealer", "declarer", "bid", "made", *map(_plain, heads)])
    for entry in sheet.entries:
        line = entry.line
        declarer = "" if line.declarer is None else _plain(names[line.declarer])
        made = {True: "made", False: "set", None: ""}[entry.made]
        score = ("",) * len(names) if line.score is None else line.score
        head = (line.number + 1, _plain(names[line.dealer]), declarer, line.bid, made)
        lines.writerow([*head, *score, *line.totals])
    return out.getvalue()


def _plain(text: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    shown = printable(text, 60)
    return f"'{shown}" if shown[:1] in "=+-@" else shown
