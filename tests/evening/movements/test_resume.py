"""Rounds that were written down: an evening goes on from them as from its own."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.evening.movements.playing import drawn, scored

from rookery.evening.movements.changes import begin, score, stand_in
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.resume import read_rounds, resumed
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.schedule import document
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, EveningError


def again(evening: Evening, movement: str, people: int) -> Evening:
    """Return an evening that goes on from what the command prints of it."""
    printed = document(evening).model_dump_json()
    return resumed(begin(movement, people, seed=evening.seed), read_rounds(printed, "x.json"))


@pytest.mark.parametrize("movement", [*MOVEMENTS])
@pytest.mark.parametrize("people", [8, 11])
def test_the_next_round_is_that_of_the_evening_itself(movement: str, people: int) -> None:
    rng, evening = Random(people), begin(movement, people, seed=7)
    for _ in range(4):
        try:
            evening = scored(next_round(evening), drawn(rng))
            after = next_round(evening)
        except EveningError as error:
            if error.code != "over":
                raise
            break
        read = again(evening, movement, people)
        assert [one.tables for one in read.rounds] == [one.tables for one in evening.rounds]
        assert standings(read) == standings(evening)
        assert next_round(read).rounds[-1] == after.rounds[-1]


def test_a_score_that_is_corrected_moves_nobody_who_has_played() -> None:
    evening = begin("halves", 8, seed=1)
    for _ in range(2):
        evening = scored(next_round(evening), drawn(Random(1)))
    corrected = score(evening, 1, 1, [500, 0, 500, 0])
    read = again(corrected, "halves", 8)
    assert [one.tables for one in read.rounds] == [one.tables for one in corrected.rounds]
    # The control: seated anew from these scores the second round is another one.
    anew = score(next_round(begin("halves", 8, seed=1)), 1, 1, [500, 0, 500, 0])
    anew = score(anew, 1, 2, corrected.rounds[0].tables[1].scores)
    seats = [[table.seats for table in next_round(anew).rounds[1].tables]]
    assert seats != [[table.seats for table in read.rounds[1].tables]]


WRONG: dict[str, tuple[object, str]] = {
    "no rounds": ({}, "rounds: expected rounds as --json prints them"),
    "a list": ([], "expected rounds as --json prints them|expected a table|object"),
    "text": ({"rounds": [[{"table": "1", "seats": [0, 1, 2, 3]}]]}, r"rounds\.0\.0\.table"),
    "no table": ({"rounds": [[]]}, "round 1: nobody plays; expected a table"),
    "two people": ({"rounds": [[{"table": 1, "seats": [0, 1]}]]}, "table 1: 2 people"),
    "twice": ({"rounds": [[{"table": 1, "seats": [0, 1, 2, 2]}]]}, "is there twice"),
    "one table twice": (
        {"rounds": [[{"table": 1, "seats": [at, at + 1, at + 2, at + 3]} for at in (0, 4)]]},
        "is there twice",
    ),
    "nobody": ({"rounds": [[{"table": 1, "seats": [0, 1, 2, 99]}]]}, "expected people from 0 to 7"),
    "scores": (
        {"rounds": [[{"table": 1, "seats": [0, 1, 2, 3], "scores": [1, 2, 3, 4]}]]},
        "expected the same score for partners",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_have_been_is_said(what: str) -> None:
    written, said = WRONG[what]
    with pytest.raises(EveningError, match=said):
        resumed(begin("individual", 8), read_rounds(json.dumps(written), "x.json"))


def test_fixed_pairs_sit_as_pairs() -> None:
    written = {"rounds": [[{"table": 1, "seats": [0, 1, 4, 5]}]]}
    with pytest.raises(EveningError, match="expected a whole pair on each side"):
        resumed(begin("swiss", 8), read_rounds(json.dumps(written), "x.json"))
    written = {"rounds": [[{"table": 1, "seats": [0, 8, 1, 9]}]]}
    helped = stand_in(stand_in(begin("swiss", 8)))
    with pytest.raises(EveningError, match="expected a whole pair on each side"):
        resumed(helped, read_rounds(json.dumps(written), "x.json"))
