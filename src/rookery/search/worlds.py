"""Possible worlds: hands for all seats that agree with what a seat has seen (determinizations).

The sampler of `rookery.solver` draws worlds that are all equally likely. This module makes some of
them more likely than others, by three kinds of evidence:

- Calls. A seat that bid should hold a hand worth the bid, and one that passed should not. Both hold
  to a degree only, since nobody bids exactly like the script. Without this, partners outbid each
  other, because each takes the other's high bid for a mistake.
- Discards. The declarer has chosen what to keep. In each world the script chooses the discards
  again, from the cards that the world gives to the declarer's hand and to the nest. Otherwise the
  declarer's hand would look weaker than it is.
- Cards played, an option that is off by default. Each world is played again from the first lead.
  Every card that the script would not have played with the world's cards makes the world less
  likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.club.calls import all_points, best_call, club_discard, club_limit
from rookery.bots.club.counting import OWN
from rookery.bots.dispatch import SILENT_CLUB, decide_card
from rookery.bots.seat_info import SeatInfo, clear_notes, observe_trick
from rookery.engine.actions import actor
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import NEST, PLAY, Hidden, State, copy_hidden, copy_state
from rookery.engine.trick import play
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable
from rookery.search.state import SearchState, equal
from rookery.solver.constraints import IN_NEST, Constraints, may_go_next
from rookery.solver.sample import agrees, draw_cards, draw_world

SURE: Final = 1024  # the weight of a world that fits all evidence
WORLDS_BY_CALLS: Final = 24  # worlds looked at before one of them is taken
MANY, FEW = 512, 4  # with more states of the sampler than this, so few: each world takes long
WORLDS_BY_CARDS: Final = 8  # worlds looked at before one of them is taken
# How often, in 1024ths, a seat bids if its limit lies so many steps above the bid, from -4 to 4.
READY: Final = (2, 5, 40, 200, 480, 700, 850, 990, 1016)
STEP: Final = 8  # percent of all points


@kernel
def bid_weight(over: int, step: int) -> int:
    """Return how often, in 1024ths, a seat bids if its limit lies `over` points above the bid."""
    place = (over + 4 * step + (step >> 1)) // max(1, step)
    return READY[max(0, min(8, place))]


@kernel
def bid_limit(table: RuleTable, seat: int, hope: int, price: int, partner: int) -> int:
    """Return how high the script would bid over `price`, points; `partner` is 1 for a partner's."""
    limit = club_limit(table, seat, hope, price)
    return limit - 5 * all_points(table) // 64 if partner and not table.called else limit


@kernel
def calls_weight(
    table: RuleTable, s: State, k: Constraints, world: Hidden, search: SearchState, me: int
) -> int:
    """Return how well a world fits the calls, in 1024ths."""
    step = max(1, all_points(table) * STEP // 100)
    weight = SURE
    for seat in range(table.seats):
        if seat != me and k.unseen_in[seat] and (search.bid[seat] or search.passed[seat]):
            hand = world.hand[seat] | s.played_by[seat]
            if seat == s.declarer and count(hand | world.nest) > table.hand_size:
                hand = draw_cards(world, hand | (world.nest & ~k.known[seat]), table.hand_size)
            hope = best_call(table, hand, table.calls & (1 << CIRCUS) - 1, seat) >> 4
            if search.bid[seat]:
                limit = bid_limit(
                    table, seat, hope, search.bid_over[seat], search.bid_over_partner[seat]
                )
                weight = weight * bid_weight(limit - search.bid[seat], step) // SURE
            if search.passed[seat]:
                limit = bid_limit(
                    table, seat, hope, search.pass_over[seat], search.pass_over_partner[seat]
                )
                weight = weight * (SURE - bid_weight(limit - search.passed[seat], step)) // SURE
    return weight


@kernel
def draw_by_calls(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    search: SearchState,
    ways: list[float],
) -> None:
    """Draw a world that a seat holds possible into `world`, likelier the better it fits the calls.

    If calls say nothing, all worlds are equally likely.
    """
    if not search.called or not search.use_calls:
        draw_world(table, s, k, world, ways)
        return
    total = 0
    pick = world.rng
    for _ in range(WORLDS_BY_CALLS if k.states <= MANY else FEW):
        start = world.rng
        draw_world(table, s, k, world, ways)
        weight = calls_weight(table, s, k, world, search, seat)
        if below(world, SURE) < weight:
            return
        total += weight
        if below(world, max(1, total)) < weight:
            pick = start
    # None was accepted: take one of those drawn, chosen by their weights.
    onward = world.rng
    world.rng = pick
    draw_world(table, s, k, world, ways)
    world.rng = onward


@kernel
def discard_again(
    table: RuleTable, s: State, k: Constraints, world: Hidden, scratch: SeatInfo
) -> None:
    """Let the declarer of a drawn world choose the discards again, from the hand and the nest.

    What is known of either stays where it is. The world stays as it is for the declarer's own
    search, if nothing or only a part was exchanged, and if the script's discards would contradict
    what the declarer has said of the new nest.
    """
    seat = s.declarer
    if s.phase != PLAY or seat < 0 or not k.unseen_in[seat] or not k.unseen_in[IN_NEST]:
        return
    if not s.discarded or table.exchange or s.row < 0:
        return
    m = scratch
    free = (world.hand[seat] & ~k.known[seat]) | (world.nest & ~k.known[IN_NEST])
    must = free & ~k.possible[seat]
    m.nest = k.known[IN_NEST] | must
    m.hand = (world.hand[seat] | world.nest | s.played_by[seat]) & ~m.nest
    choice = free & k.possible[IN_NEST] & ~must
    left = count(world.nest) - count(m.nest)
    if left < 0 or count(choice) < left:
        return
    s.phase = NEST
    while left:
        m.cards = choice & m.hand
        if table.ban_forced:
            m.cards &= may_go_next(table, s, world, m.hand, m.nest)
        if not m.cards:
            break
        card = club_discard(table, s, m)
        m.nest |= 1 << card
        m.hand &= ~(1 << card)
        left -= 1
    s.phase = PLAY
    if left:
        return
    k.drawn[seat] = m.hand & ~s.played_by[seat] & ~k.known[seat]
    k.drawn[IN_NEST] = m.nest & ~k.known[IN_NEST]
    if not agrees(table, s, k):
        return
    world.hand[seat] = m.hand & ~s.played_by[seat]
    world.nest = m.nest
    world.pickup = m.nest


@kernel
def draw_by_discards(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
    ways: list[float],
) -> None:
    """Draw a world by the calls, with the discards chosen again if `search` says so."""
    draw_by_calls(table, s, seat, k, world, search, ways)
    if search.new_discards:
        discard_again(table, s, k, world, seats[seat])


@kernel
def begin_trial(
    table: RuleTable, s: State, h: Hidden, trial: State, closed: Hidden, seats: Sequence[SeatInfo]
) -> None:
    """Copy a hand into `trial` and `closed`, and let each of `seats` know its own cards."""
    copy_state(table, s, trial)
    copy_hidden(table, h, closed)
    for place in range(table.seats):
        clear_notes(seats[place])
        seats[place].memo[OWN] = closed.hand[place]


@kernel
def cards_weight(
    table: RuleTable,
    s: State,
    begun: State,
    world: Hidden,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
    me: int,
) -> int:
    """Return how well a world fits the cards that others have played, in 1024ths.

    `begun` is the state before the first lead. The cards of `me`, the seat that searches, are no
    evidence. `trial`, `closed` and `seats` are scratch.
    """
    weight = SURE
    begin_trial(table, begun, world, trial, closed, seats)
    deal = 0
    for place in range(table.seats):
        closed.hand[place] |= s.played_by[place] & ~begun.played_by[place]
        deal |= closed.hand[place]
        seats[place].memo[OWN] = closed.hand[place]
    for i in range(search.played):
        card = search.card[i]
        seat = actor(trial) if table.dummy else trial.turn
        if seat != me:
            m = seats[seat]
            observe_trick(table, trial, closed, m)
            script = decide_card(table, trial, m, SILENT_CLUB)
            if script != card:
                others = (deal | trial.trick_cards) & ~m.hand
                if not equal(table, trial.row, script, card, others):
                    weight = weight * search.odd_card // SURE
        deal &= ~(1 << card)
        play(table, trial, closed, card)
    return weight


@kernel
def draw_likely_world(
    table: RuleTable,
    s: State,
    seat: int,
    k: Constraints,
    world: Hidden,
    begun: State,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
    ways: list[float],
) -> None:
    """Draw a world that a seat holds possible into `world`, by all evidence that `search` has."""
    total = 0
    pick = world.rng
    for _ in range(WORLDS_BY_CARDS if search.played else 1):
        start = world.rng
        draw_by_discards(table, s, seat, k, world, seats, search, ways)
        if not search.played:
            return
        weight = cards_weight(table, s, begun, world, trial, closed, seats, search, seat)
        if below(world, SURE) < weight:
            return
        total += weight
        if below(world, max(1, total)) < weight:
            pick = start
    # None was accepted: take one of those drawn, chosen by their weights.
    onward = world.rng
    world.rng = pick
    draw_by_discards(table, s, seat, k, world, seats, search, ways)
    world.rng = onward
