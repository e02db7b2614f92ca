"""A hint on the screen: what is best and why, and on demand what else there is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute, expect
from tests.web.e2e.looks import DRAWN, faults, nth
from tests.web.e2e.people import NARROW, PHONE, Someone, meekest

Invite = Callable[..., Someone]


def weighed(message: str, legal: list[str]) -> str:
    """Return a message, a hint with what a searching bot adds to it: 12 ahead, even, 3.4 behind."""
    told: dict[str, Any] = json.loads(message)
    if told["type"] != "hint":
        return message
    best = told["action"]
    order = [best, *(action for action in legal if action != best)][:3]
    added = zip(order, (12.3, 0.0, -3.42), (0.64, None, 0.5), strict=False)
    told["alternatives"] = [
        {"action": action, "margin": margin, "making": making} for action, margin, making in added
    ]
    told["why"], told["about"] = "lead-trumps-gone", {"card": "G14"}
    return json.dumps(told)


def test_a_hint_shows_what_else_there_is_in_words(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)

    def between(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()
        legal: list[str] = []

        def passed_on(message: str | bytes) -> None:
            view = (json.loads(message).get("table") or {}).get("view") or {}
            if isinstance(view.get("legal"), list):
                legal[:] = view["legal"]
            ws.send(weighed(str(message), legal))

        server.on_message(passed_on)

    ann.page.route_web_socket("**/ws/**", between)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    ann.press("Hint")
    hint = ann.page.locator(".notes .hint")
    expect(hint).to_be_visible()
    rows = hint.locator("tbody tr")
    expect(rows.first).not_to_be_visible()
    ann.hit(hint.get_by_text("Other options"))
    others = hint.locator("details li")
    expect(others.nth(0)).to_have_text(re.compile("12 points less for your side$"))
    expect(others.nth(1)).to_have_text(re.compile("16 points less for your side$"))
    assert not faults(ann.page)
    expect(rows.first).not_to_be_visible()
    ann.hit(hint.get_by_text("In figures"))
    expect(rows.first).to_contain_text("best")
    expect(rows.first).to_contain_text("12 ahead")
    expect(rows.first).to_contain_text("64 %")
    expect(rows.nth(1)).to_contain_text("even")
    expect(rows.nth(2)).to_contain_text("3.4 behind")
    assert not faults(ann.page)
    ann.hit(hint.get_by_role("button", name="Close"))
    expect(hint).to_have_count(0)


def test_a_hint_without_alternatives_has_no_fold(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    ann.press("Hint")
    hint = ann.page.locator(".notes .hint")
    expect(hint.get_by_role("status")).not_to_be_empty()
    expect(hint.locator("details")).to_have_count(0)


def test_a_hint_that_comes_late_is_not_taken_for_the_next_decision(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    lines: list[WebSocketRoute] = []
    asked: list[str] = []
    held: list[str | bytes] = []

    def between(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()
        lines.append(ws)

        def passed_on(message: str | bytes) -> None:
            if json.loads(message)["type"] == "hint":
                held.append(message)
            else:
                ws.send(message)

        def said(message: str | bytes) -> None:
            if json.loads(message)["type"] == "hint":
                asked.append(str(message))
            server.send(message)

        server.on_message(passed_on)
        ws.on_message(said)

    def comes(n: int) -> None:
        """Let the next hint come to the page, the first of `n` so far, and be drawn."""
        nth(ann.page, held)
        lines[0].send(held.pop(0))
        heard = '(n) => told.frames.filter((one) => one.includes(\'"type":"hint"\')).length >= n'
        ann.page.wait_for_function(heard, arg=n)
        ann.page.evaluate(DRAWN)

    ann.page.route_web_socket("**/ws/**", between)
    ann.at_table(left_of_dealer=True, rules="kd_tournament", pace="instant")
    hint = ann.page.locator(".notes .hint")
    first = ann.shown()
    ann.press("Hint")
    ann.press("Hint")  # it takes its time
    nth(ann.page, held)
    assert len(asked) == 1
    ann.act(first, meekest)
    ann.shown()
    comes(1)
    assert hint.count() == 0
    assert len(asked) == 1
    ann.press("Hint")
    comes(2)
    expect(hint).to_be_visible()
    # Whoever asks anew before the first has come is told about what they see.
    second = ann.shown()
    ann.hit(hint.get_by_role("button", name="Close"))
    ann.press("Hint")
    ann.act(second, meekest)
    ann.shown()
    ann.press("Hint")
    comes(3)
    assert hint.count() == 0
    comes(4)
    expect(hint).to_be_visible()
    assert len(asked) == 4
