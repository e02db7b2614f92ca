"""A table of an evening: how many hands it plays, which deals, and the points they bring.

The deals that several tables play follow from one key, see `rookery.fairness.evening`. It is shown
once the evening is over, so a table never shows it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from rookery.fairness.evening import MOST_DEALS, EveningDeals
from rookery.game import Match
from rookery.rules import Rules
from rookery.server.table import events as ev

Row: TypeAlias = tuple[int, ...]


def is_over(joined: ev.EveningJoined | None, before: int, match: Match) -> bool:
    """Return whether a table has played all that it is to: this match, after `before` others."""
    if joined is None or not joined.hands:
        return match.winners is not None
    last = match.hand
    # A prepared deal that is thrown in is not dealt again; any other hand is.
    counts = last is not None and last.over and (last.phase == "done" or bool(joined.deals))
    return counts and before + 1 >= joined.hands


def deals_of(joined: ev.EveningJoined, rules: Rules, key: str) -> EveningDeals:
    """Return the prepared deals of a table's evening, by their key in hexadecimal."""
    return EveningDeals(rules, joined.evening, MOST_DEALS, bytes.fromhex(key))


def points(joined: ev.EveningJoined, rows: tuple[Row, ...], match: Match) -> tuple[Row, ...]:
    """Return what each seat has scored: a row for each prepared deal, else one row in all."""
    scored = (*rows, match.totals)
    return scored if joined.deals else (tuple(map(sum, zip(*scored, strict=True))),)


class EveningSeen(msgspec.Struct, frozen=True):
    """Of which evening, round and table of it this is.

    `hands` are played, each a match of its own; 0 for a whole match. `deals` are the numbers of the
    prepared deals, and `points` what each seat has scored in the matches before this one.
    """

    code: str
    round: int
    table: int
    hands: int
    deals: list[int]
    points: list[int]


def evening_seen(
    joined: ev.EveningJoined | None, rows: tuple[Row, ...], rules: Rules
) -> EveningSeen | None:
    """Return what everybody at a table is told of its evening; None where it is of none."""
    if joined is None:
        return None
    scored = [sum(row[seat] for row in rows) for seat in range(rules.seats)]
    of = joined.evening, joined.round, joined.table
    return EveningSeen(*of, joined.hands, joined.deals, scored)
