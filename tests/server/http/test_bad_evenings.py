"""What is no evening, and what cannot happen on one: refused, with nothing kept."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import NAMES, ROUND, WANTED, done, made, refusal, score

# Hardly a deal gives everybody a counter, so nearly every one may be thrown in.
THROWN_IN = {"base": "kd_tournament", "counters": {"R5": 5}, "rook_value": 0}
PREPARED = {
    "movement": "mitchell",
    "people": [*NAMES, *"abcd"],
    "rules": [{**THROWN_IN, "bid_minimum": 5, "bid_maximum": 5}],
}

BAD_EVENINGS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no such movement": (422, "bad-change", {"movement": "howel"}),
    "too few": (422, "bad-change", {"people": NAMES[:3]}),
    "too many": (400, "bad-request", {"people": 101 * NAMES[:4]}),
    "nobody": (400, "bad-name", {"people": ["", *NAMES]}),
    "control": (400, "bad-name", {"people": ["A\u202enn", *NAMES]}),
    "long": (400, "bad-name", {"people": ["A" * 25, *NAMES]}),
    "no such game": (400, "unknown-rules", {"rules": ["../../etc/passwd"]}),
    "no game": (400, "bad-request", {"rules": []}),
    "two of a size": (422, "bad-change", {"rules": ["kd_tournament", "kd_tournament"]}),
    "even": (422, "bad-change", {"movement": "single", "best_of": 2}),
    "more deals than a set has": (
        *(422, "bad-change"),
        {"movement": "mitchell", "people": 51 * NAMES[:4], "boards": 20, "slips": True},
    ),
    "no deal to print": (400, "bad-rules", {**PREPARED, "slips": True}),
    "no deal to play": (400, "bad-rules", {**PREPARED, "screens": {}}),
    "no hands": (400, "bad-request", {"hands": 0}),
    "too many hands": (400, "bad-request", {"hands": 21}),
    "hands twice": (400, "bad-request", {"hands": 4, "screens": {"hands": 2}}),
    "title": (400, "bad-name", {"name": "x" * 61}),
    "yes": (400, "bad-request", {"agree": "yes"}),
    "more": (400, "bad-request", {"key": "x"}),
}


@pytest.mark.parametrize("wrong", BAD_EVENINGS)
def test_what_is_no_evening_is_not_made(wrong: str) -> None:
    status, code, change = BAD_EVENINGS[wrong]

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            answer = await ann.post("/api/evenings", json={**WANTED, **change})
            assert refusal(answer)[:2] == (status, code)
            assert not vars(here.store.sheets)["_held"]

    asyncio.run(story())


def test_who_deals_by_themselves_may_throw_in_as_many_as_they_like() -> None:
    async def story() -> None:
        async with Here().person("Ann") as ann:
            for free in ({}, {"movement": "single", "screens": {}}):
                await made(ann, **PREPARED | free)

    asyncio.run(story())


BAD_CHANGES: dict[str, tuple[int, str, Any]] = {
    "no object": (400, "bad-request", []),
    "nothing": (400, "bad-request", {}),
    "no such change": (400, "bad-request", {"do": "cheat"}),
    "deep": (400, "bad-request", json.loads(200 * "[" + 200 * "]")),
    "a round as it is kept": (
        *(400, "bad-request"),
        {"do": "round", "round": 2, "tables": [], "byes": [], "at": 1},
    ),
    "a clock as it is kept": (400, "bad-request", {"do": "clock", "ends": 5}),
    "no such round": (422, "bad-change", score(1, 5, 5, round_=7)),
    "no such table": (422, "bad-change", score(9, 5, 5)),
    "partners": (422, "bad-change", {**score(1, 5, 5), "rows": [[1, 2, 3, 4]]}),
    "two rows": (422, "bad-change", {**score(1, 5, 5), "rows": [[1, 2, 1, 2]] * 2}),
    "points": (400, "bad-request", score(1, 100_000, 5)),
    "text": (400, "bad-request", {**score(1, 5, 5), "rows": [["5", 2, 1, 2]]}),
    "float": (400, "bad-request", {**score(1, 5, 5), "rows": [[5.0, 2, 1, 2]]}),
    "over": (400, "bad-request", score(1, 5, 5, 1 << 80)),
    "nobody": (422, "bad-change", {"do": "leave", "person": 99}),
    "not away": (422, "bad-change", {"do": "return", "person": 1}),
    "a name": (400, "bad-name", {"do": "arrive", "names": ["\u202e"]}),
    "no names": (400, "bad-request", {"do": "arrive", "names": []}),
    "too many": (422, "bad-change", {"do": "arrive", "names": ["X"] * 400}),
    "round": (422, "bad-change", {"do": "round", "round": 3}),
    "again": (409, "round-begun", ROUND),
    "slow": (422, "bad-change", {"do": "round", "round": 2, "slow": [9]}),
    "clock": (400, "bad-request", {"do": "clock", "minutes": 0}),
    "table 0": (400, "bad-request", {"do": "real_cards", "table": 0, "real": True}),
    "real text": (400, "bad-request", {"do": "real_cards", "table": 1, "real": "yes"}),
    "real already": (422, "bad-change", {"do": "real_cards", "table": 1, "real": True}),
    "exchange": (422, "bad-change", {"do": "exchange", "one": 0, "other": 99}),
}


@pytest.mark.parametrize("wrong", BAD_CHANGES)
def test_what_cannot_happen_is_refused_and_nothing_is_kept(wrong: str) -> None:
    status, code, change = BAD_CHANGES[wrong]

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            evening = await made(ann)
            await done(ann, evening, ROUND)
            at = f"/api/evenings/{evening['code']}"
            before = (await ann.get(at)).json()["evening"]
            assert refusal(await done(ann, evening, change))[:2] == (status, code)
            assert refusal(await done(ann, evening, ROUND, id_="short"))[0] == 400
            assert (await ann.get(at)).json()["evening"] == before
            assert len(await here.store.sheets.entries(evening["code"])) == 1

    asyncio.run(story())
