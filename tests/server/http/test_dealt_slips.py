"""Slips of prepared deals with real cards: for hosts alone, and proven when the evening is over."""

from __future__ import annotations

import asyncio
import json

from tests.evening.duplicate.test_slips import gathered
from tests.server.http.served import Here
from tests.server.http.test_evenings import NAMES, done, made, refusal

from rookery.evening.duplicate.slips import Slips
from rookery.fairness.check import checked
from rookery.record import loads

PREPARED = {"movement": "mitchell", "people": [*NAMES, *"abcd"], "boards": 2}


def test_hosts_alone_have_the_slips_and_at_the_end_everybody_can_check_them() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann, here.person("Bob") as bob:
            evening = await made(ann, **PREPARED, slips=True)
            at, key = f"/api/evenings/{evening['code']}", {"x-evening-key": evening["key"]}
            promised, told = evening["evening"]["commitment"], (await ann.get(f"{at}/slips")).json()
            assert (await bob.get(f"{at}/slips", headers=key)).json() == told
            assert refusal(await bob.get(f"{at}/slips"))[:2] == (403, "bad-key")
            assert refusal(await ann.get(f"{at}/opened"))[:2] == (403, "not-over")
            assert [deal["number"] for deal in told["deals"]] == [1, 2, 3, 4, 5, 6]
            for deal in told["deals"]:
                hands, nest = gathered(Slips(**deal))
                assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in deal["hands"]]
                assert nest == deal["nest"]
            assert [sorted(one["table"] for one in row) for row in told["rounds"]] == [
                [1, 2, 3]
            ] * 3
            rounds = (await done(ann, evening, {"do": "round", "round": 1})).json()["evening"]
            seen = {one["number"]: one["deals"] for one in rounds["round"]["tables"]}
            assert {one["table"]: one["deals"] for one in told["rounds"][0]} == seen
            for table in seen:
                change = {"do": "score", "round": 1, "table": table, "over": 0}
                assert (await done(ann, evening, change | {"rows": [[5, 7] * 2] * 2})).is_success
            before = (await bob.get(at)).json()["evening"]
            assert (before["commitment"], before["key"]) == (promised, None)
            ended = (await done(ann, evening, {"do": "end", "over": True})).json()["evening"]
            assert ended["commitment"] == promised
            record = (await bob.get(f"{at}/opened")).json()
            assert {hand["proof"]["key"] for hand in record["hands"]} == {ended["key"]}
            assert [hand["deal"] for hand in record["hands"]] == [d["hands"] for d in told["deals"]]
            assert checked(loads(json.dumps(record)), [promised]).good
            record["hands"][0]["deal"].reverse()  # the control
            assert not checked(loads(json.dumps(record)), [promised]).good
            again = await done(ann, evening, {"do": "end", "over": False})
            assert refusal(again) == (422, "bad-change", "opened")
            open_ = (await bob.get(f"{at}/deals/1")).json()["open"]
            assert open_["cards"] == told["deals"][0]["hands"]

    asyncio.run(story())


def test_who_deals_by_slips_of_their_own_and_tables_on_screens_have_none() -> None:
    async def story() -> None:
        here = Here()
        async with here.running(), here.person("Ann") as ann:
            for more in ({}, {"screens": {"auto": False}}, {"movement": "individual"}):
                on = {"slips": "movement" in more}
                evening = await made(ann, **PREPARED | on | more)
                answer = await ann.get(f"/api/evenings/{evening['code']}/slips")
                assert refusal(answer)[:2] == (404, "no-slips")

    asyncio.run(story())
