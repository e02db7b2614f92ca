"""What it is to notice a partner, taught to bots that do not and taken from one that does.

The characters of the Menagerie study ignore their partners, as the paper says; its first open
question is what noticing them would be worth. ``papa:partner=noticed`` is Papa with three habits
more: he does not bid over his partner, he does not beat his partner's card where he need not, and
he gives a counter to a trick that his partner has won. ``club:partner=ignored`` is `club` that
takes everybody else for a foe.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club_table import friends
from rookery.bots.seat_info import SeatInfo
from rookery.engine.auction import may_pass
from rookery.engine.card_sets import lowest, weakest
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, State
from rookery.engine.trick import beating
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable

TWIN: Final = 8  # added to a bot's number: it does with its partner what it else would not


@kernel
def leaves_it_to_partner(table: RuleTable, s: State, m: SeatInfo) -> bool:
    """Return whether a partner has the highest bid and may be left with it."""
    return (
        s.phase == AUCTION
        and s.bidder >= 0
        and not table.called
        and table.partners[m.seat] >> s.bidder & 1 == 1
        and may_pass(table, s)
    )


@kernel
def card_for_partner(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the card to play to a trick that a partner is winning, -1 where nothing is to be done.

    The counter worth most where nobody plays after this seat, else the lowest that gives nothing
    away; a card that takes the trick from the partner only where there is no other.
    """
    if s.led < 0 or not friends(table, s, m) >> s.best_place & 1:
        return -1
    able = m.cards & (table.mask[s.row * SUITS + s.led] | table.mask[s.row * SUITS + TRUMP])
    cards = m.cards & ~beating(table, s, able)
    if not cards:
        return -1
    if s.trick_size < table.seats + table.blind - 1:
        safe = cards & ~table.counters
        return weakest(table, s.row, safe if safe else cards)
    pick = -1
    rest = cards & table.counters
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if pick < 0 or table.value[card] > table.value[pick]:
            pick = card
    return pick if pick >= 0 else weakest(table, s.row, cards)
