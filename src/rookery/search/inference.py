"""What the calls tell: worlds in which a seat would hardly have called as it did are passed over.

The bidder should hold a hand that is worth its bid, whoever passed one that is not; each to a
degree, since nobody bids by our yardstick alone.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club import club_limit
from rookery.bots.club_hand import all_points, best_call
from rookery.engine.bits import count
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable
from rookery.solver.known import Known
from rookery.solver.sample import draw, take

SURE: Final = 1024
PATIENCE: Final = 12  # worlds passed over before one is taken as it is


@kernel
def likely(over: int, width: int) -> int:
    """Return the chance, in 1024ths, of a call whose limit lies `over` points on the right side.

    A straight slope, `width` points to either side, that never reaches nought.
    """
    return max(SURE // 16, min(SURE, SURE // 2 + SURE * over // (2 * width)))


@kernel
def plausible(table: RuleTable, s: State, k: Known, world: Hidden, me: int) -> int:
    """Return how well the calls fit a world, in 1024ths."""
    width = max(1, all_points(table) // 10)
    weight = SURE
    for seat in range(table.seats):
        spoken = s.passed >> seat & 1 == 1 or seat == s.bidder or s.declarer >= 0
        if seat != me and k.need[seat] and spoken and not s.circus:
            hand = world.hand[seat] | s.shown[seat]
            if seat == s.declarer and count(hand | world.nest) > table.hand_size:
                hand = take(world, hand | (world.nest & ~k.sure[seat]), table.hand_size)
            hope = best_call(table, hand, table.calls & (1 << CIRCUS) - 1, seat) >> 4
            limit = club_limit(table, s, seat, hope)
            if seat == s.bidder:
                if s.high > table.bid_minimum:
                    weight = weight * likely(limit - s.high, width) // SURE
            else:
                weight = weight * likely(s.high + table.bid_step - limit, width) // SURE
    return weight


@kernel
def draw_likely(
    table: RuleTable, s: State, k: Known, world: Hidden, ways: list[float], me: int
) -> None:
    """Lay into `world` one of the possible worlds, each with a chance that fits the calls."""
    for _ in range(PATIENCE):
        draw(table, s, k, world, ways)
        if below(world, SURE) < plausible(table, s, k, world, me):
            break
