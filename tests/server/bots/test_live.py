"""A whole hand at a live table, with bots that search in a compiled process of their own."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import pytest
from tests.server.http.served import Line, line, served, table_for

pytest.importorskip("numba")

COMPILED = 1200.0  # seconds until a test gives up that code is compiled on a busy machine
LEVELS = ["expert", "strong:style=bold", "expert:style=cautious"]


async def listed(browser: httpx.Client, bot: str, state: str) -> dict[str, Any]:
    """Return a bot as it is listed, once it is in a state."""
    end = time.monotonic() + COMPILED
    while True:
        found = (await asyncio.to_thread(browser.get, "/api/bots")).json()
        one: dict[str, Any] = next(each for each in found if each["id"] == bot)
        if one["state"] == state:
            return one
        assert time.monotonic() < end, one
        await asyncio.sleep(0.1)


@pytest.mark.numba
@pytest.mark.slow
def test_a_hand_against_bots_that_search() -> None:
    async def story() -> None:
        with served(bot_workers=1) as here:
            ann = here.browser("Ann")
            await listed(ann, "expert", "warming")
            code = table_for(ann, bots=LEVELS)
            # A seat that is taken is what begins the worker.
            assert (await listed(ann, "expert", "ready"))["ready"]
            async with line(here, ann, code) as told:
                assert [seat["bot"] for seat in told.table["seats"]] == [None, *LEVELS]
                await told.do(type="start")
                hints = await play(told)
            tally = here.registry.bot_tally
            assert not tally.stood_in
            assert {name: took.count for name, took in tally.times.items()}.keys() == set(LEVELS)
            # Some of Ann's choices were choices, and a hint compares them.
            compared = [hint["alternatives"] for hint in hints if len(hint["alternatives"]) > 1]
            assert compared
            for choices in compared:
                margins = [choice["margin"] for choice in choices]
                assert margins == sorted(margins, reverse=True)
            assert {hint["by"] for hint in hints} == {"expert"}
            hands = ann.get(f"/api/tables/{code}/hands").json()
            assert hands[0]["bots"] == [None, *LEVELS]

    asyncio.run(story())


async def play(told: Line) -> list[dict[str, Any]]:
    """Play as the hints say until a hand has a score; return them."""
    hints: list[dict[str, Any]] = []
    while all(hand["score"] is None for hand in told.table["hands"]):
        view = told.table["view"]
        if view is not None and view["phase"] == "redealt":
            # All passed, or the hand was too poor to play; the next one may have come meanwhile.
            await told.do(type="next")
            await told.hear()
            continue
        if view is None or view["to_act"] != 0:
            await told.hear()
            continue
        await told.say(type="hint")
        hint = await told.hear_type("hint")
        assert not hint["alternatives"] or hint["alternatives"][0]["action"] == hint["action"]
        hints.append(hint)
        answer = await told.do(type="act", seen=told.table["seq"], action=hint["action"])
        assert answer["type"] == "ack", answer
        while told.table["seq"] < answer["seq"]:
            await told.hear()
    return hints
