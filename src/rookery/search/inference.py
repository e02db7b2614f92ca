"""What the calls tell: worlds in which a seat would hardly have called as it did are passed over.

A seat that bid should hold a hand that is worth it, one that passed a hand that is not: each to a
degree, since nobody bids by our yardstick alone. Without this two partners outbid each other, each
taking the other's high bid for a mistake.
"""

from __future__ import annotations

from typing import Final

from rookery.bots.club.estimate import all_points, best_call, usual_points
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable
from rookery.search.thought import Thought
from rookery.solver.constraints import Constraints
from rookery.solver.sample import draw_cards, draw_world

SURE: Final = 1024
PATIENCE: Final = 24  # worlds looked at before one of them is taken
MANY, FEW = 512, 4
# How often, in 1024ths, a seat bids whose limit lies so many steps above the bid, from -4 to 4.
READY: Final = (2, 5, 40, 200, 480, 700, 850, 990, 1016)
STEP: Final = 8  # hundredths of a hand's points


@kernel
def ready(over: int, step: int) -> int:
    """Return how often, in 1024ths, a seat bids whose limit lies `over` points above the bid."""
    place = (over + 4 * step + (step >> 1)) // max(1, step)
    return READY[max(0, min(8, place))]


@kernel
def limit_at(table: RuleTable, seat: int, hope: int, price: int, mate: int) -> int:
    """Return up to where the script would bid over `price`, its partner's or not, in points."""
    whole = all_points(table)
    if table.called:
        return hope - whole // 16
    limit = hope + usual_points(table, seat) - price - 3 * whole // 64
    return limit - 5 * whole // 64 if mate else limit


@kernel
def plausible(
    table: RuleTable, s: State, k: Constraints, world: Hidden, t: Thought, me: int
) -> int:
    """Return how well the calls fit a world, in 1024ths."""
    step = max(1, all_points(table) * STEP // 100)
    weight = SURE
    for seat in range(table.seats):
        if seat != me and k.unseen_in[seat] and (t.bid_at[seat] or t.pass_at[seat]):
            hand = world.hand[seat] | s.played_by[seat]
            if seat == s.declarer and count(hand | world.nest) > table.hand_size:
                hand = draw_cards(world, hand | (world.nest & ~k.known[seat]), table.hand_size)
            hope = best_call(table, hand, table.calls & (1 << CIRCUS) - 1, seat) >> 4
            if t.bid_at[seat]:
                limit = limit_at(table, seat, hope, t.bid_price[seat], t.bid_mate[seat])
                weight = weight * ready(limit - t.bid_at[seat], step) // SURE
            if t.pass_at[seat]:
                limit = limit_at(table, seat, hope, t.pass_price[seat], t.pass_mate[seat])
                weight = weight * (SURE - ready(limit - t.pass_at[seat], step)) // SURE
    return weight


@kernel
def draw_likely(
    table: RuleTable,
    s: State,
    k: Constraints,
    world: Hidden,
    ways: list[float],
    t: Thought,
    me: int,
) -> None:
    """Lay into `world` one of the possible worlds, each with a chance that fits the calls."""
    total = 0
    pick = world.rng
    # Where there are very many ways to spread the cards, each world takes long.
    for _ in range(PATIENCE if k.states <= MANY else FEW):
        start = world.rng
        draw_world(table, s, k, world, ways)
        weight = plausible(table, s, k, world, t, me)
        if below(world, SURE) < weight:
            return
        total += weight
        if below(world, max(1, total)) < weight:
            pick = start
    # None was taken outright: one of those seen is drawn again, by their weights.
    onward = world.rng
    world.rng = pick
    draw_world(table, s, k, world, ways)
    world.rng = onward


@kernel
def draw_heard(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    t: Thought,
    ways: list[float],
) -> None:
    """Lay into `world` one that a seat holds possible, by the calls too where they are heeded."""
    if t.heard and t.heed:
        draw_likely(table, s, k, world, ways, t, seat)
    else:
        draw_world(table, s, k, world, ways)
