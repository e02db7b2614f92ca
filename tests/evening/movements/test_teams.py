"""Fixed pairs: everybody against everybody, and Swiss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import check_byes, check_seats, rounds_of
from tests.evening.movements.playing import better, drawn, played, scored

from rookery.evening.log.told import ranks_told
from rookery.evening.movements.changes import begin, score
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.schedule import played_out
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, Game


def sides(evening: Evening) -> list[list[tuple[frozenset[int], frozenset[int]]]]:
    """Return round by round which two sides met, by who sat where."""
    return [
        [(frozenset(seats[::2]), frozenset(seats[1::2])) for seats in tables]
        for tables in rounds_of(evening)
    ]


@pytest.mark.parametrize("pairs", range(2, 21))
def test_each_pair_meets_each_other_once(pairs: int) -> None:
    rounds = pairs - 1 + pairs % 2
    evening = played_out(begin("pairs", 2 * pairs), rounds)
    met = Counter(frozenset(match) for one in sides(evening) for match in one)
    assert len(met) == pairs * (pairs - 1) // 2
    assert set(met.values()) == {1}
    assert {side for match in met for side in match} == {
        frozenset((2 * i, 2 * i + 1)) for i in range(pairs)
    }
    byes = [one.byes for one in evening.rounds]
    check_seats(range(2 * pairs), rounds_of(evening), byes)
    check_byes(range(2 * pairs), byes)


def test_who_is_one_too_many_takes_turns_in_the_last_pair() -> None:
    evening = played_out(begin("pairs", 9), 6)
    out = Counter(person for one in evening.rounds for person in one.byes)
    assert set(out) == {6, 7, 8}
    assert set(out.values()) == {2}
    assert all(a < c and b < d for tables in rounds_of(evening) for a, b, c, d in tables)


def test_threes_on_a_side_meet_too() -> None:
    sixes = [Game(6, ((0, 2, 4), (1, 3, 5)))]
    evening = played_out(begin("pairs", 12, sixes), 3)
    assert {frozenset(match) for one in sides(evening) for match in one} == {
        frozenset((frozenset(range(3 * a, 3 * a + 3)), frozenset(range(3 * b, 3 * b + 3))))
        for a in range(4)
        for b in range(a)
    }
    fours = begin("pairs", 14, sixes).teams[2:]
    assert fours == ((6, 7, 8, 13), (9, 10, 11, 12))  # two are one too many


@given(pairs=st.integers(3, 20), seed=st.integers(0, 999))
def test_swiss_pairs_meet_once_as_long_as_they_can(pairs: int, seed: int) -> None:
    rounds = min(5, pairs // 2)
    evening = played(begin("swiss", 2 * pairs), rounds, drawn(Random(seed)))
    met = Counter(frozenset(match) for one in sides(evening) for match in one)
    assert set(met.values()) == {1}
    byes = [one.byes for one in evening.rounds]
    check_seats(range(2 * pairs), rounds_of(evening), byes)
    check_byes(range(2 * pairs), byes)


@pytest.mark.parametrize(("pairs", "seeds"), [(30, 4), (40, 1), (50, 1)])
def test_many_swiss_pairs_meet_once_for_half_as_many_rounds(pairs: int, seeds: int) -> None:
    for seed in range(seeds):
        evening = played(begin("swiss", 2 * pairs, seed=seed), pairs // 2, drawn(Random(seed)))
        met = Counter(frozenset(match) for one in sides(evening) for match in one)
        assert set(met.values()) == {1}
        assert all(len(one.tables) == pairs // 2 for one in evening.rounds)
        before = replace(evening, rounds=evening.rounds[:-1])
        order = [row.person // 2 for row in standings(before, by_wins=True)][::2]
        ahead = [min(map(order.index, table.teams)) for table in evening.rounds[-1].tables]
        assert ahead == sorted(ahead)  # whoever is ahead sits at the first table


def first_pairs(
    order: Sequence[int], met: Collection[frozenset[int]]
) -> list[tuple[int, ...]] | None:
    """Return pairs of whom none has met, so that the first has the nearest one that it can."""
    if not order:
        return []
    first, *others = order
    for other in others:
        left = [one for one in others if one != other]
        if {first, other} not in met and (more := first_pairs(left, met)) is not None:
            return [(first, other), *more]
    return None


@given(pairs=st.sampled_from([4, 6]), seed=st.integers(0, 999))
def test_swiss_neighbours_meet_and_none_twice_unless_they_have_to(pairs: int, seed: int) -> None:
    rng, evening, met = Random(seed), begin("swiss", 2 * pairs), Counter[frozenset[int]]()
    for _ in range(2 * pairs):
        order = [row.person // 2 for row in standings(evening, by_wins=True)][::2]
        evening = played(evening, 1, drawn(rng))
        found = [table.teams for table in evening.rounds[-1].tables]
        for times in range(3):
            wanted = first_pairs(order, {two for two, often in met.items() if often > times})
            if wanted is not None:
                break
        assert found == wanted
        met.update(map(frozenset, found))


def test_swiss_goes_on_when_all_have_met() -> None:
    evening = played(begin("swiss", 8), 7, better)
    met = Counter(frozenset(match) for one in sides(evening) for match in one)
    assert max(met.values()) <= 3
    assert sum(met.values()) == 14


def test_swiss_pairs_that_have_won_as_often_meet() -> None:
    """Eight pairs, of whom the lower number wins: after three rounds one has won all."""
    evening = begin("swiss", 16)
    for number in range(3):
        evening = next_round(evening)
        for first, second in sides(evening)[-1]:
            assert wins(evening, first, number) == wins(evening, second, number)
        evening = scored(evening, better)
    assert sorted(wins(evening, frozenset((2 * i, 2 * i + 1)), 3) for i in range(8)) == [
        *(0, 1, 1, 1),
        *(2, 2, 2, 3),
    ]


def wins(evening: Evening, pair: frozenset[int], rounds: int) -> int:
    """Return how many of the first rounds a pair has won."""
    won = 0
    for one in evening.rounds[:rounds]:
        for table in one.tables:
            scores = table.scores or ()
            for side in (0, 1):
                if set(table.seats[side::2]) == pair and scores[side] > scores[1 - side]:
                    won += 1
    return won


def test_a_swiss_place_is_that_of_the_order_though_figures_are_alike() -> None:
    """Five pairs: one win of one game is more than one of two, with the same points a game."""
    evening = next_round(begin("swiss", 10))
    evening = score(score(evening, 1, 1, [100, 0, 100, 0]), 1, 2, [50, 50, 50, 50])
    evening = next_round(evening)
    assert [table.teams for table in evening.rounds[1].tables] == [(0, 2), (3, 4)]
    evening = score(score(evening, 2, 1, [100, 120, 100, 120]), 2, 2, [0, 100, 0, 100])
    found = [(row.place, row.person, row.wins, row.games) for row in ranks_told(evening)]
    assert found[::2] == [(1, 8, 2, 1), (3, 4, 3, 2), (5, 0, 2, 2), (7, 6, 1, 2), (9, 2, 0, 1)]
    assert [(place, person + 1) for place, person, *_ in found[::2]] == [
        (place, person) for place, person, *_ in found[1::2]
    ]


def test_three_that_share_a_pair_have_the_place_of_their_pair() -> None:
    """The third pair: 4 has more points a game than anybody, and the pair less than the second."""
    evening = begin("pairs", 7)
    points = {0: 10, 1: 60}
    for seats in range(3):
        evening = next_round(evening)
        (table,) = evening.rounds[-1].tables
        own = 100 if 6 not in table.seats else 0  # of the third pair: 4 and 5 are better than 6
        side = [own if team == 2 else points[team] for team in table.teams]
        evening = score(evening, seats + 1, 1, side * 2)
    assert sum(2 in table.teams for one in evening.rounds for table in one.tables) == 2
    places = {row.person: row.place for row in ranks_told(evening)}
    assert [places[who] for who in range(7)] == [6, 6, 1, 1, 3, 3, 3]
    # The control: by their own points somebody of the third pair would be ahead.
    assert standings(evening)[0].person in {4, 5}


def test_whoever_has_no_score_yet_comes_last() -> None:
    evening = score(next_round(begin("individual", 5)), 1, 1, [60, 60, 60, 60])
    out = evening.rounds[0].byes[0]
    assert [row.place for row in ranks_told(evening)] == [1, 1, 1, 1, 5]
    assert ranks_told(evening)[-1].person == out


@given(
    movement=st.sampled_from(["individual", "redraw", "pairs"]),
    half=st.integers(3, 8),
    seed=st.integers(0, 999),
)
def test_a_place_is_by_points_a_game(movement: str, half: int, seed: int) -> None:
    evening = played(begin(movement, 2 * half), 3, drawn(Random(seed)))
    scores: dict[int, list[int]] = {who: [] for who in range(2 * half)}
    for table in (table for one in evening.rounds for table in one.tables):
        for who, points in zip(table.seats, table.scores or (), strict=True):
            scores[who].append(points)
    each = {who: Fraction(sum(some), len(some)) for who, some in scores.items()}
    for row in ranks_told(evening):
        assert row.place == 1 + sum(each[row.person] < other for other in each.values())


@pytest.mark.parametrize("movement", ["pairs", "swiss", "single", "double"])
def test_nobody_is_looked_for_among_all_people_to_tell_the_places(movement: str) -> None:
    """Else a look at an evening of a thousand would take a hundred times one of a hundred."""
    asked = list[object]()

    class Listed(tuple[int, ...]):
        def __contains__(self, person: object) -> bool:
            asked.append(person)
            return super().__contains__(person)

    evening = scored(next_round(begin(movement, 16)), better)
    listed = replace(evening, people=Listed(evening.people))
    assert ranks_told(listed) == ranks_told(evening)
    assert asked == []
