"""The kernel of `auctions`: what a hand is worth as declarer, and where to stop bidding.

Each board is played twice with the same cards. First one seat declares, without an auction. Then
its *rival* declares, the strongest of the other players. Bots ignore the contract during play, so
one hand shows what every contract would have scored. The kernel also finds the rival's highest
bid. So the result of the auction between the two is known for every bid at which the seat may
stop. Where both would stop at the same bid, the rival has bid it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.club.calls import all_points, best_call
from rookery.bots.club.counting import above
from rookery.bots.dispatch import decide, play_out
from rookery.bots.seat_info import SeatInfo, clear_notes, observe
from rookery.engine.actions import BID, BID_LEVELS
from rookery.engine.auction import force
from rookery.engine.card_sets import lowest
from rookery.engine.deal import deal
from rookery.engine.kernel import kernel
from rookery.engine.score import end_hand
from rookery.engine.state import AUCTION, DONE, Hidden, State
from rookery.lab.duplicate.boards import draw_board, margin
from rookery.rules.order import CIRCUS, SUITS, TRUMP
from rookery.rules.table import ALL_PASS_REDEAL, RuleTable

# Places in a hand's row: 1, then how many cards it holds of each place in the order of its trumps
# and of its other suits, the best first; then the points that its side took as declarer.
ONE: Final = 0
TRUMPS: Final = 1
TRUMP_PLACES: Final = 18
SIDE: Final = TRUMPS + TRUMP_PLACES
SIDE_PLACES: Final = 16
TAKEN: Final = SIDE + SIDE_PLACES
ROW: Final = TAKEN + 1
PRODUCTS: Final = ROW * ROW  # [i * ROW + j], i <= j

# Places in the sums of one strength. Strengths and points are counted in 24ths of a hand's points.
PARTS: Final = 24
STRENGTHS: Final = 33
HANDS: Final = 0
POINTS: Final = 1
POINTS_SQUARED: Final = 2
TOOK: Final = 3  # + points in 24ths: how many hands took so many
LEVELS: Final = 48
MADE: Final = TOOK + PARTS + 1  # + level of the bid: hands that make it
CELLS: Final = MADE + LEVELS
# Places in the sums of one strength in one block: hands, then margins by where the seat stops, at 0
# without a bid, at k + 1 with the bid of level k.
STOPPED: Final = 1
STOPS: Final = STOPPED + LEVELS + 1

NEVER: Final = -1  # the limit of a rival that does not open


@kernel
def stride(table: RuleTable) -> int:
    """Return how many bidding steps lie between two levels."""
    return (table.bid_levels + LEVELS - 1) // LEVELS


@kernel
def strength_of(table: RuleTable, hope: int) -> int:
    """Return the strength class, 0 to `STRENGTHS` - 1, from the points that a hand may expect."""
    return min(hope * PARTS // all_points(table), STRENGTHS - 1)


@kernel
def bid_at(table: RuleTable, level: int) -> int:
    """Return the bid of a level, in points."""
    return table.bid_minimum + level * stride(table) * table.bid_step


@kernel
def fill_row(table: RuleTable, hand: int, call: int, row: list[int]) -> None:
    """Fill the row of a hand under a trump call."""
    for i in range(ROW):
        row[i] = 0
    row[ONE] = 1
    cards = hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit = table.suit[call * 57 + card]
        place = above(table, call, suit, table.mask[call * SUITS + suit] & ~(1 << card), card)
        if suit == TRUMP:
            row[TRUMPS + min(place, TRUMP_PLACES - 1)] += 1
        else:
            row[SIDE + min(place, SIDE_PLACES - 1)] += 1


@kernel
def limit_of(
    table: RuleTable, s: State, h: Hidden, m: SeatInfo, kind: int, rival: int, seat: int
) -> int:
    """Return the highest level that `rival` bids when `seat` bids against it a step at a time."""
    clear_notes(m)
    s.turn = rival
    s.bidder = -1
    s.high = 0
    limit = NEVER
    for level in range(table.bid_levels):
        s.calls = level + 1
        if level:
            s.bidder = seat
            s.high = table.bid_minimum + (level - 1) * table.bid_step
        observe(table, s, h, m)
        action = decide(table, s, m, kind)
        if action < BID or action >= BID + BID_LEVELS:
            break
        limit = level
    return limit


@kernel
def value_boards(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    dice: list[int],
    order: list[int],
    row: list[int],
    made: list[int],
    seed: int,
    skip: int,
    first: int,
    boards: int,
    block: int,
    products: list[int],
    stops: list[int],
    sums: list[int],
) -> None:
    """Play boards twice each and add the results to the sums.

    Args:
        table: the rules.
        s: room for the public state.
        h: room for the hidden state.
        mine: room for what each seat knows.
        kinds: every seat's bot.
        dice: room for each seat's generator.
        order: room for the deck.
        row: room for a hand's row.
        made: room for a number at each level.
        seed: of all boards.
        skip: the cards of board b are those of number `skip` + b of the seed.
        first: the first board.
        boards: how many.
        block: how many boards there are in a block of sums.
        products: of rows, `PRODUCTS` numbers for each block.
        stops: `STOPS` numbers for each strength in each block.
        sums: `CELLS` numbers for each strength.
    """
    seats = table.seats
    for board in range(first, first + boards):
        number = skip + board
        part = board // block
        draw_board(table, s, h, dice, order, seed, number)
        dealer = number % seats
        seat = number // seats % seats
        deal(table, s, h, order, dealer)
        if s.phase != AUCTION:
            continue  # the rules leave no choice of declarer
        rival = -1
        most = -1
        hand = 0
        for other in range(seats):
            best = best_call(table, h.hand[other], table.calls & (1 << CIRCUS) - 1, other)
            if other == seat:
                hand = best
            elif not table.partners[seat] >> other & 1 and best >> 4 > most:
                most = best >> 4
                rival = other
        fill_row(table, h.hand[seat], hand & 15, row)
        strength = strength_of(table, hand >> 4)
        at = strength * CELLS
        stop = (part * STRENGTHS + strength) * STOPS
        limit = limit_of(table, s, h, mine[rival], kinds[rival], rival, seat)
        highest = table.bid_minimum + limit * table.bid_step
        bids = (table.bid_levels - 1) // stride(table) + 1
        won = 0
        for room in range(2):
            deal(table, s, h, order, dealer)
            for other in range(seats):
                mine[other].rng = dice[other]
                clear_notes(mine[other])
            force(table, s, h, rival if room else seat)
            play_out(table, s, h, mine, kinds)
            if s.phase != DONE:
                break
            if room == 0:
                row[TAKEN] = s.points[seat]
            for level in range(bids + 1):
                own = bid_at(table, level - 1)
                if room == 0:
                    s.contract = bid_at(table, level)
                    if level == bids:
                        s.contract = min(highest + table.bid_step, table.bid_maximum)
                else:
                    s.contract = max(table.bid_minimum, min(own + table.bid_step, highest))
                end_hand(table, s, h, s.winner[table.hand_size - 1])
                scored = margin(table, s, seat)
                if room == 0:
                    made[level] = s.made
                    won = scored
                elif level and own > highest:
                    stops[stop + STOPPED + level] += won
                elif level or limit > NEVER or table.all_pass != ALL_PASS_REDEAL:
                    stops[stop + STOPPED + level] += scored
        if s.phase != DONE:
            continue
        stops[stop + HANDS] += 1
        for level in range(bids):
            sums[at + MADE + level] += made[level]
        taken = row[TAKEN]
        sums[at + HANDS] += 1
        sums[at + POINTS] += taken
        sums[at + POINTS_SQUARED] += taken * taken
        sums[at + TOOK + min(PARTS, taken * PARTS // all_points(table))] += 1
        for i in range(ROW):
            if row[i]:
                for j in range(i, ROW):
                    products[part * PRODUCTS + i * ROW + j] += row[i] * row[j]
