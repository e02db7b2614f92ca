"""`rookery odds partner-trumps`, `split` and `nest`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner, Result

from rookery.cli.main import app
from rookery.lab.odds.answer import NestOdds, SplitOdds, TrumpOdds
from rookery.rules.chances import at_least

HAND = ("--hand", "R14 R10 R5 G14 G13 G9 G6 Y8 B11")
GREEN = (*HAND, "--trump", "green")


def odds(*options: str) -> Result:
    return CliRunner().invoke(app, ["odds", *options])


def document(*options: str) -> dict[str, Any]:
    result = odds(*options, "--json")
    assert result.exit_code == 0, result.output
    held: dict[str, Any] = json.loads(result.stdout)
    TypeAdapter(TrumpOdds | SplitOdds | NestOdds).validate_python(held)
    return held


def test_partners_trumps() -> None:
    held = document("partner-trumps", *GREEN)
    assert (held["question"], held["method"], held["rules"]) == (
        *("partner-trumps", "exact"),
        "kd_tournament",
    )
    assert held["unseen_trumps"] == 7  # eleven with the Rook, four in hand
    assert held["chances"][2]["at_least"]["probability"] == float(at_least(32, 7, 9, 2))
    said = odds("partner-trumps", *GREEN).stdout
    assert "you hold 4 and have not seen 7" in said
    assert "65.72 %" in said
    assert "\nWith your partner:\n" in said
    assert "at least\n" in said
    assert "Exact" in said


def test_a_split_and_the_nest() -> None:
    held = document("split", "red", *GREEN)
    assert held["cards"] == ["R6", "R7", "R8", "R9", "R11", "R12", "R13"]
    assert sum(row["chance"]["probability"] for row in held["shapes"]) == pytest.approx(1)
    held = document("nest", *HAND)
    assert held["rook"]["fraction"] == "5/32"
    assert held["counter"]["probability"] == float(at_least(32, 9, 5, 1))  # 13 counters, 4 in hand


def test_the_cards_put_away_leave_only_the_hands() -> None:
    held = document("split", "trump", *GREEN, "--nest", "R6 R7 Y5 Y6 B5")
    assert [place["name"] for place in held["places"]] == ["left", "partner", "right"]
    assert held["unseen"] == 27
    held = document("split", "trump", *GREEN, "--declarer", "left")
    assert held["places"][0] == {"name": "left and the nest", "cards": 14}


def test_a_called_partner() -> None:
    hand = "R14 R13 R12 R11 G1 G5 G6 B14 B5 B6"
    ask = ("partner-trumps", "--rules", "call_partner_5", "--hand", hand, "--trump", "red")
    held = document(*ask, "--called", "B1")
    assert held["partner"] == "the holder of B1"
    assert "--called: missing" in odds(*ask).stderr


def test_drawn_deals_say_so_and_repeat_themselves() -> None:
    drawn = ("--sample", "500", "--seed", "9")
    held = document("partner-trumps", *GREEN, *drawn)
    assert (held["method"], held["samples"], held["seed"]) == ("sampled", 500, 9)
    low, high = held["chances"][2]["exactly"]["ci95"]
    assert low < held["chances"][2]["exactly"]["probability"] < high
    assert document("partner-trumps", *GREEN, *drawn) == held
    said = odds("partner-trumps", *GREEN, *drawn).stdout
    assert "Sampled: 500 deals drawn, seed 9" in said
    assert "±" in said


@pytest.mark.parametrize(
    "options",
    [
        ("partner-trumps", *GREEN),
        ("split", "red", *GREEN),
        ("split", "trump", *GREEN, "--void", "left red", "--sample", "500"),
        ("nest", *HAND),
    ],
)
def test_it_fits_a_terminal(options: tuple[str, ...]) -> None:
    result = odds(*options)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_schema_holds_every_answer() -> None:
    result = CliRunner().invoke(app, ["schema", "odds"])
    assert result.exit_code == 0
    assert {"TrumpOdds", "SplitOdds", "NestOdds"} <= set(json.loads(result.stdout)["$defs"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("nest",), "missing option '--hand'"),
        (("partner-trumps", *HAND), "missing option '--trump'"),
        (("split", *GREEN), "missing argument 'SUIT'"),
        (("split", "pink", *GREEN), "'pink' is no suit; expected red"),
        (("nest", "--hand", "R14 R44"), "--hand: 'R44' is not a card"),
        (("nest", "--hand", "R14"), "--hand: 1 card; expected 9"),
        (("nest", *HAND, "--nest", "R14"), "R14 is in --hand already"),
        (("nest", *HAND, "--rules", "nosuch"), "nosuch"),
        (("nest", *HAND, "--sample", "-1"), "--sample -1: expected"),
        (("nest", *HAND, "--sample", "99"), "--sample 99: expected a number from 100"),
        (("nest", *HAND, "--seed", "-1"), "--seed -1: expected"),
        (("partner-trumps", *GREEN, "--called", "R13"), "--called: in this game nobody calls"),
        (("partner-trumps", *GREEN, "--called", "R13 R12"), "expected one card"),
        (("partner-trumps", *GREEN, "--called", "R13", "--declarer", "left"), "--declarer"),
        (("split", "red", *GREEN, "--void", "left"), "--void 'left': expected who and what"),
        (("split", "red", *GREEN, "--declarer", "me"), "'me' is nobody here"),
        (("partners",), "no such command 'partners'"),
    ],
)
def test_bad_input_gets_one_line(options: tuple[str, ...], words: str) -> None:
    result = odds(*options)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert words in line
    assert "Traceback" not in line


def test_cards_that_cannot_lie_so_are_refused() -> None:
    voids = ("--void", "left red", "--void", "partner red", "--void", "right red")
    away = ("--nest", "Y5 Y6 Y7 B5 B6")
    for drawn in ((), ("--sample", "300")):
        result = odds("split", "red", *GREEN, *away, *voids, *drawn)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
