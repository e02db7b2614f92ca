"""`rookery evening schedule`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evening.movements.counting import check_byes, check_seats, opponents, partners
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.schedule import Schedule


def run(*options: str) -> Result:
    return CliRunner().invoke(app, ["evening", "schedule", *options])


def document(*options: str) -> dict[str, Any]:
    result = run(*options, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    Schedule.model_validate(found, strict=True)
    return found


def seats(found: dict[str, Any]) -> list[list[list[int]]]:
    return [[table["seats"] for table in tables] for tables in found["rounds"]]


def test_the_promised_document() -> None:
    found = document("--people", "16", "--rounds", "15", "--movement", "individual")
    assert (found["people"], found["movement"]) == (16, "individual")
    assert len(found["rounds"]) == 15
    assert [table["table"] for table in found["rounds"][0]] == [1, 2, 3, 4]
    assert found["byes"] == [[]] * 15
    assert found["partners"] == {"max": 1, "min": 1}
    assert found["opponents"] == {"max": 2, "min": 2}
    assert partners(16, seats(found)) == (1, 1)
    assert opponents(16, seats(found)) == (2, 2)


@pytest.mark.parametrize("movement", list(MOVEMENTS))
@pytest.mark.parametrize("people", [11, 18])
def test_every_movement_seats_everybody_and_says_how_often_they_meet(
    movement: str, people: int
) -> None:
    found = document("--people", str(people), "--rounds", "4", "--movement", movement)
    by_results = MOVEMENTS[movement].by_results
    assert found["by_results"] == by_results
    rounds = min(4, found["plan"]["full"]) if found["plan"] else 4
    assert len(found["rounds"]) == len(found["byes"]) == (1 if by_results else rounds)
    check_seats(range(people), seats(found), found["byes"])
    counted = (found["partners"], found["opponents"])
    assert [tuple(one.values()) for one in counted] == [
        partners(people, seats(found)),
        opponents(people, seats(found)),
    ]


def test_byes_are_listed_round_by_round() -> None:
    found = document("--people", "18", "--rounds", "18")
    assert [len(out) for out in found["byes"]] == [2] * 18
    check_byes(range(18), found["byes"])


def test_a_stand_in_has_the_next_number_and_is_not_counted() -> None:
    found = document("--people", "15", "--rounds", "15", "--stand-ins", "1")
    assert found["byes"] == [[]] * 15
    assert all(any(15 in table for table in tables) for tables in seats(found))
    assert found["partners"] == {"max": 1, "min": 1}


def test_the_rules_say_how_many_sit_at_a_table() -> None:
    called = document("--people", "17", "--rules", "call_partner_5", "--rules", "call_partner_6")
    assert called["partners"] is None
    assert [sorted(map(len, tables)) for tables in seats(called)] == [[5, 6, 6]] * 8
    threes = document("--people", "12", "--rules", "dixie_6", "--rounds", "1")
    assert threes["partners"] == {"max": 1, "min": 0}
    alone = document("--people", "9", "--rules", "rook_three_1914", "--rounds", "4")
    assert alone["partners"] is None
    two = document("--people", "10", "--rules", "rook_two_1914", "--rounds", "9")
    assert (two["partners"], two["opponents"]) == (None, {"max": 1, "min": 1})


def test_prepared_deals_stand_beside_their_tables() -> None:
    found = document("--people", "16", "--movement", "howell", "--boards", "3")
    assert [table["boards"] for table in found["rounds"][0]][:2] == [[1, 2, 3], [4, 5, 6]]
    assert found["plan"]["boards"] == 21
    said = run("--people", "16", "--movement", "howell", "--boards", "1").stdout
    assert "   2:  4  5 v 12 13, deal 2" in said
    assert "7 deals have to be prepared; the whole movement has 7 rounds." in said
    assert "No deal is at two tables at once." in said
    assert "Tables share deals in 4 rounds." in run("--people", "16", "--movement", "relay").stdout
    drawn = document("--people", "8", "--movement", "redraw")
    assert drawn["plan"] is None
    assert drawn["rounds"][0][0]["boards"] == []


@pytest.mark.parametrize(
    ("movement", "rounds", "words"),
    [
        ("pairs", "7", ["Partners stay together.", "Two pairs meet at most once."]),
        ("pairs", "14", ["Partners stay together.", "Two pairs meet at most 2 times."]),
        ("individual", "7", ["are partners 0 to 1 times.", "are opponents 0 to 2 times."]),
    ],
)
def test_how_often_people_meet_is_said_of_fixed_pairs_as_of_pairs(
    movement: str, rounds: str, words: list[str]
) -> None:
    said = run("--people", "16", "--movement", movement, "--rounds", rounds).stdout
    ends = said.splitlines()[-2:]
    assert [line.endswith(word) for line, word in zip(ends, words, strict=True)] == [True, True]


def test_the_same_seed_gives_the_same_draw() -> None:
    drawn = [document("--people", "22", "--movement", "redraw", "--seed", seed) for seed in "112"]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    "options",
    [
        ("--people", "41", "--rounds", "3"),
        ("--people", "400", "--rounds", "2"),
        ("--people", "399", "--movement", "single"),
        ("--people", "19", "--movement", "halves"),
        ("--people", "400", "--movement", "mitchell", "--rounds", "2"),
        ("--people", "17", "--rules", "call_partner_5", "--rules", "call_partner_6"),
        ("--list",),
    ],
)
def test_what_a_person_reads_fits_a_terminal(options: tuple[str, ...]) -> None:
    result = run(*options)
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_what_a_person_reads() -> None:
    said = run("--people", "5", "--rounds", "5").stdout
    assert said.startswith("5 people, individual. A new partner in each round.\n\nRound 1, sitting")
    assert said.endswith(
        "Two people are partners exactly once.\nTwo people are opponents exactly 2 times.\n"
    )
    assert "depend on results" in run("--people", "8", "--movement", "swiss").stdout


def test_the_list_names_the_movements_and_for_whom_they_are_exact() -> None:
    listed = json.loads(run("--list", "--json").stdout)
    assert [one["id"] for one in listed] == list(MOVEMENTS)
    exact = {one["id"]: one["exact"] for one in listed}
    assert exact == {
        name: [n for n in range(4, 42) if kind.exact(n)] for name, kind in MOVEMENTS.items()
    }
    needed = {8, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 36}
    assert needed <= set(exact["individual"])
    for people in exact["individual"]:
        rounds = people - (people % 4 == 0)
        found = document("--people", str(people), "--rounds", str(rounds))
        assert (partners(people, seats(found)), opponents(people, seats(found))) == ((1, 1), (2, 2))
    said = run("--list").stdout
    assert all(f"\n{name} " in f"\n{said}" for name in MOVEMENTS)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--people: how many people play? Expected a number, or --list"),
        (("--people", "3"), "people 3: expected a number from 4 to 1000"),
        (("--people", "1001"), "people 1001: expected a number from 4 to 1000"),
        (("--people", "x"), "evening schedule: invalid value for '--people'"),
        (("--people", "8", "--rounds", "0"), "--rounds 0: expected a number from 1 to 200"),
        (("--people", "8", "--rounds", "201"), "--rounds 201: expected a number from 1 to 200"),
        (("--people", "8", "--stand-ins", "-1"), "--stand-ins -1: expected a number from 0 to 7"),
        (("--people", "8", "--movement", "mitchel"), "movement 'mitchel': expected one of indiv"),
        (("--people", "42", "--movement", "howell"), "howell, 21 pairs: expected 20 at most"),
        (("--people", "16", "--movement", "howell", "--boards", "0"), "boards 0: expected a num"),
        (("--people", "8", "--rules", "nope"), 'rules: no variant is called "nope"'),
        (("--people", "8", "--best-of", "3"), "best of 3: expected 1; only knockouts"),
        (
            ("--people", "10", "--movement", "pairs", "--rules", "call_partner_5"),
            "pairs: expected a game of two sides with fixed partners",
        ),
    ],
)
def test_bad_input_is_one_line(options: tuple[str, ...], said: str) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


def test_with_a_number_of_people_the_list_says_what_suits() -> None:
    found = json.loads(run("--list", "--people", "16", "--rounds", "7", "--json").stdout)
    fits = {one["movement"]: one["fits"] for one in found}
    assert (fits["pairs"], fits["relay"], found[0]["movement"]) == (True, False, "individual")
    printed = run("--list", "--people", "18", "--minutes", "150")
    assert "needs 9 rounds, not 7" in printed.stdout
    assert max(map(len, printed.stdout.splitlines())) <= 80
    rounds = document("--people", "8", "--minutes", "65", "--each", "20")["rounds"]
    assert len(rounds) == 3
    for wrong, said in (
        (("--minutes", "60", "--rounds", "3"), "expected --rounds or --minutes, not both"),
        (("--minutes", "0"), "--minutes 0: expected a number from 1 to 1440"),
        (("--each", "0"), "--each 0: expected a number from 1 to 1440"),
    ):
        result = run("--people", "8", *wrong)
        assert (result.exit_code, said in result.output) == (2, True), result.output


def test_results_that_are_written_into_the_rounds_bring_the_next_one(tmp_path: Path) -> None:
    options = ("--people", "8", "--movement", "halves")
    first = document(*options)
    for table in first["rounds"][0]:
        table["scores"] = [100, 20, 100, 20] if table["table"] == 1 else [5, 60, 5, 60]
    file = tmp_path / "evening.json"
    file.write_text(json.dumps(first), "utf-8")
    after = document(*options, "--after", str(file))
    assert after["rounds"][0] == first["rounds"][0]
    assert len(after["rounds"]) == 2
    # Ranked by points: 100, 100, 60, 60, 20, 20, 5, 5; the first half with the second.
    ranked = sorted(range(8), key=lambda who: -points(first, who))
    teams = {frozenset((s[0], s[2])) for s in seats(after)[1]} | {
        frozenset((s[1], s[3])) for s in seats(after)[1]
    }
    assert all(any(who in ranked[:4] for who in team) for team in teams)
    nobody = run(*options, "--after", str(tmp_path / "nowhere.json"))
    assert (nobody.exit_code, nobody.output.count("\n")) == (2, 1)
    for written, said in (("{", "expected JSON"), ("{}", "expected rounds")):
        file.write_text(written, "utf-8")
        wrong = run(*options, "--after", str(file))
        assert (wrong.exit_code, wrong.output.count("\n")) == (2, 1)
        assert said in wrong.output
        assert wrong.output.count(file.name) == 1


def points(found: dict[str, Any], who: int) -> int:
    [one] = [table for table in found["rounds"][0] if who in table["seats"]]
    return int(one["scores"][one["seats"].index(who)])
