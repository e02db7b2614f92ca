"""The deal: who holds what, and whose call is first."""

from __future__ import annotations

from rookery.engine.auction import open_auction
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State
from rookery.rules.table import RuleTable


@kernel
def shuffle(table: RuleTable, h: Hidden, order: list[int]) -> None:
    """Fill ``order[:table.cards]`` with the shuffled deck, drawn from ``h.rng``."""
    for i in range(table.cards):
        order[i] = table.deck[i]
    for i in range(table.cards - 1, 0, -1):
        j = below(h, i + 1)
        card = order[i]
        order[i] = order[j]
        order[j] = card


@kernel
def clear(table: RuleTable, s: State, h: Hidden, dealer: int) -> None:
    """Set everything but the cards as it is before a deal by `dealer`."""
    s.dealer = dealer
    s.calls = 0
    s.silent = 0
    s.passed = 0
    s.high = 0
    s.bidder = -1
    s.sun = 0
    s.declarer = -1
    s.contract = 0
    s.step = 0
    s.placed = 0
    s.statement = -1
    s.face_up = 0
    s.circus = 0
    s.call = -1
    s.caller = -1
    s.rook_low = 0
    s.row = -1
    s.called[0] = -1
    s.called[1] = -1
    s.called_count = 0
    s.called_shown = 0
    s.allies = 0
    s.sides_known = 0
    s.dummy = -1
    s.exposed = 0
    s.leader = 0
    s.led = -1
    s.played = 0
    s.heap = 0
    s.best = -1
    s.best_place = 0
    s.broken = 0
    s.tricks = 0
    s.six = -1
    s.made = 0
    for trick in range(table.hand_size):
        s.winner[trick] = -1
    h.nest = 0
    h.pickup = 0
    h.allies = 0
    h.revoked = 0
    h.blind_at = 0
    for place in range(table.seats + table.blind):
        h.hand[place] = 0
        h.gift[place] = -1
        s.trick[place] = -1
        s.shown[place] = 0
        s.void[place] = 0
        s.won[place] = 0
        s.taken[place] = 0
        s.points[place] = 0
        s.score[place] = 0


@kernel
def deal(table: RuleTable, s: State, h: Hidden, order: list[int], dealer: int) -> None:
    """Deal ``order``: a hand to each place from seat 0, then the nest."""
    clear(table, s, h, dealer)
    at = 0
    for place in range(table.seats + table.blind):
        hand = 0
        for i in range(at, at + table.hand_size):
            hand |= 1 << order[i]
        h.hand[place] = hand
        at += table.hand_size
    if table.blind:
        for i in range(table.hand_size):
            h.blind[i] = order[at - table.hand_size + i]
    nest = 0
    for i in range(at, table.cards):
        nest |= 1 << order[i]
        if i < at + table.nest_face_up:
            s.face_up |= 1 << order[i]
    h.nest = nest
    open_auction(table, s, h)
