"""What `club` can count: its friends, the unseen cards, and the chances in a trick.

Chances are 256ths. Every closed hand is as likely to hold an unseen card as any other, but a place
never holds a suit that it has shown to lack.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK
from rookery.engine.card_sets import ONES, count, lowest, whole_deck
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.rules.order import BLACK_2, RED_1, RED_2, TRUMP
from rookery.rules.table import RuleTable

SURE: Final = 256
ODD_TRUMPS: Final = 1 << ROOK | 1 << RED_1 | 1 << RED_2 | 1 << BLACK_2

# Places in SeatInfo.memo: the points that it expects as declarer, the call that it prefers, its own
# cards, what it has looked at the hand for, the card that it gave in a circus as a set, and 1 + the
# suit that a partner led first.
EXPECTED, FAVOURITE, OWN, STAGE, GIVEN, INVITED = 0, 1, 2, 3, 4, 5
SILENT: Final = 6  # 1 for a bot that gives no signals and reads none
ALONE: Final = 7  # 1 for a bot that takes everybody else for a foe


@kernel
def friends(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the places on this side as far as the seat can tell, itself among them.

    A called partner knows it by its own card. To everybody else a seat that has not yet shown its
    side is a foe.
    """
    me = m.seat
    if m.memo[ALONE]:
        # A dummy's cards are the declarer's own.
        return 1 << me | (1 << s.dummy if s.dummy >= 0 and me == s.declarer else 0)
    if not table.called or s.declarer < 0:
        return table.partners[me]
    if s.allies >> me & 1:
        return s.allies
    if s.sides_known:
        return (1 << table.seats) - 1 & ~s.allies
    held = m.hand | s.played_by[me]
    for i in range(s.called_count):
        if held >> s.called[i] & 1:
            return s.allies | 1 << me
    return 1 << me


@kernel
def unseen(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the cards that may lie with others: in closed hands, or in a nest not known.

    A declarer knows its own hand and the dummy's, whichever of the two is to play.
    """
    seen = m.hand | m.nest
    for place in range(table.seats + table.blind):
        seen |= s.played_by[place]
    if table.dummy and m.seat == s.declarer:
        seen |= s.exposed | m.memo[OWN]
    return whole_deck(table) & ~seen


@kernel
def above(table: RuleTable, row: int, suit: int, cards: int, card: int) -> int:
    """Return how many of some cards of a suit are stronger than `card`, which is of it too."""
    if table.natural:
        return count(cards & -(2 << card))
    odd = ODD_TRUMPS if suit == TRUMP else 1 << ROOK  # those that stand in no order of numbers
    odd = cards if odd >> card & 1 else cards & odd
    cards &= ~odd
    strength = table.strength[row * 57 + card]
    stronger = 0
    while odd:
        stronger += table.strength[row * 57 + lowest(odd)] > strength
        odd &= odd - 1
    if table.ones_high[row]:
        cards = cards & ~ONES | (cards & ONES) << ROOK
        card += ROOK if card < 4 else 0
    return stronger + count(cards & ((1 << card) - 1 if table.falling[row] else -(2 << card)))


@kernel
def none_of(share: int, cards: int) -> int:
    """Return the chance that a place has none of up to 31 cards, `share` being that of each."""
    each = SURE - share
    chance = each if cards & 1 else SURE
    for digit in range(1, 5):
        each = each * each >> 8
        chance = chance * each >> 8 if cards >> digit & 1 else chance
    return chance
