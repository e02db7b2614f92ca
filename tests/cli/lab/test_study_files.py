"""`rookery study FILE`: what it prints and writes, and how it is taken up again."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from rookery.cli import output
from rookery.cli.lab import study as command
from rookery.cli.main import app
from rookery.lab.rows.schema import TABLES

ROOT = Path(__file__).parents[3]
STUDY = """
name = "our-club"
about = "Who is ahead?"
bots = ["papa", "rabbit"]
rules = ["kd_tournament", { base = "kd_tournament", bid_minimum = 60 }]
boards = BOARDS
questions = ["match"]
"""
# Says when the first work has been noted, and then waits to be killed.
WAITING = """
import sys, time
from rookery.lab.run.journal import FileJournal
note = FileJournal.note
def noting(self, batch):
    note(self, batch)
    print("noted", flush=True)
    time.sleep(600)
FileJournal.note = noting

from rookery.cli import output
from rookery.cli.main import app
sys.argv[0] = "rookery"
app()
"""
LONG = 800  # boards: some times the half second after which the first work is noted


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep journals that nobody named away from the user's, but not what is compiled."""
    monkeypatch.setenv("HOME", str(tmp_path))


def study(*options: str | Path) -> Result:
    return CliRunner().invoke(app, ["study", *map(str, options), "--target", "python"])


def file(folder: Path, boards: int = 20) -> Path:
    path = folder / "our.toml"
    path.write_text(STUDY.replace("BOARDS", str(boards)), "utf-8")
    return path


def answers(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    del found["seconds"]
    return found


def interrupted(how: signal.Signals, *options: str | Path) -> tuple[int, str]:
    """Run the command until its first work is noted, and end it; return its status and words."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, "study", *map(str, options), "--target", "python"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        noted = process.stdout.readline()
        process.send_signal(how)
        words = process.stderr.read()
    assert noted == "noted\n", words
    return process.returncode, words


def test_a_study_is_told_and_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = study(file(tmp_path), "--out", out, "--rows", "3")
    assert result.exit_code == 0, result.output
    assert "our-club: Who is ahead?" in result.stdout
    assert "kd_tournament bid_minimum=60" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert sorted(path.name for path in out.iterdir()) == [
        *("decisions.parquet", "hands.parquet", "match.csv", "match.md", "match.png"),
        *("report.txt", "study.json", "tricks.parquet"),
    ]
    hands = pl.read_parquet(out / "hands.parquet")
    assert len(hands) == 3 * 2 * 2  # boards, rooms, rule sets
    assert hands.schema == TABLES["hands"].schema


def test_the_options_go_before_the_file(tmp_path: Path) -> None:
    found = answers(study(file(tmp_path), "--json", "--boards", "10", "--seed", "7"))
    assert (found["boards"], found["seed"]) == (10, 7)
    assert found["answers"]["match"]["match"][0]["boards"] == 10


def test_the_list_shows_studies_and_questions() -> None:
    result = CliRunner().invoke(app, ["study", "--list"])
    assert result.exit_code == 0
    assert "menagerie" in result.stdout
    assert "match" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_killed_study_goes_on_and_says_the_same(tmp_path: Path) -> None:
    path, out = file(tmp_path, LONG), tmp_path / "out"
    whole = answers(study(path, "--json"))
    interrupted(signal.SIGKILL, path, "--out", out)
    # Killed within a commit, SQLite leaves its rollback file beside the journal.
    assert {"journal"} <= {path.name for path in out.iterdir()} <= {"journal", "journal-journal"}
    again = study(path, "--json", "--out", out)
    assert answers(again) == whole
    assert "resumed: " in again.stderr
    assert not list(out.glob("journal*"))


def test_a_stopped_study_says_that_it_goes_on(tmp_path: Path) -> None:
    path = file(tmp_path, LONG)
    status, words = interrupted(signal.SIGINT, path)
    assert status == 130
    assert words == "stopped; the same command goes on from here\n"
    again = study(path)
    assert "resumed: " in again.stderr
    assert "resumed: " not in study(path).stderr


def test_an_answer_that_cannot_be_written_loses_no_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up while the study runs."""
    path, out = file(tmp_path), tmp_path / "out"

    def full(folder: Path, _: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(folder / "study.json"))

    with monkeypatch.context() as patched:
        patched.setattr(output, "write_all", full)
        result = study(path, "--out", out)
    assert result.exit_code == 2
    assert result.stderr == f"{out / 'study.json'}: no space left on device\n"
    assert [path.name for path in out.iterdir()] == ["journal"]
    again = study(path, "--out", out)
    assert "resumed: 40 of 40 boards" in again.stderr
    assert (out / "study.json").exists()


def test_a_long_sentence_is_folded(tmp_path: Path) -> None:
    path = file(tmp_path, 2)
    path.write_text(path.read_text("utf-8").replace("Who is", "Who in the world is " * 5 + "who"))
    result = study(path)
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_folder_with_another_runs_journal_is_refused(tmp_path: Path) -> None:
    path, out = file(tmp_path, LONG), tmp_path / "out"
    interrupted(signal.SIGKILL, path, "--out", out)
    result = study(path, "--out", out, "--seed", "2")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert "journal of another run (seed 1, here 2)" in line
    assert (out / "journal").exists()


def test_a_full_disk_is_said_before_anything_is_played(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk.

    The process writes no bytecode: Python would leave it cut short, for everybody else to find.
    """
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "from rookery.cli.main import app; app()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-B", "-c", code, "study", file(tmp_path), "--out", tmp_path / "out"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr == f"--out {tmp_path / 'out'}: file too large\n"
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rows", "5"), "--rows 5: there is no folder to write them to; add --out DIR"),
        (("--boards", "1"), "--boards 1: expected a number from 2"),
        (("--games", "5"), "--games 5: is for the Menagerie"),
        (("--as", "rules"), "--as rules: is for the Menagerie"),
        (("--threads", "2", "--cluster", "auto"), "--threads and --cluster: one or the other"),
        (("--cluster", "127.0.0.1:1"), "no Ray cluster at 127.0.0.1:1"),
        (("--cluster", "here"), "is no address of a cluster"),
    ],
)
def test_bad_input_gets_one_line(options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    result = study(file(tmp_path), *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere.toml", "nowhere.toml: no such file or directory; expected a study"),
        ("aviary", "no study is called 'aviary'; there are menagerie"),
    ],
)
def test_an_unknown_study_gets_one_line(name: str, words: str) -> None:
    result = study(name)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert words in line


def test_the_holdout_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "usual_ledger", lambda: tmp_path / "ledger")
    path = file(tmp_path)
    path.write_text(path.read_text() + 'family = "holdout"\n')
    assert study(path).exit_code == 0
    again = study(path, "--seed", "2")
    assert again.exit_code == 2
    assert "the holdout was used for this question" in again.stderr


@pytest.mark.parametrize("name", ["FILE", "menagerie"])
def test_rows_of_an_earlier_run_are_said_to_be(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = (file(tmp_path),) if name == "FILE" else ("menagerie", "--games", "2")
    first = study(*asked, "--out", out, "--rows", "2")
    assert first.exit_code == 0, first.output
    assert "are of an" not in first.stderr
    rows = {path.name: path.read_bytes() for path in out.glob("*.parquet")}
    second = study(*asked, "--out", out, "--seed", "9")
    names = ", ".join(f"{table}.parquet" for table in TABLES)
    assert f"{out}: of an earlier run: {names}" in " ".join(second.stderr.split())
    assert rows == {path.name: path.read_bytes() for path in out.glob("*.parquet")}
    fresh = study(*asked, "--out", tmp_path / "fresh")
    assert "are of an" not in fresh.stderr


@pytest.mark.parametrize("moment", ["print_answer", "write_files", "_write_rows"])
def test_a_look_whose_answer_did_not_come_out_is_taken_again(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "usual_ledger", lambda: tmp_path / "ledger")
    path = file(tmp_path)
    path.write_text(path.read_text() + 'family = "holdout"\nrows = 2\n')

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        stopping.setattr(command, moment, stop)
        assert study(path, "--out", tmp_path / "out").exit_code == 130
    again = study(path, "--out", tmp_path / "out")
    assert again.exit_code == 0, again.output
    assert "resumed: 40 of 40 boards" in again.stderr
    assert (tmp_path / "out" / "hands.parquet").exists()
    assert study(path, "--out", tmp_path / "out").exit_code == 2


def test_rows_of_a_bot_without_them_are_refused_before_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "usual_ledger", lambda: tmp_path / "ledger")
    path = file(tmp_path)
    changed = path.read_text().replace("rabbit", "expert:rollouts=10")
    path.write_text(changed + 'family = "holdout"\nrows = 2\n')

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(command, "conduct", fail)
    result = study(path, "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert "expert:rollouts=10: plays a hand at a time, and rows are of compiled play" in line
    assert list((tmp_path / "out").iterdir()) == []
    assert not (tmp_path / "ledger").exists()


def test_the_schemas_are_printed() -> None:
    for name, key in (("study", "questions"), ("study-answer", "answers")):
        result = CliRunner().invoke(app, ["schema", name])
        assert key in json.loads(result.stdout)["properties"]
