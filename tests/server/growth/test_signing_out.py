"""Who is signed out stays so, whatever they are doing at that very moment, at whichever server."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from tests.server.core.tables import PEOPLE, running

from rookery.server.store.base import Challenge, Passkey, Token
from rookery.server.store.postgres import PostgresStore

ROUNDS = 40


def test_nobody_gets_away_by_a_link_that_is_on_its_way(database: str) -> None:
    async def scene() -> None:
        rng = Random(7)
        ann, one, other = PEOPLE[0], PostgresStore(database), PostgresStore(database)
        await one.add_person(ann, "here", 1)
        for number in range(ROUNDS):
            thief, fresh = f"thief {number}", Token(f"fresh {number}", 5, 5)
            await one.add_token(ann.id, thief, 1)
            await one.add_return(ann.id, f"in {number}", 100, thief)
            asked: list[Any] = [
                other.take_return(f"in {number}", 5, fresh),
                other.add_return(ann.id, f"out {number}", 100, thief),
                one.sign_out(ann.id, "here"),
            ]
            rng.shuffle(asked)
            await asyncio.gather(*asked)
            assert await one.valid({thief, fresh.hash, "here"}, 0) == {"here"}
            for link in (f"in {number}", f"out {number}"):
                assert await other.take_return(link, 5) is None
        await one.close()
        await other.close()

    running(scene)


def test_of_two_who_use_a_link_at_once_one_comes_back(database: str) -> None:
    async def scene() -> None:
        ann, stores = PEOPLE[0], [PostgresStore(database), PostgresStore(database)]
        await stores[0].add_person(ann, "here", 1)
        for number in range(ROUNDS):
            await stores[0].add_return(ann.id, f"link {number}", 100)
            came = await asyncio.gather(
                *(
                    store.take_return(f"link {number}", 5, Token(f"{number} {place}", 5, 5))
                    for place, store in enumerate(stores)
                )
            )
            assert sorted(came, key=str) == [None, ann], number
        assert len(await stores[0].tokens(ann.id, 0, 999)) == 1 + ROUNDS
        for store in stores:
            await store.close()

    running(scene)


def test_a_passkey_that_answers_twice_at_once_brings_back_once(database: str) -> None:
    async def scene() -> None:
        ann, stores = PEOPLE[0], [PostgresStore(database), PostgresStore(database)]
        await stores[0].add_person(ann, "here", 1)
        assert await stores[0].secret("a", "one") == await stores[1].secret("a", "other")
        passkey = Passkey("credential", ann.id, "handle", "key", 0, 1, 1)
        assert await stores[0].add_passkey(passkey, Challenge("first", 9), "here", 1)
        assert not await stores[1].add_passkey(
            passkey._replace(credential="more"), Challenge("second", 9), "here", 1
        )
        for number in range(ROUNDS):
            # The same answer at two servers, and a copy of a device that counts as it does.
            for counts, texts in ((number, ("same", "same")), (number, ("one", "other"))):
                count = 2 * counts + 1 + (texts[0] == "one")
                came = await asyncio.gather(
                    *(
                        store.use_passkey(
                            *("credential", count, 0, Challenge(f"{number} {text}", 9)),
                            Token(f"{number} {count} {place}", 5, 5),
                        )
                        for place, (store, text) in enumerate(zip(stores, texts, strict=True))
                    )
                )
                assert sorted(came, key=str) == [None, ann], (number, texts)
        assert len(await stores[0].tokens(ann.id, 0, 999)) == 1 + 2 * ROUNDS
        await stores[0].forget(ann.id, 5)
        assert await stores[1].passkeys(ann.id) == []
        for store in stores:
            await store.close()

    running(scene)
