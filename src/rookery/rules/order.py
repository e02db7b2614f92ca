"""The numbers of effective suits and of trump calls, and the cards that options single out."""

from __future__ import annotations

from typing import Final

from rookery.cards import Card, card_at

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
