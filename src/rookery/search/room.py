"""A hand played to its end where some of the bots search."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.decide import decide, decide_card
from rookery.bots.mine import Mine, look, look_at_trick
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.step import actor, apply
from rookery.engine.trick import play
from rookery.rules.table import RuleTable
from rookery.search.expert import expert
from rookery.search.thought import Thought
from rookery.solver.known import Known

EXPERT = 16  # the first number of a searching bot


@kernel
def play_room_out(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    k: Known,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[Mine],
    t: Thought,
    ways: list[float],
    tries: int,
) -> None:
    """Let bots play the hand in `s` to its end: ``kinds[seat]`` with ``mine[seat]``."""
    while s.phase <= PLAY:
        seat = actor(s)
        m = mine[seat]
        if s.phase == PLAY:
            look_at_trick(table, s, h, m)
        else:
            look(table, s, h, m)
        if kinds[seat] >= EXPERT:
            action = expert(
                table, s, m, k, world, trial, closed, cast, t, ways, tries, kinds[seat] - EXPERT
            )
            apply(table, s, h, action)
        elif s.phase == PLAY:
            play(table, s, h, decide_card(table, s, m, kinds[seat]))
        else:
            apply(table, s, h, decide(table, s, m, kinds[seat]))
