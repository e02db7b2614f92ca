"""A phone at an evening is one person at one table."""

from __future__ import annotations

import asyncio

import httpx
from tests.server.http.served import Here
from tests.server.http.test_evenings import ROUND, done, made, refusal, score


def test_a_phone_does_not_score_at_one_table_after_the_other() -> None:
    async def story() -> None:
        here = Here()
        people = [here.person(name) for name in ("Host", "Guest", "Other")]
        async with people[0] as host, people[1] as guest, people[2] as other:
            evening = await made(host)
            assert (await done(guest, evening, {"do": "claim", "person": 0})).status_code == 200
            begun = (await done(host, evening, ROUND)).json()
            tables = [table["seats"] for table in begun["evening"]["round"]["tables"]]
            [mine] = [at for at, seats in enumerate(tables) if 0 in seats]
            beside = next(who for who in tables[mine] if who != 0)
            there = tables[1 - mine]
            # Whoever was somebody when the round began is not somebody at another table in it.
            for person, status in ((there[0], 422), (beside, 200), (there[0], 422)):
                claimed = await done(guest, evening, {"do": "claim", "person": person})
                assert claimed.status_code == status
            assert refusal(claimed) == (422, "bad-change", "claimed")
            # A host, who knows who it is, can let them.
            assert (await done(host, evening, {"do": "free", "person": beside})).status_code == 200
            again = await done(guest, evening, {"do": "claim", "person": there[0]})
            assert again.status_code == 200
            # A wrong tap during the round is put right; but nobody scores here and then there.
            for person in (there[1], tables[mine][0]):
                claimed = await done(other, evening, {"do": "claim", "person": person})
                assert claimed.status_code == 200
            assert (await done(other, evening, score(mine + 1, 60, 40))).status_code == 200
            assert (await done(other, evening, {"do": "claim", "person": there[1]})).is_success
            elsewhere = await done(other, evening, score(2 - mine, 999, 2))
            assert refusal(elsewhere) == (403, "bad-key", None)
            assert (await done(guest, evening, score(2 - mine, 60, 40))).is_success

    asyncio.run(story())


def test_a_phone_is_told_what_it_has_said_itself_whatever_its_owner_is_called() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Host") as host, here.person("Ann") as ann, here.person("Ann") as bo:
            evening = await made(host, agree=True)
            await done(host, evening, ROUND)

            async def says(by: httpx.AsyncClient, person: int) -> bool:
                """Return whether somebody says what stands of table 1, as they are told."""
                told = (await by.get(f"/api/evenings/{evening['code']}")).json()
                seats = told["evening"]["round"]["tables"][0]["seats"]
                if told["you"]["person"] is None:
                    assert told["you"]["writer"] is None
                    change = {"do": "claim", "person": seats[person]}
                    told = (await done(by, evening, change)).json()
                said = told["own"]["said"]
                return said is not None and told["you"]["writer"] in said["writers"]

            assert [await says(ann, 0), await says(bo, 1)] == [False, False]
            assert (await done(ann, evening, score(1, 60, 40))).is_success
            assert [await says(ann, 0), await says(bo, 1)] == [True, False]
            assert (await done(bo, evening, score(1, 60, 40))).is_success
            assert [await says(ann, 0), await says(bo, 1)] == [True, True]

    asyncio.run(story())


def test_a_phone_does_not_send_one_after_the_other_home() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Host") as host, here.person("Guest") as guest:
            evening = await made(host)

            async def goes(person: int) -> int:
                assert (await done(guest, evening, {"do": "claim", "person": person})).is_success
                return (await done(guest, evening, {"do": "leave", "person": person})).status_code

            assert [await goes(person) for person in (0, 1, 2)] == [200, 403, 403]
            # Who is back may go again; and a host may have anybody leave.
            assert (await done(host, evening, {"do": "return", "person": 0})).is_success
            assert await goes(0) == 200
            for person in (1, 2):
                assert (await done(host, evening, {"do": "leave", "person": person})).is_success

    asyncio.run(story())
