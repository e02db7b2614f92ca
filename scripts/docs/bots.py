"""The page about the bots, `docs/reference/bots.md`, and its picture, written from what is kept.

Every figure on it stands in a file of results; nothing is played here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.ladder.cells import Cell
from benchmarks.ladder.kept import LadderError, read
from benchmarks.ladder.standings import standings
from scripts.docs.bots_kept import Measured, measured
from scripts.docs.bots_picture import picture
from scripts.docs.bots_text import page
from scripts.docs.bots_words import short

from rookery.files import write_all
from rookery.lab.league.league import Standing

PAGE: Final = "reference/bots.md"
PICTURE: Final = "bots-places.svg"
LADDER, LEAGUE = "*-ladder.json", "*-league.json"


@dataclass(frozen=True)
class Kept:
    """All that the page is made of.

    Attributes:
        promotions: the steps of the ladder, at each game.
        league: the meetings of the league.
        others: what else was measured and kept, by the name of its file.
    """

    promotions: list[Cell]
    league: list[Cell]
    others: dict[str, Measured]


def kept(folder: Path) -> Kept:
    """Return what a folder of results holds, of each kind the newest file.

    Raises:
        LadderError: the ladder or the league is not there, or holds something else.
        OSError: a file cannot be read.
    """
    return Kept(_cells(folder, LADDER), _cells(folder, LEAGUE), measured(folder))


def _cells(folder: Path, pattern: str) -> list[Cell]:
    files = sorted(folder.glob(pattern))
    if not files:
        raise LadderError(f"{folder}: no {pattern}; expected one, made by benchmarks.ladder.ladder")
    return read(files[-1].read_text("utf-8"))


def places(tables: Sequence[Standing]) -> str:
    """Return where the bots of leagues stand, percent by game and bot, as JSON."""
    found = {
        one.setting.label: {
            short(name): round(float(place), 1)
            for name, place in zip(one.bots, there[0], strict=True)
        }
        for one in tables
        if (there := one.places) is not None
    }
    return json.dumps(found, indent=1) + "\n"


def make(results: Path, docs: Path) -> list[Path]:
    """Write the page and its picture into a docs folder; return the files written.

    Args:
        results: the folder of kept results.
        docs: the docs folder; the picture goes into ``img``.

    Raises:
        LadderError: nothing sound is kept.
        OSError: something cannot be read or written.
    """
    found = kept(results)
    tables = standings(found.league)
    text = page(found.promotions, found.league, tables, found.others, PICTURE)
    path, drawing = docs / PAGE, docs / "img" / PICTURE
    for file, content in {drawing: picture(tables), path: text.encode()}.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_all(file.parent, {file.name: content})
    return [path, drawing]
