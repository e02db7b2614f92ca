"""The engine's action numbers as actions, and back."""

from __future__ import annotations

from typing import Final

from rookery.cards import Seat
from rookery.engine.actions import (
    BID,
    BID_LEVELS,
    CHALLENGE,
    ENOUGH,
    LEADS,
    PASS,
    REDEAL_DEMAND,
    ROOK_HIGH,
    SUN,
    TRUMP_CALLS,
)
from rookery.engine.state import CALL, CIRCUS_PASS, NEST, PLAY
from rookery.game.notation import Action
from rookery.rules.table import RuleTable

_CARD_VERBS: Final = {NEST: "discard", CALL: "call", CIRCUS_PASS: "give", PLAY: "play"}
_RANGES: Final = (
    (CHALLENGE, "challenge"),
    (LEADS, "leader"),
    (ROOK_HIGH, "rook"),
    (TRUMP_CALLS, "trump"),
)


def action_of(table: RuleTable, phase: int, seat: Seat, number: int) -> Action:
    """Return what a number means in a phase; of a discard or a call, the one card it names."""
    if number < BID:
        return Action(seat, _CARD_VERBS[phase], (number,))
    if number == PASS:
        return Action(seat, "pass")
    if number == SUN:
        return Action(seat, "bid")
    if number == REDEAL_DEMAND:
        return Action(seat, "redeal")
    if number == ENOUGH:
        return Action(seat, "call")
    for first, verb in _RANGES:
        if number >= first:
            return Action(seat, verb, (), number - first)
    return Action(seat, "bid", (), table.bid_minimum + (number - BID) * table.bid_step)


def number_of(table: RuleTable, action: Action) -> int:
    """Return the number of an action that is one for the engine too, -1 where no bid has it."""
    value = action.value
    if action.cards:
        return action.cards[0]
    if action.verb in ("pass", "redeal"):
        return PASS if action.verb == "pass" else REDEAL_DEMAND
    if value is None:
        return SUN
    if action.verb == "bid":
        level, odd = divmod(value - table.bid_minimum, table.bid_step)
        return -1 if odd or not 0 <= level < BID_LEVELS else BID + level
    return next(first for first, verb in _RANGES if verb == action.verb) + value
