"""Which suit each card counts as and how strong it is, under each call (B.5, B.6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rookery.cards import CARDS, ROOK, Card, CardSet, card_at, colour_of, pack_cards, rank_of
from rookery.rules.model import Rules

TRUMP: Final = 4
LONE: Final = 5  # a Rook that is neither trump nor of any colour
SUITS: Final = 6
NOTRUMP: Final = 8  # the call without trump; 9 is the same in low order
CIRCUS: Final = 10
ROWS: Final = 20
ROOK_LOW: Final = 10  # added to a call's row when the declarer ranked the Rook low

CALLS: Final = {  # as bits of a mask of calls
    "suits": 0b1111,
    "suits-low": 0b1111 << 4,
    "notrump": 1 << NOTRUMP,
    "notrump-low": 1 << NOTRUMP + 1,
    "circus": 1 << CIRCUS,
}

RED_1: Final[Card] = card_at(0, 1)
RED_2: Final[Card] = card_at(0, 2)
BLACK_2: Final[Card] = card_at(3, 2)

# Strengths: a card of rank r weighs 4r, so that 10.5 has a whole number; a trump weighs 128 more.
_TRUMP_BASE: Final = 128
_TURN: Final = 64
_ROOK_TOP: Final = _TRUMP_BASE + 80
_PERMANENT: Final = {RED_2: _TRUMP_BASE + 72, RED_1: _TRUMP_BASE + 88, BLACK_2: _TRUMP_BASE + 96}
_HALF: Final = {"10.5": 42, "12.5": 50}
ABOVE_ALL: Final = 64  # a place in the order across colours above every numbered card


@dataclass(slots=True)
class Order:
    """Suits and strengths of all 57 cards in one row, and what compares them across colours."""

    deck: frozenset[Card]
    falling: bool
    ones_high: bool
    suit: list[int] = field(default_factory=lambda: [0] * CARDS)
    strength: list[int] = field(default_factory=lambda: [0] * CARDS)
    any_time: CardSet = 0
    rook_at: int = ABOVE_ALL


def order_of_row(rules: Rules, row: int) -> Order:
    """Return suits and strengths under call ``row % 10``; from row 10 the Rook is low."""
    call = row % ROOK_LOW
    falling = 4 <= call < NOTRUMP or call == NOTRUMP + 1
    ones_high = rules.low_order_one == "worst" if falling else rules.ones == "high"
    order = Order(deck=frozenset(rules.deck), falling=falling, ones_high=ones_high)
    trump = call % 4 if call < NOTRUMP else None
    for card in range(ROOK):
        colour, rank = colour_of(card), rank_of(card)
        weight = 4 * (15 if rank == 1 and ones_high else rank)
        order.suit[card] = TRUMP if colour == trump else colour
        order.strength[card] = _turned(weight, falling) + (_TRUMP_BASE if colour == trump else 0)
    for card in rules.permanent_trumps:
        order.suit[card] = TRUMP
        order.strength[card] = _PERMANENT[card]
    if rules.red_1 == "top_trump_any_time":
        order.any_time |= pack_cards([RED_1])
    _rook(order, rules, low=row >= ROOK_LOW, at_no_trump=trump is None)
    return order


def _turned(weight: int, falling: bool) -> int:
    return _TURN - weight if falling else weight


def _rook(order: Order, rules: Rules, *, low: bool, at_no_trump: bool) -> None:
    rank: str = ("bottom" if low else "top") if rules.rook_rank == "declared" else rules.rook_rank
    suit = TRUMP
    if at_no_trump and rules.rook_at_no_trump != "sole_trump":
        rank = {"red_10_5": "10.5", "loser": "bottom"}[rules.rook_at_no_trump]
        suit = {"red_10_5": 0, "loser": LONE}[rules.rook_at_no_trump]
    order.suit[ROOK] = suit
    if rank in _HALF:
        order.strength[ROOK] = _turned(_HALF[rank], order.falling) + (
            _TRUMP_BASE if suit == TRUMP else 0
        )
        order.rook_at = card_at(0, 11 if rank == "10.5" else 13)
    else:
        order.strength[ROOK] = _ROOK_TOP if rank == "top" else _TRUMP_BASE
        order.rook_at = ABOVE_ALL if (rank == "top") != order.falling else 0
    if at_no_trump and suit == TRUMP:
        # Its rank counts only against the red 1 and the like; against the colours it is a trump.
        order.rook_at = 0 if order.falling else ABOVE_ALL
    if rules.rook_any_time and suit == TRUMP:
        order.any_time |= pack_cards([ROOK])
