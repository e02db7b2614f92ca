"""Mistakes in each kind of store: of people with a passkey, and the last answer counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, running
from tests.server.growth.conftest import database, elephant
from tests.server.memory.store import MemoryStore
from tests.server.spread.spreads import spread_of_three

from rookery.server.settings import DAY
from rookery.server.store.base import Challenge, Passkey, Store
from rookery.server.store.people.mistakes import MOST, Mistake
from rookery.server.store.postgres import PostgresStore
from rookery.server.store.sqlite import SqliteStore
from rookery.server.table.state import Who

__all__ = ["database", "elephant"]
ANN, BOB, CY = PEOPLE[:3]
ONE = Mistake("ABCDEF2", 0, 7, 100, '{"step":0}')
Scene = Callable[[Store], Awaitable[None]]
Play = Callable[[Scene], None]


async def has_passkey(store: Store, who: Who, name: str, used: int = 5) -> None:
    """Give somebody a passkey."""
    passkey = Passkey(name, who.id, "handle", "key", 0, used, used)
    spent = Challenge(f"challenge of {name}", 10)
    assert await store.add_passkey(passkey, spent, f"token of {who.id}", 9)


def store_of(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Open a store of the kind that is asked for."""
    if request.param == "memory":
        return MemoryStore()
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "data" / "db")
    if request.param == "spread":
        return spread_of_three(tmp_path)
    return PostgresStore(request.getfixturevalue("database"))


@pytest.fixture(params=["memory", "sqlite", "postgres", "spread"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Return what plays a scene in a store where Ann and Bob have a passkey, and Cy has none."""

    async def played(scene: Scene) -> None:
        store = store_of(request, tmp_path)
        for who in (ANN, BOB, CY):
            await store.add_person(who, f"token of {who.id}", 5)
        await has_passkey(store, ANN, "anns")
        await has_passkey(store, BOB, "bobs")
        await scene(store)
        await store.close()

    return lambda scene: running(lambda: played(scene))


def test_the_last_answer_counts_in_whatever_order_they_come(play: Play) -> None:
    async def scene(store: Store) -> None:
        rng, held = Random(3), store.mistakes
        answers = [
            Mistake(code, hand, place, at, f'{{"step":{at}}}')
            for code in ("ABCDEF2", "ABCDEF3")
            for hand in (0, 1)
            for place in (3, 7)
            for at in rng.sample(range(1, 60), 6)
        ]
        last = {one[:3]: one for one in sorted(answers, key=lambda one: one.changed)}
        rng.shuffle(answers)
        while answers:
            some = [answers.pop() for _ in range(min(len(answers), rng.randint(1, 5)))]
            assert await held.keep(ANN.id, some)
        assert await held.of(ANN.id) == sorted(last.values())
        assert await held.keep(ANN.id, [])
        # Of two with the same time the first counts, so that all devices agree.
        await held.keep(BOB.id, [ONE])
        await held.keep(BOB.id, [ONE._replace(body="{}")])
        assert await held.of(BOB.id) == [ONE]

    play(scene)


def test_each_has_their_own_and_without_a_passkey_nobody_has_any(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.mistakes
        assert not await held.keep(CY.id, [ONE])
        assert not await held.keep("nobody", [ONE])
        assert await held.of(CY.id) is None
        assert await held.of("nobody") is None
        assert await held.keep(ANN.id, [ONE])
        assert await held.of(ANN.id) == [ONE]
        assert await held.of(BOB.id) == []
        # A passkey that comes later begins with nothing.
        await has_passkey(store, CY, "cys")
        assert await held.of(CY.id) == []

    play(scene)


def test_no_more_than_so_many_are_kept_those_that_were_answered_last(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.mistakes
        many = [ONE._replace(hand=number, changed=number + 1) for number in range(MOST + 30)]
        for at in range(0, len(many), 25):
            assert await held.keep(ANN.id, many[at : at + 25])
        assert await held.of(ANN.id) == many[30:]
        assert await held.keep(ANN.id, many[:9])
        assert await held.of(ANN.id) == many[30:]

    play(scene)


def test_they_go_with_the_last_passkey_with_the_person_and_with_time(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.mistakes
        await has_passkey(store, ANN, "anns second")
        for who in (ANN, BOB):
            assert await held.keep(who.id, [ONE, ONE._replace(hand=1, changed=200)])
        await store.drop_passkey(BOB.id, "anns")  # not theirs
        await store.drop_passkey(ANN.id, "anns")
        assert len(await held.of(ANN.id) or ()) == 2
        await store.drop_passkey(ANN.id, "anns second")
        assert await held.of(ANN.id) is None
        assert not await held.keep(ANN.id, [ONE])
        await has_passkey(store, ANN, "anns third")
        assert await held.of(ANN.id) == []
        assert len(await held.of(BOB.id) or ()) == 2
        assert await held.expire(100)
        assert await held.of(BOB.id) == [ONE._replace(hand=1, changed=200)]
        assert not await held.expire(100)
        await store.forget(BOB.id, 300)
        assert not await held.expire(1 << 50), "nothing is left of it"
        assert await held.keep(ANN.id, [ONE])
        assert await held.of(BOB.id) is None
        assert not await held.keep(BOB.id, [ONE])
        assert await held.of(ANN.id) == [ONE]
        # Ann does not come back: her passkey expires, and all that hangs on it.
        assert await store.expire(400 * DAY, 400 * DAY)
        assert await held.of(ANN.id) is None
        assert not await held.expire(1 << 50), "nothing is left of it"

    play(scene)


def test_of_a_passkey_that_goes_while_mistakes_come_none_is_left(play: Play) -> None:
    async def scene(store: Store) -> None:
        held = store.mistakes
        some = [ONE._replace(hand=number) for number in range(12)]
        keeping = [held.keep(ANN.id, [one]) for one in some]
        await asyncio.gather(*keeping[:6], store.drop_passkey(ANN.id, "anns"), *keeping[6:])
        assert await held.of(ANN.id) is None
        assert not await held.expire(1 << 50), "nothing is left of it"

    play(scene)
