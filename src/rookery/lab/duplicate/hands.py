"""A line a hand: what `rookery match --hands FILE` writes while it plays.

Each line is one JSON object, with the fields of a record's hand among its own. A hand is written
as soon as it is over, before its board is noted. So a match that was killed goes on with its file:
the lines of what is noted stay, all others are played again.
"""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, Field

from rookery.files import write_file
from rookery.lab.duplicate.by_hand import HandPlayed
from rookery.record import of_hand

KEYS: Final = ("board", "game", "room", "bots", "dealer", "actions")  # that tell it from others


class NoHands(ValueError):
    """A file that is there already and holds no hands of a match. Code: ``no-hands``."""

    code = "no-hands"


class HandLine(BaseModel, frozen=True):
    """A line of the file: a hand of a match, and how it came out."""

    run: str = Field(description="A mark of the match: the same in all its lines, in no others.")
    board: int | None = Field(description="Number of the deal, from 0; null in whole matches.")
    game: int | None = Field(
        description="Number of the set of mirrored games, from 0; null where there are none."
    )
    room: int = Field(description="Number of the room, from 0: who sits where changes with it.")
    hand: int = Field(description="Number of the hand in its game, from 0; 0 on a board.")
    bots: list[str] = Field(description="Who sits where, from seat 0 on.")
    dealer: int = Field(description="The seat that deals.")
    deal: list[list[str]] = Field(description="The cards of each seat, a blind hand last.")
    nest: list[str] = Field(description="The nest as it was dealt.")
    actions: list[str] = Field(description="What was done, in order, as in a record.")
    ended: str = Field(description="`done`, or `redealt` where the hand ended without a score.")
    declarer: int | None = Field(description="The seat that played the contract.")
    bid: int | str | None = Field(description='The contract in points, or "sun".')
    call: str | None = Field(description="The trump call.")
    sides: list[list[int]] | None = Field(description="The seats of each side, declarer's first.")
    made: bool | None = Field(description="Whether the contract was made.")
    points: list[int] | None = Field(description="Points that each side took, in that order.")
    score: list[int] | None = Field(description="Points that each seat scores, from seat 0 on.")
    totals: list[int] | None = Field(
        description="Each seat's total in the match after it, points; null on a board."
    )
    fallbacks: list[int] = Field(description="How often each seat was answered for in it.")


def line_of(played: HandPlayed, run: str, unit: int, *, games: bool) -> HandLine:
    """Return the line of a hand of board, or set of games, number `unit` of a run."""
    hand = played.hand
    return HandLine(
        run=run,
        board=None if games else unit,
        game=unit if games else None,
        room=played.room,
        hand=played.number,
        bots=[str(bot) for bot in played.bots],
        **of_hand(hand).written(),
        ended=hand.phase,
        declarer=hand.declarer,
        bid=hand.bid,
        call=hand.call,
        sides=None if hand.sides is None else [list(side) for side in hand.sides],
        made=hand.made,
        points=hand.points,
        score=hand.score,
        totals=None if played.totals is None else list(played.totals),
        fallbacks=list(played.fallbacks),
    )


class HandFile:
    """The file; any thread may add to it."""

    def __init__(self, path: Path, first: int, *, games: bool) -> None:
        """Take a file that need not be there; board or set 0 has number `first` in its family.

        Raises:
            NoHands: it is there, and is something else.
            OSError: it cannot be read.
        """
        self.path = path
        self._first = first
        self._unit = "game" if games else "board"
        self._run = ""
        self._adding = threading.Lock()
        self._lines = _lines(path)

    def take_up(self, done: Iterable[tuple[int, int]], rooms: int, run: str) -> bool:
        """Keep the run's lines of what is done and return True; if one is missing, keep none.

        `done` are spans of boards, or of sets of games, ends not included, each played in
        `rooms` rooms. `run` is the mark of the run, for each of its lines.

        Raises:
            OSError: the file cannot be written.
        """
        self._run = run
        found: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
        for line, document in self._lines:
            if document.get("run") == run:
                found[document[self._unit]].append((document["room"], line))
        units = [unit for first, end in done for unit in range(first, end)]
        whole = all({room for room, _ in found[unit]} == {*range(rooms)} for unit in units)
        kept = [line for unit in units for _, line in found[unit]] if whole else []
        self._lines = []
        write_file(self.path, b"".join(kept))
        return whole

    def add(self, played: HandPlayed) -> None:
        """Write a hand.

        Raises:
            OSError: it cannot be written.
        """
        unit = played.unit - self._first
        line = line_of(played, self._run, unit, games=self._unit == "game")
        with self._adding, self.path.open("ab") as file:
            file.write(line.model_dump_json().encode() + b"\n")

    def keep_first(self, units: int) -> None:
        """Delete the lines of all boards, or sets of games, but the first `units`.

        Raises:
            OSError: the file cannot be written.
        """
        lines = _lines(self.path)
        kept = [line for line, document in lines if document[self._unit] < units]
        if len(kept) < len(lines):
            write_file(self.path, b"".join(kept))


def _lines(path: Path) -> list[tuple[bytes, dict[str, Any]]]:
    """Return the lines of a file with what they say; one that was cut short is left out."""
    if not path.exists():
        return []
    if not path.is_file():
        raise NoHands(f"{path}: is no file; expected the name of one")
    found = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break
            try:
                document = json.loads(line)
            except (ValueError, RecursionError):
                document = None
            if not isinstance(document, dict) or not set(KEYS) <= document.keys():
                raise NoHands(
                    f"{path}: line {number} is no hand of a match; expected a new file, or one "
                    "that --hands has written"
                )
            found.append((line, document))
    return found
