"""The laboratory counts the same by the native library as in plain Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rookery.bots.dispatch import CLUB, kind_of
from rookery.bots.names import bots
from rookery.engine.targets import Target
from rookery.engine.targets.native import LIBRARY
from rookery.lab.duplicate.job import Boards
from rookery.lab.menagerie.study import Mode, games_of
from rookery.lab.rows import games as game_rows
from rookery.lab.studies.questions.hand_worth import HandValues
from rookery.lab.studies.questions.rule_sets import RuleSets
from rookery.rules import catalog, load

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="tests/engine/test_native.py says why")


def both(job: Any) -> tuple[list[int], list[int]]:  # noqa: ANN401  (any of the laboratory's jobs)
    return tuple(
        replace(job, target=target).count(2, 5).tolist() for target in ("native", "python")
    )


@pytest.mark.parametrize("name", catalog())
def test_boards_of_a_match(name: str) -> None:
    rules = load(name)
    lineup = tuple(bots("papa,club,random,rabbit")[seat % 4] for seat in range(rules.seats))
    ours, plain = both(Boards("x", 7, rules, lineup, 4))
    assert ours == plain
    assert any(ours)


@pytest.mark.parametrize("mode", Mode)
def test_games_of_the_study(mode: Mode) -> None:
    ours, plain = both(games_of(mode, 7, 3))
    assert ours == plain
    assert any(ours)


def test_rule_sets_and_what_hands_are_worth() -> None:
    names = ("kd_tournament", "rook_two_1914", "call_partner_5")
    strong, weak = CLUB, kind_of("random")
    ours, plain = both(RuleSets("x", tuple(map(load, names)), 7, (strong, weak), 3))
    assert ours == plain
    assert any(ours)
    for name in names:
        ours, plain = both(HandValues("x", load(name), 7, CLUB, 3))
        assert ours == plain
        assert any(ours)


@pytest.mark.parametrize("mode", Mode)
def test_games_in_rows(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_rows, "PLAIN", -1)

    def rows(target: Target) -> list[Any]:
        found = game_rows.game_rows(mode, 3, 5, target=target)
        return [frame.to_dict(as_series=False) for frames in found for frame in frames.values()]

    ours = rows("native")
    assert ours == rows("python")
    assert ours
