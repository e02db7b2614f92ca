"""A try: one action in one world, played to the end by the script."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club_table import OWN
from rookery.bots.mine import Mine, forget
from rookery.bots.play_out import play_out
from rookery.engine.copies import copy_hidden, copy_state
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.engine.step import apply
from rookery.rules.table import RuleTable
from rookery.search.thought import Thought


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
def try_out(
    table: RuleTable,
    s: State,
    world: Hidden,
    own: int,
    seat: int,
    action: int,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    t: Thought,
) -> int:
    """Return a seat's margin when it does `action` in `world` and everybody plays on by script.

    `own` is the seat's own hand. The table as it is then at the end stands in `trial`.
    """
    copy_state(table, s, trial)
    copy_hidden(table, world, closed)
    for place in range(table.seats):
        forget(cast[place])
        cast[place].memo[OWN] = closed.hand[place]
    apply(table, trial, closed, action)
    play_out(table, trial, closed, cast, t.kinds)
    return margin(table, trial, seat)
