"""An evening as a log: laws of what follows from it, each with a fault that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

import pytest
from tests.evening.log.happening import (
    MADE,
    MOVEMENT,
    Line,
    Making,
    a_change,
    change,
    happened,
    missing,
    read,
    replayed,
    starting,
)

from rookery.evening.log.changes import (
    Arrive,
    Leave,
    Played,
    RealCards,
    Return,
    RoundLaid,
    Score,
    StandIn,
    UndoRound,
)
from rookery.evening.log.fold import MINUTE, EveningLog
from rookery.evening.log.told import evening_file
from rookery.evening.movements.state import EveningError

Replay = Callable[[Making, list[Line]], EveningLog]
Law = Callable[[Replay, Making, list[Line]], bool]
MAKERS: list[Making] = [
    partial(starting, movement, people, agree=agree)
    for movement in MOVEMENT
    for people, agree in ((9, False), (12, True))
]
ON_SCREENS: list[Making] = [
    partial(starting, movement, 12, agree=False, screens=True)
    for movement in ("individual", "redraw", "pairs", "mitchell")
]
EVENINGS = [
    (make, happened(make, seed))
    for seed, make in [*enumerate(MAKERS * 3), *enumerate(ON_SCREENS * 5)]
]


def told(log: EveningLog) -> str:
    return evening_file(log, "Friday", str).model_dump_json()


def seats(log: EveningLog) -> list[list[tuple[int, ...]]]:
    return [[table.seats for table in one.tables] for one in log.evening.rounds]


def nothing_that_began_is_seated_anew(replay: Replay, make: Making, lines: list[Line]) -> bool:
    """The seats of each round are those that were kept, but for exchanges and undone rounds."""
    kinds = {line.number: read(line) for line in lines}
    if any(one.do in ("exchange", "undo_round") for one in kinds.values()):
        return True
    laid = [one for one in kinds.values() if isinstance(one, RoundLaid)]
    return seats(replay(make, lines)) == [[tuple(t[1]) for t in one.tables] for one in laid]


def points_are_those_last_agreed_on(replay: Replay, make: Making, lines: list[Line]) -> bool:
    """A person's points are the sums of what stands at their tables, added up another way."""
    log = replay(make, lines)
    points: dict[int, int] = {}
    for number, one in enumerate(log.evening.rounds, 1):
        for table in one.tables:
            stands = last_agreed(lines, number, table.number, two=make.keywords["agree"])  # type: ignore[attr-defined]
            for row in stands or ():
                for who, scored in zip(table.seats, row, strict=True):
                    points[who] = points.get(who, 0) + scored
    shown = evening_file(log, "", str).evening.standings
    return all(row.points == points.get(row.person, 0) for row in shown)


def last_agreed(lines: list[Line], round_: int, table: int, *, two: bool) -> list[list[int]] | None:
    """Return what counts at a table: of what was said over all before, and nobody disputed since.

    Written apart from the product: the last entry whose writer had seen all others', or what they
    wrote themselves; with `two`, only if two say so who have said nothing else since.
    """
    said: list[tuple[Line, Score]] = []
    for line in lines:
        one = read(line)
        if isinstance(one, Score) and (one.round, one.table) == (round_, table):
            said.append((line, one))
        if isinstance(one, UndoRound) and one.round == round_:
            said = []
    if not said:
        return None
    settlements = [
        at
        for at, (mine, one) in enumerate(said)
        if all(line.number <= one.over or line.writer == mine.writer for line, _ in said[:at])
    ]
    stands = said[settlements[-1]][1].rows
    last = {line.writer: (at, one.rows) for at, (line, one) in enumerate(said)}
    sayers = [
        at
        for at, rows in last.values()
        if rows == stands and all(said[one][1].rows == stands for one in settlements if one > at)
    ]
    return stands if not two or len(sayers) >= 2 else None


def whoever_came_and_has_not_left_is_told(replay: Replay, make: Making, lines: list[Line]) -> bool:
    here, known = {*range(len(make().names))}, len(make().names)
    for line in lines:
        match read(line):
            case Arrive(names=names):
                here |= {*range(known, known + len(names))}
                known += len(names)
            case StandIn():
                known += 1
            case Leave(person=person):
                here.discard(person)
            case Return(person=person):
                here.add(person)
            case _:
                pass
    shown = evening_file(replay(make, lines), "", str).evening
    return {row.person for row in shown.standings} == here


def a_round_has_real_cards_where_it_was_said_before(
    replay: Replay, make: Making, lines: list[Line]
) -> bool:
    """Which tables have them follows from what was said before their round, and who sits there."""
    real, wanted, bot = set[int](), list[set[int]](), len(make().names) - 1
    for line in lines:
        match read(line):
            case RealCards(table=table, real=True):
                real.add(table)
            case RealCards(table=table):
                real.discard(table)
            case RoundLaid(tables=tables):
                wanted.append({one[0] for one in tables if one[0] in real and bot not in one[1]})
            case UndoRound():
                wanted.pop()
            case _:
                pass
    log = replay(make, lines)
    if log.screens is None:
        return not log.by_hand
    found = [
        {one.number for one in row.tables if not log.plays_on_screens(number, one.number)}
        for number, row in enumerate(log.evening.rounds, 1)
    ]
    return found == wanted


def a_phone_is_one_person(replay: Replay, make: Making, lines: list[Line]) -> bool:
    claims = replay(make, lines).phones.of
    return len({*claims.values()}) == len(claims)


LAWS: dict[str, Law] = {
    "real": a_round_has_real_cards_where_it_was_said_before,
    "seats": nothing_that_began_is_seated_anew,
    "points": points_are_those_last_agreed_on,
    "people": whoever_came_and_has_not_left_is_told,
    "claims": a_phone_is_one_person,
}


def seated_anew(make: Making, lines: list[Line]) -> EveningLog:
    """A fold that looks for the seats of a round when it is read, with all scores known by then."""
    log = make()
    for line in sorted(lines, key=lambda one: read(one).do == "round"):
        kept = read(line)
        try:
            if isinstance(kept, RoundLaid):
                wanted = change(do="round", round=kept.round, slow=missing(log))
                kept = log.asked(wanted, MADE)
            log.take(line.number, line.id, kept, line.writer)
        except EveningError:
            continue
    return log


def last_wins(make: Making, lines: list[Line]) -> EveningLog:
    """A fold in which whoever comes last is right, seen or not."""
    told_over = [
        line._replace(
            body=read(line).model_copy(update={"over": 12_000}).model_dump_json().encode()
        )
        if isinstance(read(line), Score)
        else line
        for line in lines
    ]
    return replayed(make, told_over)


def greedy(make: Making, lines: list[Line]) -> EveningLog:
    """A fold in which a phone may be several people."""
    log = replayed(make, lines)
    log.phones.of = {0: 1, 1: 1}
    return log


def forgetful(make: Making, lines: list[Line]) -> EveningLog:
    """A fold in which nobody leaves."""
    return replayed(make, [line for line in lines if read(line).do != "leave"])


def said_too_late(make: Making, lines: list[Line]) -> EveningLog:
    """A fold in which what is said of a table counts for the round that plays too."""
    log = replayed(make, lines)
    log.by_hand = frozenset(
        (number, one.number)
        for number, row in enumerate(log.evening.rounds, 1)
        for one in row.tables
        if one.number in log.real
    )
    return log


FAULTS: dict[str, Replay] = {
    "real": said_too_late,
    "seats": seated_anew,
    "points": last_wins,
    "people": forgetful,
    "claims": greedy,
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_holds_on_every_evening(name: str) -> None:
    assert [at for at, one in enumerate(EVENINGS) if not LAWS[name](replayed, *one)] == []


@pytest.mark.parametrize("name", FAULTS)
def test_the_control_a_fold_with_a_fault_breaks_its_law(name: str) -> None:
    assert any(not LAWS[name](FAULTS[name], *one) for one in EVENINGS)


def test_what_was_possible_when_it_was_asked_for_is_kept_and_read_again_the_same() -> None:
    for make, lines in EVENINGS:
        log = make()
        for line in lines:
            log.take(line.number, line.id, read(line), line.writer)  # none is refused
        assert told(log) == told(replayed(make, lines))
    kinds = {read(line).do for _, lines in EVENINGS for line in lines}
    assert len(kinds) == 14  # every kind of change has happened


def test_what_is_refused_changes_nothing_also_on_a_copy() -> None:
    refused = 0
    for make, lines in EVENINGS[:30]:
        log, rng = replayed(make, lines), Random(len(lines))
        before = told(log)
        for _ in range(20):
            wanted, trial = a_change(log, rng), log.copy()
            try:
                trial.take(9_999, "new", trial.asked(wanted, MADE), 2)
            except EveningError:
                refused += 1
                assert told(trial) == before
            assert told(log) == before
    assert refused > 50


def test_of_two_who_begin_a_round_one_does_and_of_old_seats_none_comes() -> None:
    log = starting("individual", 8)
    first, second = (log.asked(change(do="round", round=1), MADE) for _ in range(2))
    log.take(1, "a", first, 1)
    with pytest.raises(EveningError, match="round 1: has begun already"):
        log.take(2, "b", second, 2)
    late = log.asked(change(do="round", round=2), MADE)
    log.take(3, "c", log.asked(change(do="leave", person=3), MADE), 1)
    with pytest.raises(EveningError, match="changed meanwhile") as caught:
        log.take(4, "d", late, 2)
    assert caught.value.code == "round-begun"
    assert len(log.evening.rounds) == 1


def test_a_round_is_undone_while_nobody_has_scored_in_it() -> None:
    log = starting("mitchell", 8)
    log.take(1, "a", log.asked(change(do="round", round=1), MADE), 1)
    log.take(2, "b", log.asked(change(do="clock", minutes=20), MADE), 1)
    assert log.ends == MADE + 20 * MINUTE
    log.take(3, "c", change_kept(log, do="undo_round", round=1), 1)
    assert (len(log.evening.rounds), log.evening.planned, log.begun) == (0, 0, [])
    assert log.ends is None
    log.take(4, "d", log.asked(change(do="round", round=1), MADE), 1)
    rows = [[10, 20, 10, 20]] * 2
    log.take(5, "e", change_kept(log, do="score", round=1, table=1, rows=rows, over=0), 1)
    with pytest.raises(EveningError, match="round 1: has a score"):
        log.take(6, "f", change_kept(log, do="undo_round", round=1), 1)


def change_kept(log: EveningLog, **said: object) -> Any:  # noqa: ANN401
    return log.asked(change(**said), MADE)


def test_a_score_has_a_row_for_each_deal_and_the_same_for_partners() -> None:
    log = starting("mitchell", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    for rows, why in (
        ([[10, 20, 10, 20]], "1 rows; expected 2"),
        ([[10, 20, 10, 20], [10, 20, 10]], "3 scores; expected 4"),
        ([[10, 20, 10, 20], [10, 20, 15, 20]], "expected the same score for partners"),
    ):
        with pytest.raises(EveningError, match=why):
            log.take(2, "b", change_kept(log, do="score", round=1, table=1, rows=rows, over=0), 1)
    rows = [[100, 20, 100, 20], [-95, 60, -95, 60]]
    for number, table in enumerate(log.evening.rounds[0].tables, 2):
        said = change_kept(log, do="score", round=1, table=table.number, rows=rows, over=0)
        log.take(number, f"of {table.number}", said, 1)
        rows = [row[1:] + row[:1] for row in rows]
    shown = evening_file(log, "", str).evening
    assert {row.points for row in shown.standings} == {5, 80}
    # Both tables have played the same two deals, so each side has made as much more as less.
    assert sum(pair.points for pair in shown.pairs) == 0
    assert {pair.deals for pair in shown.pairs} == {2}


def test_an_evening_that_is_over_takes_corrections_and_nobody_new() -> None:
    log = starting("individual", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    log.take(2, "b", change_kept(log, do="end", over=True), 1)
    for said in ({"do": "round", "round": 2}, {"do": "arrive", "names": ["Eve"]}):
        with pytest.raises(EveningError, match="the evening is over"):
            log.take(3, "c", change_kept(log, **said), 1)
    score = {"do": "score", "round": 1, "table": 1, "rows": [[1, 2, 1, 2]], "over": 0}
    log.take(3, "d", change_kept(log, **score), 1)
    log.take(4, "e", change_kept(log, do="end", over=False), 1)
    log.take(5, "f", change_kept(log, do="round", round=2), 1)
    assert len(log.evening.rounds) == 2


def test_no_more_people_and_rounds_than_there_may_be() -> None:
    log = starting("redraw", 396)
    with pytest.raises(EveningError, match="5 more: expected 400 people at most"):
        log.take(1, "a", change_kept(log, do="arrive", names=["Eve"] * 5), 1)
    log = starting("redraw", 4)
    for number in range(1, 41):
        log.take(number, str(number), change_kept(log, do="round", round=number), 1)
    with pytest.raises(ValueError, match="less than or equal to 40"):
        change(do="round", round=41)


def corrected_while_it_played() -> list[int]:
    """Return the score of a table on screens that its host has typed before it was done."""
    log = starting("individual", 8, screens=True)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    score = {"do": "score", "round": 1, "table": 1, "rows": [[7, 5, 7, 5]], "over": 0}
    log.take(2, "b", change_kept(log, **score), 1)
    rows = [[90, 30, 90, 30]]
    log.take(3, "s-1-1", Played(do="played", round=1, table=1, rows=rows, at=MADE), 1)
    return list(log.evening.table(1, 1).scores or ())


def test_a_table_on_screens_says_nothing_of_a_score_that_somebody_has_typed() -> None:
    assert corrected_while_it_played() == [7, 5, 7, 5]


def test_the_control_a_table_that_overwrites_what_was_typed_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(EveningLog, "said", lambda self, round_, table: None)
    assert corrected_while_it_played() == [90, 30, 90, 30]


def full_of(log: EveningLog, *said: Mapping[str, object]) -> list[int | None]:
    """Return how many rounds an evening is told to have, after each thing that happens."""
    found = []
    for number, one in enumerate(said):
        log.take(number + 1, f"id {number}", change_kept(log, **one), 1)
        found.append(evening_file(log, "", str).evening.full)
    return found


def test_a_knockout_is_told_to_be_decided_when_it_is_and_not_before() -> None:
    begins: list[Mapping[str, object]] = [{"do": "round", "round": number} for number in (1, 2)]
    scores: list[Mapping[str, object]] = [
        {"do": "score", "round": round_, "table": table, "rows": [[9, 5, 9, 5]], "over": 0}
        for round_, table in ((1, 1), (1, 2), (2, 1))
    ]
    said = [begins[0], *scores[:2], begins[1], scores[2]]
    assert full_of(starting("single", 8), *said) == [None] * 4 + [2]
    # Early: whoever would have been in the final has left.
    said = [begins[0], *scores[:2], {"do": "leave", "person": 0}, {"do": "leave", "person": 1}]
    told_ = full_of(starting("single", 8), *said)
    assert told_[:3] == [None] * 3
    assert told_[-1] == 1
    # A score that is corrected can have it go on.
    assert full_of(starting("double", 8), begins[0], *scores[:2]) == [None] * 3
