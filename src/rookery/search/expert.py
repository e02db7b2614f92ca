"""`expert`: it tries each action in many possible worlds, and takes the one that scores best.

The worlds agree with all that it has seen; in each the script plays everybody's cards to the end,
each seat by what that seat would know. Playing on with imperfect information is what makes the
average honest: the script cannot use what the seat itself does not know. Half of the actions drop
out in each round, so that most tries go to those that are close.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.decide import CLUB
from rookery.bots.mine import Mine
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.rules.table import RuleTable
from rookery.search.inference import draw_likely
from rookery.search.playout import try_out
from rookery.search.thought import Thought, consider
from rookery.solver.known import Known, relax, see
from rookery.solver.sample import draw, prepare


@kernel
def begin_thought(
    table: RuleTable,
    s: State,
    m: Mine,
    k: Known,
    world: Hidden,
    t: Thought,
    ways: list[float],
) -> None:
    """See what is known and list the actions to weigh."""
    see(table, s, m, k)
    if not prepare(table, s, k, ways):
        relax(table, k)
        prepare(table, s, k, ways)
    world.rng = m.rng
    draw(table, s, k, world, ways)
    consider(table, s, m, world, t, k.rest | k.own | s.exposed)
    for place in range(table.seats):
        t.kinds[place] = CLUB
    for i in range(t.count):
        t.total[i] = 0
        t.made[i] = 0
        t.tried[i] = 0


@kernel
def try_worlds(
    table: RuleTable,
    s: State,
    m: Mine,
    k: Known,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    t: Thought,
    ways: list[float],
    worlds: int,
    flags: int,
) -> None:
    """Try every action in the running in some more worlds."""
    for _ in range(worlds):
        if flags & 1:
            draw_likely(table, s, k, world, ways, m.seat)
        else:
            draw(table, s, k, world, ways)
        for i in range(t.alive):
            t.total[i] += try_out(
                table, s, world, k.own, m.seat, t.action[i], trial, closed, cast, t
            )
            t.made[i] += trial.made
            t.tried[i] += 1
    m.rng = world.rng


@kernel
def rank(t: Thought) -> None:
    """Bring the actions in the running into order, the best first."""
    for i in range(1, t.alive):
        j = i
        while j > 0 and t.total[j] > t.total[j - 1]:
            exchange(t.action, j)
            exchange(t.tried, j)
            exchange(t.total, j)
            exchange(t.made, j)
            j -= 1


@kernel
def exchange(numbers: list[int], i: int) -> None:
    """Let number `i` and the one before it change places."""
    number = numbers[i]
    numbers[i] = numbers[i - 1]
    numbers[i - 1] = number


@kernel
def expert(
    table: RuleTable,
    s: State,
    m: Mine,
    k: Known,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    t: Thought,
    ways: list[float],
    tries: int,
    flags: int,
) -> int:
    """Return the action that scores best in about `tries` tries."""
    begin_thought(table, s, m, k, world, t, ways)
    if t.count == 1:
        return t.action[0]
    rounds = 1
    while 1 << rounds < t.count:
        rounds += 1
    for _ in range(rounds):
        worlds = max(1, tries // (rounds * t.alive))
        try_worlds(table, s, m, k, world, trial, closed, cast, t, ways, worlds, flags)
        rank(t)
        t.alive = (t.alive + 1) // 2
    return t.action[0]
