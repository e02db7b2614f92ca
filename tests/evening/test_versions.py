"""What several people say of one thing, of whom some have to wait for somebody who agrees."""

from __future__ import annotations

from itertools import count, permutations

import pytest

from rookery.evening.log.changes import NextRound, Score
from rookery.evening.log.fold import EveningLog
from rookery.evening.movements.changes import begin
from rookery.evening.versions import Shared, Written, folded


def told(*said: tuple[str, int, bool], agree: bool = False) -> Shared[str]:
    """Return what is made of what was said, each by somebody who has seen nothing of others.

    Each is what, who says it, and whether that waits.
    """
    numbers = count(1)
    entries = [
        Written(number, str(number), 1, 0, what, who, waits)
        for number, (what, who, waits) in zip(numbers, said, strict=False)
    ]
    return folded(entries, agree=agree)[1]


def test_what_only_waits_keeps_nothing_from_counting_that_was_said_in_time() -> None:
    late, timely = ("999", 2, True), ("60", 1, False)
    assert not told(late).counts
    for said in permutations((late, timely)):
        found = told(*said)
        assert (found.stands.said, found.state, found.counts) == ("60", "disputed", True)
        assert [one.said for one in found.others] == ["999"]


@pytest.mark.parametrize("agree", [False, True])
def test_what_two_agree_on_counts_though_somebody_else_waits_before_them(agree: bool) -> None:
    said = ("999", 3, True), ("60", 1, False), ("60", 2, False)
    for order in permutations(said):
        found = told(*order, agree=agree)
        assert (found.stands.said, found.counts) == ("60", True)


def test_what_has_counted_goes_on_counting_when_somebody_agrees_with_what_waits() -> None:
    late, timely, also = ("999", 2, True), ("60", 1, False), ("999", 3, False)
    assert told(late, timely, also).stands.said == "60"
    assert told(timely, late, also).stands.said == "60"
    assert told(late, also, timely).stands.said == "999"
    both_late = told(late, ("999", 3, True), timely)
    assert (both_late.stands.said, both_late.counts) == ("999", True)


@pytest.mark.parametrize("early", [False, True])
def test_at_an_evening_of_an_earlier_program_what_was_said_first_stands_though_it_waits(
    *, early: bool
) -> None:
    log = EveningLog(begin("individual", 4), [*"abcd"], early=early)
    log.take(1, "round", log.asked(NextRound(do="round", round=1), 0), 1)
    found = []
    for entry, (points, waits) in enumerate([(95, True), (60, False), (95, False)], 2):
        rows = [[points, 5, points, 5]]
        said = Score(do="score", round=1, table=1, rows=rows, over=0, waits=waits)
        log.take(entry, str(entry), said, entry)
        shared, scores = log.said(1, 1), log.evening.rounds[0].tables[0].scores
        assert shared is not None
        found.append((shared.stands.entry, shared.state, scores and scores[0]))
    if early:  # as version 1.0 told it
        assert found == [(2, "waiting", None), (2, "disputed", None), (2, "disputed", 95)]
    else:
        assert found == [(2, "waiting", None), (3, "disputed", 60), (3, "disputed", 60)]
