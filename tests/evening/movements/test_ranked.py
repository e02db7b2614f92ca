"""Halves, progressive and redraw: who sits where after results, worked out again by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evening.movements.counting import check_byes, check_seats, rounds_of
from tests.evening.movements.playing import drawn, played, scored

from rookery.evening.movements.changes import begin, score
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.schedule import played_out
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, EveningError, Game

SIXES = Game(6, ((0, 2, 4), (1, 3, 5)))


def test_halves_by_hand() -> None:
    """Eight people, one round: the totals rank them, and the first plays with the fifth."""
    evening = next_round(begin("halves", 8))
    # Nobody has a score, so the seeding ranks: 0 with 4 and 1 with 5 at table 1.
    assert rounds_of(evening) == [[(0, 1, 4, 5), (2, 3, 6, 7)]]
    evening = score(evening, 1, 1, [80, 40, 80, 40])
    evening = score(evening, 1, 2, [-70, 120, -70, 120])
    # 3 and 7 have 120, 0 and 4 have 80, 1 and 5 have 40, 2 and 6 have -70.
    assert [row.person for row in standings(evening)] == [3, 7, 0, 4, 1, 5, 2, 6]
    assert rounds_of(next_round(evening))[1] == [(3, 7, 1, 5), (0, 4, 2, 6)]


def test_halves_ranks_by_points_a_game_where_somebody_sat_out() -> None:
    evening = next_round(begin("halves", 5))
    assert evening.rounds[0].byes == (4,)
    evening = score(evening, 1, 1, [100, 0, 100, 0])
    # Without a game, 4 stands where the average stands: below 100, above 0.
    assert [row.person for row in standings(evening)] == [0, 2, 4, 1, 3]
    assert next_round(evening).rounds[1].byes == (3,)


def test_a_score_corrected_rounds_later_changes_the_next_round_alone() -> None:
    rng = Random(1)
    evening = played(begin("halves", 12), 3, drawn(rng))
    table = evening.rounds[0].tables[2]
    other = score(evening, 1, 3, [500 if seat % 2 else -500 for seat in range(4)])
    assert other.rounds[1:] == evening.rounds[1:]
    assert [t.seats for t in other.rounds[0].tables] == [t.seats for t in evening.rounds[0].tables]
    best = {row.person for row in standings(other)[:2]}
    assert best == {table.seats[1], table.seats[3]}
    assert next_round(other).rounds[3] != next_round(evening).rounds[3]


def test_threes_on_a_side_are_ranked_in_thirds() -> None:
    evening = next_round(begin("halves", 12, [SIXES]))
    assert rounds_of(evening) == [[(0, 1, 4, 5, 8, 9), (2, 3, 6, 7, 10, 11)]]


def test_progressive_by_hand() -> None:
    """Three tables; the sides with the even seats win everywhere."""
    evening = next_round(begin("progressive", 12))
    tables = rounds_of(evening)[0]
    for number in (1, 2, 3):
        evening = score(evening, 1, number, [90, 10, 90, 10])
    moved = [set(seats) for seats in rounds_of(next_round(evening))[1]]
    winners = [{seats[0], seats[2]} for seats in tables]
    losers = [{seats[1], seats[3]} for seats in tables]
    assert moved[0] == winners[0] | winners[1]
    assert moved[1] == winners[2] | losers[1]
    assert moved[2] == losers[2] | losers[0]


@given(tables=st.integers(1, 6), seed=st.integers(0, 999))
def test_progressive_winners_move_up(tables: int, seed: int) -> None:
    rng = Random(seed)
    evening = scored(next_round(begin("progressive", 4 * tables)), drawn(rng))
    for _ in range(4):
        after = next_round(evening)
        at_before, at_after = (
            {who: table.number for table in one.tables for who in table.seats}
            for one in (evening.rounds[-1], after.rounds[-1])
        )
        for table in evening.rounds[-1].tables:
            assert table.scores is not None
            a, b, c, d = table.seats
            first, second = table.scores[:2]
            if first == second:
                continue
            up, down = ((a, c), (b, d)) if first > second else ((b, d), (a, c))
            for who in up:
                assert at_after[who] == max(1, at_before[who] - 1)
            for who in down:
                assert at_after[who] == (at_before[who] if at_before[who] > 1 else tables)
        assert not partners_of(evening) & partners_of(after)  # everybody changes partners
        evening = scored(after, drawn(rng))


def partners_of(evening: Evening) -> set[frozenset[int]]:
    """Return who are partners in the last round."""
    pairs = set()
    for table in evening.rounds[-1].tables:
        a, b, c, d = table.seats
        pairs |= {frozenset((a, c)), frozenset((b, d))}
    return pairs


@given(people=st.integers(4, 45), seed=st.integers(0, 999))
def test_nobody_keeps_their_partner_in_a_redraw(people: int, seed: int) -> None:
    evening = next_round(begin("redraw", people, seed=seed))
    for _ in range(4):
        after = next_round(evening)
        assert not partners_of(evening) & partners_of(after)
        evening = after


def test_a_redraw_knows_the_round_before_and_nothing_else() -> None:
    first, second, third = played_out(begin("redraw", 16), 3).rounds
    one, other = (
        next_round(replace(begin("redraw", 16), rounds=(before, second))).rounds[2]
        for before in (first, third)
    )
    assert one == other == third


def test_a_redraw_mixes_the_tables() -> None:
    evening = next_round(begin("redraw", 40))
    fours = {frozenset(table.seats) for table in evening.rounds[0].tables}
    together = 0
    for table in next_round(evening).rounds[1].tables:
        together += sum(len(four & set(table.seats)) > 1 for four in fours)
    assert together == 0  # ten tables: all four can come from different ones


@given(
    movement=st.sampled_from(["individual", "halves", "progressive", "redraw"]),
    people=st.integers(4, 23),
    seed=st.integers(0, 99),
)
def test_everybody_has_one_place_and_byes_are_fair(movement: str, people: int, seed: int) -> None:
    evening = played(begin(movement, people, seed=seed), 7, drawn(Random(seed)))
    byes = [one.byes for one in evening.rounds]
    check_seats(range(people), rounds_of(evening), byes)
    check_byes(range(people), byes)
    out = {row.person: row.byes for row in standings(evening)}
    assert out == {who: sum(who in one for one in byes) for who in range(people)}
    once: dict[int, int] = defaultdict(int)
    for person in (who for one in evening.rounds for table in one.tables for who in table.seats):
        once[person] += 1
    assert max(once.values()) - min(once.values()) <= 1


@pytest.mark.parametrize("movement", ["halves", "progressive", "swiss", "single", "double"])
def test_the_next_round_waits_for_scores(movement: str) -> None:
    evening = next_round(begin(movement, 8))
    with pytest.raises(EveningError, match="round 1, table 1: no score yet; expected one"):
        next_round(evening)
