"""All kinds of store answer alike: where time, another server or a fault of the program cuts in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection
from tests.server.core.tables import PEOPLE, settled
from tests.server.core.test_mistakes import has_passkey
from tests.server.core.test_rated import Scene, play
from tests.server.growth.conftest import database, elephant

from rookery.server.cluster.spread.store import Spread
from rookery.server.store.base import Challenge, Store, StoreError, TableRow, Token
from rookery.server.store.people.rated import Played
from rookery.server.store.sql import SqlStore
from rookery.server.table import events as ev

__all__ = ["database", "elephant", "play"]
ANN, BOB, CY = PEOPLE[:3]
ROW = TableRow("ABCDEF2", False, "lobby", 1, 2)
LONG = 400  # for how long somebody is kept who does not come


def test_a_secret_is_the_first_one_and_who_only_looks_makes_none(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        asked = ("", "", "one", "other", "")
        assert [await store.secret("a", fresh) for fresh in asked] == ["", "", *["one"] * 3]

    play(scene)


def test_the_words_of_a_report_that_comes_late_are_forgotten_too(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        said = [ev.Reported(who.id, CY.id, "he lives at Elm Street") for who in (ANN, BOB)]
        await store.append(ROW, ev.entered(said, 1, 5))
        await store.forget(ANN.id, 6)
        # As by a server where she was connected still.
        await store.append(ROW, ev.entered(said[:1], 3, 7))
        assert ANN.id in await store.unfinished()
        await store.forgotten(ANN.id, ["ABCDEF2"])
        assert [(one.seq, one.reason) for one in sorted(await store.reports(9))] == [
            (1, ""),
            (2, said[1].reason),
            (3, ""),
        ]

    play(scene)


@pytest.mark.parametrize("told", ["sat", "said", "reported", "made"])
def test_whoever_comes_to_a_table_after_all_was_forgotten_is_to_be_forgotten_again(
    play: Callable[[Scene], None], told: str
) -> None:
    """As by a server where they were connected still."""
    events: dict[str, ev.Event] = {
        "sat": ev.Sat(0, ANN.id, ANN.name),
        "said": ev.Chatted(ANN.id, ANN.name, 0, "I live at Elm Street"),
        "reported": ev.Reported(ANN.id, CY.id, "he lives at Elm Street"),
        "made": ev.Left(0),
    }

    async def scene(store: Store) -> None:
        await store.forget(ANN.id, 6)
        await store.forgotten(ANN.id, [])
        assert await store.unfinished() == []
        by = ev.by_maker(ANN.id) if told == "made" else None
        await store.append(ROW, ev.entered([events[told]], 1, 7, by))
        assert await store.unfinished() == [ANN.id]
        assert await store.traces_of(ANN.id) == [ROW.code]
        await store.forgotten(ANN.id, [ROW.code])
        assert await store.unfinished() == []

    play(scene)


# In memory each write is done at once.
@pytest.mark.parametrize("play", ["sqlite", "postgres", "spread"], indirect=True)
@pytest.mark.parametrize("error", [KeyError("1"), ValueError()])
def test_a_fault_of_the_program_undoes_one_write_alone(
    play: Callable[[Scene], None], error: Exception
) -> None:
    async def scene(store: Store) -> None:
        people = store._first if isinstance(store, Spread) else store
        assert isinstance(people, SqlStore)
        others = threading.Event()

        def fails(_: Connection) -> None:
            raise error

        # They wait for one another, so that they come into one commit.
        asked = [
            people.do(lambda _: others.wait(9)),
            store.rename(ANN.id, "Anna"),
            people.do(fails),
            store.rename(BOB.id, "Bobby"),
        ]
        waiting = [asyncio.ensure_future(one) for one in asked]
        await settled()
        others.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert [isinstance(one, StoreError) for one in found] == [False, False, True, False]
        assert str(found[2]) == f"{type(error).__name__}: {error}".removesuffix(": ")
        names = [await store.person(f"token of {who.id}") for who in (ANN, BOB)]
        assert [who and who.name for who in names] == ["Anna", "Bobby"]

    play(scene)


@pytest.mark.parametrize("late", [False, True])
def test_whoever_was_here_comes_back_by_a_passkey_that_they_have_not_used_for_long(
    play: Callable[[Scene], None], late: bool
) -> None:
    async def scene(store: Store) -> None:
        await has_passkey(store, ANN, "anns")
        # She comes every day, until somebody else takes this browser over.
        last = 5 + LONG + 1
        assert await store.renew(f"token of {ANN.id}", last, last - 1)
        await store.add_token(ANN.id, "of a browser put away", 5)
        await store.drop_token(f"token of {ANN.id}")
        await store.drop_token("of a browser put away")
        now = last + (LONG if late else 1)
        fresh = Token("new", now, now)

        async def back() -> bool:
            spent = Challenge(f"challenge {now}", now + 9)
            return await store.use_passkey("anns", 0, now - LONG, spent, fresh) == ANN

        # When it was used is another matter: people look there for what was not they.
        assert [one.used for one in await store.passkeys(ANN.id)] == [5]
        if late:
            assert not await back()
        await store.expire(now - LONG, now)
        assert len(await store.passkeys(ANN.id)) == (not late)
        assert await back() == (not late)
        assert await store.person("new") == (None if late else ANN)

    play(scene)


def test_what_is_rated_goes_with_its_table_also_what_comes_late(
    play: Callable[[Scene], None],
) -> None:
    async def scene(store: Store) -> None:
        codes, held = ("ABCDEF2", "ABCDEF3", "ABCDEF4"), store.rated
        for code in codes:
            await store.append(ROW._replace(code=code), ev.entered([ev.Left(0)], 1, 5))
            assert await held.switch(ANN.id, code, 0)
            assert await held.count(Played(code, 0, 5, "four", []), dict)
        assert not await held.expire()
        for code in codes[1:]:
            await store.retire(code)
            assert await held.switch(ANN.id, code, 0)  # it was on its way
        assert await held.expire()
        assert [await held.of(code) for code in codes] == [{ANN.id: 0}, {}, {}]
        assert not await held.expire()
        if isinstance(store, SqlStore):  # as it is where the servers were told one database only
            assert await held.switch(ANN.id, "ABCDEF2B", 0)
            assert not await held.expire()
            assert await held.of("ABCDEF2B") == {ANN.id: 0}
        # What is kept of the other one has stayed: the match is not counted again.
        assert not await held.count(Played(codes[0], 0, 5, "four", []), dict)

    play(scene)
