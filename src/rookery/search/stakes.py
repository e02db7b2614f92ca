"""What the end of a hand is worth to a seat: points, or its share of winning the match."""

from __future__ import annotations

from typing import Final

from rookery.bots.club.estimate import all_points
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.state import DONE, State
from rookery.rules.table import RuleTable
from rookery.search.thought import Thought

WHOLE: Final = 1_000_000  # a match that is won


@kernel
def margin(table: RuleTable, s: State, seat: int) -> int:
    """Return the hand's score of a seat's side above the others', times the sizes of both.

    The side is that of fixed partners; who calls a partner, or has none, is alone.
    """
    side = table.partners[seat]
    inside = 0
    outside = 0
    seats = 0
    for other in range(table.seats):
        if side >> other & 1:
            inside += s.score[other]
            seats += 1
        else:
            outside += s.score[other]
    return inside * (table.seats - seats) - outside * seats


@kernel
def worth(table: RuleTable, s: State, seat: int, t: Thought) -> int:
    """Return what a hand that is over is worth to a seat: its margin, or its part of the match."""
    if not t.match:
        return margin(table, s, seat)
    for other in range(table.seats):
        t.after[other] = t.standing[other]
    if s.phase == DONE:
        add_scores(table, s, t.after)
        won = winners(table, s, t.after)
        if won:
            return WHOLE // count(won & ~table.partners[seat] | 1 << seat) if won >> seat & 1 else 0
    return chance_of_match(table, seat, t)


@kernel
def chance_of_match(table: RuleTable, seat: int, t: Thought) -> int:
    """Return how likely it is that a seat wins from the totals in ``t.after``, in millionths.

    What is still to come scatters like a walk with as many steps as hands are left: two of the
    highest side's usual hands bring it so far nearer to the target, and a hand moves two sides
    apart by about three quarters of its points. Against several others each is taken by itself.
    """
    whole = all_points(table)
    side = table.partners[seat]
    top = t.after[seat]
    for other in range(table.seats):
        top = max(top, t.after[other])
    hands = 1.0 + max(0, table.target - top) / (0.55 * whole)
    spread = 0.75 * whole * hands**0.5
    chance = 1.0
    seen = side
    for other in range(table.seats):
        if not seen >> other & 1:
            seen |= table.partners[other]
            x = max(-3.0, min(3.0, (t.after[seat] - t.after[other]) / spread * 0.8))
            chance *= 0.5 + 0.5 * x * (27.0 + x * x) / (27.0 + 9.0 * x * x)
    return int(chance * WHOLE)
