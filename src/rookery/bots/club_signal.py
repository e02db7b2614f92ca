"""The first lead as a word between partners: `club` leads from its strongest suit, and reads it.

Where a declarer's partner or a foe leads first, the suit is an invitation: "I am strong here" [S4].
His partner leads it back when he can, and has less use for his own high cards of it. No rule book
of the catalogue says that a lead may not mean anything, so this goes for every game with fixed
partners and hands of some length; ``club:signals=off`` neither invites nor listens.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club_hand import tops
from rookery.bots.club_table import ALONE, INVITED, SILENT
from rookery.bots.seat_info import SeatInfo
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable

SHORT: Final = 9  # tricks of a hand in which there is hardly time to lead a suit back
BEST, SECOND, THIRD = 8, 4, 2  # the strength of a suit's tops; every card of it counts 1 besides
NO_SUIT: Final = -1


@kernel
def invitation(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the suit that a partner led first, -1 for none; it is noted while it lies there."""
    if table.called or table.hand_size <= SHORT or m.memo[ALONE] or m.memo[SILENT]:
        return NO_SUIT
    if s.tricks == 0 and s.led >= 0 and s.led != TRUMP:
        # The dummy leads what the declarer wants, and he leads for himself.
        mates = table.partners[m.seat] & ~(1 << m.seat)
        if mates >> s.leader & 1 and s.leader != s.declarer and s.leader != s.dummy:
            m.memo[INVITED] = 1 + s.led
    return m.memo[INVITED] - 1


@kernel
def invited_to(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the suit that a seat with the first lead would have led back, -1 for none."""
    if table.called or table.hand_size <= SHORT or m.memo[ALONE] or m.memo[SILENT]:
        return NO_SUIT
    if s.tricks or m.seat == s.declarer:
        return NO_SUIT
    if not table.partners[m.seat] & ~(1 << m.seat):
        return NO_SUIT
    best = NO_SUIT
    most = 0
    for suit in range(SUITS):
        same = table.mask[s.row * SUITS + suit]
        cards = m.hand & same
        if suit != TRUMP and cards:
            strength = tops(table, s.row, suit, cards, same & ~m.hand, BEST, SECOND, THIRD)
            strength += count(cards)
            if strength > most:
                best = suit
                most = strength
    return best
