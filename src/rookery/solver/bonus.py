"""Bonuses that hang on how many tricks a side wins: when they are decided, and for whom."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.score import FIRST_TO_SIX
from rookery.rules.table import RuleTable
from rookery.solver.ending import Ending

TALLY = 31  # a side's tricks in the packed count


@kernel
def settled(table: RuleTable, w: Ending, won: int, left: int) -> int:
    """Return the units of the bonus that the side gets, -1 while that is open.

    Args:
        table: the rules.
        w: the position.
        won: tricks of each side, five bits a side, the declarer's lowest.
        left: tricks still to be played.
    """
    own = won & TALLY
    if table.bonus == FIRST_TO_SIX:
        if own >= 6:
            return w.prize
        for side in range(1, w.sides):
            if won >> 5 * side & TALLY >= 6:
                return 0
        return -1 if left else 0
    most = 0
    level = 1
    for side in range(1, w.sides):
        other = won >> 5 * side & TALLY
        most = max(most, other)
        if other == own:
            level += 1
    if own > most + left:
        return w.prize
    if most > own + left:
        return 0
    if left:
        return -1
    if level == 1:
        return w.prize
    return table.bonus_value // level // w.unit if table.split_tie else 0
