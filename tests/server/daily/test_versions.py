"""Attempts that this version of the program does not accept: whatever else there is, is shown."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.server.daily.served import Server, finish, scene, told
from tests.server.daily.test_days import sit, told_made


def spoil(server: Server, text: str, person: str) -> None:
    """Put an action before all others of somebody's attempts, as another version may have."""
    held = server.memory._attempts._held
    for key, one in held.items():
        if one.person == person:
            held[key] = one._replace(actions=(text, *one.actions))


@pytest.mark.parametrize("text", ["0 play R5", "0 dance"])
def test_an_attempt_that_no_rule_of_today_allows_hides_no_other(text: str) -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            made = await told_made(ann)
            await sit(server, made, bob)
            for browser in (ann, bob):
                await finish(browser, server)
            await finish(ann, server, "two")
            at = f"/api/daily/{server.day}/four"
            assert len((await told(bob.get(f"{at}/results")))["friends"]) == 1
            me = (await told(ann.get("/api/session")))["person"]
            spoil(server, text, me)
            listed = {one["family"]: one["mine"] for one in await families(ann)}
            assert (listed["four"]["points"], listed["four"]["over"]) == (None, True)
            assert (listed["two"]["points"], listed["two"]["over"]) == (None, True)
            found = await told(ann.get(f"{at}/results"))
            assert (found["mine"][0]["points"], found["record"]) == (None, None)
            assert [one["name"] for one in found["friends"]] == ["Bob"]
            assert found["deal"]["deal"][0]
            found = await told(bob.get(f"{at}/results"))
            assert found["friends"] == []
            assert isinstance(found["mine"][0]["points"], int)
            assert await told(ann.get(f"{at}/position"), 404) == "no-attempt"
            body = {"action": "pass", "seen": 0}
            assert await told(ann.post(f"{at}/act", json=body), 404) == "no-attempt"

    scene(story)


def test_one_under_way_that_no_rule_of_today_allows_is_no_attempt() -> None:
    async def story(server: Server) -> None:
        async with server.person("Ann") as ann:
            at = f"/api/daily/{server.day}/four"
            await told(ann.post(at))
            spoil(server, "0 play R5", (await told(ann.get("/api/session")))["person"])
            assert await told(ann.post(at), 404) == "no-attempt"
            assert await told(ann.get(f"{at}/position"), 404) == "no-attempt"
            assert [one["mine"]["open"] for one in await families(ann) if one["mine"]] == [True]

    scene(story)


async def families(browser: httpx.AsyncClient) -> list[dict[str, Any]]:
    listed = await told(browser.get("/api/daily"))
    return list(listed["families"])
