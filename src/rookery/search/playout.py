"""A try: one action in one world, played to the end by the script."""

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
from rookery.search.thought import Thought


@kernel
def try_out(
    table: RuleTable,
    s: State,
    world: Hidden,
    seat: int,
    action: int,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
) -> None:
    """Let a seat do `action` in `world`, and everybody play on by script to the end.

    The table as it is then stands in `trial`.
    """
    lay_out_anew(table, s, world, trial, closed, cast)
    if s.phase == AUCTION:
        for place in range(table.seats):
            if place != seat:
                temper(table, world, closed.hand[place], place, cast[place], t.scatter)
    apply(table, trial, closed, action)
    if s.phase == AUCTION:
        while trial.phase < PLAY:
            m = cast[trial.turn]
            observe(table, trial, closed, m)
            apply(table, trial, closed, decide(table, trial, m, SILENT_CLUB))
        bid = trial.contract
        if not (table.moon and bid == table.bid_maximum):
            trial.contract += all_points(table) * t.doubt // 100
        play_tricks(table, trial, closed, cast, t.kinds)
        trial.contract = bid
    else:
        play_out(table, trial, closed, cast, t.kinds)


@kernel
def lay_out_anew(
    table: RuleTable, s: State, h: Hidden, trial: State, closed: Hidden, cast: Sequence[SeatInfo]
) -> None:
    """Copy a hand into `trial` and `closed`; of it each of `cast` knows the cards it holds."""
    copy_state(table, s, trial)
    copy_hidden(table, h, closed)
    for place in range(table.seats):
        clear_notes(cast[place])
        cast[place].memo[OWN] = closed.hand[place]


@kernel
def temper(
    table: RuleTable, world: Hidden, hand: int, seat: int, m: SeatInfo, scatter: int
) -> None:
    """Let a seat of a try hope for a little more or less than the script would.

    Others bid by yardsticks of their own: a pass tells less than it would from the script.
    """
    best = best_call(table, hand, table.calls & (1 << CIRCUS) - 1, seat)
    width = all_points(table) * scatter // 100
    off = below(world, width + 1) + below(world, width + 1) + below(world, width + 1)
    m.memo[STAGE] = BIDDING
    m.memo[FAVOURITE] = best & 15
    m.memo[EXPECTED] = max(0, (best >> 4) + off - 3 * width // 2)


@kernel
def contract_stood(table: RuleTable, s: State, seat: int, action: int, trial: State) -> bool:
    """Return whether a try ended with the contract that is meant when one speaks of making it.

    In the auction that is the bid itself, if it was the last; after it, the contract.
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
