"""Slow tables: those that play on while others begin the next round, and those that do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.playing import better, drawn, scored
from tests.evening.movements.test_changes import a_change, check_last_round

from rookery.evening.movements.changes import begin, leave, score, stand_in
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import next_round, unfinished
from rookery.evening.movements.state import Evening, EveningError, seated

UNHURRIED = [name for name, kind in MOVEMENTS.items() if not kind.by_results]


def test_two_slow_tables_keep_their_people_and_numbers() -> None:
    evening = next_round(begin("individual", 24))
    slow = [set(table.seats) for table in evening.rounds[0].tables[1:3]]
    evening = next_round(evening, slow=[2, 3])
    assert set(evening.rounds[1].playing) == slow[0] | slow[1]
    assert [table.number for table in evening.rounds[1].tables] == [1, 4, 5, 6]
    evening = next_round(evening, slow=[3])  # table 2 is back, table 3 still plays
    assert set(evening.rounds[2].playing) == slow[1]
    assert [table.number for table in evening.rounds[2].tables] == [1, 2, 4, 5, 6]
    evening = next_round(evening)
    assert [table.number for table in evening.rounds[3].tables] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(EveningError, match="table 9: there is none"):
        next_round(evening, slow=[9])


def offered_before(evening: Evening) -> list[tuple[int, int]]:
    """Return what was offered once: earlier tables too that had been given up."""
    last, rounds = evening.rounds[-1], len(evening.rounds)
    now = {table.number for table in last.tables}
    return [
        (at, table.number)
        for at, one in enumerate(evening.rounds, 1)
        for table in one.tables
        if table.scores is None and (at == rounds or (last.playing and table.number not in now))
    ]


def wrongly_offered(offer: Callable[[Evening], list[tuple[int, int]]], seed: int) -> int:
    """Return how many tables are offered that cannot play on, or not offered though they can."""
    rng, wrong = Random(seed), 0
    evening = next_round(begin("individual", 24, seed=seed))
    for _ in range(4):
        for _ in range(rng.randrange(6)):
            evening = a_change(evening, rng)
        if len(evening.people) > 14:
            evening = leave(evening, rng.choice(evening.people))
        rounds: dict[int, int] = {}
        for at, one in enumerate(evening.rounds, 1):
            rounds |= dict.fromkeys((table.number for table in one.tables), at)
        may = set[tuple[int, int]]()
        for number, at in rounds.items():
            with suppress(EveningError):
                next_round(evening, [number])
                may.add((at, number))
        wrong += len(may ^ set(offer(evening)))
        some = [number for _, number in may]
        evening = next_round(evening, rng.sample(some, min(len(some), rng.randrange(3))))
    return wrong


def test_a_table_that_was_given_up_does_not_play_on() -> None:
    assert not any(wrongly_offered(unfinished, seed) for seed in range(30))
    assert any(wrongly_offered(offered_before, seed) for seed in range(30))


def test_a_pair_at_a_slow_table_is_at_no_other_with_whoever_stands_in() -> None:
    evening = next_round(stand_in(begin("pairs", 9)))
    slow = next(table for table in evening.rounds[0].tables if 3 in table.teams)
    (third,) = {6, 7, 8} - {*slow.seats}
    evening = next_round(evening, [slow.number])
    assert not any(3 in table.teams for table in evening.rounds[1].tables)
    assert third in evening.rounds[1].byes


def test_a_table_that_has_finished_is_not_slow() -> None:
    evening = scored(next_round(begin("progressive", 8)), better)
    with pytest.raises(EveningError, match="table 2: has a score"):
        next_round(evening, slow=[2])


@given(movement=st.sampled_from(UNHURRIED), people=st.integers(16, 30), seed=st.integers(0, 9999))
def test_nobody_plays_on_at_two_tables_whatever_has_no_score(
    movement: str, people: int, seed: int
) -> None:
    rng = Random(seed)
    evening = next_round(begin(movement, people, seed=seed))
    for number in range(1, 7):
        for table in evening.rounds[-1].tables:
            if rng.random() < 0.3:
                evening = score(evening, number, table.number, drawn(rng)(evening, table))
        for person in rng.sample(evening.people, min(rng.randrange(6), len(evening.people) - 8)):
            evening = leave(evening, person)
        evening = a_change(evening, rng)
        offered = unfinished(evening)
        tables = [
            table
            for at, number in offered
            for table in evening.rounds[at - 1].tables
            if table.number == number
        ]
        assert max(Counter(seated(tables)).values(), default=1) == 1
        slow = [number for _, number in offered]
        if rng.random() < 0.5:  # a table's score is forgotten
            slow = rng.sample(slow, len(slow) // 2)
        try:
            evening = next_round(evening, slow)
        except EveningError as error:
            if error.code not in ("over", "too-few"):
                raise
            return
        check_last_round(evening, {*slow})


@pytest.mark.parametrize("movement", ["individual", "pairs", "redraw"])
def test_a_table_that_nobody_scored_does_not_play_on_with_those_of_a_later_one(
    movement: str,
) -> None:
    evening = next_round(begin(movement, 12))
    first, _, third = evening.rounds[0].tables
    for number in (1, 2):
        evening = score(evening, 1, number, [10, 0, 10, 0])
    for person in first.seats:
        evening = leave(evening, person)
    evening = next_round(evening)
    slow = next(one.number for one in evening.rounds[1].tables if third.seats[0] in one.seats)
    evening = scored(next_round(evening, [slow]), better)
    assert unfinished(evening) == [(2, slow)]
