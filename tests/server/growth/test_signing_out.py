"""Who is signed out stays so, whatever they are doing at that very moment, at whichever server."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from tests.server.core.tables import PEOPLE, running

from rookery.server.store.base import Token
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
