"""Seeds for tuning, validation and the holdout: three families of boards that never overlap.

A board's cards and dice come from the seed and the board's number. Each family has its own range
of numbers, so for every seed no deal of one family is a deal of another.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from rookery.lab.run.streams import SHARE

SEEDS: Final = 1 << 63
BOARDS: Final = (1 << 61) // SHARE  # of one family and seed: its streams are 2^61


class Family(StrEnum):
    """What boards are used for.

    Tuning: use them as often as you like. Validation: for a choice among a few candidates.
    Holdout: for one final measurement.
    """

    TUNING = "tuning"
    VALIDATION = "validation"
    HOLDOUT = "holdout"

    @property
    def first_board(self) -> int:
        """The number of the family's first board.

        >>> Family.TUNING.first_board, Family.HOLDOUT.first_board == 2 * BOARDS
        (0, True)
        """
        return list(Family).index(self) * BOARDS
