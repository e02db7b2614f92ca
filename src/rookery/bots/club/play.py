"""How `club` plays a card: it weighs what each one wins, loses and would still be good for.

A card's weight is what the trick is worth times the chance that the side takes it, less what the
card is worth for later tricks. That alone gives counters to a partner's trick and keeps them from a
foe's. It wins cheaply, draws trumps and spares high cards that cannot win. Weights are 16ths of a
point; the constants come from matches of the bot with itself.

The first lead is a signal. Where a declarer's partner or a foe leads first, the suit is an
invitation: "I am strong here" [S4]. The partner leads it back when possible, and has less use for
its own high cards of that suit. No rule book of the catalogue forbids such signals, so they are
given in every game with fixed partners and hands of some length.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club.calls import tops
from rookery.bots.club.counting import (
    ALONE,
    INVITED,
    OWN,
    SILENT,
    SURE,
    above,
    friends,
    none_of,
    unseen,
)
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK
from rookery.engine.card_sets import count, lowest, points_of
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.engine.trick import beating, next_place
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import NEST_TO_LAST_TRICK, RuleTable

# A partner who can win a trick does so this often: where no foe can beat it, and otherwise.
MATE_WINS: Final = 220
MATE_WINS_BACK: Final = 96
# What the lead of the next trick is worth, in 1024ths of a point for each point of a mean trick.
LEAD_DECLARING, LEAD_DEFENDING = 40, 32
# What a card is still good for, in eighths of a mean trick: any trump, the best trump, the best
# card of a suit. The second best is worth half of that, and a fifth in a plain suit ...
ANY_TRUMP: Final = 26
BEST_DECLARING, BEST_DEFENDING = 72, 150
BEST_PLAIN: Final = 42
# The same for a plain card with 0 to 7 above it, 8 bits each: a division would take far longer.
PLAIN: Final = sum(BEST_PLAIN // (higher * higher + 1) << 8 * higher for higher in range(8))
# How much of its own points a card brings in later, in 16ths: the best of a suit, and a trump, the
# less the more are above it.
VALUE_OF_BEST: Final = 10
VALUE_OF_TRUMPS: Final = 45
DRAW: Final = 70  # the good of a trump lead to a declarer, in quarters of a mean trick
DRAW_DEFENDING: Final = -8
INVITED_LEAD: Final = 20  # of a suit that partners have agreed on by the first lead
LAST_TRICK: Final = 40  # of a trump near the end, where the last trick takes the nest

# Signals by the first lead.
SHORT: Final = 9  # tricks of a hand that leaves hardly any time to lead a suit back
BEST, SECOND, THIRD = 8, 4, 2  # the strength of a suit's tops; every card of it counts 1 besides
NO_SUIT: Final = -1


@kernel
def club_card_with_habits(table: RuleTable, s: State, m: SeatInfo, alone: int, silent: int) -> int:
    """Return the card that `club` plays: 1 for a bot without partners or signals."""
    m.memo[ALONE] = alone
    m.memo[SILENT] = silent
    return club_card(table, s, m)


@kernel
def club_card(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the card that `club` plays."""
    if s.turn == m.seat:
        m.memo[OWN] = m.hand
    invite = invitation(table, s, m)
    if m.cards & (m.cards - 1) == 0:
        return lowest(m.cards)
    row = s.row
    us = friends(table, s, m)
    out = unseen(table, s, m)
    left = table.hand_size - s.tricks
    behind = to_play(table, s)
    leading = s.led < 0
    held = not leading and us >> s.best_place & 1 == 1
    heap = points_of(table, s.trick_cards)
    trick = table.card_points // table.hand_size
    declaring = s.declarer >= 0 and us >> s.declarer & 1 == 1
    lead = LEAD_DECLARING if declaring else LEAD_DEFENDING
    best_trump = BEST_DECLARING if declaring else BEST_DEFENDING
    armed = m.hand & table.mask[row * SUITS + TRUMP] != 0
    wanted = invite  # the suit to lead
    if leading and s.tricks == 0:
        wanted = invited_to(table, s, m)
    draw = 0
    if leading and may_hold_trumps(table, s, out, us):
        draw = DRAW if declaring else DRAW_DEFENDING
    late = 0
    if left <= 3 and table.nest_size and table.nest_to == NEST_TO_LAST_TRICK:
        late = LAST_TRICK // left
    trumps = out & table.mask[row * SUITS + TRUMP]
    share = SURE
    no_trump = SURE
    if behind:
        share = min(SURE, left * SURE // max(1, count(out)))
        no_trump = none_of(share, count(trumps))
    won = SURE * trick * lead >> 10
    lost = -1  # the chance of the trick where the card itself does not win
    pick = -1
    most = -(1 << 40)
    choices = m.cards
    while choices:
        suit = table.suit[row * 57 + lowest(choices)]
        same = table.mask[row * SUITS + suit]
        cards = choices & same
        choices &= ~same
        led = suit if leading else s.led
        out_of = 0
        if behind and led != TRUMP and trumps:
            out_of = none_of(share, count(out & table.mask[row * SUITS + led]))
        use = 0
        if suit == TRUMP:
            use = draw * trick >> 2
        elif armed and not leading:
            use = -(count(m.hand & same) * trick >> 3)  # a short suit is soon a void
        if leading and suit == wanted:
            use += INVITED_LEAD * trick >> 3
        winners = cards & (same if suit == led else table.mask[row * SUITS + TRUMP])
        if winners and not leading:
            winners = beating(table, s, winners)
        if table.black_2_beats_rook and s.trick_cards >> ROOK & 1:
            winners |= cards & 1 << BLACK_2
        if table.natural:
            # Of those that neither win nor count the lowest weighs most: the others are let be.
            idle = cards & ~winners & ~table.counters
            cards &= ~(idle & (idle - 1))
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            value = table.value[card]
            higher = above(table, row, suit, out & same, card)
            if suit == TRUMP:
                keep = ANY_TRUMP + best_trump // (higher + 1) + late
                spare = VALUE_OF_TRUMPS // (higher + 3)
            else:
                keep = PLAIN >> 8 * min(higher, 7) & 255
                spare = 0 if higher else VALUE_OF_BEST
                if suit == invite:
                    keep >>= 3  # the partner is strong there
            weight = use - (keep * trick >> 3) - spare * value
            weight -= (table.strength[row * 57 + card] & 127) // 4
            stake = heap + value
            if weight + (SURE * stake >> 4) + won <= most:
                continue  # not even with the trick for certain; chances take the most time here
            if not winners >> card & 1:
                if lost < 0:
                    top = s.trick[s.best_place]
                    high = table.suit[row * 57 + top]
                    over = above(table, row, high, out & table.mask[row * SUITS + high], top)
                    over = none_of(share, over)
                    lost = trick_chance(s, behind, us, held, led, high, over, no_trump, out_of)
                chance = lost
            elif behind:
                over = none_of(share, higher)
                chance = trick_chance(s, behind, us, True, led, suit, over, no_trump, out_of)
            else:
                chance = SURE
            weight += ((2 * chance - SURE) * stake >> 4) + (chance * trick * lead >> 10)
            if weight > most:
                pick = card
                most = weight
    return pick


@kernel
def trick_chance(
    s: State,
    behind: int,
    us: int,
    ours: bool,
    led: int,
    suit: int,
    over: int,
    no_trump: int,
    out_of: int,
) -> int:
    """Return the chance that the side of `us` gets a trick whose best card is `ours`, or is not.

    `behind` are the places yet to play; for the rest see `not_beaten`.
    """
    safe = not_beaten(s, behind & ~us, led, suit, over, no_trump, out_of)
    helpless = not_beaten(s, behind & us, led, suit, over, no_trump, out_of)
    back = (SURE - safe) * MATE_WINS_BACK
    if ours:
        return safe + ((SURE - helpless) * back >> 16)
    return (SURE - helpless) * (safe * MATE_WINS + back) >> 16


@kernel
def not_beaten(
    s: State, places: int, led: int, suit: int, over: int, no_trump: int, out_of: int
) -> int:
    """Return the chance, in 256ths, that none of some places can beat the best card of a trick.

    The best card is of `suit`. Of each place, `over` is the chance to have nothing better in it,
    `no_trump` to have no trump, and `out_of` to have none of the led suit.
    """
    tame = over if suit == led else SURE
    weak = SURE if led == TRUMP else over if suit == TRUMP else no_trump
    follower = max(0, tame - (out_of * (SURE - weak) >> 8))
    chance = SURE
    while places:
        # Choices instead of branches: which place is out of what cannot be foretold.
        void = s.void[lowest(places)]
        places &= places - 1
        lacking = SURE if void >> TRUMP & 1 else weak
        following = tame if void >> TRUMP & 1 else follower
        chance = chance * (lacking if void >> led & 1 else following) >> 8
    return chance


@kernel
def to_play(table: RuleTable, s: State) -> int:
    """Return the places that play to this trick after the one on turn."""
    number = table.seats + table.blind - 1 - s.trick_size
    if not table.blind:
        behind = ((1 << number) - 1) << s.turn + 1
        return (behind | behind >> table.seats) & (1 << table.seats) - 1
    behind = 0
    place = s.turn
    for _ in range(number):
        place = next_place(table, s, place)
        behind |= 1 << place
    return behind


@kernel
def may_hold_trumps(table: RuleTable, s: State, out: int, us: int) -> bool:
    """Return whether a foe may still hold one of the unseen trumps."""
    if not out & table.mask[s.row * SUITS + TRUMP]:
        return False
    armed = 0
    for seat in range(table.seats):
        if not (us >> seat & 1 or s.void[seat] >> TRUMP & 1):
            armed |= 1 << seat
    return armed != 0


@kernel
def invitation(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the suit that a partner led first, -1 for none; it is noted while it lies there."""
    if table.called or table.hand_size <= SHORT or m.memo[ALONE] or m.memo[SILENT]:
        return NO_SUIT
    if s.tricks == 0 and s.led >= 0 and s.led != TRUMP:
        # The declarer leads without a message, also from the dummy.
        mates = table.partners[m.seat] & ~(1 << m.seat)
        if mates >> s.leader & 1 and s.leader != s.declarer and s.leader != s.dummy:
            m.memo[INVITED] = 1 + s.led
    return m.memo[INVITED] - 1


@kernel
def invited_to(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the suit that a seat with the first lead would have led back, -1 for none."""
    if table.called or table.hand_size <= SHORT or m.memo[ALONE] or m.memo[SILENT]:
        return NO_SUIT
    if m.seat == s.declarer or not table.partners[m.seat] & ~(1 << m.seat):
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
