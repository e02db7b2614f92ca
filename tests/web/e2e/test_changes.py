"""A page is sent what changed of its table, and asks for the whole one when it has another."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, WebSocketRoute
from tests.web.e2e.people import NARROW
from tests.web.e2e.test_everybody import Invite

CHECKED = 16


def spied(page: Page, *, spoils: bool) -> list[dict[str, Any]]:
    """Note what the page says and hears from now on; spoil the first change that it hears."""
    said: list[dict[str, Any]] = []
    spoilt = not spoils

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def hears(text: str | bytes) -> None:
            nonlocal spoilt
            message = json.loads(text)
            said.append({"heard": message})
            if message["type"] == "change" and not spoilt and "view" in message["table"]:
                spoilt = True
                message["table"]["title"] = "Spoilt"
            route.send(json.dumps(message, separators=(",", ":"), ensure_ascii=False))

        def says(text: str | bytes) -> None:
            said.append({"said": json.loads(text)})
            server.send(text)

        server.on_message(hears)
        route.on_message(says)

    page.route_web_socket("**/ws/**", between)
    return said


def hellos(said: list[dict[str, Any]]) -> int:
    return sum(one.get("said", {}).get("type") == "hello" for one in said)


def test_a_page_follows_a_hand_by_changes_alone(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    said = spied(ann.page, spoils=False)
    ann.at_table(rules="kd_tournament", title="Küche \u2028 \u20ac")
    ann.skip_to("done")
    heard = [one["heard"] for one in said if "heard" in one]
    kinds = [one["type"] for one in heard]
    assert kinds.count("welcome") == 1
    assert not kinds.count("update")
    assert sum("check" in one for one in heard) >= 2
    assert hellos(said) == 1


def test_a_page_gets_on_with_a_server_that_knows_no_changes(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    told: list[str] = []

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def says(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hello" and "changes" in message:
                refused = {
                    "type": "refused",
                    "id": None,
                    "code": "bad-message",
                    "reason": "changes",
                }
                route.send(json.dumps(refused))
                return
            server.send(text)

        def hears(text: str | bytes) -> None:
            told.append(json.loads(text)["type"])
            route.send(text)

        route.on_message(says)
        server.on_message(hears)

    ann.page.route_web_socket("**/ws/**", between)
    ann.at_table(rules="kd_tournament")
    ann.skip_to("play")
    ann.turn()
    assert told.count("welcome") == 1
    assert "update" in told
    assert "change" not in told


def test_a_page_with_another_table_asks_for_the_whole_one(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    said = spied(ann.page, spoils=True)
    ann.at_table(rules="kd_tournament")
    ann.skip_to("done")
    heard = [one["heard"] for one in said if "heard" in one]
    spoilt = next(i for i, one in enumerate(heard) if "view" in (one.get("table") or {}))
    found = [one["type"] for one in heard[spoilt:]]
    assert "welcome" in found[: 2 * CHECKED + 8]
    assert hellos(said) == 2
