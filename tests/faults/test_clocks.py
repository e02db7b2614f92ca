"""P22: no clock loses data; a server that believes every clock does."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.faults.clocks import library, wrong_clocks
from tests.server.growth.engines import postgres


@pytest.fixture(autouse=True)
def faketime() -> None:
    try:
        library()
    except LookupError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_no_clock_loses_data(tmp_path: Path) -> None:
    seen = asyncio.run(wrong_clocks(tmp_path, 3, 3))
    assert seen.found == []
    assert seen.starts == 3
    assert seen.jumps


@pytest.mark.slow
def test_two_servers_that_disagree_lose_nothing(tmp_path: Path) -> None:
    with postgres() as elephant:
        seen = asyncio.run(wrong_clocks(tmp_path, 2, 5, url=elephant.url))
    assert seen.found == []
    assert seen.starts == 2


def test_the_control_a_server_that_believes_every_clock_is_found_out(tmp_path: Path) -> None:
    seen = asyncio.run(wrong_clocks(tmp_path, 20, 5, "credulous"))
    assert "lost" in {complaint.kind for complaint in seen.found}
