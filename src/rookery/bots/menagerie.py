"""The four characters of the Menagerie study, as its paper describes them [S0], on the real game.

The paper's lists speak of counters, the led suit and trumps. Each entry is filtered to legal cards,
and the first that names one decides. "Lowest" and "highest" compare ranks across colours, and of
equals the lowest card number is taken. Partners are ignored throughout, as the paper says.

The characters do the simplest thing where the paper is silent. They rank the Rook high, call the
strongest trump that they do not hold, and lead themselves as declarer. They never call circus or
demand a redeal, and their free circus card is the lowest.

The first open question of the paper is what noticing a partner would be worth.
``papa:partner=noticed`` is Papa with three habits more. Papa then does not bid over a partner, does
not beat a partner's card without need, and gives a counter to a trick that a partner has won.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club.counting import friends
from rookery.bots.random_bot import random_card
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK, card_at, pack_cards, rank_of
from rookery.engine.actions import BID, ENOUGH, LEADS, PASS, ROOK_HIGH, TRUMP_CALLS
from rookery.engine.auction import may_pass
from rookery.engine.card_sets import count, lowest, points_of, strongest, weakest
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import AUCTION, CALL, LEADER, NEST, ROOK_RANK, TRUMP_CALL, State
from rookery.engine.trick import beating
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import HAND_MAX, RuleTable

KARAPET, PAPA, HOG, RABBIT = 0, 1, 2, 3

COLOUR: Final = 0x11111111111111  # every fourth bit: the fourteen cards of colour 0
ROOK_BIT: Final = 1 << ROOK
FIVES: Final = 0b1111 << card_at(0, 5)
LOW: Final = 0xFFFFF << card_at(0, 5)  # ranks 5 to 9
MIDDLE: Final = 0xFFF << card_at(0, 11)  # ranks 11 to 13
BASE: Final = 25
# The cards whose rank has a given binary digit: a sum of ranks is four counts instead of a loop.
RANK_BIT_0, RANK_BIT_1, RANK_BIT_2, RANK_BIT_3 = (
    pack_cards(c for c in range(ROOK) if rank_of(c) >> digit & 1) for digit in range(4)
)

EVALUATED, LIMIT, SUIT = 0, 1, 2  # places in SeatInfo.memo


@kernel
def evaluate(table: RuleTable, m: SeatInfo, kind: int) -> None:
    """Note a character's preferred suit and the most it will bid, from the hand it sees first.

    10 for each counter worth 10 or more (its points), 5 for each other 11, 12, 13, 20 for the Rook,
    5 for every trump that the partner likely holds, and the character's own terms, on a base of 25.
    """
    suit = preferred_suit(table, m.hand)
    colour = COLOUR << suit & m.hand
    numbered = m.hand & ~ROOK_BIT
    fives = table.counters & FIVES
    limit = BASE + points_of(table, numbered & ~fives)
    limit += 5 * count(numbered & MIDDLE & ~table.counters)
    limit += 20 * (m.hand >> ROOK)
    limit += 5 * table.likely[suit * HAND_MAX + count(m.hand & table.mask[suit * SUITS + TRUMP])]
    low = count(colour & LOW)
    if kind == PAPA:
        limit += 5 * (low // 2)
    elif kind == HOG:
        limit += 5 * low
    elif kind == RABBIT:
        limit += 5 * below(m, 6)
    m.memo[EVALUATED] = 1
    m.memo[LIMIT] = limit
    m.memo[SUIT] = suit


@kernel
def preferred_suit(table: RuleTable, hand: int) -> int:
    """Return the colour with the largest sum of ranks; a 1 that ranks high counts as 15."""
    best = -1
    suit = 0
    for colour in range(4):
        cards = hand & COLOUR << colour
        total = (
            count(cards & RANK_BIT_0)
            + 2 * count(cards & RANK_BIT_1)
            + 4 * count(cards & RANK_BIT_2)
            + 8 * count(cards & RANK_BIT_3)
        )
        if table.ones_high[0]:
            total += 14 * (cards >> colour & 1)
        suit = colour if total > best else suit
        best = max(best, total)
    return suit


@kernel
def character(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Return the action of a character of the Menagerie in any phase but the play."""
    if not m.memo[EVALUATED]:
        evaluate(table, m, kind)
    if s.phase == AUCTION:
        if m.floor <= table.bid_maximum and (m.floor <= m.memo[LIMIT] or not may_pass(table, s)):
            return BID + (m.floor - table.bid_minimum) // table.bid_step
        return PASS
    if s.phase == NEST:
        return character_discard(table, s, m, kind)
    if s.phase == TRUMP_CALL:
        return TRUMP_CALLS + favourite_call(table, m)
    if s.phase == ROOK_RANK:
        return ROOK_HIGH
    if s.phase == CALL:
        return partner_card(table, s, m)
    if s.phase == LEADER:
        return LEADS + s.declarer
    return weakest(table, s.row, m.cards)


@kernel
def favourite_call(table: RuleTable, m: SeatInfo) -> int:
    """Return the preferred suit, or where it may not be called the likest call."""
    if table.calls >> m.memo[SUIT] & 1:
        return m.memo[SUIT]
    if table.calls >> 4 + m.memo[SUIT] & 1:
        return 4 + m.memo[SUIT]
    return lowest(table.calls)


@kernel
def partner_card(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the strongest trump not held, or failing that the strongest other card."""
    row = s.row if s.row >= 0 else m.memo[SUIT]  # the suit that it will call
    others = m.cards & ~m.hand & ~m.nest
    trumps = others & table.mask[row * SUITS + TRUMP]
    if trumps:
        return strongest(table, row, trumps)
    if others:
        return strongest(table, row, others)
    return ENOUGH if s.called_count else strongest(table, row, m.cards)


@kernel
def character_discard(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Return the next card for the nest: lowest plain card, Hog's 5s, Rabbit's any."""
    if kind == RABBIT:
        return random_card(m, m.cards)
    row = s.row if s.row >= 0 else m.memo[SUIT]
    if kind == HOG:
        fives = m.cards & FIVES
        return lowest(fives) if fives else weakest(table, row, m.cards)
    plain = m.cards & ~table.mask[row * SUITS + TRUMP]
    return weakest(table, row, plain if plain else m.cards)


@kernel
def character_card(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Return the card that a character plays."""
    if kind == RABBIT:
        if s.led < 0:
            return random_card(m, m.cards)
        kind = below(m, 3)
    if kind == KARAPET:
        return karapet_card(table, s, m.cards)
    if s.led < 0:
        return strongest(table, s.row, m.cards)
    return papa_follow(table, s, m.cards) if kind == PAPA else hog_follow(table, s, m.cards)


@kernel
def karapet_card(table: RuleTable, s: State, cards: int) -> int:
    """Return Karapet's card: the lowest that gives nothing away."""
    trumps = cards & table.mask[s.row * SUITS + TRUMP]
    safe = cards & ~table.counters
    if s.led >= 0:
        suited = cards & table.mask[s.row * SUITS + s.led]
        if suited:
            first = suited & safe
            return weakest(table, s.row, first if first else suited)
    first = safe & ~trumps
    if not first:
        first = safe & trumps
        if not first:
            first = trumps if trumps else cards
    return weakest(table, s.row, first)


@kernel
def papa_follow(table: RuleTable, s: State, cards: int) -> int:
    """Return Papa's card behind a lead: just enough to win, or the least."""
    suited = cards & table.mask[s.row * SUITS + s.led]
    if suited:
        winning = beating(table, s, suited)
        return weakest(table, s.row, winning if winning else suited)
    trumps = cards & table.mask[s.row * SUITS + TRUMP]
    coloured = trumps & ~ROOK_BIT
    if coloured:
        return strongest(table, s.row, coloured)
    if trumps:
        return ROOK
    safe = cards & ~table.counters
    return weakest(table, s.row, safe if safe else cards)


@kernel
def hog_follow(table: RuleTable, s: State, cards: int) -> int:
    """Return the Hog's card behind a lead: the Rook, or the biggest there is."""
    if cards >> ROOK:
        return ROOK
    suited = cards & table.mask[s.row * SUITS + s.led]
    if suited:
        return strongest(table, s.row, suited)
    trumps = cards & table.mask[s.row * SUITS + TRUMP]
    if trumps:
        return strongest(table, s.row, trumps)
    safe = cards & ~table.counters
    return weakest(table, s.row, safe if safe else cards)


@kernel
def noticing(table: RuleTable, s: State, m: SeatInfo, who: int) -> int:
    """Return the action of a character that notices its partner, before the play."""
    return PASS if leaves_it_to_partner(table, s, m) else character(table, s, m, who)


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
    """Return the card to play to a trick that a partner is winning; -1 for any card.

    It is the counter worth most if nobody plays after this seat, else the lowest card that gives
    nothing away. A card that takes the trick from the partner is played only if there is no other.
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
