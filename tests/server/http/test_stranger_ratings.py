"""Ratings of strangers over HTTP: off until somebody wants them, told to those who do."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import httpx
import pytest
from tests.server.http.served import QUICK, Served, line, served, table_for
from tests.server.http.test_match import a_match

from rookery.server.api.people import _standings
from rookery.server.registry.ratings import MILLION
from rookery.server.store.people.rated import Stranger

WHERE = "/api/session/ratings"
OFF = {"on": False, "mine": [], "others": []}


def told(browser: httpx.Client, code: str | None = None) -> dict[str, Any]:
    answer = browser.get(WHERE, params={} if code is None else {"table": code})
    answer.raise_for_status()
    return dict(answer.json())


def quick(here: Served, people: list[httpx.Client]) -> str:
    """Return the table where four strangers have found each other."""
    wanted = {"rules": QUICK, "pace": "instant"}
    code = people[0].post("/api/tables/quick", json=wanted).json()["code"]

    async def meet() -> None:
        async with contextlib.AsyncExitStack() as opened:
            # Whoever waits has to be there, or nobody is shown to them.
            await opened.enter_async_context(line(here, people[0], code))
            for before, browser in enumerate(people[1:], 1):
                found = browser.post("/api/tables/quick", json=wanted).json()
                assert (found["code"], found["people"]) == (code, before)
                other = await opened.enter_async_context(line(here, browser, code))
                assert (await other.do(type="sit", id="matched", matched=True))["type"] == "ack"

    asyncio.run(meet())
    return str(code)


@pytest.mark.slow
def test_strangers_who_want_it_are_rated_and_see_each_other() -> None:
    with served() as here:
        ann, bob, cid, dee, eve = map(here.browser, ("Ann", "Bob", "Cid", "Dee", "Eve"))
        four = [ann, bob, cid, dee]
        assert told(ann) == OFF
        assert ann.put(WHERE, json={"on": True}).json() == {"on": True, "mine": [], "others": []}
        code = quick(here, four)
        asyncio.run(a_match(here, four, code))
        while not told(ann)["mine"]:
            time.sleep(0.05)
        [mine] = told(ann)["mine"]
        assert (mine["family"], mine["matches"], mine["name"]) == ("four", 1, "Ann")
        assert mine["points"] != 0
        assert mine["ci95"] < 1.96 * 17.1
        # Bob has not switched his on, so he is not told, and nothing of him is.
        assert told(bob, code) == OFF
        assert told(ann, code)["others"] == []
        bob.put(WHERE, json={"on": True})
        assert told(bob, code)["others"] == [mine]
        assert told(ann, code)["others"] == []  # no match of Bob's has counted
        # Whoever does not sit there is told of nobody, whatever they have switched on.
        eve.put(WHERE, json={"on": True})
        assert told(eve, code)["others"] == []
        assert told(bob)["others"] == []
        assert ann.put(WHERE, json={"on": False}).json() == OFF
        assert told(bob, code)["others"] == []
        assert ann.put(WHERE, json={"on": True}).json()["mine"] == []


@pytest.mark.slow
def test_a_match_with_a_friend_counts_for_nobody() -> None:
    with served() as here:
        four = [here.browser(name) for name in ("Ann", "Bob", "Cid", "Dee")]
        ann = four[0]
        ann.put(WHERE, json={"on": True})
        code = table_for(ann, rules=QUICK)
        asyncio.run(a_match(here, four, code))
        time.sleep(0.5)
        assert told(ann)["mine"] == []


def test_bad_bodies_and_tables_get_one_clear_line() -> None:
    with served() as here:
        ann = here.browser("Ann")
        bodies: list[object] = [
            {},
            {"on": 1},
            {"on": "yes"},
            {"on": None},
            {"on": True, "x": 1},
            [],
        ]
        for body in bodies:
            assert ann.put(WHERE, json=body).status_code == 400
        for code in ("2222222", "x", ""):
            assert ann.get(WHERE, params={"table": code}).json()["error"]["code"] == "no-table"
        assert ann.get(WHERE, params={"table": "x" * 65}).status_code == 400
        assert told(ann) == OFF


def test_families_are_told_in_order_with_95_percent_intervals_once_a_match_has_counted() -> None:
    rows = {
        "two": Stranger(0, 1_240_000, 2 * MILLION, 3),
        "four": Stranger(0, -MILLION, MILLION, 1),
        "free": Stranger(0, 0, 9 * MILLION, 0),
    }
    found = [(one.family, one.points, one.ci95, one.matches) for one in _standings("Ann", rows)]
    assert found == [("four", -1.0, 2.0, 1), ("two", 1.2, 3.9, 3)]
