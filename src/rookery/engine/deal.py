"""The deal: who holds what, and whose call is first."""

from __future__ import annotations

from rookery.engine.auction import open_auction
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import Hidden, State, clear_hidden, clear_state
from rookery.rules.table import RuleTable


@kernel
def shuffle(table: RuleTable, h: Hidden, order: list[int]) -> None:
    """Shuffle the deck with ``h.rng`` into ``order[:table.cards]``; `order` has shape (57,)."""
    for i in range(table.cards):
        order[i] = table.deck[i]
    for i in range(table.cards - 1, 0, -1):
        j = below(h, i + 1)
        card = order[i]
        order[i] = order[j]
        order[j] = card


@kernel
def clear(table: RuleTable, s: State, h: Hidden, dealer: int) -> None:
    """Reset both records for a deal by `dealer`; only the generator goes on."""
    clear_state(table, s)
    clear_hidden(table, h)
    s.dealer = dealer


@kernel
def deal(table: RuleTable, s: State, h: Hidden, order: list[int], dealer: int) -> None:
    """Deal the cards of `order`: a hand to each place from seat 0 on, then the nest.

    `order` is the deck as `shuffle` leaves it, shape (57,), of which ``table.cards`` count.
    """
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
