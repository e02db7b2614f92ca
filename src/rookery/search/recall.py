"""What the cards tell: worlds in which a seat would hardly have played as it did are passed over.

Each world is played again from the first lead. Where the script, with the cards that the world
gives to a seat, would not have played what the seat played, the world is the less likely for it:
to a degree, since nobody plays by the script alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.club.counting import OWN
from rookery.bots.dispatch import SILENT_CLUB, decide_card
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.actions import actor
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.engine.trick import play
from rookery.rules.table import RuleTable
from rookery.search.exchange import lay_away_anew
from rookery.search.inference import SURE, draw_heard
from rookery.search.playout import lay_out_anew
from rookery.search.thought import Thought, equal
from rookery.solver.constraints import Constraints

LOOKS: Final = 8  # worlds looked at before one of them is taken


@kernel
def told_by_cards(
    table: RuleTable,
    s: State,
    begun: State,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
    me: int,
) -> int:
    """Return how well the cards that others have played fit a world, in 1024ths.

    Args:
        table: the rules.
        s: the table as it is.
        begun: the table as it was before the first lead.
        world: the closed cards.
        trial: scratch, as are `closed` and `cast`.
        closed: scratch.
        cast: scratch.
        t: has the cards that were played.
        me: who is thinking; what that seat played is known to be no riddle.
    """
    weight = SURE
    lay_out_anew(table, begun, world, trial, closed, cast)
    deal = 0
    for place in range(table.seats):
        closed.hand[place] |= s.played_by[place] & ~begun.played_by[place]
        deal |= closed.hand[place]
        cast[place].memo[OWN] = closed.hand[place]
    for i in range(t.played):
        card = t.card[i]
        seat = actor(trial) if table.dummy else trial.turn
        if seat != me:
            m = cast[seat]
            observe_trick(table, trial, closed, m)
            script = decide_card(table, trial, m, SILENT_CLUB)
            if script != card:
                others = (deal | trial.trick_cards) & ~m.hand
                if not equal(table, trial.row, script, card, others):
                    weight = weight * t.recall // SURE
        deal &= ~(1 << card)
        play(table, trial, closed, card)
    return weight


@kernel
def draw_told(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    begun: State,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
    ways: list[float],
) -> None:
    """Lay into `world` one that a seat holds possible, each with a chance that fits what was done.

    That is what was called and laid away, and the cards played where `t` has them.
    """
    total = 0
    pick = world.rng
    for _ in range(LOOKS if t.played else 1):
        start = world.rng
        draw_laid_away(table, s, seat, k, world, cast, t, ways)
        if not t.played:
            return
        weight = told_by_cards(table, s, begun, world, trial, closed, cast, t, seat)
        if below(world, SURE) < weight:
            return
        total += weight
        if below(world, max(1, total)) < weight:
            pick = start
    # None was taken outright: one of those seen is drawn again, by their weights.
    onward = world.rng
    world.rng = pick
    draw_laid_away(table, s, seat, k, world, cast, t, ways)
    world.rng = onward


@kernel
def draw_laid_away(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
    ways: list[float],
) -> None:
    """Lay into `world` one that fits the calls, and the discards where they are to tell."""
    draw_heard(table, s, seat, k, world, t, ways)
    if t.anew:
        lay_away_anew(table, s, k, world, cast[seat])
