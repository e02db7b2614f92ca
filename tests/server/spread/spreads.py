"""Stores of several SQLite databases, each of which can be lost and come back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from rookery.server.cluster.spread.part import Part
from rookery.server.cluster.spread.store import Spread
from rookery.server.names import place_of
from rookery.server.store.base import StoreError
from rookery.server.store.sqlite import FILE, SqliteStore

T = TypeVar("T")


class Shelf(SqliteStore):
    """A database that says nothing while it is lost."""

    lost = False

    async def do(self, work: Callable[[Connection], T], *, of: str = "", alone: bool = False) -> T:
        self._here()
        return await super().do(work, of=of, alone=alone)

    def looked(self, look: Callable[[Connection], T]) -> T:
        self._here()
        return super().looked(look)

    def _here(self) -> None:
        if self.lost:
            raise StoreError("it is lost")


class Shelves:
    """A store of several databases, and each of them by its letter.

    Attributes:
        store: all of them as one.
        parts: all but the first.
        seconds: the time by which a lost one is asked again; tests turn it.
    """

    def __init__(
        self,
        folder: Path,
        letters: str = "BC",
        drained: Collection[str] = (),
        where: Callable[[str], str] = place_of,
    ) -> None:
        self.folder, self.seconds = folder, 0.0
        self.by = {letter: Shelf(folder / letter / FILE) for letter in ("", *letters)}
        self.parts = [self._part(letter) for letter in letters]
        for part in self.parts:
            part.open()
        self.store = Spread(self.by[""], self.parts, drained, where)

    def _part(self, letter: str) -> Part[Shelf]:
        return Part(letter, lambda: self.by[letter], lambda: self.seconds)

    def lose(self, letter: str, *, lost: bool = True) -> None:
        """Lose a database, or have it back; the moment has passed in which nobody asks it."""
        self.by[letter].lost = lost
        self.seconds += 60

    def held(self, letter: str, query: str) -> list[tuple[object, ...]]:
        """Return what a database holds, whatever the program says."""
        file = self.folder / letter / FILE
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as plain:
            return plain.execute(query).fetchall()

    def codes(self, letter: str) -> set[str]:
        """Return the tables of which a database holds anything."""
        kinds = ("tables", "events", "seated", "spoke", "reports")
        return {
            str(row[0])
            for kind in kinds
            for row in self.held(letter, f"SELECT DISTINCT table_id FROM {kind}")  # noqa: S608
        }


def by_chance(code: str) -> str:
    """Return in which of three databases a table is, where its code does not say so."""
    return place_of(code) or ("", "B", "C")[ord(code[-1:] or "0") % 3]


def spread_of_three(folder: Path) -> Spread:
    """Return a store of three databases, over which the tables of any codes are spread."""
    shelves = Shelves(folder, where=by_chance)
    for part in shelves.parts:
        part.patience = 60.0  # a busy machine is no database that is lost
    return shelves.store
