"""P28 in small: two evenings on one server; a server that reads all anew each time is found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.halls import halls

pytestmark = pytest.mark.slow


def test_two_evenings_are_told_side_by_side(tmp_path: Path) -> None:
    seen = asyncio.run(halls(tmp_path, tables=8, seconds=4, seed=1, every=0.5))
    assert seen.errors == []
    # Each phone looks once at least, also on a slow machine.
    assert (len(seen.scores), len(seen.looks) >= 64) == (16, True)


def test_the_control_a_server_that_tells_what_was_is_found(tmp_path: Path) -> None:
    seen = asyncio.run(halls(tmp_path, 4, seconds=2, seed=2, build="old news", every=0.5))
    assert any("after" in error for error in seen.errors)
