"""The network inside the search: it says first what it thinks, and plays the tries to their ends.

What it thinks counts as so many worlds in which each card did as well as its score says.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.club_hand import all_points
from rookery.bots.mine import Mine
from rookery.engine.bits import count
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.engine.trick import play
from rookery.learn.net import Net, Paper, score_cards
from rookery.learn.pupil import play_on
from rookery.learn.sight import describe
from rookery.rules.table import RuleTable
from rookery.search.expert import note_try
from rookery.search.inference import draw_heard
from rookery.search.playout import lay_out_anew
from rookery.search.thought import Thought
from rookery.solver.known import Known


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
def try_card(
    table: RuleTable,
    s: State,
    world: Hidden,
    card: int,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    inner: Thought,
    net: Net,
    paper: Paper,
    learned: int,
) -> None:
    """Play `card` in `world`, and the hand to its end, which then stands in `trial`.

    The seats of `learned` play on by the network, the others by the script.
    """
    lay_out_anew(table, s, world, trial, closed, cast)
    play(table, trial, closed, card)
    play_on(table, trial, closed, cast, net, paper, inner, learned)


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
    for turn in range(worlds):
        if not t.open:
            draw_heard(table, s, m.seat, k, world, t, ways)
        for i in range(t.alive):
            try_card(
                table, s, world, t.action[i],
                trial, closed, cast, inner, net, paper, learned,
            )  # fmt: skip
            note_try(table, s, m.seat, trial, t, i, turn)
    m.rng = world.rng
