"""P1, P3, P11: a real server is killed in every phase of real games, and nothing is missed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.campaign import TABLES, campaign

pytestmark = pytest.mark.slow


def test_a_kill_loses_nothing_and_everybody_comes_back(tmp_path: Path) -> None:
    result = asyncio.run(campaign(tmp_path, rounds=3, seed=1))
    assert result.found == []
    assert (result.rounds, result.lost) == (3, 0)
    assert result.acked > 100
    assert len(result.phases) >= 4, result.phases
    assert len(result.backs) == 3


def test_the_control_an_answer_before_the_commit_is_missed(tmp_path: Path) -> None:
    result = asyncio.run(campaign(tmp_path, rounds=6, seed=2, build="early"))
    assert result.lost > 0
    assert {"lost", "told"} <= result.kinds


def test_the_control_a_server_that_forgets_people_is_noticed(tmp_path: Path) -> None:
    result = asyncio.run(campaign(tmp_path, 1, 3, build="amnesia", tables=TABLES[:2]))
    assert result.kinds == {"away"}
