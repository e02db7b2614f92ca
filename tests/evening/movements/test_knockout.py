"""Single and double elimination: defeats counted from the tables, never from the bracket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import rounds_of
from tests.evening.movements.playing import better, drawn, played, scored

from rookery.evening.log.told import ranks_told
from rookery.evening.movements.changes import arrive, begin, leave, score, stand_in
from rookery.evening.movements.rounds import next_round, rounds_in_all
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, EveningError, Table


def to_the_end(evening: Evening, rng: Random) -> tuple[Evening, str]:
    """Return a knockout played to its end, and what is said then."""
    for _ in range(200):
        try:
            evening = next_round(evening)
        except EveningError as error:
            if error.code != "over":
                raise
            return evening, str(error)
        evening = scored(evening, drawn(rng))
    raise AssertionError("it has no end")


def known_too_soon(count: Callable[[Evening], int | None], evening: Evening) -> bool:
    """Return whether it is told of how many rounds a knockout is while it still goes on, or late.

    Each round is looked at before its scores and after them; told by the next round itself.
    """
    for number in range(1, len(evening.rounds) + 1):
        before, last = evening.rounds[: number - 1], evening.rounds[number - 1]
        blank = replace(last, tables=tuple(replace(one, scores=None) for one in last.tables))
        for rounds, decided in (((*before, blank), False), ((*before, last), None)):
            at = replace(evening, rounds=rounds)
            if decided is None:
                decided = number == len(evening.rounds)
            if count(at) != (number if decided else None):
                return True
    return False


@pytest.mark.parametrize("double", [False, True])
def test_how_many_rounds_a_knockout_has_is_known_once_it_is_decided(double: bool) -> None:
    for pairs in (2, 3, 5, 8):
        movement = "double" if double else "single"
        evening, _ = to_the_end(begin(movement, 2 * pairs, best_of=3), Random(pairs))
        assert not known_too_soon(rounds_in_all, evening)
        assert known_too_soon(lambda at: None, evening)  # the controls
        assert known_too_soon(lambda at: len(at.rounds), evening)


def games_of(evening: Evening) -> list[tuple[int, int, int | None]]:
    """Return the games in their order: two pairs by their first person, and who won; None: tie."""
    games = []
    for table in (table for one in evening.rounds for table in one.tables):
        assert table.scores is not None
        a, b = min(table.seats[::2]), min(table.seats[1::2])
        first, second = table.scores[:2]
        games.append((a, b, None if first == second else a if first > second else b))
    return games


def matches_of(evening: Evening) -> list[tuple[int, int]]:
    """Return winner and loser of each match: whoever first wins the most of its games."""
    needed = evening.best_of // 2 + 1
    going: dict[frozenset[int], Counter[int]] = {}
    matches = []
    for a, b, winner in games_of(evening):
        wins = going.setdefault(frozenset((a, b)), Counter())
        if winner is not None:
            wins[winner] += 1
            if wins[winner] == needed:
                matches.append((winner, b if winner == a else a))
                del going[frozenset((a, b))]
    assert not any(wins.total() for wins in going.values())
    return matches


@given(
    pairs=st.integers(2, 19), double=st.booleans(), best=st.sampled_from([1, 3, 5]), seed=st.data()
)
def test_a_pair_is_out_with_so_many_defeats(
    pairs: int, double: bool, best: int, seed: st.DataObject
) -> None:
    rng = Random(seed.draw(st.integers(0, 9999)))
    begun = begin("double" if double else "single", 2 * pairs, best_of=best)
    evening, said = to_the_end(begun, rng)
    defeats = Counter(loser for _, loser in matches_of(evening))
    allowed = 2 if double else 1
    (champion,) = {2 * i for i in range(pairs) if defeats[2 * i] < allowed}
    assert said == f"the knockout is over: {champion} and {champion + 1} have won"
    assert all(defeats[2 * i] == allowed for i in range(pairs) if 2 * i != champion)
    # Nobody plays after their last defeat.
    seen: Counter[int] = Counter()
    for winner, loser in matches_of(evening):
        assert max(seen[winner], seen[loser]) < allowed
        seen[loser] += 1


@given(pairs=st.integers(2, 19), double=st.booleans(), seed=st.integers(0, 999))
def test_everybody_sits_waits_or_is_beaten(pairs: int, double: bool, seed: int) -> None:
    evening, _ = to_the_end(begin("double" if double else "single", 2 * pairs), Random(seed))
    for number, one in enumerate(evening.rounds):
        places = [who for table in one.tables for who in table.seats]
        assert sorted((*places, *one.byes, *one.beaten)) == list(range(2 * pairs))
        before = replace(evening, rounds=evening.rounds[:number])
        lost = Counter(loser for _, loser in matches_of(before))
        out = [who for who in range(2 * pairs) if lost[who - who % 2] == (2 if double else 1)]
        assert list(one.beaten) == out
    first = evening.rounds[0]
    playing = {who // 2 for table in first.tables for who in table.seats}
    waiting = {who // 2 for who in first.byes}
    assert len(playing) + len(waiting) == pairs
    assert all(pair < min(playing) for pair in waiting)  # only the best seeds wait,
    assert len(waiting) <= len(first.tables)  # each for the winner of a table


@given(pairs=st.integers(6, 30), seed=st.integers(0, 999))
def test_nobody_soon_meets_again_who_has_beaten_them(pairs: int, seed: int) -> None:
    rng = Random(seed)

    def scores(evening: Evening, table: Table) -> list[int]:
        return rng.choice(([10, 20] * 2, [20, 10] * 2))

    evening = played(begin("double", 2 * pairs), 3, scores)
    met = Counter(frozenset(table.teams) for one in evening.rounds for table in one.tables)
    assert set(met.values()) == {1}


def test_the_best_seeds_meet_last() -> None:
    evening = begin("single", 16)
    for _ in range(3):
        evening = scored(next_round(evening), better)
    (final,) = evening.rounds[2].tables
    assert set(final.seats) == {0, 1, 2, 3}
    with pytest.raises(EveningError, match="over: 0 and 1 have won"):
        next_round(evening)


def test_a_final_of_double_elimination_is_played_twice_if_it_has_to_be() -> None:
    evening = begin("double", 4)
    evening = scored(next_round(evening), better)  # 0 1 beat 2 3
    evening = next_round(evening)
    assert set(evening.rounds[1].tables[0].seats) == {0, 1, 2, 3}
    second = [0 if who < 2 else 50 for who in evening.rounds[1].tables[0].seats]
    evening = score(evening, 2, 1, second)
    evening = next_round(evening)  # each has lost once
    evening = score(evening, 3, 1, [0 if who < 2 else 50 for who in (0, 2, 1, 3)])
    with pytest.raises(EveningError, match="over: 2 and 3 have won"):
        next_round(evening)


def test_a_match_goes_on_while_others_wait_and_slow_tables_play() -> None:
    evening = next_round(begin("single", 8, best_of=3))
    evening = score(evening, 1, 1, [100, 0, 100, 0])
    evening = next_round(evening, slow=[2])  # table 2 is still at its first game
    (table,) = evening.rounds[1].tables
    assert table.number == 1
    assert set(table.seats) == set(evening.rounds[0].tables[0].seats)
    assert set(evening.rounds[1].playing) == set(evening.rounds[0].tables[1].seats)


def test_who_leaves_gives_up_and_a_stand_in_prevents_it() -> None:
    evening = scored(next_round(begin("single", 8)), better)
    final = sorted({0, 1, 2, 3})
    without = leave(evening, 0)
    with pytest.raises(EveningError, match="over: 2 and 3 have won"):
        next_round(without)
    filled = next_round(stand_in(without))
    (table,) = filled.rounds[1].tables
    assert set(table.seats) == {*final, 8} - {0}
    with pytest.raises(EveningError, match="nobody new comes in"):
        arrive(evening)


def test_what_was_given_up_stays_so_when_a_stand_in_comes_later() -> None:
    evening = scored(next_round(begin("single", 12)), better)
    evening = next_round(leave(evening, 0))
    assert evening.withdrawn == (0,)
    with pytest.raises(EveningError, match="nobody new comes in"):
        arrive(evening)
    evening = scored(next_round(stand_in(scored(evening, better))), better)
    assert not {1} & {who for table in evening.rounds[-1].tables for who in table.seats}
    assert 1 in evening.rounds[-1].beaten


def test_nobody_sits_twice_in_a_round_of_any_knockout() -> None:
    for pairs in range(2, 34):
        for tables in rounds_of(next_round(begin("double", 2 * pairs))):
            places = [who for seats in tables for who in seats]
            assert len(set(places)) == len(places)


def places_of(evening: Evening) -> dict[int, int]:
    """Return the place of each pair, by its first person; both have the same."""
    places = {row.person: row.place for row in ranks_told(evening)}
    assert all(places[who] == places[who - who % 2] for who in places)
    return {who: place for who, place in places.items() if who % 2 == 0}


def test_the_places_of_a_knockout_are_those_of_its_bracket_whatever_was_scored() -> None:
    evening = next_round(begin("single", 8))
    seats = [table.seats for table in evening.rounds[0].tables]
    assert seats == [(0, 6, 1, 7), (2, 4, 3, 5)]
    evening = score(evening, 1, 1, [160, 150, 160, 150])
    evening = score(evening, 1, 2, [20, 10, 20, 10])
    assert places_of(evening) == {0: 1, 2: 1, 4: 5, 6: 5}  # two are in the final
    evening = score(next_round(evening), 2, 1, [20, 30, 20, 30])
    assert places_of(evening) == {2: 1, 0: 3, 4: 5, 6: 5}
    # The control: by points a game whoever was out first would have won.
    assert next(row.person for row in standings(evening)) == 6


@given(pairs=st.integers(2, 19), double=st.booleans(), seed=st.integers(0, 999))
def test_whoever_put_a_pair_out_has_a_better_place(pairs: int, double: bool, seed: int) -> None:
    evening, said = to_the_end(begin("double" if double else "single", 2 * pairs), Random(seed))
    places, out_by = places_of(evening), {}
    for winner, loser in matches_of(evening):
        out_by[loser] = winner
    (champion,) = (pair for pair, place in places.items() if place == 1)
    assert f"over: {champion} and" in said
    assert all(places[out_by[pair]] < places[pair] for pair in places if pair != champion)
    assert sorted(places.values())[:2] == [1, 3]


def test_a_pair_that_cannot_sit_down_any_more_has_lost() -> None:
    evening = scored(next_round(begin("single", 8)), better)
    assert places_of(evening)[2] == 1
    assert {row.person: row.place for row in ranks_told(leave(evening, 0))} == {
        **{2: 1, 3: 1, 1: 3},
        **dict.fromkeys(range(4, 8), 4),
    }


@pytest.mark.parametrize("gone", [(2,), (2, 0)])  # the first is the control
def test_a_stand_in_plays_for_a_pair_that_is_still_in(gone: tuple[int, ...]) -> None:
    evening = next_round(begin("single", 8))
    assert [table.teams for table in evening.rounds[0].tables] == [(0, 3), (1, 2)]
    evening = score(evening, 1, 1, [10, 20, 10, 20])
    evening = stand_in(score(evening, 1, 2, [20, 10, 20, 10]))
    for person in gone:  # 0 is of a pair that is out
        evening = leave(evening, person)
    assert rounds_of(next_round(evening))[-1] == [(6, 3, 7, 8)]
    places = {row.person: row.place for row in ranks_told(evening)}
    assert (places[3], places[6]) == (1, 1)
