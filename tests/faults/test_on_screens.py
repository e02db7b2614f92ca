"""P27 on screens: nothing is lost, nor there twice, and seats are as said; three controls."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.on_screens import on_screens
from tests.faults.on_screens_judge import Shown, Told

ROUNDS = 2  # of an evening in small


@pytest.mark.slow
def test_an_evening_on_screens_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    seen = asyncio.run(on_screens(tmp_path, kills=3, cuts=20, seed=1, rounds=ROUNDS))
    assert seen.complaints == []
    assert (seen.kills, seen.cuts >= 20, seen.acts > 200, seen.scores >= 6) == (3, *3 * [True])


@pytest.mark.slow
def test_the_control_what_is_shown_before_it_is_kept_is_found(tmp_path: Path) -> None:
    build = "broken_screens/foretold"
    assert asyncio.run(on_screens(tmp_path, 6, 0, seed=1, build=build, rounds=ROUNDS)).lost


@pytest.mark.slow
def test_the_control_a_table_that_is_opened_anew_after_a_crash_is_found(tmp_path: Path) -> None:
    build = "broken_screens/anew"
    assert asyncio.run(on_screens(tmp_path, 12, 0, seed=2, build=build, rounds=ROUNDS)).twice


@pytest.mark.slow
def test_the_control_seats_that_the_evening_did_not_give_are_found(tmp_path: Path) -> None:
    build = "broken_screens/turned"
    assert asyncio.run(on_screens(tmp_path, 0, 1, seed=3, build=build, rounds=1)).seats


def test_an_answer_that_is_late_is_no_loss_and_one_to_a_later_look_is() -> None:
    table = {"number": 1, "seats": [0, 1, 2, 3], "code": None, "scores": None}
    open_ = {"number": 1, "tables": [{**table, "code": "ABCDEF2"}]}
    for late in ({"number": 1, "tables": [table]}, None):
        seen = Shown()
        told = Told(seen, rounds=2)
        before = told.known
        told.see(open_, told.known)
        told.see(late, before)
        assert seen.sound
        told.see(late, told.known)
        assert len(seen.lost) == 1
