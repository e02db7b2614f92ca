"""`rookery foresight`: a page that a person reads, JSON for programs, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.review.matches import match_of, played
from typer.testing import CliRunner

from rookery import record
from rookery.cli.main import app
from rookery.cli.records.foresight import report
from rookery.lab.foresight import Foresight, PlayerForesight
from rookery.rules import load

FEW = ["--worlds", "3", "--tricks", "3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records")
    rules = load("kd_tournament")
    for seed in range(2):
        match = match_of(rules, played(rules, ["club", "random"] * 2, seed))
        record.write(record.of_match(match), path / f"{seed}.json")
    (path / "notes.txt").write_text("no record", "utf-8")
    return path


def run(*words: str, given: str | None = None) -> Any:  # noqa: ANN401  (Click's own result)
    return CliRunner().invoke(app, ["foresight", *words], input=given)


def test_a_folder_is_read_and_told_in_eighty_columns(folder: Path) -> None:
    result = run(str(folder), *FEW)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "2 records, 2 hands" in result.stdout
    rows = [line for line in lines if "too few hands to say" in line]
    assert sorted(row.split()[0] for row in rows) == ["Ann", "Bo", "Cy", "Di"]


def test_a_record_that_stands_there_twice_occurs_once_more(folder: Path) -> None:
    one = str(folder / "0.json")
    assert "1 hand looked at; 1 occurs twice and counts once." in run(one, one, *FEW).stdout


def test_partners_stand_together_on_a_line_each(folder: Path) -> None:
    result = run(str(folder), "--pairs", *FEW)
    lines = result.stdout.splitlines()
    rows = [line.split()[0] for line in lines if "too few hands to say" in line]
    assert sorted(rows) == ["Ann+Cy", "Bo+Di"]
    assert all(len(line) <= 80 for line in lines)


def test_json_fits_the_published_schema(folder: Path) -> None:
    schema = json.loads(CliRunner().invoke(app, ["schema", "foresight"]).stdout)
    result = run("--json", *FEW, str(folder / "0.json"), str(folder / "1.json"))
    document = json.loads(result.stdout)
    jsonschema.validate(document, schema)
    assert document == json.loads(run(str(folder), "--json", *FEW).stdout)
    assert (document["worlds"], document["tricks"], document["hands"]) == (3, 3, 2)


def test_one_record_comes_from_standard_input(folder: Path) -> None:
    given = (folder / "1.json").read_text("utf-8")
    piped = json.loads(run("-", "--json", *FEW, given=given).stdout)
    both = json.loads(run(str(folder), "--json", "--hands", "1", *FEW).stdout)
    first = json.loads(run(str(folder / "0.json"), "--json", *FEW).stdout)
    assert both["players"] == first["players"] != piped["players"]


def one(name: str | None, verdict: str, **more: object) -> PlayerForesight:
    values = {"name": name, "seat": None, "hands": 1234, "decisions": 12345, "foresight": -12.345,
              "error": 10.5, "allowed": 1.2, "verdict": verdict}  # fmt: skip
    return PlayerForesight.model_validate({**values, **more})


def test_every_verdict_has_its_words_and_fits() -> None:
    players = [
        one("A name\x1b[31m that is far too long for a table", "more"),
        one("", "nothing"),
        one(None, "too-few", seat=3, hands=0, decisions=0, foresight=None, error=None),
        one("Once", "too-few", hands=1, error=None),
    ]
    found = Foresight(
        records=1200, hands=123456, again=12, unsuited=3, worlds=1000, tricks=8, seed=1,
        players=players, pairs=[],
    )  # fmt: skip
    lines = "\n".join(report(found)).splitlines()
    assert all(len(line) <= 80 for line in lines[1:])
    text = " ".join(" ".join(lines).split())
    assert "\x1b[31m" not in text
    for words in (
        "more than",
        "nothing to see",
        "too few hands to say",
        "Seat 3",
        "12 occur twice",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--hands", "0"], "--hands 0: expected a number from 1 to"),
        (["--worlds", "0"], "--worlds 0: expected a number from 1 to 1000"),
        (["--tricks", "1"], "--tricks 1: expected a number from 2 to 12"),
        (["--seed", "-1"], "--seed -1: expected a number from 0 to"),
    ],
)
def test_what_is_out_of_range_is_refused(folder: Path, words: list[str], line: str) -> None:
    result = run(str(folder), *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert line in result.stderr


def test_what_is_no_record_is_refused_by_name(folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "other/1"}', "utf-8")
    result = run(str(folder), str(bad))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{bad}: bad-format")
    missing = run(str(tmp_path / "none.json"))
    assert missing.exit_code == 2
    assert "no such file" in missing.stderr
    (tmp_path / "empty").mkdir()
    empty = run(str(tmp_path / "empty"))
    assert (empty.exit_code, empty.stderr) == (
        2,
        f"{tmp_path / 'empty'}: no record in this folder; expected files named .json\n",
    )
    bad.write_text('{"format": "rookery/1", "rules": "kd_tournament", "hands": []}', "utf-8")
    none = run(str(bad))
    assert (none.exit_code, none.stderr.count("\n")) == (2, 1)
    assert "expected one at least" in none.stderr
