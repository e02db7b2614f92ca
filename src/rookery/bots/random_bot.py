"""`random`: any legal action, each equally likely. The floor that every other bot has to clear."""

from __future__ import annotations

from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import BID, ENOUGH, LEADS, PASS, ROOK_HIGH, SUN, TRUMP_CALLS
from rookery.engine.auction import may_pass
from rookery.engine.card_sets import count, nth
from rookery.engine.kernel import kernel
from rookery.engine.rng import below
from rookery.engine.state import AUCTION, CALL, LEADER, ROOK_RANK, TRUMP_CALL, State
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable


@kernel
def random_card(m: SeatInfo, cards: int) -> int:
    """Return one card of a non-empty set."""
    return nth(cards, below(m, count(cards)))


@kernel
def random_legal_card(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return a card that may be played."""
    return random_card(m, m.cards)


@kernel
def random_action(table: RuleTable, s: State, m: SeatInfo) -> int:
    """Return a legal action; a redeal is never demanded."""
    if s.phase == AUCTION:
        first = (m.floor - table.bid_minimum) // table.bid_step
        bids = table.bid_levels - first
        choice = below(m, bids + table.sun + may_pass(table, s))
        if choice < bids:
            return BID + first + choice
        return SUN if table.sun and choice == bids else PASS
    if s.phase == TRUMP_CALL:
        calls = table.calls & (1 << CIRCUS) - 1 if s.circus else table.calls
        return TRUMP_CALLS + random_card(m, calls)
    if s.phase == ROOK_RANK:
        return ROOK_HIGH + below(m, 2)
    if s.phase == LEADER:
        return LEADS + (s.declarer + below(m, 2)) % table.seats
    if s.phase == CALL and s.called_count and below(m, count(m.cards) + 1) == 0:
        return ENOUGH
    return random_card(m, m.cards)
