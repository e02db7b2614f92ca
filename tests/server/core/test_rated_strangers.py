"""Strangers who are rated: which matches count, once, for whom, and that nothing is left of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Room, Sheet, running
from tests.server.core.test_mistakes import store_of
from tests.server.core.test_rated import an_evening, with_a_bot_once
from tests.server.growth.conftest import database, elephant
from tests.server.memory.store import MemoryStore

from rookery.ratings.strangers import Standing, after
from rookery.rules import load
from rookery.server.clock import Clock
from rookery.server.cluster.pubsub import PubSub
from rookery.server.registry.history import TableReader, history_of
from rookery.server.registry.ratings import (
    MILLION,
    StrangerRatings,
    after_match,
    is_of_strangers,
    newcomers,
)
from rookery.server.settings import Settings
from rookery.server.store.base import Store, StoreError, row_of
from rookery.server.store.leases import Leases
from rookery.server.store.people.rated import Played, Stranger, Strangers
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import dealt
from rookery.server.table.state import Table

__all__ = ["database", "elephant"]
ANN, BOB, CID, DEE = PEOPLE[:4]
CODE = "ABCDEF2"
NEW = {"four": Stranger(5, 0, 9), "two": Stranger(5, 0, 7)}
Scene = Callable[[Store], Awaitable[None]]


def of_strangers(but: str = "") -> list[ev.Entry]:
    """Return the events of a table where everybody came by quick match, but one of them."""
    return [
        replace(entry, event=replace(entry.event, matched=entry.event.person != but))
        if isinstance(entry.event, ev.Sat)
        else entry
        for entry in an_evening().entries
    ]


@pytest.fixture(params=["memory", "sqlite", "postgres", "spread"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Scene], None]:
    """Return what plays a scene in a store where four people have played two matches."""

    async def played(scene: Scene) -> None:
        store = store_of(request, tmp_path)
        for who in (ANN, BOB):
            await store.add_person(who, f"token of {who.id}", 5)
        entries = of_strangers()
        await store.append(row_of(history_of(entries).table, 5), entries)
        await scene(store)
        await store.close()

    return lambda scene: running(lambda: played(scene))


def raised(known: Strangers) -> Strangers:
    return {
        who: row._replace(points=row.points + 2, matches=row.matches + 1)
        for who, row in known.items()
    }


def test_each_switches_for_themselves_and_off_means_deleted(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        held, both = store.rated, (ANN.id, BOB.id)
        assert await held.strangers(both) == {}
        assert not await held.meet("nobody", NEW)
        assert await held.meet(ANN.id, NEW)
        assert await held.count(Played(CODE, 0, 5, "four", both), raised)
        # Said twice, by a second device, it takes nothing away.
        assert await held.meet(ANN.id, {"four": Stranger(99, 0, 1)})
        assert await held.strangers(both) == {ANN.id: {**NEW, "four": Stranger(5, 2, 9, 1)}}
        assert await held.meet(ANN.id, None)
        assert await held.strangers(both) == {}
        # And whoever comes back begins anew.
        assert await held.meet(ANN.id, NEW)
        assert await held.strangers(both) == {ANN.id: NEW}

    play(scene)


def test_a_match_counts_once_and_for_those_who_were_rated_when_it_began(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        held, both = store.rated, (ANN.id, BOB.id)
        await held.meet(ANN.id, NEW)
        await held.meet(BOB.id, {"four": Stranger(8, 0, 9)})
        asked: list[Strangers] = []

        def work(known: Strangers) -> Strangers:
            asked.append(known)
            return raised(known)

        match = Played(CODE, 0, 7, "four", both)
        assert sorted(await asyncio.gather(*(held.count(match, work) for _ in range(5)))) == [
            *[False] * 4,
            True,
        ]
        assert asked == [{ANN.id: NEW["four"]}]
        assert await held.count(match._replace(number=1, begun=8), work)
        found = await held.strangers(both)
        assert [found[who]["four"].matches for who in both] == [2, 1]
        assert found[ANN.id]["two"] == NEW["two"]
        assert not await held.count(match._replace(code="ABCDEF3"), work)
        # What fails counts not at all, and may be done again.
        with pytest.raises((ZeroDivisionError, StoreError)):
            await held.count(match._replace(number=2), lambda _: {ANN.id: Stranger(5, 1 // 0, 1)})
        assert await held.count(match._replace(number=2), work)

    play(scene)


def test_whoever_is_forgotten_or_expires_is_rated_nowhere(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        held, both = store.rated, (ANN.id, BOB.id)
        for who in both:
            await held.meet(who, NEW)
        await store.forget(ANN.id, 9)
        assert await held.strangers(both) == {BOB.id: NEW}
        assert not await held.meet(ANN.id, NEW)
        assert await held.count(Played(CODE, 0, 9, "four", both), raised)
        assert await held.strangers(both) == {BOB.id: {**NEW, "four": Stranger(5, 2, 9, 1)}}
        await store.expire(1 << 50, 1 << 50)
        assert await held.strangers(both) == {}

    play(scene)


def test_only_a_whole_match_of_strangers_counts() -> None:
    entries = of_strangers()
    history = history_of(entries)
    assert [is_of_strangers(history, number) for number in (-1, 0, 1, 2)] == [
        False,
        True,
        True,
        False,
    ]
    for who in PEOPLE[:4]:  # one of them came by a link
        assert not is_of_strangers(history_of(of_strangers(who.id)), 0)
    with_a_bot = history_of(with_a_bot_once(entries, 1))
    assert [is_of_strangers(with_a_bot, number) for number in (0, 1)] == [False, True]
    last = next(
        i for i in range(len(entries), 0, -1) if history_of(entries[:i]).matches[-1].winners is None
    )
    assert not is_of_strangers(history_of(entries[:last]), 1)
    # As a table in the lobby of a friend: nobody has come by quick match.
    assert not is_of_strangers(an_evening().history, 0)


def with_a_bot_from_a_hand_that_was_thrown_in() -> Sheet:
    """Return a table of strangers one of whom left in the first hand, and came back at the end."""
    sheet = Sheet(load({"base": "kd_tournament", "target": 100, "all_pass": "redeal"}), 0)
    for who in PEOPLE[:4]:
        sheet.say(who, cm.Sit("s", matched=True))
    sheet.say(ANN, cm.Start("g"))
    left, rng = sheet.person(sheet.hand.to_act), Random(3)
    sheet.say(left, cm.Leave("l"))
    while sheet.table.phase == "playing":
        if sheet.hand.over:
            sheet.add(dealt(sheet.table, sheet.chances))
            continue
        first, seat = len(sheet.hands) == 1, sheet.hand.to_act or 0
        text = f"{seat} pass" if first else random_action(sheet.hand, rng)
        by: ev.By = "bot" if sheet.table.chairs[seat].kind == "bot" else "person"
        sheet.add([ev.Acted(seat, text, by)])
    assert sheet.hands[0].over
    sheet.say(left, cm.Sit("s2", matched=True))
    return sheet


def test_where_a_bot_has_played_a_seat_the_match_counts_for_nobody() -> None:
    sheet = with_a_bot_from_a_hand_that_was_thrown_in()
    [match] = sheet.history.matches
    assert {len(hand.people) for hand in match.hands} == {3}
    assert match.winners is not None
    assert match.hands[0].line.score is None
    # As at a table that wakes: now only strangers sit there.
    assert all(chair.matched for chair in sheet.table.chairs)
    assert not is_of_strangers(sheet.history, 0)


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_it_is_the_same_however_the_events_are_read(piece: int) -> None:
    entries = of_strangers()
    history = history_of([])
    for at in range(0, len(entries), piece):
        history = history_of(entries[at : at + piece], history)
    assert [(one.begun, one.strangers) for one in history.matches] == [
        (one.begun, one.strangers) for one in history_of(entries).matches
    ]
    assert is_of_strangers(history, 0)


def test_winners_go_up_seat_by_seat_and_whoever_is_not_rated_is_unknown() -> None:
    match = history_of(of_strangers()).matches[0]
    seats = [""] * 4
    for person, seat in match.hands[-1].people:
        seats[seat] = person
    known = {seats[0]: Stranger(1, 3 * MILLION, 9 * MILLION, 4), seats[1]: Stranger(1, 0, MILLION)}
    found = after_match(match, known)
    new = Standing(0.0, newcomers(0)["four"].error / MILLION)
    units = [[Standing(3.0, 9.0), new], [Standing(0.0, 1.0), new]]
    assert match.winners is not None
    [(one, _), (other, _)] = after("four", units, [0, 1] if 0 in match.winners else [1, 0])
    assert found == {
        seats[0]: Stranger(1, round(one.points * MILLION), round(one.error * MILLION), 5),
        seats[1]: Stranger(1, round(other.points * MILLION), round(other.error * MILLION), 1),
    }
    assert (found[seats[0]].points > 3 * MILLION) == (0 in match.winners)


def test_a_server_counts_a_match_when_it_ends_and_after_a_crash_when_the_table_wakes() -> None:
    async def scene() -> None:
        store = MemoryStore()
        for who in (ANN, BOB):
            await store.add_person(who, f"token of {who.id}", 5)
        await store.rated.meet(ANN.id, newcomers(0))
        entries = of_strangers()
        table = history_of(entries).table
        await store.append(row_of(table, Clock().now()), entries)
        ratings = StrangerRatings(TableReader(store, Settings(), Clock(), Leases(), PubSub()))

        async def told(before: Table | None, now: Table) -> int:
            ratings.changed(before, now)
            await ratings.close()
            return (await store.rated.strangers([ANN.id]))[ANN.id]["four"].matches

        playing = history_of(entries[:-1]).table
        assert playing.phase == "playing"
        assert await told(history_of(entries[:-2]).table, playing) == 0
        assert await told(table, table) == 0
        assert await told(playing, table) == 1
        assert await told(None, table) == 1
        assert set(await store.rated.strangers([who.id for who in PEOPLE[:4]])) == {ANN.id}

    running(scene)


def test_a_table_that_wakes_has_its_match_counted_before_its_server_has_closed() -> None:
    async def scene() -> None:
        room = Room()
        await room.store.add_person(ANN, "token", 5)
        await room.store.rated.meet(ANN.id, newcomers(0))
        entries = of_strangers()
        await room.store.append(row_of(history_of(entries).table, room.clock.now()), entries)
        assert await room.find(CODE) is not None
        await room.close()
        assert (await room.store.rated.strangers([ANN.id]))[ANN.id]["four"].matches == 1

    running(scene)
