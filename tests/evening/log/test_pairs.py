"""What pairs have made is told of those who played for them, whoever goes and comes back."""

from __future__ import annotations

import csv
from itertools import count

import pytest
from tests.evening.log.test_log import change_kept

from rookery.evening.log.changes import RoundLaid
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.names import begun
from rookery.evening.log.pairs import deal_told, pairs_told
from rookery.evening.log.text import lines, table
from rookery.evening.log.told import evening_file, ranks_told
from rookery.evening.movements.state import EveningError
from rookery.rules import variant

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou"]
ENTRIES = count(1)


def evening(movement: str, **about: object) -> EveningLog:
    """Return an evening of twelve before its first entry, as it is kept."""
    rules = [variant("kd_tournament").model_dump(mode="json")]
    body = {"movement": movement, "people": NAMES, "rules": rules, "agree": False, "seed": 1}
    return begun({**body, "best_of": 1, "boards": 1, "reading": 2, **about})


def do(log: EveningLog, **said: object) -> None:
    """Have something happen."""
    entry = next(ENTRIES)
    log.take(entry, f"id {entry}", change_kept(log, **said), 1)


def play(log: EveningLog) -> None:
    """Play a round, in which the lower number of a pair scores more."""
    number = len(log.evening.rounds) + 1
    do(log, do="round", round=number)
    for at in log.evening.rounds[-1].tables:
        first, second = (100 - 10 * team for team in at.teams)
        rows = [[first, second, first, second]]
        do(log, do="score", round=number, table=at.number, rows=rows, over=0)


def come_and_go(log: EveningLog) -> None:
    """Have the first pair leave, somebody new come, and the pair come back."""
    for person in (0, 1):
        do(log, do="leave", person=person)
    do(log, do="arrive", names=["Max"])
    for person in (0, 1):
        do(log, do="return", person=person)


@pytest.mark.parametrize("movement", ["mitchell", "swiss"])
def test_a_pair_that_was_away_has_its_results_again_whoever_came_meanwhile(movement: str) -> None:
    log, stayed = evening(movement), evening(movement)
    play(log)
    play(stayed)
    come_and_go(log)
    do(stayed, do="arrive", names=["Max"])
    assert log.evening.teams == stayed.evening.teams
    told, kept = ranks_told(log.evening), ranks_told(stayed.evening)
    assert sorted(told, key=lambda row: row.person) == sorted(kept, key=lambda row: row.person)
    assert pairs_told(log) == pairs_told(stayed)
    play(log)
    play(stayed)
    assert {*log.evening.rounds[1].tables} == {*stayed.evening.rounds[1].tables}


def test_a_pair_that_has_left_is_told_by_name_though_somebody_came() -> None:
    log = evening("mitchell")
    play(log)
    for person in (0, 1, 5):
        do(log, do="leave", person=person)
    do(log, do="arrive", names=["Max", "Moe"])
    assert log.evening.teams == ((0, 1), (2, 3), (4, 12), (6, 7), (8, 9), (10, 11, 13))
    assert "1. Ann, Bob (side 1): +0.00, 50.0 %" in lines(log, "")
    # Flo has played for the pair of which Max is now; and Moe may play for his.
    of_pair = {tuple(row.people) for row in pairs_told(log)}
    assert of_pair == {(0, 1), (2, 3), (4, 5, 12), (6, 7), (8, 9), (10, 11, 13)}
    assert deal_told(log, 99) is None  # nobody has played it
    played = deal_told(log, 2)
    assert played is not None
    assert [one.people for one in played.results] == [[[4, 5], [6, 7]]]


def test_the_sides_of_each_game_are_told_but_where_partners_are_called() -> None:
    rules = [variant(name).model_dump(mode="json") for name in ("kd_tournament", "call_partner_5")]
    told = evening_file(evening("individual", rules=rules), "", str).evening
    assert told.sides == {4: [[0, 2], [1, 3]], 5: None}


def test_a_file_has_all_scores_and_one_for_a_spreadsheet_a_line_for_everybody_who_sat() -> None:
    log = evening("mitchell")
    play(log)
    do(log, do="rename", person=1, name="=1+2")
    do(log, do="round", round=2)
    found = list(csv.reader(table(log).splitlines()))[1:]
    [first, _] = evening_file(log, "", str).rounds
    assert [at.scores for at in first.tables] == [
        list(at.scores or ()) for at in log.evening.rounds[0].tables
    ]
    names = [NAMES[0], "'=1+2", *NAMES[2:]]
    assert found == [
        [*map(str, (number, at.number, seat, who + 1)), names[who], str(*at.boards), score]
        for number, one in enumerate(log.evening.rounds, 1)
        for at in one.tables
        for seat, who in enumerate(at.seats)
        for score in [str(at.scores[seat]) if at.scores else ""]
    ]


@pytest.mark.parametrize("agree", [False, True])  # with the second the score only waits
def test_two_exchange_their_seats_where_neither_table_has_a_score(*, agree: bool) -> None:
    log = evening("individual", agree=agree)
    do(log, do="round", round=1)
    one, other, scored = (table.seats for table in log.evening.rounds[0].tables)
    do(log, do="score", round=1, table=3, rows=[[90, 30, 90, 30]], over=0)
    do(log, do="exchange", one=one[0], other=other[1])
    seats = [table.seats for table in log.evening.rounds[0].tables]
    assert seats == [(other[1], *one[1:]), (other[0], one[0], *other[2:]), scored]
    with pytest.raises(EveningError, match="table 3: has a score; seats stay"):
        do(log, do="exchange", one=one[2], other=scored[0])


@pytest.mark.parametrize("at_first", [True, False])
def test_a_stand_in_is_none_of_the_pair_also_once_they_have_gone_home(*, at_first: bool) -> None:
    log = evening("mitchell", helpers=["Helper"] if at_first else [])
    if not at_first:
        do(log, do="stand_in", name="Helper")
    do(log, do="leave", person=1)
    play(log)
    assert log.evening.rounds[0].tables[0].seats == (0, 2, 12, 3)
    before = pairs_told(log)
    assert [0, 1] in [row.people for row in before]
    do(log, do="leave", person=12)
    assert pairs_told(log) == before


@pytest.mark.parametrize("movement", ["mitchell", "swiss"])
def test_an_evening_that_an_earlier_program_began_is_read_as_it_was(movement: str) -> None:
    """There whoever came back from a pair that had left was put elsewhere, and played so."""
    log = evening(movement, reading=1)
    play(log)
    come_and_go(log)
    play(log)
    assert log.evening.teams == ((), *((i, i + 1) for i in range(2, 12, 2)), (12, 0, 1))
    if movement == "swiss":
        places = {row.person: (row.place, row.games) for row in ranks_told(log.evening)}
        assert [places[who] for who in (0, 1, 12, 2)] == [(11, 2), (11, 1), (11, 1), (3, 2)]
    else:
        assert [0, 1] in [row.people for row in pairs_told(log)]


@pytest.mark.parametrize("movement", ["pairs", "swiss"])
def test_a_round_of_pairs_that_only_an_earlier_program_knows_does_not_begin(movement: str) -> None:
    """As two versions of a server write on one evening, where a pair left and came back."""
    log, earlier = evening(movement), evening(movement, reading=1)
    for one in (log, earlier):
        play(one)
        come_and_go(one)
    entry = next(ENTRIES)
    laid = change_kept(earlier, do="round", round=2)
    with pytest.raises(EveningError, match="people or seats have changed"):
        log.take(entry, f"id {entry}", laid, 1)
    play(log)
    assert len(evening_file(log, "", str).rounds) == 2


@pytest.mark.parametrize("change", ["tables", "byes", "playing", "beaten"])
def test_a_round_of_people_who_are_not_known_does_not_begin(change: str) -> None:
    log = evening("pairs")
    laid = change_kept(log, do="round", round=1)
    assert isinstance(laid, RoundLaid)
    [(number, seats, *rest), *others] = laid.tables
    unknown = [(number, [12, *seats[1:]], *rest), *others] if change == "tables" else [12]
    with pytest.raises(EveningError, match="people or seats have changed"):
        log.take(1, "id", laid.model_copy(update={change: unknown}), 1)
    assert not log.evening.rounds


def test_a_round_in_which_a_pair_would_play_a_deal_again_does_not_begin() -> None:
    """An earlier program may have had them elsewhere before, and knows nothing of that deal."""
    log = evening("mitchell")
    play(log)
    laid = change_kept(log, do="round", round=2)
    assert isinstance(laid, RoundLaid)
    [(number, seats, teams, _), *others] = laid.tables
    [again] = [one.boards for one in log.evening.rounds[0].tables if teams[0] in one.teams]
    tables = [(number, seats, teams, [*again]), *others]
    with pytest.raises(EveningError, match="people or seats have changed"):
        log.take(next(ENTRIES), "again", laid.model_copy(update={"tables": tables}), 1)
    play(log)
    assert len(pairs_told(log)) == 6


def test_who_helped_out_and_came_back_as_a_member_stays_with_their_pair() -> None:
    log = evening("mitchell", helpers=["Helper"])
    do(log, do="leave", person=1)
    play(log)
    do(log, do="leave", person=12)
    do(log, do="return", person=12)
    play(log)
    do(log, do="leave", person=12)
    do(log, do="arrive", names=["New"])
    assert [0, 12, 13] in [row.people for row in pairs_told(log)]
