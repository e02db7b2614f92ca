"""A match in the terminal that goes on from its record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rookery import record as records
from rookery.cli.main import app
from rookery.cli.play.game import default_bots
from rookery.game import Match
from rookery.rules import load

CLUBS = [None, "club", "club", "club"]
HAND: dict[str, Any] = {"dealer": 0, "seed": 7, "actions": ["1 bid 75"]}


@pytest.mark.parametrize("hands", [0, 1])
def test_the_usual_bots_sit_down_where_a_record_names_one_that_is_none(
    hands: int, tmp_path: Path
) -> None:
    match = Match(load("kd_tournament"))
    written = records.of_match(match.shuffled(1) if hands else match)
    written.extra = {"table": {"bots": ["nobody", "rabbit", "rabbit"], "seed": 3}}
    records.write(written, tmp_path / "game.json")
    shown = CliRunner().invoke(app, ["play", "--record", str(tmp_path / "game.json")])
    assert shown.exit_code == 0, shown.output
    assert all(bot in shown.output for bot in default_bots(4))
    assert "rabbit" not in shown.output


def gone_on(
    written: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> dict[str, Any]:
    """Return a record as it is once somebody has played a hand's auction on, and left."""
    kept = tmp_path / "game.json"
    answers = iter(["pass", "pass", "quit"])
    monkeypatch.setattr("builtins.input", lambda: next(answers))
    kept.write_text(json.dumps({"format": "rookery/1", "rules": "kd_tournament", **written}))
    shown = CliRunner().invoke(app, ["play", "--record", str(kept)], catch_exceptions=False)
    assert shown.exit_code == 0, shown.output
    found: dict[str, Any] = json.loads(kept.read_text())
    assert len(found["hands"][-1]["actions"]) > 2
    return found


def test_the_bots_that_began_a_match_go_on_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = {"players": [*"ABCD"], "bots": CLUBS}
    kept = gone_on({**there, "hands": [HAND]}, monkeypatch, tmp_path)
    assert kept["table"]["bots"] == kept["bots"][1:] == CLUBS[1:]
    assert "bots" not in kept["hands"][0]
    # Who has come meanwhile, and gone again, is not who sits there now.
    came = {"players": ["A", "Zed", "C", "D"], "bots": [None, None, "club", "club"]}
    kept = gone_on({**there, "hands": [{**HAND, **came}]}, monkeypatch, tmp_path)
    assert {key: kept["hands"][0][key] for key in there} == there


@pytest.mark.parametrize("bots", [[None, "exec:mine", "club", "club"], [None] * 4, None, "club"])
def test_a_hand_says_so_where_others_sit_than_began(
    bots: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = {"players": [*"ABCD"], "bots": bots, "table": {"seed": 3, "room": "kitchen"}}
    kept = gone_on({**there, "hands": [HAND]}, monkeypatch, tmp_path)
    assert kept["bots"] == bots
    assert kept["hands"][-1]["bots"] == [None, *default_bots(4)]
    assert kept["table"] == {"bots": default_bots(4), "seed": 3, "room": "kitchen"}
    again = gone_on(kept, monkeypatch, tmp_path)
    assert again["table"] == kept["table"]


def test_what_hands_carry_stays_with_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    carried = {"proof": {"scheme": "another"}, "comment": "keep me"}
    hands = [{**HAND, **carried}]
    kept = gone_on({"bots": CLUBS, "hands": hands, "note": "too"}, monkeypatch, tmp_path)
    assert carried.items() <= kept["hands"][0].items()
    assert kept["note"] == "too"
