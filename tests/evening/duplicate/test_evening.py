"""An evening of prepared deals: what was planned, whatever happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import check_seats, rounds_of
from tests.evening.movements.test_changes import a_change

from rookery.evening.movements.changes import arrive, begin, exchange, leave, stand_in
from rookery.evening.movements.rounds import fits, next_round, rounds_in_all
from rookery.evening.movements.schedule import document, played_out
from rookery.evening.movements.state import Evening, EveningError, Game

PLANNED = ("mitchell", "relay", "howell")


def deals_by_team(evening: Evening) -> Counter[tuple[int, int]]:
    """Return how often each team has played each deal."""
    tables = [table for one in evening.rounds for table in one.tables]
    return Counter((team, deal) for one in tables for team in one.teams for deal in one.boards)


def deals_by_person(evening: Evening) -> Counter[tuple[int, int]]:
    """Return how often each person has played each deal."""
    tables = [table for one in evening.rounds for table in one.tables]
    return Counter((who, deal) for one in tables for who in one.seats for deal in one.boards)


@given(
    movement=st.sampled_from(PLANNED),
    people=st.integers(8, 30),
    boards=st.integers(1, 3),
    seed=st.integers(0, 9999),
)
def test_nobody_plays_a_deal_twice_whatever_happens(
    movement: str, people: int, boards: int, seed: int
) -> None:
    rng = Random(seed)
    evening = begin(movement, people, boards=boards)
    for _ in range(6):
        for _ in range(rng.randrange(3)):
            evening = a_change(evening, rng)
        slow = []
        if evening.rounds:
            waits = [t.number for t in evening.rounds[-1].tables if t.scores is None]
            slow = rng.sample(waits, min(len(waits), rng.randrange(2)))
        try:
            evening = next_round(evening, slow)
        except EveningError as error:
            if error.code not in ("over", "too-few", "too-many"):
                raise
            break
    assert set(deals_by_team(evening).values()) <= {1}
    assert set(deals_by_person(evening).values()) <= {1}


@pytest.mark.parametrize("movement", PLANNED)
@pytest.mark.parametrize("people", [7, 11, 15, 19])
def test_the_third_of_a_pair_plays_no_deal_again_with_whoever_comes(
    movement: str, people: int
) -> None:
    for rounds in range(1, 5):
        evening = played_out(arrive(played_out(begin(movement, people), rounds)), 99)
        assert len(evening.teams) == people // 2 + 1
        assert set(deals_by_person(evening).values()) == {1}


@pytest.mark.parametrize("movement", PLANNED)
@pytest.mark.parametrize("gone", range(2, 12))
def test_whoever_comes_back_to_another_pair_plays_no_deal_again(movement: str, gone: int) -> None:
    evening = arrive(leave(played_out(begin(movement, 12), 2), 0))
    evening = arrive(leave(next_round(evening), gone), 0)
    assert evening.teams[gone // 2] == (gone ^ 1, 0)
    assert set(deals_by_person(played_out(evening, 99)).values()) == {1}


@pytest.mark.parametrize("movement", PLANNED)
@pytest.mark.parametrize("people", [8, 9, 18, 24, 27])
def test_everybody_has_a_place_and_tables_their_deals(movement: str, people: int) -> None:
    begun = begin(movement, people, boards=3)
    evening = played_out(begun, 200)
    byes = [one.byes for one in evening.rounds]
    check_seats(range(people), rounds_of(evening), byes)
    found = document(evening)
    assert found.plan is not None
    assert len(found.rounds) == found.plan.full
    assert [rounds_in_all(one) for one in (begun, evening)] == [None, found.plan.full]
    with pytest.raises(EveningError, match=f"it has {found.plan.full} rounds"):
        next_round(evening)
    for table in (table for tables in found.rounds for table in tables):
        assert len(table.boards) == 3
        assert table.boards[0] % 3 == 1
        assert max(table.boards) <= found.plan.boards


def test_it_is_said_how_far_from_perfect_a_plan_is() -> None:
    def plan(movement: str, people: int, rounds: int = 99) -> dict[str, object]:
        found = document(played_out(begin(movement, people, boards=2), rounds)).plan
        assert found is not None
        return found.model_dump()

    def times(most: int, least: int | None = None) -> dict[str, int]:
        return {"max": most, "min": most if least is None else least}

    assert plan("howell", 16) == {
        "boards": 14,
        "full": 7,
        "played": times(14),
        "met": times(1),
        "compared": times(6),
        "shared": 0,
    }
    short = plan("howell", 16, 4)
    assert (short["played"], short["met"]) == (times(8), times(1, 0))
    assert plan("howell", 12)["shared"] == 1
    seven = plan("howell", 14)  # each sits out once
    assert (seven["played"], seven["met"], seven["compared"]) == (times(12), times(1), times(6, 2))
    assert plan("mitchell", 20)["compared"] == times(10)
    skip, relay = plan("mitchell", 16), plan("relay", 16)
    assert (skip["full"], skip["played"], skip["met"], skip["shared"]) == (
        3,
        times(6),
        times(1, 0),
        0,
    )
    assert (relay["full"], relay["played"], relay["met"], relay["shared"]) == (
        *(4, times(8)),
        *(times(1), 4),
    )


def test_a_late_pair_takes_the_empty_place() -> None:
    evening = played_out(begin("howell", 14), 2)
    assert [len(one.byes) for one in evening.rounds] == [2, 2]
    evening = played_out(arrive(arrive(evening)), 99)
    assert [len(one.byes) for one in evening.rounds] == [2, 2, 0, 0, 0, 0, 0]
    # They are the eighth: whoever they would have met before, nobody does now.
    assert {team for table in evening.rounds[2].tables for team in table.teams} == set(range(8))
    early = next_round(arrive(arrive(begin("howell", 16))))
    assert early.planned == 10  # the deals are laid out when it begins


def test_who_comes_when_no_place_is_empty_waits() -> None:
    evening = played_out(arrive(arrive(next_round(begin("mitchell", 12)))), 1)
    assert evening.rounds[1].byes == (12, 13)


def test_whoever_leaves_is_waited_for_by_nobody() -> None:
    evening = leave(leave(next_round(begin("howell", 16)), 0), 1)
    evening = played_out(evening, 6)
    assert [len(one.byes) for one in evening.rounds] == [0, *[2] * 6]
    assert len({one.byes for one in evening.rounds[1:]}) == 6  # another pair in each round


def test_a_stand_in_plays_for_a_pair_that_meets_another_one() -> None:
    """Seven pairs: the one that sits out lacks somebody too, and needs nobody."""
    evening = leave(leave(next_round(begin("mitchell", 14)), 0), 6)
    evening = next_round(stand_in(evening))
    assert evening.rounds[1].byes == (1,)
    assert [set(table.seats) & {7, 14} for table in evening.rounds[1].tables].count({7, 14}) == 1


def test_of_two_stand_ins_one_plays_who_has_not_played_the_deals() -> None:
    evening = next_round(stand_in(stand_in(leave(begin("mitchell", 12), 3))))
    assert [table.boards for table in evening.rounds[0].tables if 12 in table.seats] == [(1, 2)]
    evening = next_round(leave(arrive(evening, 3), 8))
    assert [table.boards for table in evening.rounds[1].tables if 13 in table.seats] == [(1, 2)]
    assert evening.rounds[1].byes == ()


def test_a_slow_table_keeps_its_number_and_misses_a_round() -> None:
    evening = next_round(next_round(begin("mitchell", 12)), slow=[2])
    assert [table.number for table in evening.rounds[1].tables] == [1]
    assert len(evening.rounds[1].byes) == 4
    assert [len(t.boards) for t in next_round(evening).rounds[2].tables] == [2, 2, 2]


def test_pairs_that_changed_places_by_hand_play_nothing_twice() -> None:
    evening = next_round(begin("mitchell", 12))
    evening = played_out(exchange(evening, 2, 6), 2)
    assert set(deals_by_team(evening).values()) == {1}
    assert sum(len(one.byes) for one in evening.rounds) > 0  # somebody had to sit out for it


def test_threes_on_a_side_and_two_players_play_prepared_deals_too() -> None:
    sixes = played_out(begin("howell", 24, [Game(6, ((0, 2, 4), (1, 3, 5)))]), 7)
    assert {len(seats) for tables in rounds_of(sixes) for seats in tables} == {6}
    alone = played_out(begin("howell", 8, [Game(2, ((0,), (1,)))]), 7)
    assert {len(seats) for tables in rounds_of(alone) for seats in tables} == {2}


@pytest.mark.parametrize(
    ("movement", "people", "boards", "said"),
    [
        ("howell", 42, 2, "howell, 21 pairs: expected 20 at most"),
        ("mitchell", 4, 2, "mitchell, 2 pairs: expected 3 at least"),
        ("howell", 12, 0, "boards 0: expected a number from 1 to 20"),
    ],
)
def test_what_cannot_be_seated_is_said_at_once(
    movement: str, people: int, boards: int, said: str
) -> None:
    with pytest.raises(EveningError, match=said):
        begin(movement, people, boards=boards)


def test_nobody_is_put_by_hand_where_they_have_played() -> None:
    evening = played_out(begin("mitchell", 12), 2)
    first, second = evening.rounds[1].tables[:2]
    before = evening.rounds[0].tables[1]
    assert before.boards == first.boards  # they came from the table beside
    stays = first.seats[0], second.seats[0]
    with pytest.raises(EveningError, match="one has played these deals already"):
        exchange(evening, *stays)


def test_nobody_is_put_by_hand_where_they_have_played_with_another_pair() -> None:
    begun = next_round(begin("mitchell", 20))
    before = next(table for table in begun.rounds[0].tables if 2 in table.seats)
    # Somebody else has their place, and they have that of somebody who leaves.
    evening = next_round(arrive(leave(arrive(leave(begun, 2)), 18), 2))
    assert evening.teams[9] == (19, 2)
    other = next(table for table in evening.rounds[1].tables if table.boards == before.boards)
    assert 2 not in other.seats
    with pytest.raises(EveningError, match="one has played these deals already"):
        exchange(evening, 2, other.seats[1])
    # An evening that an earlier program began has it so.
    moved = exchange(evening, 2, other.seats[1], teams_only=True)
    assert max(deals_by_person(moved).values()) == 2
    assert fits(replace(moved, rounds=moved.rounds[:1]), moved.rounds[1])


def test_more_deals_than_a_set_can_have_are_refused_before_anybody_plays() -> None:
    begin("mitchell", 200, boards=20)  # 1,000 deals
    with pytest.raises(EveningError, match="102 pairs, 20 deals a round: 1020 deals in all") as no:
        begin("mitchell", 204, boards=20)
    assert no.value.code == "too-many-deals"
    # Whoever comes before the first round may be too many for the deals.
    late = begin("mitchell", 200, boards=20)
    for _ in range(4):
        late = arrive(late)
    with pytest.raises(EveningError, match="expected 1000 at most"):
        next_round(late)
