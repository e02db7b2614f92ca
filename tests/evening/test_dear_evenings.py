"""What an evening costs that somebody has made dear: its work grows with what is written on it.

Calls of functions are counted, as a clock would count the machine's other work.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from types import FrameType

import pytest

from rookery.evening.duplicate.scoring import Result, compare
from rookery.evening.log.changes import NextRound, Score
from rookery.evening.log.fold import EveningLog
from rookery.evening.movements import changes
from rookery.evening.movements.changes import begin, exchange, stand_in
from rookery.evening.movements.rounds import next_round, plays_again
from rookery.evening.movements.state import Evening, Table
from rookery.evening.versions import Written, folded

FEW, MANY = 20, 160
GROWS = 1.5 * MANY / FEW  # what is quadratic grows by 64


def calls(work: Callable[[], object]) -> int:
    """Return how many functions of Python are called by some work."""
    counted = 0

    def count(_: FrameType, what: str, __: object) -> None:
        nonlocal counted
        counted += what == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


def grown(work: Callable[[int], object]) -> float:
    """Return by how much work grows from few to many."""
    return calls(lambda: work(MANY)) / calls(lambda: work(FEW))


def corrected(times: int) -> EveningLog:
    """Return an evening with one score that a host has corrected so often."""
    log = EveningLog(begin("individual", 8), [f"P{number}" for number in range(8)])
    log.take(1, "round", log.asked(NextRound(do="round", round=1), 0), 1)
    for entry in range(2, times + 2):
        rows = [[entry, 5, entry, 5]]
        said = Score(do="score", round=1, table=1, rows=rows, over=entry - 1)
        log.take(entry, str(entry), said, 1)
    return log


def test_a_score_that_is_corrected_again_and_again_costs_the_same_each_time() -> None:
    assert grown(corrected) < GROWS
    assert corrected(MANY).evening.rounds[0].tables[0].scores == (MANY + 1, 5, MANY + 1, 5)


def test_the_control_a_score_that_is_read_anew_with_each_entry_is_found() -> None:
    def anew(times: int) -> list[object]:
        entries = [Written(n, str(n), 1, n - 1, n, 1) for n in range(1, times + 1)]
        return [folded(entries[:last]) for last in range(times)]

    assert grown(anew) > GROWS


def on_one_deal(many: int) -> list[Result]:
    return [Result(1, (pair, pair + many), (5 * pair, 60)) for pair in range(many)]


def test_a_deal_that_many_have_played_is_compared_quickly() -> None:
    assert grown(lambda many: compare(on_one_deal(many))) < GROWS


def test_the_control_results_of_which_each_is_compared_with_each_are_found() -> None:
    def each(many: int) -> list[int]:
        nets = [Fraction(one.scores[0]) for one in on_one_deal(many)]
        return [sum(own > other for other in nets) for own in nets]

    assert grown(each) > GROWS


def test_of_one_deal_alone_the_same_is_told() -> None:
    results = [
        Result(deal, (pair, pair + 9), (5 * pair, deal)) for deal in (1, 2) for pair in (1, 2)
    ]
    assert compare(results[1:], only=2) == compare(results[1:])[1:]
    assert compare(results, only=3) == []


def looked_at(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return of how many tables the deals are looked at when two change places by hand."""
    looked: list[int] = []

    def counted(evening: Evening, table: Table, *, teams_only: bool) -> bool:
        looked.append(table.number)
        return plays_again(evening, table, teams_only=teams_only)

    monkeypatch.setattr(changes, "plays_again", counted)
    first, second = evening.rounds[-1].tables[:2]
    exchange(evening, first.seats[0], second.seats[0])
    return len(looked)


@pytest.mark.parametrize("people", [16, 160])
def test_who_changes_places_by_hand_has_only_those_tables_looked_at_that_change(
    people: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looked_at(next_round(begin("pairs", people)), monkeypatch) == 2


def helped(stand_ins: int) -> Evening:
    """Return an evening of prepared deals after three rounds, to which so many stand-ins come."""
    evening = begin("mitchell", 80)
    for _ in range(3):
        evening = next_round(evening)
    for _ in range(stand_ins):
        evening = stand_in(evening)
    return evening


def test_the_next_round_of_prepared_deals_is_laid_as_quickly_where_many_stand_in() -> None:
    evenings = {many: helped(many) for many in (FEW, MANY)}
    assert grown(lambda many: next_round(evenings[many])) < 1.5


def test_the_control_stand_ins_of_whom_each_is_looked_up_anew_are_found() -> None:
    def anew(evening: Evening) -> list[bool]:
        alone = [Table(1, (who,), boards=(1, 2)) for who in evening.stand_ins]
        return [plays_again(replace(evening), one) for one in alone]

    evenings = {many: helped(many) for many in (FEW, MANY)}
    assert grown(lambda many: anew(evenings[many])) > 1.5
