"""Of an option of which nothing comes that is said; beside what it is for, nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.evening.test_results import FILE as RESULTS
from tests.cli.evening.test_score import SHEET
from tests.hands import EXAMPLES
from typer.testing import CliRunner, Result

from rookery.cli.main import app

RECORD = str(EXAMPLES / "two_hands.json")
MATCH = ("match", "--seats", "papa,hog", "--deals", "2", "--target", "python")
SCHEDULE = ("evening", "schedule")
DEAL = ("evening", "deal", "F", "--out", "o", "--deals", "2")
NEST = ("--hand", "R14 R13 R12 R11 R10 R9 R8 R7 R6")


def ran(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.chdir(folder)
    (folder / "sheet.toml").write_text(SHEET)
    (folder / "results.toml").write_text(RESULTS)
    return CliRunner().invoke(app, list(words), input="quit\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((*DEAL, "--people", "8"), "--people is passed over: it is for --movement"),
        ((*DEAL, "--boards", "2"), "--boards is passed over: it is for --movement"),
        (
            ("evening", "results", "results.toml", "--bot", "club"),
            "--bot is passed over: it is for",
        ),
        (("evening", "score", "sheet.toml", "--csv", "--json"), "--json is passed over: it is not"),
        (
            (*SCHEDULE, "--list", "--rounds", "3"),
            "--rounds is passed over: it is for the movements",
        ),
        (
            (*SCHEDULE, "--list", "--people", "8", "--movement", "swiss"),
            "--movement is passed over",
        ),
        (
            (*SCHEDULE, "--people", "8", "--each", "30"),
            "--each is passed over: it is for --minutes",
        ),
        ((*SCHEDULE, "--people", "8", "--boards", "3"), "--boards is passed over: individual has"),
        (("match", "--list", "--json"), "--json is passed over: it is not for --list"),
        ((*MATCH, "--deadline", "50"), "--deadline is passed over: it is for programs"),
        (("study", "--list", "menagerie"), "STUDY is passed over: it is not for --list"),
        (("odds", "--json", "nest", *NEST), "--json is passed over: an option of nest goes behind"),
        (
            ("odds", "--paper", "--deck", "57"),
            "--deck is passed over: the seven chances of --paper",
        ),
    ],
)
def test_it_is_one_line_and_all_goes_on(
    words: tuple[str, ...], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = ran(tmp_path, monkeypatch, *words)
    assert (done.exit_code, bool(done.stdout)) == (0, True)
    assert done.stderr.startswith(line)
    assert done.stderr.count("passed over") == 1


@pytest.mark.parametrize(
    "words",
    [("database", "status"), ("backup", "b"), ("restore", "b"), ("serve", "--no-open")],
)
def test_of_a_folder_and_a_database_the_folder_is_passed_over(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").write_bytes(b"")
    both = ("--data", "o", "--database", "postgresql://x@127.0.0.1:1/y")
    first, *_, last = ran(tmp_path, monkeypatch, *words, *both).stderr.splitlines()
    assert first == "--data is passed over: there is a --database"
    assert "--data " not in last
    assert "--data:" not in last
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("evening", "deal", "F", "--out", "o", "--movement", "howell", "--people", "8"),
        ("evening", "results", "results.toml"),
        ("evening", "score", "sheet.toml", "--csv"),
        (*SCHEDULE, "--list"),
        (*SCHEDULE, "--list", "--people", "8", "--minutes", "90", "--each", "30"),
        (*SCHEDULE, "--people", "8", "--movement", "howell", "--boards", "3"),
        ("match", "--list"),
        MATCH,
        ("study", "--list"),
        ("odds", "--paper", "--json"),
    ],
)
def test_the_control_what_it_is_for_takes_it(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = ran(tmp_path, monkeypatch, *words)
    assert done.exit_code == 0, done.output
    assert "passed over" not in done.output


def test_a_match_that_goes_on_keeps_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = ("play", "--record", "m.json")
    assert ran(tmp_path, monkeypatch, *play, "--name", "Ann").exit_code == 0
    again = ran(tmp_path, monkeypatch, *play, "--name", "Bea")
    assert again.exit_code == 0
    assert again.stderr == "--name is passed over: m.json goes on as it began\n"
    assert ran(tmp_path, monkeypatch, *play).exit_code == 0


def test_what_the_environment_says_may_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of the container, which names a folder, and is given a database so."""
    monkeypatch.setenv("ROOKERY_DATABASE_URL", "postgresql://x@127.0.0.1:1/y")
    done = ran(tmp_path, monkeypatch, "database", "status", "--data", "o")
    assert done.stderr.startswith("--database: connection failed")
