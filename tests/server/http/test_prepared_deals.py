"""Prepared deals at several tables: nobody is told what was made of one that they may still play.

Every score is a number that stands for itself alone, so that all that is sent can be searched.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import NAMES, done, key_of, made, refusal

from rookery.server.api.evenings import telling

FIRST = 71_001  # of a number for each score


def found_in(text: str) -> set[int]:
    """Return the scores that some text says, and sums of them, which no other number is like."""
    numbers = map(int, re.findall(r"(?<![\d.])\d{5,6}(?![\d.])", text))
    return {one for one in numbers if one >= FIRST}


async def seen(browser: httpx.AsyncClient, at: str, key: str | None = None) -> str:
    """Return all that somebody can have of an evening."""
    headers = {} if key is None else {"x-evening-key": key}
    paths = (at, *(f"{at}/rounds/{number}" for number in (1, 2)))
    paths = (*paths, *(f"{at}/deals/{number}" for number in range(1, 9)))
    files = tuple(f"{at}/file?form={form}" for form in ("csv", "json", "text"))
    return "\n".join([(await browser.get(path, headers=headers)).text for path in (*paths, *files)])


async def played(
    here: Here, evening: dict[str, Any], host: httpx.AsyncClient
) -> dict[tuple[int, int], set[int]]:
    """Play two rounds; return the scores of each table in each round."""
    said, number = dict[tuple[int, int], set[int]](), FIRST
    for round_ in (1, 2):
        await done(host, evening, {"do": "round", "round": round_})
        for table in (1, 2, 3):
            rows = []
            for _ in range(2):
                rows.append([number, number + 1 + table % 3] * 2)
                number += 4
            change = {"do": "score", "round": round_, "table": table, "rows": rows, "over": 0}
            assert (await done(host, evening, change)).is_success
            said[round_, table] = {one for row in rows for one in row}
    return said


def test_only_those_who_run_it_and_the_table_itself_see_scores_before_the_end() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.browser() as eve:
            evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"])
            at, said = f"/api/evenings/{evening['code']}", await played(here, evening, ann)
            every = set[int]().union(*said.values())
            assert found_in(await seen(ann, at)) > every
            assert found_in(await seen(bob, at, evening["key"])) > every
            assert found_in(await seen(eve, at)) == set()
            own = said[2, 2]  # those of round 1 are no longer at this table, and have it to play
            of_table = found_in(await seen(bob, at, await key_of(ann, evening, 2)))
            assert of_table & every == own
            assert of_table - every <= {one + other for one in own for other in own}
            told = (await eve.get(at)).json()["evening"]
            assert {one["state"] for one in told["round"]["tables"]} == {"stands"}
            assert len(told["pairs"]) == 6  # how they compare is no secret
            assert refusal(await eve.get(f"{at}/deals/1"))[:2] == (403, "not-over")
            # When it is over everybody sees what became of each deal.
            await done(ann, evening, {"do": "end", "over": True})
            assert found_in(await seen(eve, at)) > every
            [deal] = [(await eve.get(f"{at}/deals/1")).json()]
            assert [one["percent"] for one in deal["results"]] == [[100, 0], [0, 100]]
            assert sum(points for one in deal["results"] for points in one["points"]) == 0
            assert refusal(await eve.get(f"{at}/deals/99"))[:2] == (404, "no-deal")
            assert (await eve.get(f"{at}/deals/0")).status_code == 400

    asyncio.run(story())


async def of_one_who_says_who_they_are(late: bool) -> tuple[set[int], set[int]]:
    """Return the scores of the last round's first table that somebody sees who claims a seat there.

    They do so before it has a score, or after that; and return the scores that there are.
    """
    here = Here()
    async with here.person("Ann") as ann, here.person("Bob") as bob:
        evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"])
        at = f"/api/evenings/{evening['code']}"
        # The first side stays: whoever sits first at table 1 does so in each round.
        claim = {"do": "claim", "person": 0}
        if not late:
            await done(bob, evening, claim)
        said = await played(here, evening, ann)
        if late:
            before = await bob.get(at)
            await done(bob, evening, claim)
            known = {"if-none-match": before.headers["etag"]}
            assert (await bob.get(at, headers=known)).status_code == 200
        own = (await bob.get(at)).json()["own"]
        assert (own["number"], own["state"]) == (1, "stands")
        if late:  # from the next round on they are somebody who sits there
            await done(ann, evening, {"do": "round", "round": 3})
            table = (await bob.get(at)).json()["own"]
            rows = [[1, 2, 1, 2], [3, 4, 3, 4]]
            new = {"do": "score", "round": 3, "table": table["number"], "rows": rows, "over": 0}
            told = (await done(bob, evening, new)).json()
            assert told["own"]["said"]["rows"] == rows
        return found_in(await seen(bob, at)), said[1, 1] | said[2, 1]


def test_whoever_takes_a_free_name_sees_no_score_that_was_there_before() -> None:
    assert asyncio.run(of_one_who_says_who_they_are(late=True))[0] == set()
    found, own = asyncio.run(of_one_who_says_who_they_are(late=False))
    assert found >= own


def test_the_control_a_free_name_that_opens_its_table_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telling, "sees_table", lambda found, table, first: True)
    found, own = asyncio.run(of_one_who_says_who_they_are(late=True))
    assert found >= own


def test_the_control_an_evening_without_a_veil_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "sees_all", lambda found: True)

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as eve:
            evening = await made(ann, movement="mitchell", people=[*NAMES, *"abcd"])
            await played(here, evening, ann)
            assert found_in(await seen(eve, f"/api/evenings/{evening['code']}"))

    asyncio.run(story())


def test_other_evenings_show_all_scores_at_once() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as eve:
            evening = await made(ann)
            await done(ann, evening, {"do": "round", "round": 1})
            rows = [[FIRST, 5, FIRST, 5]]
            change = {"do": "score", "round": 1, "table": 1, "rows": rows, "over": 0}
            await done(ann, evening, change)
            assert found_in(await seen(eve, f"/api/evenings/{evening['code']}")) == {FIRST}

    asyncio.run(story())
