"""`rookery review`: a page that a person reads, JSON for programs, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.hands import CALLED, after, dealt
from tests.review.matches import example, match_of
from typer.testing import CliRunner

from rookery import record
from rookery.cli.main import app
from rookery.cli.records.review import report
from rookery.review.match_review import review

FEW = ["--tries", "40"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("review") / "match.json"
    record.write(record.of_match(example()), path)
    return str(path)


def run(*words: str, given: str | None = None) -> Any:  # noqa: ANN401  (Click's own result)
    return CliRunner().invoke(app, ["review", *words], input=given)


def test_a_person_reads_players_turning_points_and_what_was_missed(file: str) -> None:
    result = run(file, "--rollouts", "160", "--seed", "5")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[0] == "Kentucky Discard, Tournament rules"
    assert "accuracy" in lines[3]
    assert [line.split()[0] for line in lines[4:8]] == ["Ann", "Bo", "Cy", "Di"]
    assert "Where it turned" in lines
    assert "Better: " in result.stdout
    assert "With all cards open and best play" in result.stdout
    assert sum(line.startswith("Hand ") for line in lines) == 2


def test_json_fits_the_published_schema(file: str) -> None:
    schema = json.loads(CliRunner().invoke(app, ["schema", "review"]).stdout)
    result = run(file, "--json", *FEW)
    document = json.loads(result.stdout)
    jsonschema.validate(document, schema)
    for hand in document["hands"]:
        actions = example().hands[hand["hand"]].actions
        for one in hand["decisions"]:
            assert str(actions[one["action_index"]]) == f"{one['turn']} {one['action']}"
    assert document["tries"] == 40


def test_one_hand_and_one_seat_can_be_asked_for(file: str) -> None:
    whole = json.loads(run(file, "--json", *FEW).stdout)
    given = Path(file).read_text("utf-8")
    part = json.loads(run("-", "--json", "--hand", "1", "--seat", "2", *FEW, given=given).stdout)
    assert [hand["hand"] for hand in part["hands"]] == [1]
    assert [player["seat"] for player in part["players"]] == [2]

    def of_two(document: dict[str, Any], at: int) -> list[dict[str, Any]]:
        decisions = [one for one in document["hands"][at]["decisions"] if one["seat"] == 2]
        return [{**one, "turning": False} for one in decisions]

    assert of_two(part, 0) == of_two(whole, 1) != []
    assert of_two(part, 0) == [{**one, "turning": False} for one in part["hands"][0]["decisions"]]


def test_the_words_tell_luck_from_blame() -> None:
    found = review(example(), rollouts=40)
    one = found.hands[0].decisions[0]
    lucky = one.model_copy(update={"turning": True, "sure": False, "mistake": None})
    turn = {"hand": 0, "action_index": one.action_index, "swing": 44.0, "blame": False}
    hand = found.hands[0].model_copy(update={"decisions": [lucky]})
    update = {"hands": [hand], "turning": [found.turning[0].model_copy(update=turn)]}
    text = "\n".join(report(found.model_copy(update=update), example()))
    assert "44 points; bad luck, nobody could know" in text
    assert ": luck" in text


IMPOSSIBLE = {
    "format": "rookery/1",
    "rules": "kd_tournament",
    "hands": [{"dealer": 0, "seed": 7, "actions": ["1 bid 70", "2 play R5"]}],
}


@pytest.mark.parametrize(
    ("document", "code", "where"),
    [
        (IMPOSSIBLE, "not-now", "hand 0, action 1 ('2 play R5')"),
        ({**IMPOSSIBLE, "rules": "whist"}, "unknown-rules", "whist"),
        ({**IMPOSSIBLE, "rules": {"seats": 99}}, "bad-rules", "seats"),
        ({**IMPOSSIBLE, "hands": [{"dealer": 0, "deal": [], "nest": []}]}, "bad-deal", "hand 0"),
        ({**IMPOSSIBLE, "format": "other/1"}, "bad-format", "format"),
    ],
)
def test_an_impossible_record_is_refused_in_one_line(
    document: dict[str, Any], code: str, where: str
) -> None:
    given = json.dumps(document)
    result = run("-", given=given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert code in result.stderr
    assert where in result.stderr
    told_ = run("-", "--json", given=given)
    assert told_.exit_code == 2
    assert json.loads(told_.stdout)["error"]["code"] == code


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--hand", "2"], "--hand 2: expected a number from 0 to 1"),
        (["--seat", "4"], "--seat 4: expected a number from 0 to 3"),
        (["--rollouts", "0"], "--rollouts 0: expected a number from 1 to 1000000"),
        (["--seed", "-1"], "--seed -1: expected a number from 0 to"),
    ],
)
def test_what_is_out_of_range_is_refused(file: str, words: list[str], line: str) -> None:
    result = run(file, *words)
    assert result.exit_code == 2
    assert line in result.stderr


def test_no_hand_and_no_file_are_said_so(tmp_path: Path) -> None:
    empty = json.dumps({**IMPOSSIBLE, "hands": []})
    result = run("-", given=empty)
    assert (result.exit_code, result.stderr) == (
        2,
        "-: the record has no hand; expected one at least\n",
    )
    missing = run(str(tmp_path / "none.json"))
    assert missing.exit_code == 2
    assert "no such file" in missing.stderr


def test_a_hand_that_a_revoke_has_ended_is_told_as_that() -> None:
    hand = after(dealt(renege="penalised"), *CALLED, "1 play G10", "2 play R7", "3 challenge 2")
    match = match_of(hand.rules, hand)
    assert "ended by a revoke" in "\n".join(report(review(match, rollouts=8), match))
