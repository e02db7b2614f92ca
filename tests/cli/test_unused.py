"""An option of which nothing would come is refused; beside what it is for, it is taken."""

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


def ran(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.chdir(folder)
    (folder / "sheet.toml").write_text(SHEET)
    (folder / "results.toml").write_text(RESULTS)
    return CliRunner().invoke(app, list(words), input="quit\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("evening", "deal", "F", "--out", "o", "--deals", "2", "--people", "8"), "--people: is"),
        (("evening", "deal", "F", "--out", "o", "--deals", "2", "--boards", "2"), "--boards: is"),
        (("evening", "results", "results.toml", "--bot", "club"), "--bot: is for --opened"),
        (("evening", "score", "sheet.toml", "--csv", "--json"), "--csv and --json: expected one"),
        ((*SCHEDULE, "--list", "--rounds", "3"), "--rounds: is for the movements that suit"),
        ((*SCHEDULE, "--list", "--people", "8", "--movement", "swiss"), "--movement: is not for"),
        ((*SCHEDULE, "--people", "8", "--each", "30"), "--each: is for --minutes"),
        ((*SCHEDULE, "--people", "8", "--boards", "3"), "--boards: individual has no prepared"),
        (("match", "--list", "--json"), "--json: is not for --list"),
        ((*MATCH, "--deadline", "50"), "--deadline: is for programs"),
        (("study", "--list", "menagerie"), "STUDY: is not for --list"),
        (("study", "dataset", "--target", "python"), "--target python: is not for the data set"),
        (("odds", "--json", "nest", "--hand", "R14"), "--json: the options of nest go behind it"),
        (("odds", "--paper", "--deck", "57"), "--deck: --paper takes no other numbers"),
        (("puzzles", "make", RECORD, "--out", "o", "--rules", "circus"), "--rules: is for bots"),
        (("puzzles", "make", RECORD, "--out", "o", "--hands", "3"), "--hands: is for bots"),
        (("serve", "--lan", "--host", "127.0.0.1"), "--lan: nobody else gets in at --host"),
        *(
            ((*words, "--data", "o", "--database", "postgresql://x/y"), "--data and --database: ")
            for words in (("database", "status"), ("backup", "b"), ("restore", "b"))
        ),
    ],
)
def test_it_is_one_line(
    words: tuple[str, ...], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = ran(tmp_path, monkeypatch, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(line)
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


def test_a_match_that_goes_on_keeps_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = ("play", "--record", "m.json")
    assert ran(tmp_path, monkeypatch, *play, "--name", "Ann").exit_code == 0
    again = ran(tmp_path, monkeypatch, *play, "--name", "Bea")
    assert (again.exit_code, again.stderr) == (2, "--name: m.json goes on as it began\n")
    assert ran(tmp_path, monkeypatch, *play).exit_code == 0


def test_a_server_is_started_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a database was added to the command of a service, which names a folder."""
    both = ("--data", "o", "--database", "postgresql://x@127.0.0.1:1/y")
    done = ran(tmp_path, monkeypatch, "serve", "--no-open", "--port", "0", *both)
    assert done.stderr.startswith("--database: postgresql://x@127.0.0.1:1/y")


def test_others_get_in_through_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts it here is told the address that they come by."""
    where = ("--lan", "--host", "127.0.0.1", "--public-url", "https://rook.example")
    nowhere = ("--database", "postgresql://x@127.0.0.1:1/y")
    done = ran(tmp_path, monkeypatch, "serve", "--no-open", "--port", "0", *where, *nowhere)
    assert done.stderr.startswith("--database: postgresql://x@127.0.0.1:1/y")


def test_what_the_environment_says_may_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of the container, which names a folder, and is given a database so."""
    monkeypatch.setenv("ROOKERY_DATABASE_URL", "postgresql://x@127.0.0.1:1/y")
    done = ran(tmp_path, monkeypatch, "database", "status", "--data", "o")
    assert done.stderr.startswith("--database: connection failed")
