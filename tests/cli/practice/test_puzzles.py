"""`rookery puzzles`, run as a person runs it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.hands import EXAMPLES
from tests.puzzles.positions import SAMPLE
from typer.testing import CliRunner, Result

from rookery import record
from rookery.cli.main import app
from rookery.puzzles.document import PuzzleAnswer
from rookery.puzzles.making import Made, Tally, Unit
from rookery.puzzles.puzzle import THEMES, line_of
from rookery.puzzles.shelf import shelf

WIDTH = 80


def rookery(*words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def test_the_list_is_a_list_with_the_promised_fields() -> None:
    done = rookery("puzzles", "list", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    listed = json.loads(done.stdout)
    assert len(listed) == len(shelf())
    assert all(one.keys() == {"id", "rules", "seat", "themes", "rating"} for one in listed)
    assert all(set(one["themes"]) <= set(THEMES) and one["themes"] for one in listed)
    assert all(isinstance(one["rating"], int) for one in listed)


def test_the_list_is_narrowed_by_rules_and_theme() -> None:
    one = SAMPLE[0]
    listed = json.loads(
        rookery(
            *("puzzles", "list", "--json", "--rules", one.rules_name, "--theme", one.themes[0])
        ).stdout
    )
    assert one.id in {other["id"] for other in listed}
    assert {other["rules"] for other in listed} == {one.rules_name}
    assert all(one.themes[0] in other["themes"] for other in listed)
    assert len(listed) < len(shelf())


def test_the_list_fits_eighty_columns() -> None:
    lines = rookery("puzzles", "list").stdout.splitlines()
    assert {one.id for one in shelf()} == {line[:8] for line in lines[1:]} - {" " * 8}
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("puzzle", SAMPLE[::5], ids=lambda one: one.id)
def test_a_puzzle_is_shown_with_a_record_that_replays(puzzle: object, tmp_path: Path) -> None:
    identity = getattr(puzzle, "id", "")
    done = rookery("puzzles", "show", identity, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    told = PuzzleAnswer.model_validate_json(done.stdout)
    written = tmp_path / "record.json"
    written.write_text(json.dumps(told.record), "utf-8")
    assert rookery("replay", written).exit_code == 0
    assert [one.behind for one in told.choices] == sorted(one.behind for one in told.choices)
    for words in ([], ["--answer"]):
        lines = rookery("puzzles", "show", identity, *words).stdout.splitlines()
        assert max(map(len, lines)) <= WIDTH
    asked = rookery("puzzles", "show", identity).stdout
    assert "points" not in asked.partition("What do you do?")[2]
    about = f"rated {told.rating}: {', '.join(told.themes)}\n"
    assert f"rated {told.rating}\n" in asked
    assert about not in asked
    assert about in rookery("puzzles", "show", identity, "--answer").stdout
    assert all(words in asked for one in told.choices for words in one.actions[:1])


def test_the_help_says_that_the_document_has_the_answer() -> None:
    told = " ".join(rookery("puzzles", "show", "--help").stdout.split())
    assert "With --json the document always has the answer" in told


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["show", "nothing"], "no puzzle is called 'nothing'; see `rookery puzzles list`"),
        (["list", "--theme", "luck"], "--theme luck: expected one of draw-trumps, feed,"),
        (["list", "--rules", "luck"], "--rules luck: no such variant; see `rookery rules list`"),
        (["list", "--file", "none.jsonl"], "none.jsonl: no such file or directory"),
        (["make", "--out", "x", "--rules", "luck"], "--rules luck: no such variant"),
        (["make", "--out", "x", "none.json"], "none.json: no such file or directory"),
        (["make", "--out", "no/such/folder"], "no/such/folder: no such file or directory"),
        (["make"], "missing option '--out'"),
    ],
)
def test_bad_input_is_one_line(words: list[str], line: str) -> None:
    done = rookery("puzzles", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_with_other_lines_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    for data, line in (
        (b'{}\n["kd_tournament", 1]\n', "line 2: no puzzle: "),
        (b"[" * 100_000, "line 1: no puzzle: "),
        (b"SQLite \xff", "is no text in UTF-8; "),
        (b"Some words.\n", "has no puzzles; "),
        (b"", "has no puzzles; "),
    ):
        broken.write_bytes(data)
        done = rookery("puzzles", "list", "--file", broken)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{broken}: {line}")
        assert done.stderr.endswith("; expected puzzles as `rookery puzzles make` writes them\n")
        assert done.stderr.count("\n") == 1


def test_a_file_in_which_none_has_been_made_yet_lists_none(tmp_path: Path) -> None:
    begun = tmp_path / "begun.jsonl"
    Made(begun, 1)
    assert rookery("puzzles", "list", "--file", begun, "--json").stdout == "[]\n"


def test_puzzles_of_a_file_are_listed_and_shown(tmp_path: Path) -> None:
    made = tmp_path / "made.jsonl"
    made.write_text(f"{{}}\n{line_of(SAMPLE[0])}\n", "utf-8")
    listed = json.loads(rookery("puzzles", "list", "--file", made, "--json").stdout)
    assert [one["id"] for one in listed] == [SAMPLE[0].id]
    assert rookery("puzzles", "show", SAMPLE[0].id, "--file", made).exit_code == 0
    assert rookery("puzzles", "show", SAMPLE[1].id, "--file", made).exit_code == 2


@pytest.mark.slow
def test_making_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Half a run and the other half make the same as one run, even with a torn last line."""
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    few = ("--rules", "kd_tournament", "--rollouts", "600", "--seed", "3", "--cores", "1")
    done = rookery("puzzles", "make", "--out", whole, "--hands", "3", *few, "--json")
    assert done.exit_code == 0
    counted = json.loads(done.stdout)
    assert counted["hands"] == 3
    assert counted["puzzles"] + sum(counted["refused"].values()) == counted["near"]
    text = whole.read_text("utf-8")
    torn.write_text(text[: len(text) // 2], "utf-8")
    again = rookery("puzzles", "make", "--out", torn, "--hands", "3", *few, "--json")
    assert (again.exit_code, json.loads(again.stdout)) == (0, counted)
    assert torn.read_text("utf-8") == text
    other = rookery("puzzles", "make", "--out", torn, "--seed", "4", "--rollouts", "600")
    assert other.exit_code == 2
    assert "begun with another seed" in other.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_what_is_made_through_a_link_is_where_it_was_begun(tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    Made(real, 1)
    link.symlink_to(real.name)
    Made(link, 1).write(Unit("kd_tournament", 0), Tally(hands=1))
    assert link.is_symlink()
    assert Made(real, 1).done == {Unit("kd_tournament", 0): Tally(hands=1)}


def test_records_are_looked_through(tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    example = EXAMPLES / "two_hands.json"
    words = ("puzzles", "make", example, "--out", out, "--rollouts", "600", "--json")
    done = rookery(*words)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["hands"] == len(record.read(example).hands)
    assert rookery(*words).stdout == done.stdout
    held = json.loads(example.read_text("utf-8"))
    one = tmp_path / "one.json"
    one.write_text(json.dumps({**held, "hands": held["hands"][:1]}), "utf-8")
    alone = rookery("puzzles", "make", one, "--out", tmp_path / "one.jsonl", "--rollouts", "600")
    assert alone.stdout.startswith("1 hand, ")
