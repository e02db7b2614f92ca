"""`rookery study dataset`: one command, one folder, and a kill costs nothing that was noted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from rookery.cli.lab import dataset as command
from rookery.cli.main import app

ROOT = Path(__file__).resolve().parents[3]
# Small parts; says when the first has been noted, and waits to be killed.
WAITING = """
import sys, time
from rookery.lab.dataset import making
making.PART = 2
from rookery.lab.run.journal import FileJournal
note = FileJournal.note
def noting(self, batch):
    note(self, batch)
    print("noted", flush=True)
    time.sleep(600)
if "wait" in sys.argv:
    sys.argv.remove("wait")
    FileJournal.note = noting
from rookery.lab.run import jobs
jobs.run_jobs.__kwdefaults__["every"] = 0.0
from rookery.cli.main import app
sys.argv[0] = "rookery"
app()
"""


def study(*options: str | Path) -> Result:
    return CliRunner().invoke(app, ["study", "dataset", *map(str, options)])


def test_a_data_set_is_told_and_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = study("--bots", "club,papa", "--boards", "3", "--out", out, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["rules"], found["bots"], found["deals"]) == ("kd_tournament", ["club", "papa"], 3)
    assert found["rows"]["hands"] == 6
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "data", "dataset.json"]
    assert len(pl.read_parquet(out / "data" / "hands-*.parquet")) == 6
    again = study("--bots", "club,papa", "--boards", "3", "--out", out)
    assert again.stdout.startswith("3 deals of kd_tournament: 6 hands, 54 tricks, ")
    card = (out / "README.md").read_text("utf-8")
    command = 'rookery study dataset --rules kd_tournament --bots "club,papa" --boards 3 --seed 1'
    assert command in card


def test_it_stands_in_the_list() -> None:
    listed = CliRunner().invoke(app, ["study", "--list"]).stdout
    assert "dataset" in listed
    assert max(map(len, listed.splitlines())) <= 80


def test_a_killed_one_goes_on_and_comes_to_the_same_files(tmp_path: Path) -> None:
    def command(out: str, *more: str) -> list[str]:
        return [
            *(sys.executable, "-c", WAITING, "study", "dataset", *more, "--bots", "club,papa"),
            *("--boards", "7", "--threads", "1", "--out", str(tmp_path / out)),
        ]

    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command("whole"), env=env, check=True, capture_output=True)
    with subprocess.Popen(command("killed", "wait"), env=env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"noted\n"
        process.send_signal(signal.SIGKILL)
    assert {path.name for path in (tmp_path / "killed").iterdir()} >= {"journal", "parts"}
    assert not (tmp_path / "killed" / "data").exists()
    again = subprocess.run(command("killed"), env=env, check=True, capture_output=True, text=True)
    assert "resumed: 2 of 7 deals were done before" in again.stderr
    written = [
        {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
        }
        for root in (tmp_path / "whole", tmp_path / "killed")
    ]
    assert written[0] == written[1]
    assert len(written[0]) == 5


@pytest.mark.parametrize("moment", ["print_answer", "say_files"])
def test_one_that_could_not_be_told_is_told_again(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--bots", "club,papa", "--boards", "3", "--out", tmp_path)
    with monkeypatch.context() as failing:

        def fail(*_: object) -> None:
            raise OSError(ENOSPC, "no space left on device")

        failing.setattr(command, moment, fail)
        assert study(*asked).exit_code != 0
    again = study(*asked)
    assert again.exit_code == 0, again.output
    assert "resumed: 3 of 3 deals were done before" in again.stderr
    assert again.stdout.startswith("3 deals of kd_tournament: 6 hands, 54 tricks, ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "data", "dataset.json"]


def test_a_folder_of_somebodys_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    result = study("--bots", "club,papa", "--boards", "3", "--out", tmp_path)
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert "README.md: is no data set's; expected a folder without it" in line
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "where to? add --out DIR"),
        (("--out", "OUT", "--bots", "nobody,club"), "'nobody' is no bot"),
        (("--out", "OUT", "--bots", "club"), "1 bot for kd_tournament"),
        (("--out", "OUT", "--rules", "nothing"), "nothing"),
        (("--out", "OUT", "--rows", "5"), "--rows 5: is not for the data set"),
        (("--out", "OUT", "--games", "5"), "--games 5: is not for the data set"),
        (("--out", "OUT", "--cluster", "auto"), "a data set is written on one machine"),
        (("--out", "OUT", "--boards", "1"), "--boards 1: expected a number from 2"),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(
    options: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    result = study(*(str(tmp_path / "out") if word == "OUT" else word for word in options))
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line
    assert not list(tmp_path.rglob("*.parquet"))


def test_its_options_are_refused_elsewhere(tmp_path: Path) -> None:
    for option in ("--rules", "--bots"):
        result = CliRunner().invoke(app, ["study", "menagerie", option, "club,papa"])
        assert result.exit_code == 2
        assert f"{option} club,papa: is for the data set" in result.stderr
