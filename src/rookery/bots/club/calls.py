"""What `club` does before the play: it values its hand, bids, calls and discards.

The value of a hand is an estimate of the points that it would take under a call. It is linear, and
was fitted to what the bot itself took in simulated hands of thirty variants; `docs/design/club.md`
tells how. Its weights are thousandths of a hand's points.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club.counting import ALONE, EXPECTED, FAVOURITE, OWN, SILENT, STAGE, above
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK
from rookery.engine.actions import BID, ENOUGH, LEADS, PASS, ROOK_DOWN, ROOK_HIGH, TRUMP_CALLS
from rookery.engine.auction import may_pass
from rookery.engine.card_sets import count, highest, lowest, points_of, whole_deck
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, CALL, LEADER, NEST, ROOK_RANK, TRUMP_CALL, State
from rookery.rules.order import CIRCUS, SUITS, TRUMP
from rookery.rules.table import (
    BONUS_PER_TRICK,
    NEST_TO_DECLARER,
    NEST_TO_LAST_TRICK,
    ONE_CALL_EACH,
    RuleTable,
)

BIDDING, DECLARING = 1, 2  # in memo[STAGE]: what the bot last looked over its hand for

# What a counter's point is worth in the new nest: where the declarer has it for certain, where the
# last trick decides, and where it is lost.
BURIED_SAFE, BURIED_AT_RISK, BURIED_LOST = 8, 3, -8
BEST_PLAIN: Final = 200  # the use of a suit's best card; the second best has half
LENGTH: Final = 40  # the use of each companion in the suit: short suits go first
TRUMP_USE: Final = 1000


@kernel
def club_with_habits(table: RuleTable, s: State, m: SeatInfo, alone: int, silent: int) -> int:
    """Return the action of `club` before the play: 1 for a bot without partners or signals."""
    m.memo[ALONE] = alone
    m.memo[SILENT] = silent
    m.memo[OWN] = m.hand
    stage = BIDDING if s.phase == AUCTION else DECLARING
    if m.memo[STAGE] < stage:
        m.memo[STAGE] = stage
        best = best_call(table, m.hand, table.calls & (1 << CIRCUS) - 1, m.seat)
        m.memo[FAVOURITE] = best & 15
        m.memo[EXPECTED] = best >> 4
    if s.phase == AUCTION:
        return club_bid(table, s, m)
    if s.phase == TRUMP_CALL:
        return TRUMP_CALLS + m.memo[FAVOURITE]
    if s.phase == ROOK_RANK:
        ours = m.hand >> ROOK & 1 == 1 or s.called[0] == ROOK or s.called[1] == ROOK
        return ROOK_HIGH if ours else ROOK_DOWN
    if s.phase == LEADER:
        return LEADS + s.declarer
    if s.phase == CALL:
        return club_partner(table, s, m)
    return club_discard(table, s, m)


@kernel
def club_limit(table: RuleTable, seat: int, expected: int, price: int) -> int:
    """Return how high a seat bids over `price` if it expects so many points as declarer, points.

    The limit is what the hand should take, less a twentieth of all points. It is higher where the
    others would get the contract cheaply, because the seat then loses what they take. Where the
    partner is called, nobody knows yet whose loss that is.
    """
    whole = all_points(table)
    if table.called:
        return expected - whole // 16
    return expected + usual_points(table, seat) - price - 3 * whole // 64


@kernel
def club_bid(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return a bid, the lowest there is, or a pass."""
    if m.floor > table.bid_maximum:
        return PASS
    price = s.high if s.bidder >= 0 else table.bid_minimum
    limit = club_limit(table, m.seat, m.memo[EXPECTED], price)
    ours = s.bidder >= 0 and table.partners[m.seat] >> s.bidder & 1 == 1
    if ours and not (table.called or m.memo[ALONE]):
        limit -= 5 * all_points(table) // 32  # over a partner only with points to spare
    if m.floor > limit and may_pass(table, s):
        return PASS
    level = (m.floor - table.bid_minimum) // table.bid_step
    if table.auction == ONE_CALL_EACH and s.calls < table.seats - 1:
        # There is no second call, so it goes half of the way to its limit at once.
        dear = (min(limit, table.bid_maximum) + m.floor) // 2
        level = max(level, (dear - table.bid_minimum) // table.bid_step)
    return BID + level


@kernel
def club_partner(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the card to call: the others' best trump, else the best card of a long suit."""
    row = s.row if s.row >= 0 else m.memo[FAVOURITE]
    others = m.cards & ~m.hand & ~m.nest
    if not others:
        return ENOUGH if s.called_count else lowest(m.cards)
    pick = -1
    most = 0
    while others:
        card = lowest(others)
        others &= others - 1
        suit = table.suit[row * 57 + card]
        good = 4 * table.strength[row * 57 + card] + table.value[card]
        if suit != TRUMP:
            good += 4 * count(m.hand & table.mask[row * SUITS + suit])
        if pick < 0 or good > most:
            pick = card
            most = good
    return pick


@kernel
def club_discard(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return the next card to discard, or the circus card to give: the least useful one."""
    row = s.row if s.row >= 0 else m.memo[FAVOURITE]
    out = whole_deck(table) & ~m.hand & ~m.nest
    bury = BURIED_LOST
    if s.phase == NEST and table.nest_to == NEST_TO_DECLARER:
        bury = BURIED_SAFE
    elif s.phase == NEST and table.nest_to == NEST_TO_LAST_TRICK:
        bury = BURIED_AT_RISK
    # The least useful first, of equals the lowest: a key holds the use and the card.
    least = 1 << 40
    choices = m.cards
    while choices:
        suit = table.suit[row * 57 + lowest(choices)]
        same = table.mask[row * SUITS + suit]
        cards = choices & same
        choices &= ~same
        rest = TRUMP_USE if suit == TRUMP else LENGTH * count(m.hand & same)
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            value = table.value[card]
            use = rest + (table.strength[row * 57 + card] & 127) // 4 - bury * value
            if suit != TRUMP:
                higher = above(table, row, suit, out & same, card)
                use += BEST_PLAIN // (higher * higher + 1)
            least = min(least, use << 6 | card)
            if table.natural and not value:
                cards &= table.counters  # higher ones that bring nothing are of more use
    return least & 63


@kernel
def all_points(table: RuleTable) -> int:
    """Return the points of a whole hand, bonuses included."""
    if not table.bonus:
        return table.card_points
    times = table.hand_size if table.bonus == BONUS_PER_TRICK else 1
    return table.card_points + table.bonus_value * times


@kernel
def side_share(table: RuleTable, seat: int) -> int:
    """Return how many of a thousand cards a declarer in `seat` and its partners hold."""
    side = 1 + table.called_cards if table.called else count(table.partners[seat])
    return 1000 * side // (table.seats + table.blind)


@kernel
def nest_gain(table: RuleTable) -> int:
    """Return what a declarer gains by the nest, in thousandths of a hand.

    Where only some cards may change, each one is worth half of what those before it have left.
    """
    cards = table.nest_size
    if table.exchange:
        cards -= cards >> table.exchange_count
    return cards * 1000 // table.hand_size


@kernel
def position(table: RuleTable, seat: int) -> int:
    """Return what a declarer takes with any hand: for its partners and for the nest."""
    share = side_share(table, seat)
    nest = 744 * nest_gain(table) * (1000 - share) // 1_000_000
    choice = 7 * max(0, count(table.calls & (1 << CIRCUS) - 1) - 4)
    return 1474 * share // 1000 + nest + choice + 92 * table.called - 462


@kernel
def usual_points(table: RuleTable, seat: int) -> int:
    """Return the points that a declarer of the size of this seat's side takes with a usual hand."""
    hand = 610 - 700 * side_share(table, seat) // 1000 - nest_gain(table) // 20
    return (position(table, seat) + hand) * all_points(table) // 1000


@kernel
def cards_promise(table: RuleTable, hand: int, row: int, length: int) -> int:
    """Return what a hand's cards promise under a call, in thousandths times the hand size.

    `length` is the weight of each trump; the three best cards of a suit not held by somebody else
    count besides.
    """
    total = 0
    for suit in range(SUITS):
        same = table.mask[row * SUITS + suit]
        cards = hand & same
        if cards:
            others = same & ~hand
            if suit == TRUMP:
                total += count(cards) * length
                total += tops(table, row, suit, cards, others, 476, 244, 147)
            else:
                total += tops(table, row, suit, cards, others, 403, 128, 92)
    return total


@kernel
def tops(
    table: RuleTable,
    row: int,
    suit: int,
    cards: int,
    others: int,
    first: int,
    second: int,
    third: int,
) -> int:
    """Return the weights of a suit's cards, by how many of `others` are above: none, one or two."""
    if table.natural:
        # Those above the best of the others, above the second, above the third: no card by card.
        edge = highest(others << 1 | 1)
        over = cards >> edge
        total = count(over) * first
        others &= ~(1 << edge >> 1)
        edge = highest(others << 1 | 1)
        higher = count(cards >> edge)
        total += (higher - count(over)) * second
        others &= ~(1 << edge >> 1)
        edge = highest(others << 1 | 1)
        return total + (count(cards >> edge) - higher) * third
    total = 0
    while cards:
        higher = above(table, row, suit, others, lowest(cards))
        cards &= cards - 1
        if higher == 0:
            total += first
        elif higher == 1:
            total += second
        elif higher == 2:
            total += third
    return total


@kernel
def best_call(table: RuleTable, hand: int, calls: int, seat: int) -> int:
    """Return ``points << 4 | call`` for the best of a non-empty set of calls.

    The points, 0 or more, are those that `seat` and its partners may expect to take as declarer.
    """
    # Where the nest is several times as large as a hand, trumps are plenty and worth nothing more.
    length = max(0, 1043 - (945 * side_share(table, seat) + 416 * nest_gain(table)) // 1000)
    best = -1
    while calls:
        call = lowest(calls)
        calls &= calls - 1
        best = max(best, cards_promise(table, hand, call, length) << 4 | call)
    share = position(table, seat) + (best >> 4) // table.hand_size
    share += 198 * points_of(table, hand) // all_points(table)
    return max(0, share * all_points(table) // 1000) << 4 | (best & 15)
