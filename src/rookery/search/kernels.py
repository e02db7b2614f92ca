"""The part of the search that is compiled: rollouts by sequential halving.

Each action is tried in many possible worlds, and the one with the best mean is taken. The worlds
agree with all that the seat has seen. In each of them the script plays every seat to the end of
the hand, and each seat knows only what it would know there. This keeps the mean honest: the script
cannot use cards that the seat itself does not know. After each round the worse half of the actions
drops out, so most rollouts go to those that are close.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club.calls import BIDDING, all_points, best_call
from rookery.bots.club.counting import EXPECTED, FAVOURITE, STAGE
from rookery.bots.dispatch import SILENT_CLUB, decide, decide_card, play_tricks
from rookery.bots.seat_info import SeatInfo, observe
from rookery.engine.actions import ACTIONS, BID, PASS, SUN, apply
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import AUCTION, PLAY, Hidden, State
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable
from rookery.search.outcome import outcome
from rookery.search.state import SearchState, begin_rollouts, list_candidates, put_first
from rookery.search.worlds import begin_trial, draw_likely_world
from rookery.solver.constraints import Constraints
from rookery.solver.sample import draw_world, prepare_worlds


@kernel
def begin_search(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    search: SearchState,
    ways: list[float],
) -> None:
    """Find what the seat knows, and list the actions to try, the script's choice first.

    `ways` has shape (65536,), in C `ROOKERY_WAYS`; where it is shorter, not all worlds may have the
    same chance.
    """
    prepare_worlds(table, s, m, k, ways)
    world.rng = m.rng
    if not search.open:
        draw_world(table, s, k, world, ways)
    list_candidates(table, s, m, world, search, k.unseen | k.own | s.exposed)
    if search.count > 1:
        favourite = (
            decide_card(table, s, m, SILENT_CLUB)
            if s.phase == PLAY
            else decide(table, s, m, SILENT_CLUB)
        )
        put_first(table, s, m, search, k.unseen | k.own | s.exposed, favourite)
    for place in range(table.seats):
        search.kinds[place] = SILENT_CLUB
    begin_rollouts(search)


@kernel
def run_rollouts(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
    ways: list[float],
    begun: State,
    worlds: int,
) -> None:
    """Try every action in the running in more worlds; `begun` is the state before the first lead.

    The dice of the seat move on. `k`, `world`, `search` and `ways` are as `begin_search` left them;
    `seats` has a record for each seat, which is scratch like `trial` and `closed`.
    """
    for turn in range(worlds):
        if not search.open:
            draw_likely_world(table, s, m.seat, k, world, begun, trial, closed, seats, search, ways)
        dice = world.rng
        for i in range(search.alive):
            world.rng = dice  # the same scattered hopes of the others for every action
            bid = play_to_the_lead(
                table, s, world, m.seat, search.action[i], trial, closed, seats, search
            )
            play_tricks(table, trial, closed, seats, search.kinds)
            trial.contract = bid
            note_rollout(table, s, m.seat, trial, search, i, turn)
    m.rng = world.rng


@kernel
def note_rollout(
    table: RuleTable, s: State, seat: int, trial: State, search: SearchState, i: int, turn: int
) -> None:
    """Add the result of a rollout of action `i`, in the world with the number `turn`."""
    value = outcome(table, trial, seat, search)
    search.total[i] += value
    search.squares[i] += value * value
    at = turn * search.alive + i
    if at < ACTIONS:
        search.values[at] = value
    search.rollouts[i] += 1
    if is_the_contract(table, s, seat, search.action[i], trial):
        search.contracts[i] += 1
        search.made[i] += trial.made


@kernel
def mean_value(search: SearchState, i: int) -> float:
    """Return the mean value of an action's rollouts so far."""
    return search.total[i] / max(1, search.rollouts[i])


@kernel
def rank(search: SearchState) -> None:
    """Sort the actions in the running, the best first."""
    for i in range(1, search.alive):
        j = i
        while j > 0 and mean_value(search, j) > mean_value(search, j - 1):
            move_up(search, j)
            j -= 1


@kernel
def move_up(search: SearchState, i: int) -> None:
    """Swap action `i` with the one before it."""
    swap_with_previous(search.action, i)
    swap_with_previous(search.rollouts, i)
    swap_with_previous(search.total, i)
    swap_with_previous(search.squares, i)
    swap_with_previous(search.contracts, i)
    swap_with_previous(search.made, i)


@kernel
def swap_with_previous(numbers: list[int], i: int) -> None:
    """Swap number `i` with the one before it."""
    number = numbers[i]
    numbers[i] = numbers[i - 1]
    numbers[i - 1] = number


@kernel
def play_to_the_lead(
    table: RuleTable,
    s: State,
    world: Hidden,
    seat: int,
    action: int,
    trial: State,
    closed: Hidden,
    seats: Sequence[SeatInfo],
    search: SearchState,
) -> int:
    """Let a seat do `action` in `world`, and let the script declare; return the contract.

    In the auction the contract in `trial` is raised by what defenders take beyond the script's.
    """
    begin_trial(table, s, world, trial, closed, seats)
    if s.phase == AUCTION:
        for place in range(table.seats):
            if place != seat:
                scatter_hope(
                    table, world, closed.hand[place], place, seats[place], search.bid_noise
                )
    apply(table, trial, closed, action)
    while trial.phase < PLAY:
        m = seats[trial.turn]
        observe(table, trial, closed, m)
        apply(table, trial, closed, decide(table, trial, m, SILENT_CLUB))
    bid = trial.contract
    if s.phase == AUCTION and not (table.moon and bid == table.bid_maximum):
        trial.contract += all_points(table) * search.defence // 100
        if table.moon and trial.contract == table.bid_maximum:
            trial.contract -= 1  # whoever bid less is not paid the moon
    return bid


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
