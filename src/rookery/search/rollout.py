"""A rollout: one action in one world, with the script playing every seat to the end of the hand."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club.calls import BIDDING
from rookery.bots.club.counting import EXPECTED, FAVOURITE, OWN, STAGE
from rookery.bots.club.estimate import all_points, best_call
from rookery.bots.dispatch import SILENT_CLUB, decide, play_out, play_tricks
from rookery.bots.seat_info import SeatInfo, clear_notes, observe
from rookery.engine.actions import BID, PASS, SUN, apply
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import AUCTION, PLAY, Hidden, State, copy_hidden, copy_state
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable
from rookery.search.state import SearchState


@kernel
def roll_out(
    table: RuleTable,
    s: State,
    world: Hidden,
    seat: int,
    action: int,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
) -> None:
    """Let a seat do `action` in `world`, and let the script play the hand to its end.

    `trial` is then the state at the end of the hand.
    """
    begin_trial(table, s, world, trial, closed, seats)
    if s.phase == AUCTION:
        for place in range(table.seats):
            if place != seat:
                scatter_hope(
                    table, world, closed.hand[place], place, seats[place], search.bid_noise
                )
    apply(table, trial, closed, action)
    if s.phase == AUCTION:
        while trial.phase < PLAY:
            m = seats[trial.turn]
            observe(table, trial, closed, m)
            apply(table, trial, closed, decide(table, trial, m, SILENT_CLUB))
        bid = trial.contract
        if not (table.moon and bid == table.bid_maximum):
            trial.contract += all_points(table) * search.defence // 100
        play_tricks(table, trial, closed, seats, search.kinds)
        trial.contract = bid
    else:
        play_out(table, trial, closed, seats, search.kinds)


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
def scatter_hope(
    table: RuleTable, world: Hidden, hand: int, seat: int, m: SeatInfo, noise: int
) -> None:
    """Let a seat hope for a little more or less than the script would.

    Others do not bid exactly as the script does, so a pass says less than the script's pass.
    """
    best = best_call(table, hand, table.calls & (1 << CIRCUS) - 1, seat)
    width = all_points(table) * noise // 100
    off = below(world, width + 1) + below(world, width + 1) + below(world, width + 1)
    m.memo[STAGE] = BIDDING
    m.memo[FAVOURITE] = best & 15
    m.memo[EXPECTED] = max(0, (best >> 4) + off - 3 * width // 2)


@kernel
def is_the_contract(table: RuleTable, s: State, seat: int, action: int, trial: State) -> bool:
    """Return whether a rollout ended with the contract whose chance is asked for.

    In the auction that is the bid `action`, if it was the last; later it is the contract.
    """
    if s.phase != AUCTION:
        return trial.declarer >= 0
    if trial.declarer != seat:
        return False
    if action == SUN:
        return trial.sun == 1
    if BID <= action < PASS:
        return trial.contract == table.bid_minimum + (action - BID) * table.bid_step
    return True
