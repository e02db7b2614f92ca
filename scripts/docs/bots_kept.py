"""What `benchmarks/expert`, `benchmarks/learn` and promotions kept, as the bots' page reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.bots.names import bot
from rookery.bots.register import RENAMED, UnknownBot

PATTERNS: Final = ("*-expert-*.json", "*-learn-*.json", "*-promotion-*.json")


class Measured(NamedTuple):
    """A file of results.

    Attributes:
        what: what was measured, one word.
        command: how it was asked for.
        found: what was found, as the file has it.
    """

    what: str
    command: str
    found: Any


class Meeting(NamedTuple):
    """Two bots on duplicate boards, as somebody kept it.

    Attributes:
        rules: the variant.
        bots: who met whom.
        deals: how many boards.
        points: what the first wins, points a board.
        low: the lower end of the 95 % interval.
        high: the upper end.
        answer: what a sequential test said, "" where there was none or it does not know.
    """

    rules: str
    bots: str
    deals: int
    points: float
    low: float
    high: float
    answer: str


def measured(folder: Path) -> dict[str, Measured]:
    """Return what a folder of results keeps of these kinds, by file name."""
    paths = sorted({path for pattern in PATTERNS for path in folder.glob(pattern)})
    return {path.name: _measured(path) for path in paths}


def _measured(path: Path) -> Measured:
    held = json.loads(path.read_text("utf-8"))
    if "found" not in held:  # a match's own document
        return Measured("match", str(held.get("command", "")), held)
    return Measured(str(held.get("what", "")), str(held.get("command", "")), held["found"])


def meetings(one: Measured) -> list[Meeting]:
    """Return the meetings of a file; none where it keeps something else.

    >>> row = {"rules": "r", "bots": ["a", "b"], "deals": 9, "points_a_board": 1, "ci95": [0, 2]}
    >>> meetings(Measured("boards", "", [row]))[0].bots
    'a against b'
    """
    rows = one.found if isinstance(one.found, list) else [one.found]
    return [_meeting(row) for row in rows if isinstance(row, dict) and _met(row)]


def _met(row: dict[str, Any]) -> bool:
    return ("points_a_board" in row and ("bots" in row or "one" in row)) or "difference" in row


def _meeting(row: dict[str, Any]) -> Meeting:
    if "difference" in row:
        mean, (low, high) = row["difference"]["mean"], row["difference"]["ci95"]
        bots, test = row["seats"], row.get("test")
    else:
        mean, (low, high) = row["points_a_board"], row["ci95"]
        bots, test = row.get("bots") or [_way(row["one"]), _way(row["other"])], row.get("sprt")
    bots = [_named_today(name) for name in bots]
    answer = (test or {}).get("answer") or ""
    return Meeting(
        str(row["rules"]), " against ".join(bots), int(row["deals"]), float(mean), float(low),
        float(high), str(answer),
    )  # fmt: skip


def _named_today(name: str) -> str:
    """Return a bot's name as it is written now; the same for what is no bot any more."""
    try:
        return str(bot(name))
    except UnknownBot:
        return name


def _way(way: dict[str, int]) -> str:
    return ", ".join(f"{RENAMED.get(key, key)} {value}" for key, value in way.items())
