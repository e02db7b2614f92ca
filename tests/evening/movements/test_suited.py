"""Which movement suits: each choice is held against an evening that is really played."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from tests.evening.movements.playing import Scorer, better, drawn, scored

from rookery.evening.movements.changes import begin
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.schedule import document, played_out
from rookery.evening.movements.state import Evening, EveningError, Game
from rookery.evening.movements.suited import rounds_in, suited


def played(movement: str, people: int, scorer: Scorer) -> Evening:
    """Play a movement until it is over, or forty rounds of it."""
    evening = begin(movement, people)
    while len(evening.rounds) < 40:
        try:
            evening = scored(next_round(evening), scorer)
        except EveningError as error:
            if error.code != "over":
                raise
            break
    return evening


@pytest.mark.parametrize("people", [8, 11, 16, 18])
def test_what_is_said_of_a_movement_is_what_happens(people: int) -> None:
    for one in suited(people):
        evening = played(one.movement, people, drawn(Random(people)))
        rounds = len(evening.rounds)
        assert one.byes == len(evening.rounds[0].byes)
        if MOVEMENTS[one.movement].plan is not None:
            assert rounds == one.full
        elif one.movement == "single":  # a tie is played again
            assert one.full is not None
            assert rounds >= one.full
        elif one.movement == "individual":
            assert one.full is not None
            once = replace(evening, rounds=evening.rounds[: one.full])
            assert max(once.partners.values()) == 1
            more = replace(evening, rounds=evening.rounds[: one.full + 2])
            assert max(more.partners.values()) == 2
        elif one.movement == "pairs":
            assert one.full is not None
            met = [frozenset(t.teams) for each in evening.rounds[: one.full] for t in each.tables]
            teams = len(evening.teams)
            assert len(met) == len({*met}) == teams * (teams - 1) // 2


def test_a_knockout_takes_as_many_rounds_as_is_said_if_the_best_win() -> None:
    for people in range(4, 42):
        for one in suited(people):
            if MOVEMENTS[one.movement].defeats:
                assert len(played(one.movement, people, better).rounds) == one.full


def keeps_its_promise(movement: str, people: int) -> bool:
    """Return whether what a movement promises is so for a number of people, by its rounds."""
    planned = MOVEMENTS[movement].plan is not None
    full = people // 2 - 1 + people // 2 % 2 if movement == "pairs" else 99 if planned else 1
    evening = played_out(begin(movement, people), full)
    if movement == "pairs":
        everybody_else = people * (people - 2) // 2
        return Counter(evening.opponents.values()) == {1: everybody_else}
    told, out = document(evening).plan, any(one.byes for one in evening.rounds)
    if told is None or out:
        return not out
    whole = (told.played.min, told.met.min) == (told.boards, 1)
    return whole and (movement == "relay" or not told.shared)


def test_a_movement_is_exact_where_it_keeps_its_promise() -> None:
    for people in range(4, 42):
        for one in suited(people):
            if one.movement != "individual":
                assert one.exact == keeps_its_promise(one.movement, people), (one, people)
    assert not any(kind.exact(4) for kind in MOVEMENTS.values() if kind.plan is not None)


def test_those_that_fit_stand_first_and_then_those_with_fewer_out() -> None:
    for people in range(4, 42):
        for rounds in (None, 1, 5, 12):
            found = suited(people, rounds)
            order = [(not one.fits, one.byes, not one.exact) for one in found]
            assert order == sorted(order)
            for one in found:
                # Pairs that have all met begin again; any other movement is over.
                more = one.movement == "pairs" and rounds and rounds > (one.full or 99)
                enough = rounds in (None, one.full) or not one.whole
                assert one.fits == (enough or bool(more))
    assert {one.movement for one in suited(16) if one.whole} == {
        *("pairs", "mitchell", "relay", "howell", "single", "double")
    }
    endless = {one.movement for one in suited(16) if one.full is None}
    assert endless == {"halves", "progressive", "redraw", "swiss"}
    by_name = {one.movement: one for one in suited(16, 7)}
    assert by_name["pairs"].fits
    assert by_name["howell"].fits
    assert not by_name["relay"].fits  # over after four rounds
    assert not by_name["double"].fits


def test_a_game_with_called_partners_has_movements_of_its_own() -> None:
    found = suited(12, 5, (Game(6, None),))
    assert {one.movement for one in found} == {"individual", "redraw"}
    assert not any(one.exact for one in found)
    mixed = suited(16, 5, (Game(), Game(5, None)))
    assert {(one.movement, one.full) for one in mixed} == {("individual", None), ("redraw", None)}
    with pytest.raises(EveningError, match="people 3: expected a number from 4"):
        suited(3)


def test_so_many_rounds_are_in_an_evening() -> None:
    assert [rounds_in(minutes, 20) for minutes in (5, 20, 39, 40, 150)] == [1, 1, 1, 2, 7]
