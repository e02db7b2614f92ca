"""What happens on an evening: laws that hold whatever comes, and single cases."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import rounds_of
from tests.evening.movements.playing import better, drawn, scored

from rookery.evening.movements.changes import arrive, begin, exchange, leave, score, stand_in
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.schedule import played_out
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, EveningError, Game, Round


def a_change(evening: Evening, rng: Random) -> Evening:
    """Return the evening after something has happened, or as it was where that is refused."""
    away = [
        person
        for person in range(evening.known)
        if person not in evening.people and person not in evening.stand_ins
    ]
    what = rng.randrange(7)
    try:
        if what == 0:
            return arrive(evening)
        if what == 1 and away:
            return arrive(evening, rng.choice(away))
        if what == 2 and len(evening.people) > 8:
            return leave(evening, rng.choice(evening.people))
        if what == 3 and len(evening.stand_ins) < 4:
            return stand_in(evening)
        if what == 4:
            return exchange(evening, *rng.sample(range(evening.known), 2))
        if what == 5 and evening.rounds:
            number = rng.randrange(len(evening.rounds))
            if not evening.rounds[number].tables:
                return evening
            table = rng.choice(evening.rounds[number].tables)
            return score(evening, number + 1, table.number, drawn(rng)(evening, table))
    except EveningError:
        pass
    return evening


def check_last_round(evening: Evening, slow: set[int]) -> None:
    """Everybody who is there has one place, at tables of four that have numbers of their own."""
    last = evening.rounds[-1]
    places = [who for table in last.tables for who in table.seats]
    assert len(set(places)) == len(places)
    elsewhere = Counter((*last.byes, *last.playing, *last.beaten))
    people = Counter(places) + elsewhere
    assert max(people.values()) == 1
    assert set(evening.people) <= set(people)
    extra = set(people) - set(evening.people) - set(evening.stand_ins)
    assert extra <= set(last.playing)  # who left while their table still plays
    assert all(len(table.seats) == 4 for table in last.tables)
    numbers = [table.number for table in last.tables]
    assert len(set(numbers)) == len(numbers)
    assert not slow & set(numbers)


@given(
    movement=st.sampled_from([*MOVEMENTS]),
    people=st.integers(8, 19),
    seed=st.integers(0, 9999),
)
def test_whatever_happens_nobody_is_lost_and_nothing_played_changes(
    movement: str, people: int, seed: int
) -> None:
    rng = Random(seed)
    evening = begin(movement, people, seed=seed)
    for _ in range(5):
        for _ in range(rng.randrange(3)):
            evening = a_change(evening, rng)
        slow: set[int] = set()
        if evening.rounds:
            last = evening.rounds[-1]
            numbers = [table.number for table in last.tables if table.scores is None]
            slow = set(rng.sample(numbers, min(2, len(numbers), rng.randrange(3))))
            for table in last.tables:
                if table.number not in slow and table.scores is None:
                    evening = score(
                        evening, len(evening.rounds), table.number, drawn(rng)(evening, table)
                    )
            for number, one in enumerate(evening.rounds[:-1], 1):
                for table in one.tables:
                    if table.scores is None:  # the slow ones of before have finished
                        points = drawn(rng)(evening, table)
                        evening = score(evening, number, table.number, points)
        before = evening
        try:
            evening = next_round(evening, slow)
        except EveningError as error:
            if error.code not in ("over", "too-few"):
                raise
            return
        assert evening.rounds[:-1] == before.rounds
        check_last_round(evening, slow)
        left = Counter(before.people)
        left.update(before.stand_ins)
        assert set(left) == {*evening.people, *evening.stand_ins}


@given(movement=st.sampled_from([*MOVEMENTS]), seed=st.integers(0, 9999))
def test_no_change_touches_an_earlier_round(movement: str, seed: int) -> None:
    rng = Random(seed)
    evening = next_round(scored(next_round(begin(movement, 17)), better))
    for _ in range(8):
        before, evening = evening, a_change(evening, rng)
        for old, new in zip(before.rounds[:-1], evening.rounds[:-1], strict=True):
            assert [t.seats for t in old.tables] == [t.seats for t in new.tables]
            assert (old.byes, old.playing, old.beaten) == (new.byes, new.playing, new.beaten)
        last = [
            sorted((*one.byes, *seats_of(one))) for one in (before.rounds[-1], evening.rounds[-1])
        ]
        assert last[0] == last[1]


def seats_of(one: Round) -> list[int]:
    return [who for table in one.tables for who in table.seats]


@given(people=st.integers(4, 30), coming=st.integers(0, 3), going=st.integers(0, 3))
def test_who_has_played_the_most_sits_out(people: int, coming: int, going: int) -> None:
    evening = played_out(begin("individual", people), 3)
    for _ in range(coming):
        evening = arrive(evening)
    for person in range(min(going, people + coming - 4)):
        evening = leave(evening, person)
    for _ in range(4):
        played = Counter(who for tables in rounds_of(evening) for seats in tables for who in seats)
        evening = next_round(evening)
        sitting = {who for table in evening.rounds[-1].tables for who in table.seats}
        out = evening.rounds[-1].byes
        assert len(out) == len(evening.people) % 4
        assert all(played[a] >= played[b] for a in out for b in sitting)


def test_somebody_comes_late_and_the_rest_goes_on() -> None:
    evening = arrive(played_out(begin("individual", 15), 2))
    assert evening.people == tuple(range(16))
    evening = played_out(evening, 8)
    assert all(not one.byes for one in evening.rounds[2:])
    pairs = Counter(
        frozenset(pair)
        for tables in rounds_of(evening)
        for a, b, c, d in tables
        for pair in ((a, c), (b, d))
    )
    assert max(pairs.values()) == 1  # still a new partner in each round


def test_a_stand_in_plays_only_where_somebody_would_sit_out() -> None:
    evening = stand_in(begin("individual", 15))
    evening = played_out(evening, 15)
    assert all(not one.byes for one in evening.rounds)
    assert all(15 in {who for seats in tables for who in seats} for tables in rounds_of(evening))
    sixteen = played_out(arrive(evening), 2)
    assert not any(15 in seats for tables in rounds_of(sixteen)[15:] for seats in tables)


def test_with_a_stand_in_the_schedule_of_one_more_is_played() -> None:
    evening = played_out(stand_in(begin("individual", 15)), 15)
    pairs = Counter(
        frozenset(pair)
        for tables in rounds_of(evening)
        for a, b, c, d in tables
        for pair in ((a, c), (b, d))
    )
    assert len(pairs) == 16 * 15 // 2  # perfect, for 16
    assert set(pairs.values()) == {1}


def test_two_people_change_places_by_hand() -> None:
    evening = played_out(begin("individual", 17), 2)
    (out,) = evening.rounds[1].byes
    sitting = evening.rounds[1].tables[0].seats[2]
    other = exchange(evening, out, sitting)
    assert other.rounds[0] == evening.rounds[0]
    assert other.rounds[1].byes == (sitting,)
    assert other.rounds[1].tables[0].seats[2] == out
    assert exchange(other, sitting, out) == evening
    with pytest.raises(EveningError, match="person 17: has no place"):
        exchange(evening, 17, 0)
    done = score(evening, 2, 1, [10, 20, 10, 20])
    with pytest.raises(EveningError, match="table 1: has a score; seats stay"):
        exchange(done, out, sitting)
    assert exchange(score(evening, 2, 2, [10, 20, 10, 20]), out, sitting).rounds[1].byes == (
        sitting,
    )


def test_pairs_change_places_as_pairs() -> None:
    evening = next_round(begin("pairs", 10))
    first, second = evening.rounds[0].tables
    one, other = first.seats[0], second.seats[1]
    moved = exchange(evening, one, other)
    assert set(moved.rounds[0].tables[0].seats[::2]) == set(second.seats[1::2])
    assert moved.rounds[0].tables[0].teams == (second.teams[1], first.teams[1])
    assert moved.rounds[0].tables[1].teams == (second.teams[0], first.teams[0])
    resting = evening.rounds[0].byes[0]
    rested = exchange(evening, one, resting)
    assert set(rested.rounds[0].tables[0].seats[::2]) == set(evening.rounds[0].byes)
    assert set(rested.rounds[0].byes) == set(first.seats[::2])
    # Who has met whom follows the seats, so nobody meets the moved pair again.
    met = Counter(
        frozenset(table.teams) for one in played_out(moved, 2).rounds for table in one.tables
    )
    assert max(met.values()) == 1


def test_a_pair_changes_places_of_which_one_has_left_meanwhile() -> None:
    begun = next_round(begin("pairs", 8))
    evening = arrive(leave(begun, 2))
    assert evening.teams[1] == (3, 8)
    other = next(one for one in range(8) if one in begun.rounds[0].tables[0].seats and one != 2)
    for one in range(8):
        if not {one, other} <= set(evening.rounds[0].tables[0].seats):
            assert exchange(evening, one, other).rounds == exchange(begun, one, other).rounds


def test_late_comers_make_a_pair_and_one_alone_takes_turns() -> None:
    evening = arrive(played_out(begin("pairs", 8), 1))
    assert evening.teams[-1] == (6, 7, 8)
    evening = arrive(evening)
    assert evening.teams == ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9))
    evening = leave(played_out(evening, 1), 3)
    assert arrive(evening).teams[1] == (2, 10)
    assert not any(2 in table.seats for table in next_round(evening).rounds[-1].tables)


def test_whoever_comes_once_everybody_has_left_makes_pairs_with_those_who_follow() -> None:
    evening = begin("pairs", 4)
    for person in range(4):
        evening = leave(evening, person)
    for _ in range(4):
        evening = arrive(evening)
    assert evening.teams == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert rounds_of(next_round(evening)) == [[(4, 6, 5, 7)]]


@pytest.mark.parametrize("movement", ["pairs", "swiss", "mitchell", "howell"])
def test_a_pair_that_was_away_has_its_place_again_whoever_came_meanwhile(movement: str) -> None:
    evening = scored(next_round(begin(movement, 12)), better)
    away = arrive(leave(leave(evening, 0), 1))
    assert away.teams == (*evening.teams[:5], (10, 11, 12))
    back = arrive(arrive(away, 1), 0)
    assert back.teams == away.teams
    assert {row.person: row.wins for row in standings(back)}[0] == 2
    seats = next_round(back).rounds[1].tables
    assert {0, 1} <= {who for table in seats for who in table.seats}
    assert [team for table in seats for team in table.teams].count(0) == 1


def test_three_who_share_a_pair_do_not_all_sit_out_as_well() -> None:
    for people in (11, 15, 19):
        evening = begin("swiss", people)
        for number in range(1, 7):
            evening = next_round(evening)
            for table in evening.rounds[-1].tables:
                one = people * number % (table.number + 7)
                evening = score(evening, number, table.number, [one, 5, one, 5])
        extra = evening.teams[-1]
        out = Counter(person for one in evening.rounds for person in one.byes)
        assert [len({*extra} & {*one.byes}) for one in evening.rounds] == [1] * 6
        assert max(out[person] for person in extra) == 2
        assert max(out.values()) <= 2


@pytest.mark.parametrize(
    ("movement", "people", "games", "best_of", "said"),
    [
        ("howel", 8, [Game()], 1, "movement 'howel': expected one of individual,"),
        ("individual", 3, [Game()], 1, "people 3: expected a number from 4 to 1000"),
        ("pairs", 2000, [Game()], 1, "people 2000: expected a number from 4 to 1000"),
        ("pairs", 8, [Game(5, None)], 1, "pairs: expected a game of two sides"),
        ("halves", 8, [Game(), Game(5, None)], 1, "halves: expected one game"),
        ("progressive", 12, [Game(6, ((0, 2, 4), (1, 3, 5)))], 1, "expected a game of two pairs"),
        ("individual", 8, [Game(), Game(4, None)], 1, "expected each number once"),
        ("single", 8, [Game()], 2, "best of 2: expected an odd number"),
        ("single", 8, [Game()], -1, "best of -1: expected an odd number"),
        ("swiss", 8, [Game()], 3, "only knockouts have longer matches"),
    ],
)
def test_what_cannot_be_is_said(
    movement: str, people: int, games: list[Game], best_of: int, said: str
) -> None:
    with pytest.raises(EveningError, match=said):
        begin(movement, people, games, best_of=best_of)


def test_scores_that_cannot_be_are_refused() -> None:
    evening = next_round(begin("halves", 8))
    for wrong in ((1, 1, [1, 2, 3, 4]), (1, 1, [1, 2]), (2, 1, [1, 2, 1, 2]), (1, 3, [1, 2, 1, 2])):
        with pytest.raises(EveningError, match=r"round \d"):
            score(evening, *wrong)
    with pytest.raises(EveningError, match="3 people are too few for a table"):
        next_round(leave(begin("individual", 4), 1))
    with pytest.raises(EveningError, match="person 99: is not there"):
        leave(evening, 99)
    with pytest.raises(EveningError, match="person 1: has not left"):
        arrive(evening, 1)
