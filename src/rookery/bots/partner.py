"""What it is to notice a partner, for the characters of the Menagerie study.

The characters ignore their partners, as the paper says; its first open question is what noticing
them would be worth. ``papa:partner=noticed`` is Papa with three habits more. Papa then does not bid
over a partner, does not beat a partner's card without need, and gives a counter to a trick that a
partner has won.
"""

from __future__ import annotations

from rookery.bots.club.counting import friends
from rookery.bots.menagerie import character, character_card
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import PASS
from rookery.engine.auction import may_pass
from rookery.engine.card_sets import lowest, weakest
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, State
from rookery.engine.trick import beating
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable


@kernel
def noticing(table: RuleTable, s: State, m: SeatInfo, who: int) -> int:
    """Return the action of a character that notices its partner, before the play."""
    if leaves_it_to_partner(table, s, m):
        return PASS
    return character(table, s, m, who)


@kernel
def noticing_card(table: RuleTable, s: State, m: SeatInfo, who: int) -> int:
    """Return the card that a character plays that notices its partner."""
    card = card_for_partner(table, s, m)
    return card if card >= 0 else character_card(table, s, m, who)


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
