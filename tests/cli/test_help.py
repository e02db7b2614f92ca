"""What every command says of itself fits a terminal, and what is no name of a file it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli.main import COMMANDS, app

WIDTH = 80


def told(*words: str) -> str:
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": str(WIDTH)})
    assert done.exit_code == 0
    return done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_eighty_columns_and_ends_its_sentences(name: str) -> None:
    whole = told(name)
    _, _, listed = whole.partition("\nCommands:\n")
    inner = re.findall(r"^  (\S+)  ", listed, re.MULTILINE)
    for text in (whole, *(told(name, one) for one in inner)):
        assert max(map(len, text.splitlines())) <= WIDTH
    said = " ".join(listed.split())
    assert "..." not in said
    for one in inner:
        what = told(name, one).split("\n\n")[1]
        assert " ".join(what.split()) in said


@pytest.mark.parametrize(
    "words",
    [
        ("replay", ""),
        ("review", ""),
        ("solve", ""),
        ("verify-deal", ""),
        ("foresight", ""),
        ("rules", "check", ""),
        ("lessons", "check", ""),
        ("lessons", "make", ""),
        ("puzzles", "list", "--file", ""),
        ("puzzles", "make", "--out", "x", "a.json", ""),
        ("evening", "score", ""),
        ("evening", "results", ""),
        ("evening", "schedule", "--people", "8", "--after", ""),
        ("match", "--seats", "papa,hog", "--hands", ""),
        ("match", "--seats", "papa,hog", "--deals", "2", "--target", "python", "--out", ""),
        ("match", "--seats", "papa,hog", "--deals", "2", "--target", "python", "--out="),
        ("play", "--record", ""),
        ("library", ""),
        ("site", "build", ""),
        ("backup", ""),
        ("restore", ""),
        ("database", "status", "--data", ""),
    ],
)
def test_an_empty_name_is_not_taken_for_the_current_folder(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a script names a file by a variable that is not set."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, list(words))
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "the name is empty" in line
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("match", "--seats", "papa,hog", "--hands", "-"), "--hands"),
        (("match", "--seats", "papa,hog", "--deals", "2", "--out", "-"), "--out"),
        (("play", "--record", "-"), "--record"),
        (("puzzles", "make", "--out", "-"), "--out"),
        (("lessons", "make", "-"), "DIR"),
        (("library", "-"), "FOLDER"),
        (("site", "build", "-"), "DIR"),
        (("backup", "-"), "FILE"),
    ],
)
def test_a_file_that_is_written_is_not_called_as_standard_output_is(
    words: tuple[str, ...], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, list(words), input="quit\n")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{line} -: cannot go to standard output; expected a name\n"
    assert not any(tmp_path.iterdir())


def test_the_control_the_current_folder_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["lessons", "make", "."]).exit_code == 0
    assert any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("match", "--deals", "x"), "match: invalid value for '--deals': 'x'; expected a whole"),
        (("bench", "--seconds", "x"), "bench: invalid value for '--seconds': 'x'; expected a num"),
        (("match", "--family", "x"), "match: invalid value for '--family': 'x' is not one of 'tu"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_in_plain_words(
    words: tuple[str, ...], said: str
) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert f" {said}" in done.stderr
    assert done.stderr.count("\n") == 1
