"""`rookery evening score`, run as a person runs it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import click
import pytest
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.evening.sheet_file import SheetSeen
from rookery.rules import variant

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "score-a-game-with-real-cards.md"
SHEET, SHOWN = (
    re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)[0]
    for kind in ("toml", "text")
)


def score(*words: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["evening", "score", *map(str, words)], input=stdin)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.toml"
    path.write_text(SHEET)
    return path


def test_a_sheet_is_added_up(sheet: Path) -> None:
    assert score(sheet).stdout == SHOWN
    assert score("-", stdin=SHEET).stdout == SHOWN


@pytest.mark.parametrize(
    ("env", "styled"),
    [
        ({"NO_COLOR": None, "TERM": "xterm"}, True),
        ({"NO_COLOR": "", "TERM": "xterm"}, True),
        ({"NO_COLOR": "1", "TERM": "xterm"}, False),
        ({"NO_COLOR": None, "TERM": "dumb"}, False),
    ],
)
def test_a_terminal_without_colours_is_sent_none(env: dict[str, str | None], styled: bool) -> None:
    words = ["evening", "score", "-"]
    shown = CliRunner().invoke(app, words, input=SHEET, env=env, color=True)
    assert ("\x1b" in shown.stdout) == styled
    assert click.unstyle(shown.stdout) == SHOWN


def test_as_json_it_is_the_promised_document(sheet: Path) -> None:
    told = SheetSeen.model_validate(json.loads(score(sheet, "--json").stdout))
    assert told.totals == [120, -75, 120, -75]
    assert [one.made for one in told.hands] == [True, None, False]
    assert (told.winners, told.dealer) == ([], 2)


def test_as_csv_it_has_a_line_a_hand_and_no_formula(sheet: Path) -> None:
    sheet.write_text(SHEET.replace("Ann", "=Ann").replace("{ =Ann", '{ "=Ann"'))
    lines = list(csv.DictReader(score(sheet, "--csv").stdout.splitlines()))
    assert [one["bid"] for one in lines] == ["95", "", "100"]
    assert [one["made"] for one in lines] == ["made", "", "set"]
    assert [one["Bob total"] for one in lines] == ["25", "25", "-75"]
    assert lines[0]["declarer"] == "'=Ann"


def test_the_game_that_is_over_names_its_winners(sheet: Path) -> None:
    hand = '[[hand]]\ndeclarer = "Ann"\nbid = 80\npoints = { Ann = 120 }\n'
    sheet.write_text(SHEET + 3 * hand)
    lines = score(sheet).stdout.splitlines()
    assert lines[-1] == "Ann and Cy have won."
    assert "after the end" in lines[-3]


@pytest.mark.parametrize("rules", ["rook_1906_8", "five_person_poker", "dixie_6", "rook_two_1914"])
def test_every_table_fits_eighty_columns(rules: str, tmp_path: Path) -> None:
    names = [f"Bartholomew {i} of the very long name" for i in range(variant(rules).seats)]
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"rules": rules, "players": names}))
    done = score(sheet)
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("rules = 1", "rules: 1 will not do; expected an id of the catalogue"),
        (SHEET.replace("= 95", "= 96"), "hand 1: bid: 96 cannot be bid; expected 70 to 120"),
        (SHEET.replace("60+40-5", "61+40-5"), "hand 1: points: no counters add up to 96"),
        ("\udc80", "is no text in UTF-8"),
    ],
)
def test_bad_input_is_one_line(text: str, line: str, sheet: Path) -> None:
    sheet.write_text(text, errors="surrogateescape")
    done = score(sheet)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = score(tmp_path / "none.toml")
    assert done.exit_code == 2
    assert "no such file or directory; expected a score sheet" in done.stderr


def test_a_name_in_a_file_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    names = ["\x1b[2J\x9b\u202e", "Bob", "Cy", "José 雪"]
    path.write_text(json.dumps({"rules": "kd_tournament", "players": names, "dealer": "Ann"}))
    done = score(path)
    assert done.exit_code == 2
    assert r"expected \x1b[2J\x9b\u202e, Bob, Cy, José 雪" in done.stderr
