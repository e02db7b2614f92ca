"""What the declarer has laid away: in a drawn world he has chosen his discards as the script would.

A world drawn by chance gives the declarer any of the cards that he may have kept. He has chosen
them: who does not see that takes his hand for weaker than it is.
"""

from __future__ import annotations

from rookery.bots.club.calls import club_discard
from rookery.bots.seat_info import SeatInfo
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.state import NEST, PLAY, Hidden, State
from rookery.rules.table import RuleTable
from rookery.solver.constraints import IN_NEST, Constraints
from rookery.solver.sample import agrees


@kernel
def lay_away_anew(
    table: RuleTable, s: State, k: Constraints, world: Hidden, scratch: SeatInfo
) -> None:
    """Let the declarer of a drawn world choose his discards from his hand and the nest again.

    What is known of either stays where it is. Nothing is done for the declarer himself, where
    nothing or only a part was exchanged, and where the script's discards would belie what he has
    said of the new nest.
    """
    seat = s.declarer
    if s.phase != PLAY or seat < 0 or not k.unseen_in[seat] or not k.unseen_in[IN_NEST]:
        return
    if not s.discarded or table.exchange or s.row < 0:
        return
    m = scratch
    free = (world.hand[seat] & ~k.known[seat]) | (world.nest & ~k.known[IN_NEST])
    must = free & ~k.possible[seat]
    m.nest = k.known[IN_NEST] | must
    m.hand = (world.hand[seat] | world.nest | s.played_by[seat]) & ~m.nest
    m.cards = free & k.possible[IN_NEST] & ~must
    left = count(world.nest) - count(m.nest)
    if left < 0 or count(m.cards) < left:
        return
    s.phase = NEST
    while left:
        card = club_discard(table, s, m)
        m.nest |= 1 << card
        m.hand &= ~(1 << card)
        m.cards &= ~(1 << card)
        left -= 1
    s.phase = PLAY
    k.drawn[seat] = m.hand & ~s.played_by[seat] & ~k.known[seat]
    k.drawn[IN_NEST] = m.nest & ~k.known[IN_NEST]
    if not agrees(table, s, k):
        return
    world.hand[seat] = m.hand & ~s.played_by[seat]
    world.nest = m.nest
    world.pickup = m.nest
