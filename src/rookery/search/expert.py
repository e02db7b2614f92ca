"""`expert`: it tries each action in many possible worlds, and takes the one that scores best.

The worlds agree with all that it has seen; in each the script plays everybody's cards to the end,
each seat by what that seat would know. Playing on with imperfect information is what makes the
average honest: the script cannot use what the seat itself does not know. Half of the actions drop
out in each round, so that most tries go to those that are close.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.dispatch import SILENT_CLUB, decide, decide_card
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules.table import RuleTable
from rookery.search.playout import contract_stood, try_out
from rookery.search.recall import draw_told
from rookery.search.stakes import worth
from rookery.search.thought import Thought, begin_tries, consider, put_first
from rookery.solver.constraints import Constraints
from rookery.solver.sample import draw_world, prepare_worlds


@kernel
def begin_thought(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    t: Thought,
    ways: list[float],
) -> None:
    """See what is known and list the actions to weigh, what the script would do first."""
    prepare_worlds(table, s, m, k, ways)
    world.rng = m.rng
    if not t.open:
        draw_world(table, s, k, world, ways)
    consider(table, s, m, world, t, k.unseen | k.own | s.exposed)
    if t.count > 1:
        favourite = (
            decide_card(table, s, m, SILENT_CLUB)
            if s.phase == PLAY
            else decide(table, s, m, SILENT_CLUB)
        )
        put_first(table, s, m, t, k.unseen | k.own | s.exposed, favourite)
    for place in range(table.seats):
        t.kinds[place] = SILENT_CLUB
    begin_tries(t)


@kernel
def try_worlds(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    t: Thought,
    ways: list[float],
    begun: State,
    worlds: int,
) -> None:
    """Try every action in the running in some more worlds; play began with the table `begun`."""
    for turn in range(worlds):
        if not t.open:
            draw_told(table, s, m.seat, k, world, begun, trial, closed, cast, t, ways)
        dice = world.rng
        for i in range(t.alive):
            world.rng = dice  # the same moods of the others for every action
            try_out(table, s, world, m.seat, t.action[i], trial, closed, cast, t)
            note_try(table, s, m.seat, trial, t, i, turn)
    m.rng = world.rng


@kernel
def note_try(
    table: RuleTable, s: State, seat: int, trial: State, t: Thought, i: int, turn: int
) -> None:
    """Note of action `i` what came of it in a world, the one after `turn` others."""
    value = worth(table, trial, seat, t)
    t.total[i] += value
    t.square[i] += value * value
    at = turn * t.alive + i
    if at < ACTIONS:
        t.worths[at] = value
    t.tried[i] += 1
    if contract_stood(table, s, seat, t.action[i], trial):
        t.stood[i] += 1
        t.made[i] += trial.made


@kernel
def value_of(t: Thought, i: int) -> float:
    """Return what an action is worth, by the tries so far."""
    return t.total[i] / max(1, t.tried[i])


@kernel
def rank(t: Thought) -> None:
    """Bring the actions in the running into order, the best first."""
    for i in range(1, t.alive):
        j = i
        while j > 0 and value_of(t, j) > value_of(t, j - 1):
            move_up(t, j)
            j -= 1


@kernel
def move_up(t: Thought, i: int) -> None:
    """Let action `i` and the one before it change places."""
    exchange(t.action, i)
    exchange(t.tried, i)
    exchange(t.total, i)
    exchange(t.square, i)
    exchange(t.stood, i)
    exchange(t.made, i)


@kernel
def exchange(numbers: list[int], i: int) -> None:
    """Let number `i` and the one before it change places."""
    number = numbers[i]
    numbers[i] = numbers[i - 1]
    numbers[i - 1] = number
