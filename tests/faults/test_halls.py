"""P28 in small: two evenings on one server, on paper and on screens; two faults are found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.halls import halls, halls_on_screens

pytestmark = pytest.mark.slow


def test_two_evenings_are_told_side_by_side(tmp_path: Path) -> None:
    seen = asyncio.run(halls(tmp_path, tables=8, seconds=4, seed=1, every=0.5))
    assert seen.errors == []
    # Each phone looks once at least, also on a slow machine.
    assert (len(seen.scores), len(seen.looks) >= 64) == (16, True)


def test_the_control_a_server_that_tells_what_was_is_found(tmp_path: Path) -> None:
    seen = asyncio.run(halls(tmp_path, 4, seconds=2, seed=2, build="old news", every=0.5))
    assert any("after" in error for error in seen.errors)


def test_two_evenings_on_screens_are_played_side_by_side(tmp_path: Path) -> None:
    seen = asyncio.run(halls_on_screens(tmp_path, 2, 9, seed=1, every=0.5, period=0.06))
    assert seen.errors == []
    assert (seen.done, len(seen.looks) >= 16, len(seen.acts) > 100) == (4, True, True)
    assert len(seen.screens) > 100


def test_the_control_a_server_that_scores_no_table_is_found(tmp_path: Path) -> None:
    build = "broken_screens/unscored"
    seen = asyncio.run(halls_on_screens(tmp_path, 1, 9, 2, build, every=0.5, period=0.06))
    assert seen.done == 0
