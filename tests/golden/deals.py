"""Deals for whole hands. Every seat plays its first legal card in the order written here.

Seat 0 leads in all of them, with red (spades) for trump, but in the two of house 001, where seat 0
deals and seat 1 leads. The declarer puts the nest back as it was.
"""

from __future__ import annotations

from typing import Final

from rookery.game import Hand
from rookery.rules import Rules

from .dealt import dealt, declared, played_out

Deal = tuple[tuple[str, ...], str]

# Seat 0 takes five tricks: R10 and R14, what Y and B throw on them (two 14s, two 10s), and G10; 70.
# Seat 1 takes four, with the G14, and the nest's four 5s and the Rook on the last one; 50.
FIVE_FOUR: Final[Deal] = (
    ("R10-14 G6-9", "R6-9 G10-14", "Y14 Y10 Y6-9 Y11-13", "B14 B10 B6-9 B11-13"),
    "R5 G5 Y5 B5 RK",
)

# Fourteen tricks each way: first seat 0's reds, then seat 1's greens, yellow and black thrown on
# them in rising order. Seven and seven: 25 in red and two 5s against 25 in green, two 10s, two 14s.
SEVEN_SEVEN: Final[Deal] = (("R8-14 G1-7", "R1-7 G8-14", "Y1-14", "B1-14"), "")
EIGHT_SIX: Final[Deal] = (("R7-14 G1-6", "R1-6 G7-14", "Y1-14", "B1-14"), "")

# Dixie counts 5, 10, 13. Seven tricks with 25 in red and two 5s, 35; then six tricks, the last one
# among them, with the G5, G10, two 10s and two 13s, 55, and the G13 in the nest, 10.
DIXIE: Final[Deal] = (("R8-14 G1-6", "R1-7 G7-12", "Y1-13", "B1-13"), "G13 G14 Y14 B14")

# With 1s at 15. Seat 0's eight tricks: 40 in red, a 1 and a 5 of yellow and of black; 80. Seat 1's
# six: 40 in green, a 10 and a 14 of both; 80. The Rook in the nest goes with the last trick.
ONE_HIGH: Final[Deal] = (("R8-14 R1 G2-7", "R2-7 G8-14 G1", "Y1-14", "B1-14"), "RK")

# With aces at 15 and kings at 10. Seat 0's seven tricks: 40 in spades and two 5s; 50. Seat 1's six:
# 40 in hearts, ten, king and ace of diamonds and of clubs; 110. The joker goes with the last trick.
HOYLE: Final[Deal] = (
    ("S8-K SA H2-7", "S2-7 H8-K HA", "D2-K DA", "C2-K CA"),
    "JK",
)

# Seat 0 takes twelve tricks: 40 in red, and the 5 and 10 of each other colour; 85. Seat 1's G14
# takes the last one, three 14s, with a nest of three 1s and the Rook; 30 and 65.
LAST_LOST: Final[Deal] = (
    ("R4-14 R1 G2", "R2-3 G4-14", "Y2-14", "B2-14"),
    "G1 G3 Y1 B1 RK",
)

# A colour each: the seat with the trumps, or on lead at no trump, takes everything.
COLOUR_EACH_45: Final[Deal] = (
    ("R1 R6-14", "G1 G6-14", "Y1 Y6-14", "B1 B6-14"),
    "R5 G5 Y5 B5 RK",
)
COLOUR_EACH_57: Final[Deal] = (("R2-14", "G2-14", "Y2-14", "B2-14"), "R1 G1 Y1 B1 RK")

# As before, but seat 1 begins by taking G3, Y2, B2 and G2, where there is nothing to count.
ALL_BUT_A_TRICK: Final[Deal] = (("G2 R3-14", "G3-14 R2", "Y2-14", "B2-14"), "R1 G1 Y1 B1 RK")

# Seat 0's spades take every trick from whoever leads.
POKER: Final[Deal] = (
    ("SA S5-K", "JK H2-10", "HA HJ HQ HK D2-7", "D8-K DA C2-4", "C5-K CA"),
    "S2-4",
)

# Seat 0 leads the C2 to seat 4's C6 with nothing to count on it, and takes the nine other tricks.
POKER_BUT_A_TRICK: Final[Deal] = (
    ("C2 SA S6-K", "H2-4 JK H5-10", "HQ HJ HK HA D2-7", "C3 C4 S2 D8-K DA", "C6-K C5 CA"),
    "S3-5",
)

# Without a Rook. Seat 0 takes the first six tricks: 25 in red and two 5s, 35. Seat 1 takes the
# other seven: 25 in green, two 10s and two 14s, 65.
SIX_THEN_SEVEN: Final[Deal] = (
    ("R9-14 G1-7", "R3-8 G8-14", "Y2-14", "B2-14"),
    "R1 R2 Y1 B1",
)


def finished(
    rules: Rules,
    deal: Deal,
    trump: str = "red",
    *,
    seat: int = 0,
    bid: int | str | None = None,
    partner: str = "",
    discard: str = "",
    dealer: int = -1,
) -> Hand:
    """Play a whole hand that `seat` declares."""
    hand = dealt(rules, *deal[0], nest=deal[1], dealer=dealer)
    return played_out(declared(hand, trump, seat=seat, bid=bid, partner=partner, discard=discard))
