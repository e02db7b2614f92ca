"""A hand played to its end by kernel bots: the loop that asks each in turn."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bots.decide import decide, decide_card
from rookery.bots.seat_info import SeatInfo, observe, observe_trick
from rookery.engine.actions import actor, apply
from rookery.engine.kernel import kernel
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.trick import play
from rookery.rules.table import RuleTable


@kernel
def play_out(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], kinds: list[int]
) -> None:
    """Let bots play the hand in `s` to its end: ``kinds[seat]`` with ``mine[seat]``."""
    while s.phase < PLAY:
        m = mine[s.turn]
        observe(table, s, h, m)
        apply(table, s, h, decide(table, s, m, kinds[s.turn]))
    play_tricks(table, s, h, mine, kinds)


@kernel
def play_tricks(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], kinds: list[int]
) -> None:
    """Let bots play the tricks of a hand whose declaration is over, or has ended it."""
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = mine[seat]
        observe_trick(table, s, h, m)
        play(table, s, h, decide_card(table, s, m, kinds[seat]))
