"""A copy of the open table, for trying something out on it."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.rules.table import RuleTable


@kernel
def copy_state(table: RuleTable, source: State, to: State) -> None:
    """Make `to` the same as `source`, in every cell that the rule set uses."""
    to.phase = source.phase
    to.turn = source.turn
    to.dealer = source.dealer
    to.calls = source.calls
    to.silent = source.silent
    to.passed = source.passed
    to.high = source.high
    to.bidder = source.bidder
    to.sun = source.sun
    to.declarer = source.declarer
    to.contract = source.contract
    to.step = source.step
    to.placed = source.placed
    to.statement = source.statement
    to.face_up = source.face_up
    to.circus = source.circus
    to.call = source.call
    to.caller = source.caller
    to.rook_low = source.rook_low
    to.row = source.row
    to.called_count = source.called_count
    to.called_shown = source.called_shown
    to.allies = source.allies
    to.sides_known = source.sides_known
    to.dummy = source.dummy
    to.exposed = source.exposed
    to.leader = source.leader
    to.led = source.led
    to.played = source.played
    to.heap = source.heap
    to.best = source.best
    to.best_place = source.best_place
    to.broken = source.broken
    to.tricks = source.tricks
    to.six = source.six
    to.made = source.made
    to.called[0] = source.called[0]
    to.called[1] = source.called[1]
    for trick in range(table.hand_size):
        to.winner[trick] = source.winner[trick]
    for place in range(table.seats + table.blind):
        to.trick[place] = source.trick[place]
        to.shown[place] = source.shown[place]
        to.void[place] = source.void[place]
        to.won[place] = source.won[place]
        to.taken[place] = source.taken[place]
        to.points[place] = source.points[place]
        to.score[place] = source.score[place]


@kernel
def copy_hidden(table: RuleTable, source: Hidden, to: Hidden) -> None:
    """Make the closed cards of `to` those of `source`; its generator stays its own."""
    to.nest = source.nest
    to.pickup = source.pickup
    to.allies = source.allies
    to.revoked = source.revoked
    to.blind_at = source.blind_at
    for place in range(table.seats + table.blind):
        to.hand[place] = source.hand[place]
        to.gift[place] = source.gift[place]
    if table.blind:
        for i in range(table.hand_size):
            to.blind[i] = source.blind[i]
