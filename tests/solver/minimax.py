"""Brute force: every line of play through the engine's own functions, with nothing clever."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.records import copy_of
from rookery.engine.state import DONE, Hidden, State, copy_hidden, copy_state
from rookery.engine.trick import following, play
from rookery.rules.table import RuleTable
from rookery.solver.setup import side_solved

FAR = 1 << 40


@kernel
def minimax(
    table: RuleTable,
    states: Sequence[State],
    hiddens: Sequence[Hidden],
    cards: list[int],
    lows: list[int],
    highs: list[int],
    ours: int,
) -> int:
    """Return the points of the side `ours` from the position in ``states[0]``: alpha and beta.

    The lists and the records have a place for each card to come, and one more.
    """
    ply = 0
    lows[0] = -FAR
    highs[0] = FAR
    fresh = 1
    value = 0
    while True:
        s = states[ply]
        h = hiddens[ply]
        if fresh:
            if s.phase == DONE:
                value = s.points[lowest(ours)]
                fresh = 0
                if ply == 0:
                    return value
                ply -= 1
                if ours >> states[ply].turn & 1:
                    lows[ply] = max(lows[ply], value)
                else:
                    highs[ply] = min(highs[ply], value)
                continue
            cards[ply] = following(table, s, h.hand[s.turn])
            fresh = 0
        if cards[ply] and lows[ply] < highs[ply]:
            card = lowest(cards[ply])
            cards[ply] &= cards[ply] - 1
            copy_state(table, s, states[ply + 1])
            copy_hidden(table, h, hiddens[ply + 1])
            play(table, states[ply + 1], hiddens[ply + 1], card)
            lows[ply + 1] = lows[ply]
            highs[ply + 1] = highs[ply]
            ply += 1
            fresh = 1
            continue
        value = lows[ply] if ours >> s.turn & 1 else highs[ply]
        if ply == 0:
            return value
        ply -= 1
        if ours >> states[ply].turn & 1:
            lows[ply] = max(lows[ply], value)
        else:
            highs[ply] = min(highs[ply], value)


def plain_minimax(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the points of the declarer's side, uncompiled."""
    ours = side_solved(table, s, h)
    room = 60
    states = [copy_of(s)] + [State() for _ in range(room)]
    hiddens = [copy_of(h)] + [Hidden() for _ in range(room)]
    lists = ([0] * room, [0] * room, [0] * room)
    return minimax(table, states, hiddens, *lists, ours)
