"""How `club` values its hand: the points that it would take under a call, and the best call.

The estimate is linear. It was fitted to what the bot itself took in simulated hands of thirty
variants; `docs/design/club.md` tells how. Weights are thousandths of a hand's points.
"""

from __future__ import annotations

from rookery.bots.club.counting import above
from rookery.engine.card_sets import count, highest, lowest, points_of
from rookery.engine.kernel import kernel
from rookery.rules.order import CIRCUS, SUITS, TRUMP
from rookery.rules.table import BONUS_PER_TRICK, RuleTable


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
    length = 1043 - (945 * side_share(table, seat) + 416 * nest_gain(table)) // 1000
    best = -1
    while calls:
        call = lowest(calls)
        calls &= calls - 1
        best = max(best, cards_promise(table, hand, call, length) << 4 | call)
    share = position(table, seat) + (best >> 4) // table.hand_size
    share += 198 * points_of(table, hand) // all_points(table)
    return max(0, share * all_points(table) // 1000) << 4 | (best & 15)
