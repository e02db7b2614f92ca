"""Hands in bulk: the loop that deals, asks the bots and scores, written once for all targets."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.mine import Mine, forget
from rookery.bots.play_out import play_out
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.state import DONE, Hidden, State
from rookery.rules.table import RuleTable


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
