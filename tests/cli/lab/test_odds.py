"""`rookery odds`."""

import json
from fractions import Fraction
from itertools import combinations

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner, Result

from rookery.cli.lab.odds import exact_percent
from rookery.cli.main import app
from rookery.lab.odds.answer import Odds


def odds(*options: str) -> Result:
    return CliRunner().invoke(app, ["odds", *options])


def chance(*options: str) -> float:
    result = odds("--json", *options)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert list(document) == ["probability"]
    found: float = document["probability"]
    return found


PAPERS = [
    *[("20", "1", 99.92), ("20", "4", 74.79), ("20", "7", 5.45)],
    *[("21", "1", 99.95), ("21", "2", 99.20), ("21", "4", 79.84), ("21", "7", 7.55)],
]


@pytest.mark.parametrize(("targets", "least", "printed"), PAPERS)
@pytest.mark.parametrize("nest", ["0", "5", "32"])
def test_the_papers_seven_chances(targets: str, least: str, printed: float, nest: str) -> None:
    found = chance(
        *("--deck", "41", "--targets", targets, "--nest", nest),
        *("--hand", "9", "--at-least", least),
    )
    assert round(100 * found, 2) == printed


@pytest.mark.parametrize("bounds", [(0, 2), (1, 2), (2, 3), (1, 1), (3, 3), (0, 3)])
def test_chances_agree_with_counting_every_hand(bounds: tuple[int, int]) -> None:
    low, high = bounds
    hands = [sum(card < 4 for card in hand) for hand in combinations(range(9), 3)]
    expected = Fraction(sum(low <= held <= high for held in hands), len(hands))
    deck = ("--deck", "9", "--targets", "4", "--nest", "2", "--hand", "3")
    assert chance(*deck, "--at-least", str(low), "--at-most", str(high)) == float(expected)
    if low == high:
        assert chance(*deck, "--exactly", str(low)) == float(expected)
    if low == 0:
        assert chance(*deck, "--at-most", str(high)) == float(expected)


def test_plain_words() -> None:
    result = odds("--targets", "20", "--at-least", "4")
    assert result.exit_code == 0
    assert "74.79 %, or 4385/5863" in result.stdout
    assert "at least 4 of 20" in result.stdout
    assert "says nothing about a hand" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--exactly", "3"), "exactly 3 of 20"),
        (("--at-most", "3"), "at most 3 of 20"),
        (("--at-least", "2", "--at-most", "3"), "2 to 3 of 20"),
    ],
)
def test_it_says_what_was_asked(options: tuple[str, ...], words: str) -> None:
    assert words in odds("--targets", "20", *options).stdout


def test_a_chance_is_never_rounded_to_none_or_to_certainty() -> None:
    options = ("--deck", "1000", "--targets", "20", "--hand", "20")
    said = odds(*options, "--exactly", "20").stdout
    assert said.startswith("< 0.000000000000001 %, or 1/33948281130245760")
    assert odds(*options, "--at-most", "19").stdout.startswith("> 99.999999999999999 %, or")
    some = Fraction(3, 10**17)
    assert exact_percent(some) == "0.000000000000003"
    assert exact_percent(1 - some) == "99.999999999999997"


def test_the_papers_table() -> None:
    result = odds("--paper")
    assert result.exit_code == 0
    assert "7 of 7 agree" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    rows = json.loads(odds("--paper", "--json").stdout)["chances"]
    assert [round(100 * row["probability"], 2) for row in rows] == [row["paper"] for row in rows]
    assert len(rows) == len(PAPERS)


@pytest.mark.parametrize("asked", [("--paper",), ("--targets", "20", "--exactly", "3")])
def test_what_is_printed_as_json_is_in_the_schema(asked: tuple[str, ...]) -> None:
    schema = TypeAdapter(Odds).json_schema()
    told = json.loads(odds(*asked, "--json").stdout)
    jsonschema.validate(told, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**told, "probability": "?", "deck": "?"}, schema)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--targets: missing"),
        (("--targets", "20"), "--at-least, --at-most or --exactly"),
        (("--targets", "42", "--at-least", "1"), "--targets 42: expected a number from 0 to 41"),
        (("--targets", "20", "--at-least", "-1"), "--at-least -1"),
        (("--targets", "20", "--at-least", "10"), "--at-least 10: expected a number from 0 to 9"),
        (("--targets", "20", "--at-least", "4", "--at-most", "3"), "--at-most 3"),
        (("--targets", "20", "--exactly", "3", "--at-most", "3"), "--exactly"),
        (("--targets", "20", "--at-least", "1", "--nest", "33"), "--nest 33: expected"),
        (("--targets", "20", "--at-least", "1", "--hand", "42"), "--hand 42: expected"),
        (("--targets", "0", "--at-least", "1", "--deck", "0"), "--deck 0: expected"),
        (("--targets", "x", "--at-least", "1"), "--targets"),
        (("--paper", "--targets", "20"), "--paper"),
    ],
)
def test_bad_numbers_get_one_line(options: tuple[str, ...], words: str) -> None:
    result = odds(*options)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line
