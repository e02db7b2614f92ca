"""What is to be said of a data set, as ``dataset.json`` keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FACTS: Final = "dataset.json"


@dataclass(frozen=True)
class Facts:
    """A data set that was made.

    Attributes:
        rules: a variant's id, or a house-rule file.
        bots: who played: two for the two sides, or one a seat.
        deals: how many; each was played from all sides.
        seed: of all deals.
        version: of Rookery.
        rows: how many rows each table has.
        points_a_board: how far the first bot's side was ahead.
        points_a_board_ci95: its 95 % interval; None where there is none, as after one deal.
        made: each bot's share of its contracts that were made, 0 to 1; None without any.
        unscored: hands that ended without a score.
    """

    rules: str
    bots: list[str]
    deals: int
    seed: int
    version: str
    rows: dict[str, int]
    points_a_board: float
    points_a_board_ci95: tuple[float, float] | None
    made: dict[str, float | None]
    unscored: int
