"""Matches that somebody has only a record of, shown as what was played at a table of the device.

A record is played again when it is taken, so what is shown was checked whole. It keeps its own
proofs of how it was dealt: nobody here dealt it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rookery.game import Hand, Match, ScoreLine
from rookery.record import HandRecord, Record, loads, of_hand, replay
from rookery.server.names import code_from, is_code
from rookery.server.offline.kept import Shelf
from rookery.server.registry.history import History, PlayedHand, PlayedMatch
from rookery.server.table.chairs import Chair
from rookery.server.table.state import Table

MOST: Final = 20  # records that are kept, the latest
LONGEST: Final = 4_000_000  # characters of a record
_KEY: Final = "record/"


class ToldMatches:
    """The records that a device was given, by codes as tables have them."""

    def __init__(self, shelf: Shelf, now: Callable[[], int]) -> None:
        """Keep them on `shelf`; `now` gives milliseconds since 1970."""
        self._shelf, self._now = shelf, now
        self._known: dict[str, History] = {}

    async def take(self, text: str) -> str:
        """Keep a record; return the code by which it is found, the same for the same record.

        Raises:
            RecordError: it is none, or cannot be played.
            StoreError: it cannot be kept.
        """
        found = loads(text)
        code = code_from(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
        self._known[code] = history_of(code, found, replay(found))
        before = await self._shelf.load(_KEY)
        older = sorted(before, key=lambda one: int(json.loads(one[1])["at"]), reverse=True)
        gone = [key for key, _ in older[MOST - 1 :] if key != _KEY + code]
        kept = json.dumps({"at": self._now(), "record": text})
        await self._shelf.write({}, {_KEY + code: kept}, gone)
        return code

    async def history(self, code: str) -> History | None:
        """Return what a record tells; None where there is none of that code.

        Raises:
            StoreError: the shelf cannot be read.
        """
        code = code.strip().upper()
        if code not in self._known and is_code(code):
            for _, text in await self._shelf.load(_KEY + code):
                found = loads(json.loads(text)["record"])
                self._known[code] = history_of(code, found, replay(found))
        return self._known.get(code)


def history_of(code: str, record: Record, match: Match) -> History:
    """Return a record, which was played again as `match`, as the past of a table."""
    seats = record.rules.seats
    players = tuple(record.players or [""] * seats)
    bots = _bots(record.extra.get("bots"), seats)
    lines = {line.number: line for line in match.lines}
    hands = tuple(
        _played(hand, written, lines.get(number) or _cut_off(number, hand), players, bots)
        for number, (hand, written) in enumerate(zip(match.hands, record.hands, strict=True))
    )
    chairs = tuple(
        Chair("bot" if bot else "person", name, bot=bot)
        for name, bot in zip(players, bots, strict=True)
    )
    table = Table(code, rules=record.rules, chairs=chairs, seq=1, phase="over", match=match)
    told = PlayedMatch(record.rules, players, bots, hands, match.winners)
    return History(table, (told,))


def _played(
    hand: Hand,
    written: HandRecord,
    line: ScoreLine,
    players: tuple[str, ...],
    bots: tuple[str | None, ...],
) -> PlayedHand:
    seats, names = len(players), written.extra.get("players")
    if isinstance(names, list) and len(names) == seats and all(isinstance(n, str) for n in names):
        players = tuple(names)
        bots = _bots(written.extra.get("bots"), seats)
    dealt = replace(of_hand(hand), extra=written.extra)
    sides = (hand.sides or ()) if line.score else ()
    return PlayedHand(line, dealt, None, (), players, bots, sides, hand.made)


def _cut_off(number: int, hand: Hand) -> ScoreLine:
    """Return the line of a hand that a record leaves unfinished: nobody has scored."""
    contract = (hand.declarer, hand.bid, hand.call)
    return ScoreLine(number, hand.dealer, *contract, (), (0,) * hand.rules.seats)


def _bots(told: object, seats: int) -> tuple[str | None, ...]:
    """Return which bots sat where, if that is told; a record may say anything."""
    if not isinstance(told, list) or len(told) != seats:
        return (None,) * seats
    return tuple(bot if isinstance(bot, str) and bot else None for bot in told)
