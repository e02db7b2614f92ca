"""The start page holds still while it gets to know who is there, and lists who can be met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from tests.server.http.served import table_for, wait_for
from tests.web.e2e.looks import faults, visit
from tests.web.e2e.people import DESKTOP, NARROW, Someone

Invite = Callable[..., Someone]
DEVICES = pytest.mark.parametrize("device", [NARROW, DESKTOP], ids=["phone", "desktop"])
# What has moved without anybody having pressed anything, and how far.
MOVED = """() => new PerformanceObserver((seen) => {
  const text = ({ node }) => (node?.outerHTML ?? node?.nodeName ?? "").slice(0, 90);
  for (const { value, sources } of seen.getEntries()) moved.push([value, ...sources.map(text)]);
}).observe({ type: "layout-shift", buffered: true })"""
SLOW = ("**/api/session", "**/api/bots", "**/api/tables", "**/others.js")
STILL = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))"

BEFORE = "(one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING"


def moved_while_it_loads(someone: Someone) -> list[list[object]]:
    """Return what moves when each of the answers that the page waits for comes late."""
    page = someone.page
    held: list[Route] = []
    page.add_init_script(f"window.moved = []; ({MOVED})()")
    page.goto("about:blank")
    for address in SLOW:
        page.route(address, lambda route: held.append(route))
    page.goto("/", wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    done = 0
    while done < len(SLOW):
        page.evaluate(STILL)
        while done < len(held):
            held[done].continue_()
            done += 1
            page.evaluate(STILL)
    page.unroute_all(behavior="wait")
    expect(page.get_by_role("link", name="House-rule editor")).to_be_visible()
    page.evaluate(STILL)
    return list(page.evaluate("moved"))


@DEVICES
def test_nothing_moves_for_somebody_who_is_new(invite: Invite, device: dict[str, Any]) -> None:
    ann = invite("Ann", **device)
    assert moved_while_it_loads(ann) == []
    expect(ann.page.get_by_role("link", name="Learn in three minutes")).to_be_visible()
    assert not faults(ann.page)


@DEVICES
def test_nothing_moves_for_somebody_who_has_tables(invite: Invite, device: dict[str, Any]) -> None:
    ann = invite("Ann", **device)
    client = ann.here.browser("Ann")
    for _ in range(3):
        table_for(client, rules="kd_tournament")
    ann.known(client)
    visit(ann.page, "/")
    expect(ann.page.get_by_role("heading", name="My tables")).to_be_visible()
    assert moved_while_it_loads(ann) == []
    expect(ann.page.get_by_role("heading", name="My tables")).to_be_visible()


def test_whoever_comes_back_sees_their_tables_and_a_new_game_without_scrolling(
    invite: Invite,
) -> None:
    ann = invite("Ann", **{**NARROW, "viewport": {"width": 360, "height": 740}})
    client = ann.here.browser("Ann")
    codes = [table_for(client, rules="kd_tournament") for _ in range(3)]
    ann.known(client)
    ann.page.goto(f"/t/{codes[-1]}")
    ann.settled()
    # Otherwise the page may be left before the browser has noted that its person sat at a table.
    ann.page.wait_for_function("() => Object.values(localStorage).some((v) => /declined/.test(v))")
    ann.page.goto("/")
    mine = ann.page.get_by_role("region", name="My tables")
    for code in reversed(codes[1:]):
        expect(mine.get_by_role("link", name=code)).to_be_in_viewport(ratio=1)
    new = ann.page.get_by_role("button", name="Play now against bots")
    assert mine.evaluate(BEFORE, new.element_handle())
    expect(new).to_be_in_viewport()
    mine.get_by_text("Earlier tables").tap()
    expect(mine.get_by_role("link", name=codes[0])).to_be_visible()


def test_a_start_page_does_not_wait_long_for_the_tables(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(rules="kd_tournament")
    held: list[Route] = []
    ann.page.route("**/api/session", lambda route: held.append(route))
    ann.page.goto("/")
    expect(ann.page.get_by_role("button", name="Play now against bots")).to_be_visible()
    assert held
    held.pop().continue_()
    ann.page.unroute_all(behavior="wait")
    # They came too late to be above what may be pressed by now.
    mine = ann.page.get_by_role("region", name="My tables")
    expect(mine).to_be_visible()
    assert ann.page.locator(".home > .stack").nth(1).get_by_role("heading").first.inner_text() == (
        "My tables"
    )


def test_tables_that_are_over_are_not_above_a_new_game(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(rules="kd_tournament")

    def over(route: Route) -> None:
        me = route.fetch().json()
        route.fulfill(json={**me, "tables": [{**one, "phase": "over"} for one in me["tables"]]})

    ann.page.route("**/api/session", over)
    ann.page.goto("/")
    mine = ann.page.get_by_role("region", name="My tables")
    expect(mine.get_by_role("link", name="View")).to_be_visible()
    begin = ann.page.get_by_role("region", name="Start", exact=True)
    assert begin.evaluate(BEFORE, mine.element_handle())
    ann.page.unroute_all(behavior="wait")


def test_a_table_where_nobody_is_now_is_not_listed(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    client = ann.here.browser("Ann")
    codes = [table_for(client, title=title, open=True) for title in ("Empty", "With Ann")]
    ann.known(client)
    ann.page.goto(f"/t/{codes[1]}")
    ann.page.wait_for_function("() => told.table && told.table.seats[0].here")
    bob.page.goto("/")
    listed = bob.page.get_by_role("region", name="Public tables").locator(".table-row")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("With Ann")
    expect(listed).to_contain_text("1 person")
    ann.page.goto("about:blank")
    wait_for(lambda: not any(one["here"] for one in client.get("/api/tables").json()))
    bob.page.reload()
    expect(bob.page.get_by_role("region", name="Public tables")).to_contain_text("No public tables")
