"""The order of cards across colours under a call: which of a set ranks lowest, which highest.

Card numbers already stand in the order of rank, so most rule sets need one instruction; the table
says where the 1 stands above the 14, where the order falls and where the Rook belongs.
"""

from __future__ import annotations

from rookery.cards import ROOK
from rookery.engine.bits import highest, lowest
from rookery.engine.kernel import kernel
from rookery.rules.table import RuleTable

ONES = 0b1111  # the four 1s


@kernel
def weakest(table: RuleTable, row: int, cards: int) -> int:
    """Return the lowest-ranking card of a non-empty set; of equals the lowest number."""
    if table.natural:
        return lowest(cards)
    return _top(table, row, cards) if table.falling[row] else _bottom(table, row, cards)


@kernel
def strongest(table: RuleTable, row: int, cards: int) -> int:
    """Return the highest-ranking card of a non-empty set; of equals the lowest number."""
    if table.natural:
        return _first_of_rank(cards, highest(cards))
    return _bottom(table, row, cards) if table.falling[row] else _top(table, row, cards)


@kernel
def with_rank_of(table: RuleTable, row: int, cards: int, card: int) -> int:
    """Return the cards of a set that share the rank of `card`."""
    return cards & (1 << ROOK if card == ROOK else ONES << (card & ~3))


@kernel
def _first_of_rank(cards: int, card: int) -> int:
    base = card & ~3
    return base + lowest(cards >> base)


@kernel
def _place(table: RuleTable, row: int, card: int) -> int:
    return card + ROOK if card < 4 and table.ones_high[row] else card


@kernel
def _bottom(table: RuleTable, row: int, cards: int) -> int:
    numbered = cards & ~(1 << ROOK)
    if not numbered:
        return ROOK
    later = numbered & ~ONES
    card = lowest(later) if later and table.ones_high[row] else lowest(numbered)
    if cards >> ROOK and _place(table, row, card) >= table.rook_at[row]:
        return ROOK
    return card


@kernel
def _top(table: RuleTable, row: int, cards: int) -> int:
    numbered = cards & ~(1 << ROOK)
    if not numbered:
        return ROOK
    ones = numbered & ONES
    card = (
        lowest(ones)
        if ones and table.ones_high[row]
        else _first_of_rank(numbered, highest(numbered))
    )
    if cards >> ROOK and _place(table, row, card) < table.rook_at[row]:
        return ROOK
    return card
