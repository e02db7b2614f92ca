"""Mistakes by the API: one's own, on all devices, strictly as they have to be, and gone in time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from tests.server.http.authenticator import Authenticator
from tests.server.http.served import Here
from tests.server.http.test_passkeys import LOCAL, Place, kept

from rookery.server.api.mistakes import AT_ONCE, LONGEST
from rookery.server.names import token_hash
from rookery.server.store.base import Challenge, Passkey
from rookery.server.store.people.mistakes import MOST

DECISION: dict[str, Any] = {
    "seat": 0,
    "best": "play G5",
    "alternatives": [
        {"action": "play G5", "margin": 12.5, "error": 0, "making": 0.61},
        {"action": "play Y14", "margin": -3, "error": 1.25, "making": None},
    ],
    "reason": {"code": "leader", "text": "It leads.", "about": {"card": "G5", "points": 5}},
}
ONE: dict[str, Any] = {
    "code": "ABCDEF2",
    "hand": 3,
    "at": 17,
    "step": 0,
    "due": 86_400_000,
    "changed": 5,
    "decision": DECISION,
}
DONE = {**ONE, "step": 4, "due": 0, "decision": None}


async def has_passkey(here: Here, browser: httpx.AsyncClient) -> None:
    """Give the person of a browser a passkey."""
    person = (await browser.get("/api/session")).json()["person"]
    [token] = browser.cookies.values()
    passkey = Passkey(f"key of {person}", person, "handle", "key", 0, 5, 5)
    spent = Challenge(f"challenge of {person}", 10)
    assert await here.store.add_passkey(passkey, spent, token_hash(token), 9)


async def sent(browser: httpx.AsyncClient, *mistakes: Any) -> httpx.Response:  # noqa: ANN401
    return await browser.patch("/api/mistakes", json={"mistakes": list(mistakes)})


async def held(browser: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = (await browser.get("/api/mistakes")).json()
    assert answer.keys() == {"kept", "mistakes"}
    assert answer["kept"] or answer["mistakes"] == []
    return list(answer["mistakes"])


def test_two_devices_have_one_list_and_nobody_else_any_of_it() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as phone, here.person("Eve") as eve:
            await has_passkey(here, ann)
            await has_passkey(here, eve)
            token = (await ann.post("/api/session/return")).json()["token"]
            await phone.post("/api/return", json={"token": token})
            answer = await sent(ann, ONE)
            assert (answer.status_code, answer.json()) == (200, {"kept": True, "mistakes": []})
            assert await held(ann) == await held(phone) == [ONE]
            later = {**ONE, "step": 1, "due": 3 * 86_400_000, "changed": 9}
            await sent(phone, later)
            await sent(ann, {**ONE, "changed": 7}, {**ONE, "hand": 4})
            assert await held(ann) == [later, {**ONE, "hand": 4}]
            await sent(ann, {**DONE, "changed": 11})
            assert await held(phone) == [{**DONE, "changed": 11}, {**ONE, "hand": 4}]
            assert await held(eve) == []
            await sent(eve, {**ONE, "changed": 99, "step": 2})
            assert [one["changed"] for one in await held(ann)] == [11, 5]
            await ann.delete("/api/session")
            assert len(await held(eve)) == 1
            assert not await here.store.mistakes.expire(98)

    asyncio.run(story())


def test_nothing_is_kept_of_somebody_without_a_passkey() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as nobody:
            answer = await sent(ann, ONE)
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no-passkey")
            assert (await ann.get("/api/mistakes")).json() == {"kept": False, "mistakes": []}
            assert (await sent(nobody, ONE)).status_code == 401
            assert (await nobody.get("/api/mistakes")).status_code == 401

    asyncio.run(story())


def test_a_clock_that_is_ahead_does_not_win_for_that() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            await has_passkey(place.here, ann)
            await sent(ann, {**ONE, "changed": 1 << 53})
            now = place.clock.now()
            assert [one["changed"] for one in await held(ann)] == [now]
            place.clock.turn(1_000)
            await sent(ann, {**DONE, "changed": now + 500})
            assert [one["step"] for one in await held(ann)] == [4]

    asyncio.run(story())


def test_the_list_has_its_bound_and_its_longest_is_answered() -> None:
    async def story() -> None:
        here = Here()
        long = [f"discard {'R14 ' * 30}"[:-1], *(f"play G{n}" for n in range(1, 14))]
        choices = [{"action": a, "margin": -1, "error": 1, "making": None} for a in long]
        big = {**ONE, "decision": {**DECISION, "alternatives": choices, "best": long[0]}}
        assert 1_000 < len(json.dumps(big)) < LONGEST
        async with here.person("Ann") as ann:
            await has_passkey(here, ann)
            for first in range(0, MOST + 40, 10):
                some = ({**big, "hand": first + n, "changed": first + n} for n in range(10))
                assert (await sent(ann, *some)).status_code == 200
            found = await held(ann)
            assert [one["hand"] for one in found] == list(range(40, MOST + 40))
            assert found[0] == {**big, "hand": 40, "changed": 40}

    asyncio.run(story())


WRONG: dict[str, Any] = {
    "no list": {"mistakes": {}},
    "too many": {"mistakes": [{**ONE, "hand": n} for n in range(AT_ONCE + 1)]},
    "more beside it": {"mistakes": [], "person": "p1"},
    **{
        f"{key} {value!r}": {"mistakes": [{**ONE, key: value}]}
        for key, value in (
            *(("code", "abcdef2"), ("code", "../etc/x"), ("code", None), ("hand", -1)),
            *(("hand", 1.5), ("hand", "3"), ("hand", 1 << 70), ("at", True), ("at", 10_000)),
            *(("step", 4), ("step", 5), ("step", -1), ("due", -1), ("due", 1 << 54)),
            *(("changed", "5"), ("changed", 0.5), ("decision", None), ("decision", [])),
            ("person", "p1"),
        )
    },
    "done with a decision": {"mistakes": [{**ONE, "step": 4}]},
    **{
        f"decision {key} {str(value)[:30]}": {
            "mistakes": [{**ONE, "decision": {**DECISION, key: value}}]
        }
        for key, value in (
            *(("seat", 8), ("seat", None), ("best", ""), ("best", "play G5\n"), ("best", 5)),
            *(("best", "<b>"), ("alternatives", []), ("alternatives", [{}, {}])),
            ("alternatives", DECISION["alternatives"][:1]),
            ("alternatives", DECISION["alternatives"] * 21),
            ("alternatives", [{**DECISION["alternatives"][0], "making": 2}] * 2),
            ("alternatives", [{**DECISION["alternatives"][0], "margin": 1e9}] * 2),
            ("alternatives", [{**DECISION["alternatives"][0], "hand": ["G5"]}] * 2),
            ("alternatives", [{**DECISION["alternatives"][0], "action": "play " + "9" * 290}] * 12),
            ("reason", {**DECISION["reason"], "text": "x" * 401}),
            ("reason", {**DECISION["reason"], "text": "a\x00b"}),
            ("reason", {**DECISION["reason"], "about": {"card": ["G5"]}}),
            ("reason", {**DECISION["reason"], "about": {f"k{n}": 1 for n in range(13)}}),
            ("reason", {**DECISION["reason"], "about": dict.fromkeys("abcd", "é" * 400)}),
            ("reason", None),
            ("cards", ["G5"]),
        )
    },
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_not_a_mistake_is_refused_with_all_that_comes_with_it(wrong: str) -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            await has_passkey(here, ann)
            body = WRONG[wrong]
            if isinstance(body["mistakes"], list):
                body = {**body, "mistakes": [{**ONE, "hand": 50}, *body["mistakes"]]}
            answer = await ann.patch("/api/mistakes", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-request")
            for text in ("NaN", "Infinity", "-Infinity", "1e999"):
                spoilt = json.dumps({"mistakes": [ONE]}).replace("12.5", text)
                answer = await ann.patch(
                    "/api/mistakes", content=spoilt, headers={"content-type": "application/json"}
                )
                assert answer.status_code == 400
            assert await held(ann) == []

    asyncio.run(story())


def test_they_go_when_the_last_passkey_goes() -> None:
    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            for _ in range(2):
                await kept(ann, Authenticator(LOCAL))
            assert (await sent(ann, ONE)).status_code == 200
            first, second = (one["id"] for one in (await ann.get("/api/passkeys")).json())
            await ann.delete(f"/api/passkeys/{first}")
            assert await held(ann) == [ONE]
            await ann.delete(f"/api/passkeys/{second}")
            assert (await ann.get("/api/mistakes")).json() == {"kept": False, "mistakes": []}
            await kept(ann, Authenticator(LOCAL))
            assert (await ann.get("/api/mistakes")).json() == {"kept": True, "mistakes": []}

    asyncio.run(story())
