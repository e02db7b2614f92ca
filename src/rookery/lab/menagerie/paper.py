"""The figures of the paper "Rook in the Menagerie" [S0], in percent, with its slips put right."""

from __future__ import annotations

from typing import Final

from rookery.lab.menagerie.figures import NAMES, PAIR_NAMES, Tables

GAMES: Final = 100_000

HONEST: Final = dict(zip(PAIR_NAMES, (16.75, 15.89, 15.22, 19.03, 17.24, 15.87), strict=True))
"""Not in the paper: its games counted again, each trick for the two who were partners [X10]."""

PAPER: Final[Tables[float]] = Tables(
    # The paper prints Karapet 54.90 and Papa 54.82; its own partnership table says which is whose.
    games_won=dict(zip(NAMES, (54.82, 54.90, 53.11, 37.16), strict=True)),
    tricks_won=dict(zip(NAMES, (21.84, 29.46, 26.24, 22.47), strict=True)),
    pair_games=dict(zip(PAIR_NAMES, (21.42, 20.70, 12.71, 20.72, 12.76, 11.70), strict=True)),
    pair_tricks=dict(zip(PAIR_NAMES, (16.93, 16.24, 14.98, 18.26, 17.20, 16.37), strict=True)),
    pair_tricks_honest=HONEST,
    trimesters=(
        dict(zip(NAMES, (5.01, 34.10, 44.30, 16.59), strict=True)),
        dict(zip(NAMES, (17.36, 35.50, 22.84, 24.30), strict=True)),
        dict(zip(NAMES, (43.14, 18.77, 11.57, 26.52), strict=True)),
    ),
)
"""The paper's figures with the two names that it prints the wrong way round put right."""

SWAPPED: Final = ("karapet", "papa")
"""Whose games won the paper prints under each other's name."""

CHANCES: Final = (
    # at least so many of so many target cards among 41, in a hand of nine; what the paper prints
    ("low cards (5 to 9)", 20, 1, 99.92),
    ("low cards (5 to 9)", 20, 4, 74.79),
    ("low cards (5 to 9)", 20, 7, 5.45),
    ("high cards (10 to 14, the Rook)", 21, 1, 99.95),
    ("high cards (10 to 14, the Rook)", 21, 2, 99.20),
    ("high cards (10 to 14, the Rook)", 21, 4, 79.84),
    ("high cards (10 to 14, the Rook)", 21, 7, 7.55),
)
"""The paper's seven chances: of what, how many there are, at least how many, percent as printed."""
