"""The figures that ratings use are those that were measured and kept, and not written by hand."""

from __future__ import annotations

import json

import pytest
from benchmarks.ratings.orders import needed
from benchmarks.ratings.pool import FIGURES, RESULTS, written


def test_the_program_has_the_figures_of_the_kept_boards() -> None:
    kept = json.loads((RESULTS / "2026-11-24-ratings-pool.json").read_text("utf-8"))["families"]
    assert written(kept) == FIGURES.read_text("utf-8")
    kept["four"]["nine tables"]["trust"] += 0.1
    assert written(kept) != FIGURES.read_text("utf-8")


@pytest.mark.parametrize(
    ("share", "boards"),
    [({100: 0.5, 200: 1.0}, 180), ({100: 0.5, 200: 0.8}, None), ({100: 0.95}, 100)],
)
def test_boards_needed_lie_between_those_looked_at(
    share: dict[int, float], boards: int | None
) -> None:
    assert needed(share) == boards
