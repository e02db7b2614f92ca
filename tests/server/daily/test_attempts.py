"""Attempts at daily deals in each kind of store, and what is left of them by and by: nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.server.core.tables import PEOPLE, running
from tests.server.growth.conftest import database, elephant
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.settings import DAY
from rookery.server.store.base import Store, TableRow
from rookery.server.store.people.attempts import Attempt, Friend
from rookery.server.store.postgres import PostgresStore
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table import events as ev
from rookery.server.table.state import Who

__all__ = ["database", "elephant"]
ANN, BOB, CY, DEE = PEOPLE[:4]
FIRST = Attempt(ANN.id, "deal", 1, "2026-11-23", "four", (), 10)
ENDED = FIRST._replace(actions=("1 pass",), ended=20)


def store_of(kind: str, folder: Path, request: pytest.FixtureRequest) -> Store:
    if kind == "memory":
        return MemoryStore()
    if kind == "sqlite":
        return SqliteStore(folder / "data" / "db")
    if kind == "spread":
        return spread_of_three(folder)
    return PostgresStore(request.getfixturevalue("database"))


Scene = Callable[[Store], Awaitable[None]]


@pytest.fixture(params=["memory", "sqlite", "postgres", "spread"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Scene], None]:
    """Return what plays a scene in a store where Ann, Bob, Cy and Dee are."""

    async def played(scene: Scene) -> None:
        store = store_of(request.param, tmp_path, request)
        for who in (ANN, BOB, CY, DEE):
            await store.add_person(who, f"token of {who.id}", 5)
        await scene(store)
        await store.close()

    return lambda scene: running(lambda: played(scene))


def sat(code: str, *people: Who) -> tuple[TableRow, list[ev.Entry]]:
    events = [ev.Sat(seat, who.id, who.name) for seat, who in enumerate(people)]
    return TableRow(code, True, "over", 1, 2), ev.entered(events, 1, 5)


def test_an_attempt_goes_on_from_what_it_was_and_from_nothing_else(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        held = store.attempts
        assert await held.begin(FIRST)
        assert not await held.begin(FIRST._replace(begun=11))
        on = FIRST._replace(actions=("1 pass",))
        assert await held.go_on(FIRST, on)
        assert not await held.go_on(FIRST, FIRST._replace(actions=("1 bid 70",)))
        assert not await held.go_on(on._replace(number=2), on)
        assert await held.go_on(on, ENDED)
        assert not await held.go_on(on, on._replace(actions=("1 pass", "2 pass")))
        again, other = FIRST._replace(number=2), FIRST._replace(deal="other")
        assert await held.begin(again)
        assert await held.begin(other)
        assert await held.of(ANN.id, {"deal", "other", "third"}) == [ENDED, again, other]
        assert await held.of(ANN.id, {"other"}) == [other]
        assert await held.of(BOB.id, {"deal"}) == await held.of(ANN.id, ()) == []
        assert await held.lost(ANN.id, "2026-11-23", {"deal"}) == {("2026-11-23", "four")}
        assert await held.lost(ANN.id, "2026-11-23", {"deal", "other"}) == set()
        assert await held.lost(ANN.id, "2026-11-24", {"deal"}) == set()

    play(scene)


def test_of_many_that_come_at_once_one_is_played(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        begun = await asyncio.gather(
            *(store.attempts.begin(FIRST._replace(begun=at)) for at in range(9))
        )
        assert sum(begun) == 1
        (before,) = await store.attempts.of(ANN.id, {"deal"})
        cards = [before._replace(actions=(f"1 play G{card}",)) for card in range(9)]
        went = await asyncio.gather(*(store.attempts.go_on(before, after) for after in cards))
        assert sum(went) == 1
        assert await store.attempts.of(ANN.id, {"deal"}) == [cards[went.index(True)]]

    play(scene)


def test_friends_are_those_who_sat_at_a_table_and_have_finished(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        held = store.attempts
        await store.append(*sat("ABCDEF2", ANN, DEE, BOB))
        await store.append(*sat("ABCDEF3", BOB, CY))
        for who in (ANN, BOB, CY, DEE):
            mine = ENDED._replace(person=who.id)
            assert await held.begin(mine)
            assert await held.begin(mine._replace(number=2))
        assert await held.begin(FIRST._replace(person=BOB.id, deal="other"))
        bob, dee = (Friend(who.name, ENDED._replace(person=who.id)) for who in (BOB, DEE))
        assert await held.friends(ANN.id, "deal", 9) == [bob, dee]
        assert await held.friends(ANN.id, "deal", 1) == [bob]
        assert await held.friends(ANN.id, "other", 9) == []  # under way
        # Neither sees the other where one has blocked the other.
        blocks = [ev.Blocked(DEE.id, ANN.id)]
        row = TableRow("ABCDEF2", True, "over", 1, 3)
        await store.append(row, ev.entered(blocks, 4, 5))
        assert await held.friends(ANN.id, "deal", 9) == [bob]
        assert await held.friends(DEE.id, "deal", 9) == [bob]
        await store.forget(BOB.id, 30)
        assert await held.friends(ANN.id, "deal", 9) == []

    play(scene)


def test_where_there_are_too_many_friends_those_of_most_tables_are_shown_by_name(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        held = store.attempts
        await store.append(*sat("ABCDEF2", ANN, BOB, CY, DEE))
        await store.append(*sat("ABCDEF3", ANN, DEE))
        await store.append(*sat("ABCDEF4", ANN, CY, ANN, CY, DEE))
        await store.append(*sat("ABCDEF5", BOB, CY))
        for who in (BOB, CY, DEE):
            assert await held.begin(ENDED._replace(person=who.id))
        shown = [await held.friends(ANN.id, "deal", most) for most in (1, 2, 3)]
        names = [[friend.name for friend in some] for some in shown]
        assert names == [[DEE.name], [CY.name, DEE.name], [BOB.name, CY.name, DEE.name]]

    play(scene)


def test_attempts_go_with_their_person_and_with_time(play: Callable[[Scene], None]) -> None:
    async def scene(store: Store) -> None:
        held = store.attempts
        for who in (ANN, BOB, CY):
            assert await held.begin(FIRST._replace(person=who.id))
        await store.forget(ANN.id, 30)
        assert await held.of(ANN.id, {"deal"}) == []
        assert not await held.go_on(FIRST, ENDED)
        assert not await held.begin(FIRST._replace(number=2))
        # Bob's sessions end, Cy's do not.
        await store.renew(f"token of {CY.id}", 400 * DAY, 6)
        await store.expire(5, 6)
        assert await held.of(BOB.id, {"deal"}) == []
        assert not await held.expire(9)
        assert len(await held.of(CY.id, {"deal"})) == 1
        assert await held.expire(10)
        assert await held.of(CY.id, {"deal"}) == []

    play(scene)
