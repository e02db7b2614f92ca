"""P27: no score is lost when the server is killed or a phone's network is cut; three controls."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.scorers import scoring

pytestmark = pytest.mark.slow


def test_no_score_is_lost_and_none_is_there_twice(tmp_path: Path) -> None:
    seen = asyncio.run(scoring(tmp_path, kills=3, cuts=40, seed=1))
    assert (seen.lost, seen.twice, seen.wrong) == ([], [], [])
    assert (seen.kills, seen.cuts >= 40, seen.resent > 20, seen.acked > 90) == (3, *3 * [True])


def test_the_control_an_answer_before_the_commit_is_found(tmp_path: Path) -> None:
    seen = asyncio.run(scoring(tmp_path, kills=6, cuts=0, seed=2, build="early scores"))
    assert seen.lost


def test_the_control_phones_that_send_again_under_another_id_are_found(tmp_path: Path) -> None:
    seen = asyncio.run(scoring(tmp_path, kills=6, cuts=40, seed=3, fresh=True))
    assert seen.twice


def test_the_control_a_table_that_does_not_follow_its_score_sheet_is_found(tmp_path: Path) -> None:
    seen = asyncio.run(scoring(tmp_path, kills=1, cuts=0, seed=4, build="deaf"))
    assert any("on its sheet" in one for one in seen.wrong)
