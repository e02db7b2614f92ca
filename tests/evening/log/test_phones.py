"""Whose phone is whose, where a round has not begun after all."""

from __future__ import annotations

import pytest
from tests.evening.log.test_log import change_kept

from rookery.evening.log.fold import EveningLog
from rookery.evening.movements.changes import begin
from rookery.evening.movements.state import EveningError

HOST, PHONE = 1, 2


def begun_again(*, undone: bool, early: bool = False) -> EveningLog:
    """Return an evening in whose second round somebody took a name, before it was undone."""
    log = EveningLog(begin("individual", 8), [*"abcdefgh"], early=early)
    claim = {"do": "claim", "person": 3}
    said = [{"do": "round", "round": 1}, {"do": "round", "round": 2}, claim]
    if undone:
        said += [{"do": "undo_round", "round": 2}, {"do": "round", "round": 2}]
    for entry, one in enumerate(said, 1):
        log.take(entry, f"id {entry}", change_kept(log, **one), PHONE if one is claim else HOST)
    return log


@pytest.mark.parametrize("undone", [True, False])
def test_whoever_took_a_name_in_a_round_that_was_undone_is_not_late_in_it(*, undone: bool) -> None:
    log = begun_again(undone=undone)
    assert [log.phones.is_late(3, number) for number in (2, 3)] == [not undone, False]


@pytest.mark.parametrize(
    ("person", "said"), [(7, "person 7: is a bot"), (8, "person 8: expected 0 to 7")]
)
def test_nobody_is_a_bot_or_somebody_who_is_not_there(person: int, said: str) -> None:
    log = EveningLog(begin("individual", 8), [*"abcdefgh"], bots=[7])
    with pytest.raises(EveningError, match=said):
        log.take(1, "id", change_kept(log, do="claim", person=person), PHONE)
    assert not log.phones.of


@pytest.mark.parametrize("undone", [True, False])
def test_they_are_that_person_for_the_round_as_whoever_was_there_before_it(*, undone: bool) -> None:
    log = begun_again(undone=undone)
    table = next(one for one in log.evening.rounds[1].tables if 3 not in one.seats)
    claim = change_kept(log, do="claim", person=table.seats[0])
    if undone:
        with pytest.raises(EveningError, match="this round you are person 3"):
            log.take(9, "other", claim, PHONE)
    else:
        log.take(9, "other", claim, PHONE)


def test_at_an_evening_that_an_earlier_program_began_they_have_the_name_they_took_then() -> None:
    log = begun_again(undone=True, early=True)
    table = next(one for one in log.evening.rounds[1].tables if 3 not in one.seats)
    log.take(9, "other", change_kept(log, do="claim", person=table.seats[0]), PHONE)
    assert log.phones.of == {table.seats[0]: PHONE}
