"""The network inside the search: it says first what it thinks, and plays the tries to their ends.

What it thinks counts as so many worlds in which each card did as well as its score says.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club_hand import all_points
from rookery.bots.mine import Mine
from rookery.engine.actions import ACTIONS
from rookery.engine.bits import count
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.learn.net import Net, Paper, score_cards
from rookery.learn.practice import try_card
from rookery.learn.sight import describe
from rookery.rules.table import RuleTable
from rookery.search.inference import draw_likely
from rookery.search.stakes import worth
from rookery.search.thought import Thought
from rookery.solver.known import Known
from rookery.solver.sample import draw


@kernel
def lean(
    table: RuleTable, s: State, m: Mine, t: Thought, net: Net, paper: Paper, trust: int
) -> None:
    """Let each listed card begin with `trust` worlds that went as the network says.

    The script's card stands first in the list.
    """
    describe(table, s, m, t, 0, paper.table, paper.cards, 0, 0)
    score_cards(net, paper, t.count)
    side = count(table.partners[m.seat])
    whole = all_points(table) * side * (table.seats - side)
    for i in range(t.count):
        t.tried[i] = trust
        t.total[i] = int(paper.score[i] * whole * trust)


@kernel
def try_cards(
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
    inner: Thought,
    net: Net,
    paper: Paper,
    learned: int,
) -> None:
    """Try every card in the running in some more worlds; the seats of `learned` by the network."""
    at = 0
    for _ in range(worlds):
        if not t.open:
            if t.heard and t.heed:
                draw_likely(table, s, k, world, ways, t, m.seat)
            else:
                draw(table, s, k, world, ways)
        for i in range(t.alive):
            try_card(
                table, s, world, t.action[i],
                trial, closed, cast, inner, net, paper, learned,
            )  # fmt: skip
            value = worth(table, trial, m.seat, t)
            t.total[i] += value
            t.square[i] += value * value
            if at < ACTIONS:
                t.worths[at] = value
                at += 1
            t.tried[i] += 1
            if trial.declarer >= 0:
                t.stood[i] += 1
                t.made[i] += trial.made
    m.rng = world.rng
