"""Points against the others and matchpoints: laws over random results, and deals by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.evening.duplicate.scoring import (
    BadResults,
    Compared,
    Result,
    compare,
    rankings,
    totals,
)
from rookery.evening.movements.plan import Rounds, howell, mitchell

HALF = Fraction(1, 2)


def whole(figures: Sequence[Fraction]) -> list[int]:
    assert all(figure.denominator == 1 for figure in figures)
    return [int(figure) for figure in figures]


@st.composite
def evenings(draw: st.DrawFn) -> list[Result]:
    """Draw the results of a movement, of which some are missing and some are awarded."""
    plan = draw(st.sampled_from([howell, mitchell]))
    pairs = draw(st.integers(5, 14))
    rng = Random(draw(st.integers(0, 9999)))
    missing, awarded = draw(st.sampled_from([(0.0, 0.0), (0.2, 0.0), (0.2, 0.2)]))
    results = []
    for placed in (placed for tables in plan(pairs) for placed in tables):
        if rng.random() < missing:
            continue
        if rng.random() < awarded:
            results.append(Result(placed.deals + 1, placed.pairs, awarded=(60, 40)))
            continue
        scores = (rng.randrange(-24, 25) * 5, rng.randrange(25) * 5)
        results.append(Result(placed.deals + 1, placed.pairs, scores))
    return results


def by_board(compared: list[Compared]) -> dict[int, list[Compared]]:
    """Return the results that were played, by deal."""
    found = defaultdict(list)
    for one in compared:
        if one.result.scores:
            found[one.result.board].append(one)
    return found


@given(evenings())
def test_on_each_deal_the_points_of_a_side_are_zero_in_sum(results: list[Result]) -> None:
    found = compare(results)
    assert [one.result for one in found] == sorted(results, key=lambda one: one.board)
    for compared in by_board(found).values():
        for side in (0, 1):
            assert sum(one.points[side] for one in compared) == 0
        # What one side of a table is ahead of the others, the other side is behind.
        assert all(one.points[0] == -one.points[1] for one in compared)


@given(evenings())
def test_on_each_deal_the_percentages_of_a_side_are_fifty_on_the_mean(
    results: list[Result],
) -> None:
    compared = compare(results)
    boards = by_board(compared)
    fullest = max((len(one) for one in boards.values()), default=0)
    for played in boards.values():
        for side in (0, 1):
            assert sum(one.percent[side] for one in played) == 50 * len(played)
            points = sum(one.matchpoints[side] for one in played)
            assert points == Fraction(len(played) * (fullest - 1), 2)
        assert all(sum(one.percent) == 100 for one in played)
        assert all(0 <= percent <= 100 for one in played for percent in one.percent)


@given(evenings(), st.integers(0, 99))
def test_the_order_of_tables_does_not_matter(results: list[Result], seed: int) -> None:
    other = Random(seed).sample(results, len(results))
    assert totals(compare(other)) == totals(compare(results))
    assert rankings(totals(compare(other))) == rankings(totals(compare(results)))


@given(evenings(), st.integers(-5, 5))
def test_cards_that_are_better_for_everybody_change_nothing(
    results: list[Result], more: int
) -> None:
    """Luck is left out: five points more for one side at every table of a deal is nobody's."""
    luckier = [
        one._replace(scores=(one.scores[0] + 5 * more * one.board, one.scores[1]))
        if one.scores
        else one
        for one in results
    ]
    assert totals(compare(luckier)) == totals(compare(results))


@given(evenings())
def test_the_controls_a_changed_result_is_seen(results: list[Result]) -> None:
    played = [one for one in results if one.scores]
    compared = compare(results)
    for at, one in enumerate(results):
        if one.scores and sum(other.board == one.board for other in played) > 1:
            better = one._replace(scores=(one.scores[0] + 5, one.scores[1]))
            changed = totals(compare([*results[:at], better, *results[at + 1 :]]))
            before = {row.pair: row for row in totals(compared)}
            after = {row.pair: row for row in changed}
            first, second = one.pairs
            assert after[first].points == before[first].points + 5
            assert after[second].points == before[second].points - 5
            assert after[first].percent >= before[first].percent
            return


def test_four_tables_by_hand() -> None:
    """Nets of the first side: 70, 20, 20 and -130; the mean of the others of the first is -30."""
    scores = [(95, 25), (70, 50), (70, 50), (-100, 30)]
    compared = compare([Result(1, (i, i + 4), one) for i, one in enumerate(scores)])
    assert [one.points[0] for one in compared] == [
        100,
        Fraction(100, 3),
        Fraction(100, 3),
        Fraction(-500, 3),
    ]
    assert [one.matchpoints[0] for one in compared] == [3, 1 + HALF, 1 + HALF, 0]
    assert [one.matchpoints[1] for one in compared] == [0, 1 + HALF, 1 + HALF, 3]
    assert [one.percent[0] for one in compared] == [100, 50, 50, 0]


def test_a_deal_with_fewer_results_is_scaled_by_neubergs_formula() -> None:
    """Four matchpoints of five, of six results in place of seven: 7/6 * 4.5 - 0.5 = 4.75 of six."""
    full = [Result(1, (i, i + 10), (5 * i, 0)) for i in range(7)]
    fewer = [Result(2, (i, i + 10), (5 * i, 0)) for i in range(6)]
    found = {one.result.pairs[0]: one for one in compare([*full, *fewer]) if one.result.board == 2}
    assert found[4].matchpoints[0] == Fraction(19, 4)
    assert found[4].percent[0] == Fraction(19, 24) * 100
    assert found[5].matchpoints[0] == Fraction(7, 6) * Fraction(11, 2) - HALF  # no whole top


def test_a_deal_that_one_table_played_says_nothing_of_anybody() -> None:
    lone = Result(2, (0, 1), (120, 0))
    compared = compare([Result(1, (0, 1), (10, 0)), Result(1, (2, 3), (0, 10)), lone])
    assert whole(compared[-1].points) == [0, 0]
    assert whole(compared[-1].percent) == [50, 50]
    assert whole(compare([lone])[0].percent) == [50, 50]
    assert compare([]) == []


def test_what_is_awarded_counts_for_its_pairs_and_for_no_others() -> None:
    played = [Result(1, (0, 1), (10, 0)), Result(1, (2, 3), (0, 10))]
    awards = [Result(1, (4, 5), awarded=(60, 40)), Result(1, (6, 7), awarded=(0, 100))]
    compared = compare([*played, *awards])
    assert compared[:2] == compare(played)
    assert [whole(one.percent) for one in compared[2:]] == [[60, 40], [0, 100]]
    assert whole(compared[2].points) == [0, 0]
    assert [row.boards for row in totals(compared)] == [1] * 8


def test_in_a_mitchell_each_side_has_a_ranking_and_in_a_howell_all_have_one() -> None:
    def ranked(plan: Rounds, by_matchpoints: bool = False) -> list[list[tuple[int, int]]]:
        results = [
            Result(one.deals + 1, one.pairs, (10 * one.pairs[0], 10 * one.pairs[1]))
            for tables in plan
            for one in tables
        ]
        found = rankings(totals(compare(results)), by_matchpoints)
        return [[(place, row.pair) for place, row in one] for one in found]

    sides = ranked(mitchell(10))
    assert [[pair for _, pair in one] for one in sides] == [[8, 6, 4, 2, 0], [9, 7, 5, 3, 1]]
    (one,) = ranked(howell(8))
    assert [place for place, _ in one] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [pair for _, pair in one] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert len(ranked(howell(8), by_matchpoints=True)) == 1
    # The first side stands first, also where its first pair has no result yet.
    early = compare([Result(1, (2, 1), (10, 0)), Result(1, (4, 3), (0, 10))])
    assert [[row.pair for _, row in one] for one in rankings(totals(early))] == [[2, 4], [3, 1]]


def test_equals_share_a_place() -> None:
    results = [Result(1, (i, i + 4), (score, 0)) for i, score in enumerate([10, 5, 5, 0])]
    first, second = rankings(totals(compare(results)))
    assert [(place, row.pair) for place, row in first] == [(1, 0), (2, 1), (2, 2), (4, 3)]
    assert [place for place, _ in second] == [1, 2, 2, 4]


def test_three_who_play_alone_are_compared_seat_by_seat() -> None:
    one, other = Result(1, (0, 1, 2), (90, 20, 10)), Result(1, (3, 4, 5), (30, 60, 30))
    first, second = compare([one, other])
    assert whole(first.points) == [90, -60, -30]
    assert whole(second.points) == [-90, 60, 30]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([Result(3, (0, 1), (5, 0)), Result(3, (2, 0), (5, 0))], "deal 3: pair 0 has two results"),
        ([Result(3, (0, 0), (5, 0))], "deal 3: pair 0 has two results"),
        ([Result(3, (0, 1), (5,))], "deal 3: expected a score for each side"),
        ([Result(3, (0, 1))], "deal 3: expected a score for each side"),
        ([Result(3, (0, 1), (5, 0), (50, 50))], "deal 3: expected a score for each side"),
        ([Result(3, (0, 1), (), (50, 101))], "deal 3: expected awards from 0 to 100"),
        ([Result(3, (0, 1), (), (-1, 50))], "deal 3: expected awards from 0 to 100"),
        ([Result(3, (0,), (5,))], "deal 3: 1 sides; expected 2"),
        ([Result(1, (0, 1), (5, 0)), Result(3, (0, 1, 2), (5, 0, 0))], "deal 3: 3 sides; expec"),
    ],
)
def test_results_that_cannot_be_are_refused(results: list[Result], said: str) -> None:
    with pytest.raises(BadResults, match=said):
        compare(results)
