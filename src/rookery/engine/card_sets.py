"""Sets of cards as bit masks: how many, which is lowest or highest, what they are worth.

Bit ``c`` of a mask stands for card ``c`` of `rookery.cards`. The first four functions are
primitives: every target has instructions of its own for them.

Card numbers already stand in the order of rank, so most rule sets compare cards of different suits
with one instruction. The table says where the 1 stands above the 14, where small cards beat large
ones, and where the Rook belongs.
"""

from __future__ import annotations

from typing import Final

from rookery.cards import ROOK
from rookery.engine.kernel import kernel, primitive
from rookery.rules.order import SUITS
from rookery.rules.table import RuleTable

ONES = 0b1111  # the four 1s
# Seven bits times this: each bit at the place of its byte, and others between, in no byte's first.
_STRIDE: Final = 0x0002040810204081
FIRSTS: Final = 0x0101010101010101  # the first bit of each byte of a word


@primitive
def count(mask: int) -> int:
    """Return how many bits of a non-negative mask are set.

    >>> count(0b1011)
    3
    """
    return mask.bit_count()


@primitive
def lowest(mask: int) -> int:
    """Return the number of the lowest set bit of a positive mask.

    >>> lowest(0b1010)
    1
    """
    return (mask & -mask).bit_length() - 1


@primitive
def highest(mask: int) -> int:
    """Return the number of the highest set bit of a positive mask.

    >>> highest(0b1010)
    3
    """
    return mask.bit_length() - 1


@primitive
def write_ones(words: list[int], at: int, mask: int) -> None:
    """Write a mask as 64 numbers, 1 or 0, eight a word from ``words[at]`` on; see `spread`."""
    for i in range(8):
        words[at + i] = spread(mask >> 8 * i)


@kernel
def spread(mask: int) -> int:
    """Return the lowest eight bits of a mask as the bytes of a word, the lowest first.

    >>> hex(spread(0b1000_0001)), hex(spread(0b101))
    ('0x100000000000001', '0x10001')
    """
    return (mask & 0x7F) * _STRIDE & FIRSTS | (mask >> 7 & 1) << 56


@kernel
def nth(mask: int, n: int) -> int:
    """Return the number of the set bit of a mask that has `n` set bits below it.

    >>> [nth(0b11010, n) for n in range(3)]
    [1, 3, 4]
    """
    # Most sets are small, and a jump that is foretold wrongly takes longer than three of these.
    for i in range(3):
        mask = mask & mask - 1 if i < n else mask
    for _ in range(3, n):
        mask &= mask - 1
    return lowest(mask)


@kernel
def whole_deck(table: RuleTable) -> int:
    """Return the cards of the deck."""
    deck = 0
    for suit in range(SUITS):
        deck |= table.mask[suit]  # of call 0, as of any other
    return deck


@kernel
def points_of(table: RuleTable, cards: int) -> int:
    """Return the points of the counters in a set of cards, game points."""
    points = 0
    for group in range(table.groups):
        points += table.group_value[group] * count(cards & table.group_mask[group])
    return points


@kernel
def weakest(table: RuleTable, row: int, cards: int) -> int:
    """Return the lowest-ranking card of a set that is not empty; of equals the lowest number.

    `row` is the row of the trump call, as in `RuleTable`.
    """
    if table.natural:
        return lowest(cards)
    return _top(table, row, cards) if table.falling[row] else _bottom(table, row, cards)


@kernel
def strongest(table: RuleTable, row: int, cards: int) -> int:
    """Return the highest-ranking card of a set that is not empty; of equals the lowest number."""
    if table.natural:
        return _first_of_rank(cards, highest(cards))
    return _bottom(table, row, cards) if table.falling[row] else _top(table, row, cards)


@kernel
def with_rank_of(cards: int, card: int) -> int:
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
