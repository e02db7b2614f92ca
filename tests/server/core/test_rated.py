"""Who is rated at a table, which hands count, and that whoever has not asked is in no figure."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Sheet, running, started
from tests.server.core.test_mistakes import store_of
from tests.server.growth.conftest import database, elephant

from rookery.game import Hand
from rookery.ratings.baseline import expected
from rookery.ratings.boards import board_of
from rookery.ratings.estimate import rate
from rookery.ratings.family import families
from rookery.rules import load
from rookery.server.registry.history import History, history_of
from rookery.server.registry.ratings import TableRatings, counting, rated
from rookery.server.store.base import Store
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

__all__ = ["database", "elephant"]
ANN, BOB = PEOPLE[:2]
FOUR = {who.id: 0 for who in PEOPLE[:4]}
Scene = Callable[[Store], Awaitable[None]]


@lru_cache(maxsize=1)
def an_evening() -> Sheet:
    """Return a table of four people with two matches that were played to their end."""
    sheet = started(load({"base": "kd_tournament", "target": 100}), seed=5)
    rng = Random(5)
    sheet.play(rng, lambda _: False)
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    sheet.play(rng, lambda _: False)
    return sheet


@pytest.fixture(params=["memory", "sqlite", "postgres", "spread"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Scene], None]:
    """Return what plays a scene in a store where Ann and Bob are known."""

    async def played(scene: Scene) -> None:
        store = store_of(request, tmp_path)
        for who in (ANN, BOB):
            await store.add_person(who, f"token of {who.id}", 5)
        await scene(store)
        await store.close()

    return lambda scene: running(lambda: played(scene))


def test_each_switches_for_themselves_at_each_table(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        held = store.rated
        assert await held.of("ABCDEF2") == {}
        assert not await held.switch("nobody", "ABCDEF2", 0)
        assert await held.switch(ANN.id, "ABCDEF2", 3)
        assert await held.switch(BOB.id, "ABCDEF2", 4)
        assert await held.switch(BOB.id, "ABCDEF3", 5)
        # Said twice it is from the first time on: a second device takes nothing away.
        assert await held.switch(ANN.id, "ABCDEF2", 9)
        assert await held.of("ABCDEF2") == {ANN.id: 3, BOB.id: 4}
        assert await held.switch(BOB.id, "ABCDEF2", None)
        assert await held.switch(BOB.id, "ABCDEF2", None)
        assert await held.of("ABCDEF2") == {ANN.id: 3}
        assert await held.of("ABCDEF3") == {BOB.id: 5}

    play(scene)


def test_whoever_is_forgotten_is_rated_nowhere(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        for who in (ANN, BOB):
            await store.rated.switch(who.id, "ABCDEF2", 0)
        await store.forget(ANN.id, 9)
        assert await store.rated.of("ABCDEF2") == {BOB.id: 0}
        assert not await store.rated.switch(ANN.id, "ABCDEF2", 0)
        await store.expire(1 << 50, 1 << 50)
        assert await store.rated.of("ABCDEF2") == {}

    play(scene)


def test_a_hand_counts_only_if_everybody_was_rated_when_it_was_dealt() -> None:
    history = an_evening().history
    whole = [one.number for one in counting(history, FOUR)]
    assert len(whole) > 4
    assert counting(history, {}) == []
    for who in PEOPLE[:4]:
        rest = {person: since for person, since in FOUR.items() if person != who.id}
        assert counting(history, rest) == []
        later = [one.number for one in counting(history, FOUR | {who.id: whole[2]})]
        assert later == whole[2:]


def with_a_bot_once(entries: list[ev.Entry], at: int, by: ev.By = "bot") -> list[ev.Entry]:
    """Return the events of a table where a bot has decided once for a person in a hand."""
    hands = -1
    for place, entry in enumerate(entries):
        hands += isinstance(entry.event, ev.HandDealt)
        if hands == at and isinstance(entry.event, ev.Acted):
            bot = replace(entry, event=ev.Acted(entry.event.seat, entry.event.text, by))
            return [*entries[:place], bot, *entries[place + 1 :]]
    raise AssertionError("there is no such hand")


@pytest.mark.parametrize("by", ["auto", "bot"])
def test_a_hand_that_a_bot_has_played_in_part_counts_for_nobody(by: ev.By) -> None:
    entries = an_evening().entries
    before = [one.number for one in counting(history_of(entries), FOUR)]
    after = counting(history_of(with_a_bot_once(entries, before[1], by)), FOUR)
    assert [one.number for one in after] == [before[0], *before[2:]]


@pytest.mark.parametrize("leaves", [True, False])
def test_whoever_leaves_and_looks_as_somebody_else_has_not_played_the_hand(leaves: bool) -> None:
    sheet, other, rng = started(people=1, seed=2), PEOPLE[4], Random(3)
    while not sheet.hand.over:
        seat, act = sheet.hand.to_act, random_action(sheet.hand, rng)
        if seat == 0 and sheet.hand.tricks and leaves:
            leaves = False
            sheet.say(ANN, cm.Leave("l"))
            sheet.say(other, cm.Sit("s", seat=1))
            sheet.say(other, cm.Leave("l"))
            sheet.say(ANN, cm.Sit("s", seat=0))
        sheet.add([ev.Acted(seat or 0, act, "bot" if seat else "person")])
    left = any(isinstance(entry.event, ev.Left) for entry in sheet.entries)
    [match] = sheet.history.matches
    assert match.hands[0].people == ((ANN.id, 0),)
    assert match.hands[0].whole is not left


def test_hands_of_bots_alone_are_in_no_figure() -> None:
    sheet = started(load({"base": "kd_tournament", "target": 100}), seed=6)
    sheet.play(Random(6), lambda _: False)
    history = sheet.history
    alone = [
        dataclasses.replace(
            match,
            hands=tuple(
                dataclasses.replace(hand, people=(), bots=("club",) * 4) for hand in match.hands
            ),
        )
        for match in history.matches
    ]
    assert counting(history, FOUR)
    assert counting(dataclasses.replace(history, matches=tuple(alone)), FOUR) == []


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_the_same_hands_count_however_the_events_are_read(piece: int) -> None:
    entries = with_a_bot_once(an_evening().entries, 1)
    history = History(history_of([]).table)
    for at in range(0, len(entries), piece):
        history = history_of(entries[at : at + piece], history)
    assert counting(history, FOUR) == counting(history_of(entries), FOUR)


def test_the_figures_are_those_of_the_boards_seat_by_seat() -> None:
    counted = counting(an_evening().history, FOUR)
    boards, known = [], {}
    for one in counted:
        written = one.hand.written
        dealt = one.match.rules
        known[one.number] = expected(
            Hand.deal(dealt, written.dealer, written.deal or [], written.nest)
        )
        seats = [""] * 4
        for person, seat in one.hand.people:
            seats[seat] = person
        assert one.hand.line.score is not None
        boards.append(board_of(dealt, seats, one.hand.line.score, known[one.number]))
    found = rated(counted, known, FOUR)
    assert found == {"four": rate(boards, families()["four"])}
    # Two who sat in each other's seats would have each other's figures.
    people = found["four"].people
    assert people[ANN.id].figure.points != people[BOB.id].figure.points


def test_it_is_worked_out_while_nobody_waits_and_only_once() -> None:
    counted = counting(an_evening().history, FOUR)

    async def scene() -> None:
        ratings = TableRatings()
        first = ratings.of("ABCDEF2", counted, FOUR)
        assert (first.families, first.done, first.whole) == ({}, 0, len(counted))
        await asyncio.gather(*ratings._at_work.values())
        now = ratings.of("ABCDEF2", counted, FOUR)
        assert now.done == now.whole
        people = now.families["four"].people
        assert people.keys() == FOUR.keys()
        assert {one.figure.boards for one in people.values()} == {len(counted)}
        assert not ratings._at_work
        # Whoever gives it up takes all hands along that they have played.
        rest = {who: since for who, since in FOUR.items() if who != ANN.id}
        ratings.of("ABCDEF2", [], rest)
        await asyncio.gather(*ratings._at_work.values())
        assert ratings.of("ABCDEF2", [], rest).families == {}
        await ratings.close()

    running(scene)


def test_after_a_restore_a_hand_of_the_same_number_is_another_hand() -> None:
    one, other = (counting(an_evening().history, FOUR)[at] for at in (0, 1))
    assert one.hand.proof != other.hand.proof

    async def scene() -> None:
        ratings, fresh = TableRatings(), TableRatings()
        for known, hand in ((ratings, one), (ratings, other), (fresh, other)):
            known.of("ABCDEF2", [hand._replace(number=0)], FOUR)
            await asyncio.gather(*known._at_work.values())
        now = [each.of("ABCDEF2", [other._replace(number=0)], FOUR) for each in (ratings, fresh)]
        assert now[0] == now[1]
        assert now[0].done == now[0].whole == 1
        await ratings.close()
        await fresh.close()

    running(scene)
