"""Every silent or ambiguous point has its test: a row without one fails here."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from .rows import NOTHING_TO_DECIDE, ROWS

HERE = Path(__file__).parent


def counted_by_row() -> Counter[str]:
    """Return how many test functions name each row."""
    found: Counter[str] = Counter()
    for path in HERE.glob("test_defaults_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update({word.upper() for word in node.name.split("_")} & set(ROWS))
    return found


def test_the_rows_are_d1_to_d82() -> None:
    assert list(ROWS) == [f"D{n}" for n in range(1, 83)]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_its_test_or_nothing_to_decide(row: str) -> None:
    assert (counted_by_row()[row] > 0) != (row in NOTHING_TO_DECIDE), ROWS[row]


def test_a_row_with_nothing_to_decide_says_why() -> None:
    assert set(NOTHING_TO_DECIDE) <= set(ROWS)
    assert all(reason.endswith(".") for reason in NOTHING_TO_DECIDE.values())


def test_every_file_is_about_rows() -> None:
    for path in HERE.glob("test_defaults_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert node.name.split("_")[1].upper() in ROWS, node.name
