"""The cells of the league and of the ladder, kept as JSON from which every figure follows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks.ladder.cells import Cell

from rookery.bots.names import bot
from rookery.files import write_all
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt

FORMAT: Final = "rookery-ladder/1"
COUNTED: Final = ("boards", "total", "squares", "won", "level", "lost", "decisions", "illegal")


class LadderError(ValueError):
    """A file that does not hold a ladder's cells. Code: ``bad-ladder``."""

    code = "bad-ladder"


def written(cells: Iterable[Cell], what: str) -> str:
    """Return cells as JSON, one a line; figures for readers stand before the sums behind them."""
    lines = ",\n".join(f"    {json.dumps(_line(cell))}" for cell in cells)
    head = {"format": FORMAT, "what": what}
    start = json.dumps(head)[:-1].replace(", ", ",\n  ").replace("{", "{\n  ")
    return f'{start},\n  "cells": [\n{lines}\n  ]\n}}\n'


def _line(cell: Cell) -> dict[str, Any]:
    line: dict[str, Any] = {
        "rules": cell.rules,
        "bots": list(cell.bots),
        "seed": cell.seed,
        "family": cell.family.value,
    }
    if cell.boards > 1:
        line["points"] = round(cell.points.mean, 3)
        line["ci95"] = round(cell.points.ci95, 3)
    if cell.sprt is not None:
        line["sprt"] = asdict(cell.sprt)
        line["ratio"], line["answer"] = round(cell.ratio, 3), cell.answer
    return line | {name: getattr(cell, name) for name in COUNTED}


def read(text: str) -> list[Cell]:
    """Return the cells that `written` wrote.

    Raises:
        LadderError: the text holds none.
    """
    try:
        held = json.loads(text)
        if held["format"] != FORMAT:
            raise LadderError(f"the format is {held['format']!r}; expected {FORMAT!r}")
        return [_cell(line) for line in held["cells"]]
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, LadderError):
            raise
        raise LadderError(f"these are not the cells of a ladder: {error!r}") from None


def _cell(line: dict[str, Any]) -> Cell:
    first, second = (str(bot(name)) for name in line["bots"])
    sprt = Sprt(**line["sprt"]) if "sprt" in line else None
    counted = {name: int(line[name]) for name in COUNTED}
    return Cell(
        str(line["rules"]), (first, second), int(line["seed"]), Family(line["family"]),
        sprt, **counted, said=line.get("answer"),
    )  # fmt: skip


def taken_up(path: Path, wanted: Sequence[Cell]) -> list[Cell]:
    """Return the wanted cells, those that the file at `path` holds with what was played of them.

    Raises:
        LadderError: the file holds something else.
        OSError: it cannot be read.
    """
    held = {cell.key: cell for cell in read(path.read_text("utf-8"))} if path.exists() else {}
    return [held.get(cell.key, cell) for cell in wanted]


def keep(path: Path, cells: Iterable[Cell], what: str) -> None:
    """Write cells to the file at `path`, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_all(path.parent, {path.name: written(cells, what).encode()})
