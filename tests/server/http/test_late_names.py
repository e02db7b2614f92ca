"""Whoever takes a free name during a round: their score waits until a second person says it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.server.http.served import Here
from tests.server.http.test_evenings import done, made, score

from rookery.evening.log.phones import Phones

Stands = tuple[str, list[int] | None]


async def _scored(*, round_: int, by: str = "nobody") -> Stands:
    """Return how a score stands that somebody types who took a free name during that round.

    After them the same is said by another one like them, by the host, or by nobody.
    """
    here = Here()
    async with here.person("Ann") as ann, here.person("Bob") as bob, here.person("Cy") as cy:
        evening = await made(ann)
        for number in range(1, round_ + 1):
            told = (await done(ann, evening, {"do": "round", "round": number})).json()
        seats = told["evening"]["round"]["tables"][0]["seats"]
        for guest, person in ((bob, seats[0]), (cy, seats[1])):
            assert (await done(guest, evening, {"do": "claim", "person": person})).is_success
        said = score(1, 120, 60, round_=round_)
        assert (await done(bob, evening, said | {"waits": False})).is_success
        others: dict[str, httpx.AsyncClient] = {"another": cy, "host": ann, "the same": bob}
        if by in others:
            seen = (await ann.get(f"/api/evenings/{evening['code']}")).json()["entries"]
            assert (await done(others[by], evening, {**said, "over": seen})).is_success
        table: dict[str, Any] = (await ann.get(f"/api/evenings/{evening['code']}")).json()
        first = table["evening"]["round"]["tables"][0]
        missing = [round_, 1] in table["evening"]["missing"]
        assert missing == (first["scores"] is None)
        return first["state"], first["scores"]


COUNTS: Stands = ("stands", [120, 60, 120, 60])
WAITS: Stands = ("waiting", None)


@pytest.mark.parametrize(
    ("by", "expected"),
    [("nobody", WAITS), ("the same", WAITS), ("another", COUNTS), ("host", COUNTS)],
)
def test_a_score_by_a_name_that_was_taken_during_the_round_waits_for_a_second_person(
    by: str, expected: Stands
) -> None:
    assert asyncio.run(_scored(round_=2, by=by)) == expected


def test_in_the_first_round_everybody_says_who_they_are_and_scores() -> None:
    assert asyncio.run(_scored(round_=1)) == COUNTS


def test_the_control_a_late_name_that_scores_at_once_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Phones, "is_late", lambda *_: False)
    assert asyncio.run(_scored(round_=2)) == COUNTS


def test_who_took_their_name_before_the_round_scores_it_at_once() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob:
            evening = await made(ann)
            await done(ann, evening, {"do": "round", "round": 1})
            await done(bob, evening, {"do": "claim", "person": 3})
            told = (await done(ann, evening, {"do": "round", "round": 2})).json()["evening"]
            [table] = [one for one in told["round"]["tables"] if 3 in one["seats"]]
            answer = await done(bob, evening, score(table["number"], 5, 7, round_=2))
            told = answer.json()["evening"]
            [table] = [one for one in told["round"]["tables"] if 3 in one["seats"]]
            assert (table["state"], table["scores"]) == ("stands", [5, 7, 5, 7])

    asyncio.run(story())


async def _of_the_first_round(*, during: int) -> Stands:
    """Return how a score of the first round stands by somebody who took a free name during one."""
    here = Here()
    async with here.person("Ann") as ann, here.person("Bob") as bob:
        evening = await made(ann)
        begun = [await done(ann, evening, {"do": "round", "round": n + 1}) for n in range(during)]
        seats = begun[0].json()["evening"]["round"]["tables"][0]["seats"]
        assert (await done(bob, evening, {"do": "claim", "person": seats[0]})).is_success
        assert (await done(bob, evening, score(1, 120, 60))).is_success
        round_ = (await ann.get(f"/api/evenings/{evening['code']}/rounds/1")).json()
        return round_["tables"][0]["state"], round_["tables"][0]["scores"]


def test_the_first_round_too_is_not_scored_at_once_by_a_name_that_was_taken_after_it() -> None:
    assert asyncio.run(_of_the_first_round(during=2)) == WAITS
    assert asyncio.run(_of_the_first_round(during=1)) == COUNTS  # the control
