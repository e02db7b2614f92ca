"""Totals of matches: from hand to hand at many tables, where an episode is a match."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.state import State
from rookery.rules.table import RuleTable


@kernel
def add_up(table: RuleTable, s: State, totals: list[int], at: int, room: list[int]) -> int:
    """Add a finished hand to the totals of a table, from ``totals[at]`` on.

    Args:
        table: the rules.
        s: the hand.
        totals: game points by seat.
        at: where those of the table begin.
        room: for as many numbers as there are seats.

    Returns:
        The set of the seats that have won the match; 0 while it goes on.
    """
    for seat in range(table.seats):
        room[seat] = totals[at + seat]
    add_scores(table, s, room)
    won = winners(table, s, room)
    for seat in range(table.seats):
        totals[at + seat] = room[seat]
    return won


@kernel
def clear_totals(table: RuleTable, totals: list[int], at: int) -> None:
    """Begin a match: set the totals of a table to 0."""
    for seat in range(table.seats):
        totals[at + seat] = 0
