"""A new partner in each round: what schedules promise, counted from their rounds."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import (
    check_byes,
    check_seats,
    meetings,
    opponents,
    partners,
    rounds_of,
    spread,
)

from rookery.evening.movements.changes import begin
from rookery.evening.movements.individual import PERFECT, STARTERS, schedule_of
from rookery.evening.movements.schedule import played_out
from rookery.evening.movements.state import FOUR, Evening, Game

CALLED_5, CALLED_6 = Game(5, None), Game(6, None)
# What docs/design/evening.md says of those that come near; no schedule has more than this.
OTHER_OPPONENTS = {30: (3, 1), 38: (3, 1)}


def individual(people: int, rounds: int, *games: Game) -> Evening:
    return played_out(begin("individual", people, games or (FOUR,)), rounds)


def byes(evening: Evening) -> list[tuple[int, ...]]:
    return [one.byes for one in evening.rounds]


def whole(people: int) -> int:
    """Return how many rounds it takes until everybody has had each partner that they can."""
    return people - (people % 4 == 0)


@pytest.mark.parametrize("people", range(4, 42))
def test_a_whole_schedule(people: int) -> None:
    evening = individual(people, whole(people))
    rounds = rounds_of(evening)
    check_seats(range(people), rounds, byes(evening))
    check_byes(range(people), byes(evening))
    assert all(len(tables) == people // 4 for tables in rounds)
    if people % 4 < 2:
        assert partners(people, rounds) == (1, 1)
        assert opponents(people, rounds) == (2, 2)
    else:
        # Each plays people - 2 or - 3 rounds, so there is a partner for each, and some to spare.
        assert partners(people, rounds) == (1, 0)
        assert opponents(people, rounds) == OTHER_OPPONENTS.get(people, (2, 1))


def test_every_number_of_people_that_can_be_perfect_is() -> None:
    assert [n for n in range(4, 42) if n % 4 < 2] == list(PERFECT)
    assert sorted(STARTERS) == list(range(4, 42))


@pytest.mark.parametrize("people", [8, 14, 17, 23, 30, 36])
def test_any_first_part_of_a_schedule_is_fair_too(people: int) -> None:
    for rounds in range(1, whole(people), 3):
        evening = individual(people, rounds)
        check_byes(range(people), byes(evening))
        assert partners(people, rounds_of(evening)) == (1, 0)
        assert opponents(people, rounds_of(evening))[0] <= 3


@pytest.mark.parametrize("people", [12, 16, 20, 24, 40])
def test_in_the_first_rounds_hardly_anybody_meets_twice(people: int) -> None:
    # The stored rounds are taken in the order that puts off meeting the same opponents again.
    played = rounds_of(individual(people, people // 4))
    stored = schedule_of(people, FOUR)[: people // 4]
    sides = [(0, 1), (1, 2), (2, 3), (3, 0)]
    again, in_order = (
        sum(count > 1 for count in meetings(people, rounds, sides)) for rounds in (played, stored)
    )
    assert again < in_order


@pytest.mark.parametrize("people", [8, 9, 10, 13])
def test_after_the_last_round_it_goes_on_as_well_as_it_began(people: int) -> None:
    evening = individual(people, 2 * whole(people))
    check_byes(range(people), byes(evening))
    most, least = partners(people, rounds_of(evening))
    assert (most, least) == (2, 2) if people % 4 < 2 else most <= 3


@pytest.mark.parametrize(("people", "rounds"), [(44, 12), (57, 9), (102, 8), (400, 4)])
def test_in_a_large_hall_nobody_has_a_partner_twice(people: int, rounds: int) -> None:
    evening = individual(people, rounds)
    check_seats(range(people), rounds_of(evening), byes(evening))
    check_byes(range(people), byes(evening))
    assert partners(people, rounds_of(evening)) == (1, 0)
    assert opponents(people, rounds_of(evening))[0] <= 2


@pytest.mark.parametrize("people", range(2, 15))
def test_two_at_a_table_meet_everybody_once(people: int) -> None:
    evening = individual(people, people - 1 + people % 2, Game(2, ((0,), (1,))))
    check_byes(range(people), byes(evening))
    assert spread(meetings(people, rounds_of(evening), [(0, 1)])) == (1, 1)


@pytest.mark.parametrize(
    ("people", "games", "sizes"),
    [
        (25, (CALLED_5,), {5}),
        (30, (CALLED_6,), {6}),
        (17, (CALLED_5, CALLED_6), {5, 6}),
        (16, (CALLED_6, CALLED_5), {5, 6}),
        (11, (FOUR, CALLED_5, CALLED_6), {5, 6}),
    ],
)
def test_tables_of_five_and_six(people: int, games: tuple[Game, ...], sizes: set[int]) -> None:
    evening = individual(people, 5, *games)
    rounds = rounds_of(evening)
    check_seats(range(people), rounds, [()] * 5)  # nobody sits out
    assert {len(seats) for seats in chain(*rounds)} == sizes
    shared: dict[frozenset[int], int] = {}
    for seats in chain(*rounds):
        for a in seats:
            for b in seats:
                if a < b:
                    shared[frozenset((a, b))] = shared.get(frozenset((a, b)), 0) + 1
    assert max(shared.values()) <= 4  # of five rounds


@given(people=st.integers(4, 60), rounds=st.integers(1, 4), seed=st.integers(0, 99))
def test_everybody_has_one_place_in_each_round(people: int, rounds: int, seed: int) -> None:
    evening = played_out(begin("individual", people, seed=seed), rounds)
    check_seats(range(people), rounds_of(evening), byes(evening))
    check_byes(range(people), byes(evening))
    assert evening == played_out(begin("individual", people, seed=seed), rounds)
