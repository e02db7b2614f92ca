"""Whether one action is among those that `rookery.engine.step.legal` lists, without the list."""

from __future__ import annotations

from rookery.cards import CARDS
from rookery.engine.actions import (
    BID,
    ENOUGH,
    LEADS,
    PASS,
    REDEAL_DEMAND,
    ROOK_DOWN,
    ROOK_HIGH,
    SUN,
    TRUMP_CALLS,
)
from rookery.engine.auction import bid_floor, may_pass, may_redeal
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, CALL, DONE, LEADER, ROOK_RANK, TRUMP_CALL, Hidden, State
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable


@kernel
def among(cards: int, card: int) -> bool:
    """Return whether `card`, any number, is one of a set of cards.

    >>> among(0b101, 2), among(0b101, 1), among(0b101, -1)
    (True, False, False)
    """
    return 0 <= card < CARDS and cards >> card & 1 == 1


@kernel
def permitted(table: RuleTable, s: State, h: Hidden, cards: int, action: int) -> bool:
    """Return whether the seat to act may do `action`, any number.

    `cards` are those that `legal_cards` gives for this position.
    """
    if s.phase == AUCTION:
        if action == PASS:
            return may_pass(table, s)
        if action == SUN:
            return table.sun == 1
        if action == REDEAL_DEMAND:
            return may_redeal(table, s, h, s.turn)
        level = action - BID
        high_enough = table.bid_minimum + level * table.bid_step >= bid_floor(table, s)
        return 0 <= level < table.bid_levels and high_enough
    if s.phase == TRUMP_CALL:
        call = action - TRUMP_CALLS
        return 0 <= call <= CIRCUS - s.circus and table.calls >> call & 1 == 1
    if s.phase == ROOK_RANK:
        return ROOK_HIGH <= action <= ROOK_DOWN
    if s.phase == LEADER:
        return action == LEADS + s.declarer or action == LEADS + (s.declarer + 1) % table.seats
    if s.phase >= DONE:
        return False
    if s.phase == CALL and action == ENOUGH:
        return s.called_count > 0
    return among(cards, action)
