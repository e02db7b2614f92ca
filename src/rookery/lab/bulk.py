"""Hands in bulk: the loop that deals, asks the bots and scores, written once for all targets."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.decide import decide, decide_card
from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.step import actor, apply
from rookery.engine.trick import play
from rookery.rules.table import RuleTable


@kernel
def play_out(table: RuleTable, s: State, h: Hidden, mine: Sequence[Mine], kinds: list[int]) -> None:
    """Let bots play the hand in `s` to its end: ``kinds[seat]`` with ``mine[seat]``."""
    while s.phase < PLAY:
        m = mine[s.turn]
        look(table, s, h, m)
        apply(table, s, h, decide(table, s, m, kinds[s.turn]))
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = mine[seat]
        look_at_trick(table, s, h, m)
        play(table, s, h, decide_card(table, s, m, kinds[seat]))


@kernel
def play_deal(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    order: list[int],
    dealer: int,
) -> int:
    """Deal and play until a hand is scored; return how many deals were cancelled on the way."""
    cancelled = -1
    s.phase = DONE + 1
    while s.phase != DONE:
        cancelled += 1
        shuffle(table, h, order)
        deal(table, s, h, order, dealer)
        for seat in range(table.seats):
            forget(mine[seat])
        play_out(table, s, h, mine, kinds)
    return cancelled


@kernel
def play_hands(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    order: list[int],
    hands: int,
    total: list[int],
) -> int:
    """Play `hands` scored hands, adding scores to `total`; return cancelled deals."""
    cancelled = 0
    for i in range(hands):
        cancelled += play_deal(table, s, h, mine, kinds, order, i % table.seats)
        for seat in range(table.seats):
            total[seat] += s.score[seat]
    return cancelled
