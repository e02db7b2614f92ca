"""`rookery league`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.lab.league.report import Leagues


def league(*options: str) -> Result:
    return CliRunner().invoke(app, ["league", *options])


@pytest.mark.numba
def test_a_league_is_played_told_and_written(tmp_path: Path) -> None:
    asked = ("--bots", "papa,hog,random", "--deals", "40", "--seed", "5")
    result = league(*asked, "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    held = Leagues.model_validate_json(result.stdout)
    assert held == Leagues.model_validate_json((tmp_path / "league.json").read_text("utf-8"))
    (one,) = held.leagues
    assert (one.rules, one.bots, one.deals, one.illegal) == (
        *("kd_tournament", ["papa", "hog", "random"]),
        *(40, 0),
    )
    assert one.mix == [1, 0, 0]
    assert max(one.against_mix) == 0
    assert (tmp_path / "league-kd_tournament.png").stat().st_size > 1000
    again = league(*asked, "--threads", "1")
    assert again.stdout.strip() == (tmp_path / "report.txt").read_text("utf-8").strip()


def test_its_schema_is_published() -> None:
    result = CliRunner().invoke(app, ["schema", "league"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["properties"].keys() == {"seed", "leagues"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "missing option '--bots'"),
        (("--bots", "papa"), "--bots: 1 bot; expected two or more"),
        (("--bots", "papa,"), "'' is no bot"),
        (("--bots", "papa,hog", "--rules", "kd_tournament,"), "none of them empty"),
        (("--bots", "papa,papa"), "--bots: papa is named twice"),
        (("--bots", "papa,cuckoo"), "'cuckoo' is no bot"),
        (("--bots", "papa,hog", "--rules", "nosuch"), "nosuch"),
        (("--bots", "papa,hog", "--rules", "kd_tournament,kd_tournament"), "have one name"),
        (("--bots", "papa,hog", "--deals", "1"), "--deals 1: expected a number from 2"),
        (("--bots", "papa,hog", "--deals", "x"), "--deals"),
        (("--bots", "papa,hog", "--seed", "-1"), "--seed -1: expected"),
        (("--bots", "papa,hog", "--threads", "0"), "--threads 0: expected"),
    ],
)
def test_bad_input_gets_one_line(options: tuple[str, ...], words: str) -> None:
    result = league(*options)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line


def test_an_unwritable_folder_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    result = league("--bots", "papa,hog", "--out", str(tmp_path / "file"))
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "--out" in line


def test_house_rules_are_not_taken_for_the_variant_whose_name_their_file_has(
    tmp_path: Path,
) -> None:
    ours = tmp_path / "kd_tournament.toml"
    ours.write_text('base = "kd_tournament"\nrook_value = 0\nbid_maximum = 100\n', "utf-8")
    result = league("--bots", "papa,hog", "--deals", "2", "--rules", str(ours))
    assert result.stdout.startswith("kd_tournament.toml: 2 deals")
    assert "has not been measured for this" in " ".join(result.stdout.split())
