"""Action numbers: one fixed space for all rule sets.

All verbs that name a card (discard, call, give, play) share the numbers 0 to 56 and are told apart
by the phase. Discards are laid and cards called one at a time.
"""

from __future__ import annotations

from typing import Final

from rookery.cards import CARDS

BID: Final = CARDS  # BID + k: the minimum and k steps
BID_LEVELS: Final = 128
SUN: Final = BID + BID_LEVELS
PASS: Final = SUN + 1
REDEAL_DEMAND: Final = PASS + 1
TRUMP_CALLS: Final = REDEAL_DEMAND + 1  # + call, 0 to 9; + 10: circus
ROOK_HIGH: Final = TRUMP_CALLS + 11
ROOK_DOWN: Final = ROOK_HIGH + 1
ENOUGH: Final = ROOK_DOWN + 1  # no further partner card
LEADS: Final = ENOUGH + 1  # + seat
CHALLENGE: Final = LEADS + 8  # + seat
ACTIONS: Final = CHALLENGE + 8
