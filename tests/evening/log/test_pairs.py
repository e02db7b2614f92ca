"""What pairs have made is told of those who played for them, whoever goes and comes back."""

from __future__ import annotations

from itertools import count

import pytest
from tests.evening.log.test_log import change_kept

from rookery.evening.log.fold import EveningLog
from rookery.evening.log.names import begun
from rookery.evening.log.pairs import deal_told, pairs_told
from rookery.evening.log.text import lines
from rookery.evening.log.told import ranks_told
from rookery.rules import variant

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou"]
ENTRIES = count(1)


def evening(movement: str, **about: object) -> EveningLog:
    """Return an evening of twelve before its first entry, as it is kept."""
    rules = [variant("kd_tournament").model_dump(mode="json")]
    body = {"movement": movement, "people": NAMES, "rules": rules, "agree": False, "seed": 1}
    return begun({**body, "best_of": 1, "boards": 1, "reading": 2, **about})


def do(log: EveningLog, **said: object) -> None:
    """Have something happen."""
    entry = next(ENTRIES)
    log.take(entry, f"id {entry}", change_kept(log, **said), 1)


def play(log: EveningLog) -> None:
    """Play a round, in which the lower number of a pair scores more."""
    number = len(log.evening.rounds) + 1
    do(log, do="round", round=number)
    for table in log.evening.rounds[-1].tables:
        first, second = (100 - 10 * team for team in table.teams)
        rows = [[first, second, first, second]]
        do(log, do="score", round=number, table=table.number, rows=rows, over=0)


def come_and_go(log: EveningLog) -> None:
    """Have the first pair leave, somebody new come, and the pair come back."""
    for person in (0, 1):
        do(log, do="leave", person=person)
    do(log, do="arrive", names=["Max"])
    for person in (0, 1):
        do(log, do="return", person=person)


@pytest.mark.parametrize("movement", ["mitchell", "swiss"])
def test_a_pair_that_was_away_has_its_results_again_whoever_came_meanwhile(movement: str) -> None:
    log, stayed = evening(movement), evening(movement)
    play(log)
    play(stayed)
    come_and_go(log)
    do(stayed, do="arrive", names=["Max"])
    assert log.evening.teams == stayed.evening.teams
    told, kept = ranks_told(log.evening), ranks_told(stayed.evening)
    assert sorted(told, key=lambda row: row.person) == sorted(kept, key=lambda row: row.person)
    assert pairs_told(log) == pairs_told(stayed)
    play(log)
    play(stayed)
    assert {*log.evening.rounds[1].tables} == {*stayed.evening.rounds[1].tables}


def test_a_pair_that_has_left_is_told_by_name_though_somebody_came() -> None:
    log = evening("mitchell")
    play(log)
    for person in (0, 1, 5):
        do(log, do="leave", person=person)
    do(log, do="arrive", names=["Max", "Moe"])
    assert log.evening.teams == ((0, 1), (2, 3), (4, 12), (6, 7), (8, 9), (10, 11, 13))
    assert "1. Ann, Bob (side 1): +0.00, 50.0 %" in lines(log, "")
    # Flo has played for the pair of which Max is now; and Moe may play for his.
    of_pair = {tuple(row.people) for row in pairs_told(log)}
    assert of_pair == {(0, 1), (2, 3), (4, 5, 12), (6, 7), (8, 9), (10, 11, 13)}
    played = deal_told(log, 2)
    assert played is not None
    assert [one.people for one in played.results] == [[[4, 5], [6, 7]]]


@pytest.mark.parametrize("movement", ["mitchell", "swiss"])
def test_an_evening_that_an_earlier_program_began_is_read_as_it_was(movement: str) -> None:
    """There whoever came back from a pair that had left was put elsewhere, and played so."""
    log = evening(movement, reading=1)
    play(log)
    come_and_go(log)
    play(log)
    assert log.evening.teams == ((), *((i, i + 1) for i in range(2, 12, 2)), (12, 0, 1))
    if movement == "swiss":
        places = {row.person: (row.place, row.games) for row in ranks_told(log.evening)}
        assert [places[who] for who in (0, 1, 12, 2)] == [(11, 2), (11, 1), (11, 1), (3, 2)]
    else:
        assert [0, 1] in [row.people for row in pairs_told(log)]
