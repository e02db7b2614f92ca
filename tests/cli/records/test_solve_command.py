"""`rookery solve`, run as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.hands import EXAMPLES
from tests.solver.test_solve import ending
from typer.testing import CliRunner, Result

from rookery import record
from rookery.cli.main import app
from rookery.game import Match
from rookery.rules import load
from rookery.solver.solution import Solution, solve

EXAMPLE = EXAMPLES / "two_hands.json"


def rookery(*words: str | Path, stdin: str | bytes = b"") -> Result:
    return CliRunner().invoke(app, list(map(str, words)), input=stdin)


def written(name: str, seed: int, tricks: int, played: int = 0) -> str:
    hand = ending(load(name), seed, tricks, played)
    return record.dumps(record.of_match(Match(hand.rules).begin(hand)))


def test_json_is_the_solution_of_the_last_position() -> None:
    text = written("kd_tournament", 3, 3, 1)
    done = rookery("solve", "-", "--json", stdin=text)
    assert (done.exit_code, done.stderr) == (0, "")
    told = Solution.model_validate_json(done.stdout)
    hand = record.replay(record.loads(text)).hand
    assert hand is not None
    found = solve(hand)
    assert (told.points, told.cards, told.line) == (found.points, found.cards, found.line)


def test_the_schema_is_that_of_the_document() -> None:
    schema = json.loads(rookery("schema", "solve").stdout)
    told = json.loads(rookery("solve", "-", "--json", stdin=written("circus", 1, 2)).stdout)
    assert set(schema["properties"]) == set(told)
    assert set(schema["$defs"]["CardValue"]["properties"]) == set(told["cards"][0])


@pytest.mark.parametrize(
    ("name", "seed", "words"),
    [
        ("kd_tournament", 1, ["Seat 0 plays", "With all hands open", "to play", "*"]),
        ("display", 10, ["from Seat 0's hand"]),
        ("rook_two_1914", 3, ["Blind hand", "Best play from here"]),
        ("five_person_poker", 2, ["Seat 4", "points"]),
        ("call_partner_6", 1, ["cards tried in"]),
    ],
)
def test_the_story_fits_eighty_columns(name: str, seed: int, words: list[str]) -> None:
    done = rookery("solve", "-", stdin=written(name, seed, 2))
    assert (done.exit_code, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    for word in words:
        assert word in done.stdout


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            '{"format": "rookery/1", "rules": "kd_tournament", "hands": []}',
            "the record has no hand",
        ),
        ("{", "line 1"),
        (EXAMPLE.read_text("utf-8").replace("0 play R10", "0 play R4"), "-"),
    ],
)
def test_what_cannot_be_solved_gets_one_line(text: str, line: str) -> None:
    done = rookery("solve", "-", stdin=text)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert line in done.stderr


def test_a_hand_before_its_play_or_after_it_says_so() -> None:
    document = json.loads(EXAMPLE.read_text("utf-8"))
    whole = {**document, "hands": document["hands"][:1]}
    auction = json.loads(json.dumps(whole))
    auction["hands"][0]["actions"] = []
    for text, line in (
        (whole, "hand 0: the hand is over; nothing is left to solve"),
        (auction, "hand 0: the hand is in its auction; solving begins with the play"),
    ):
        done = rookery("solve", "-", stdin=json.dumps(text))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"-: {line}\n"


def test_a_time_of_nothing_is_refused() -> None:
    done = rookery("solve", EXAMPLE, "--time", "0")
    assert (done.exit_code, done.stderr) == (2, "--time is 0; expected more than 0 seconds\n")
    done = rookery("solve", "nowhere.json")
    assert (done.exit_code, done.stderr) == (2, "nowhere.json: no such file or directory\n")
