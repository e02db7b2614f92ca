"""A match in the terminal that goes on from its record."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery import record as records
from rookery.cli.main import app
from rookery.cli.play.game import default_bots
from rookery.game import Match
from rookery.rules import load


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
