"""Several people use one browser, one after the other: everybody's mistakes stay their own."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.server.http.served import Served, wait_for
from tests.web.e2e.people import Someone
from tests.web.e2e.test_afterwards import Match, finished, reviewed
from tests.web.e2e.test_mistakes import has_passkey, place, server_has, worst

from rookery.server.registry.passkeys import Passkeys

Invite = Callable[..., Someone]
# Of every list that the browser keeps, all is due at once.
ALL_DUE = """() => {
  for (const [key, kept] of Object.entries(localStorage)) {
    if (!key.startsWith("rookery.mistakes") || !kept.startsWith("[")) continue;
    const all = JSON.parse(kept).map((one) => ({ ...one, due: 0 }));
    localStorage.setItem(key, JSON.stringify(all));
  }
}"""
LISTS = "() => Object.keys(localStorage).filter((key) => key.startsWith('rookery.mistakes'))"
# What was kept before lists had names, and who had shared it.
AS_BEFORE = """([owner]) => {
  const all = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith("rookery.mistakes.")) continue;
    all.push(...JSON.parse(localStorage.getItem(key)));
    localStorage.removeItem(key);
  }
  localStorage.setItem("rookery.mistakes", JSON.stringify(all));
  if (owner) localStorage.setItem("rookery.mistakes.of", owner);
}"""


@pytest.fixture
def anns(here: Served) -> Match:
    return finished(here, "kd_tournament", 2)


@pytest.fixture
def other(here: Served) -> Match:
    """Return the match of another person, who has the same name."""
    return finished(here, "kd_tournament", 2)


def comes(browser: Someone, client: httpx.Client) -> Page:
    """Let a person take over the browser; return its window."""
    browser.context.clear_cookies()
    browser.known(client)
    return browser.page


def collects(browser: Someone, match: Match) -> None:
    """Let the person of a match take over the browser, and look at the review."""
    page = comes(browser, match.browser)
    page.unroute_all()
    reviewed(page, match.review)
    page.goto(f"/review/{match.code}/0")
    expect(page.get_by_text("asked again, after some days")).to_be_visible()


def asks(browser: Someone, match: Match) -> None:
    """Let the person of a match take over: they are asked about all of theirs, and nothing else."""
    page = comes(browser, match.browser)
    page.evaluate(ALL_DUE)
    page.goto("/mistakes")
    expect(page.get_by_text(f"Question 1 of {len(worst(match))}.")).to_be_visible()
    for _ in worst(match):
        expect(page.locator("[data-action]").first).to_be_visible()
        page.locator("[data-action]").first.click()
        link = page.locator(f'a[href^="/replay/{match.code}/"]')
        expect(link).to_be_visible()
        page.locator(".panel .button.primary").click()
    expect(page.get_by_role("heading", name="What do you do now?")).to_have_count(0)


def nothing_for(browser: Someone, client: httpx.Client) -> None:
    page = comes(browser, client)
    page.evaluate(ALL_DUE)
    page.goto("/mistakes")
    expect(page.get_by_text("Nothing to ask yet.")).to_be_visible()


@pytest.mark.parametrize(
    "passkey",
    [
        False,
        pytest.param(
            True, marks=pytest.mark.skipif(not Passkeys.here, reason="without the package")
        ),
    ],
    ids=["without a passkey", "with a passkey"],
)
def test_one_after_the_other_each_has_their_own(
    invite: Invite, anns: Match, other: Match, here: Served, passkey: bool
) -> None:
    browser = invite("Ann")
    if passkey:
        has_passkey(here, anns)
    collects(browser, anns)
    if passkey:
        wait_for(lambda: len(server_has(anns)[1]) > 0)
    before = server_has(anns)
    nothing_for(browser, other.browser)
    collects(browser, other)
    if Passkeys.here:
        has_passkey(here, other)
        browser.page.reload()
        expect(browser.page.get_by_text("asked again, after some days")).to_be_visible()
        wait_for(lambda: len(server_has(other)[1]) > 0)
        assert {one["code"] for one in server_has(other)[1]} == {other.code}
    asks(browser, other)
    assert [place(one) for one in server_has(anns)[1]] == [place(one) for one in before[1]]
    asks(browser, anns)
    assert {one["code"] for one in server_has(other)[1]} <= {other.code}
    assert not browser.faults


@pytest.mark.parametrize("shared", [False, True], ids=["never shared", "shared by the first"])
def test_what_a_browser_kept_for_all_goes_to_whom_it_belongs(
    invite: Invite, anns: Match, other: Match, here: Served, shared: bool
) -> None:
    browser = invite("Ann")
    collects(browser, anns)
    collects(browser, other)
    owner = anns.browser.get("/api/session").json()["person"] if shared else None
    browser.page.goto("/")
    browser.page.evaluate(AS_BEFORE, [owner])
    nothing_for(browser, here.browser("Eve"))
    asks(browser, other)
    left = json.loads(browser.page.evaluate("localStorage.getItem('rookery.mistakes')"))
    assert {one["code"] for one in left} == {anns.code}
    asks(browser, anns)
    assert browser.page.evaluate("localStorage.getItem('rookery.mistakes')") is None
    asks(browser, other)
    assert not browser.faults


def test_who_is_forgotten_leaves_the_list_of_another_and_none_of_their_own(
    invite: Invite, anns: Match, other: Match
) -> None:
    browser = invite("Ann")
    collects(browser, other)
    collects(browser, anns)
    page = browser.page
    assert len(page.evaluate(LISTS)) == 2
    page.goto("/")
    page.get_by_text("Delete my data", exact=True).first.click()
    page.locator("button.danger", has_text="Delete").last.click()
    expect(page.get_by_role("status").filter(has_text="deleted")).to_be_visible()
    assert len(page.evaluate(LISTS)) == 1
    asks(browser, other)
    assert not browser.faults


@pytest.mark.skipif(not Passkeys.here, reason="without the package for passkeys")
def test_an_answer_goes_to_nobody_who_came_in_another_window(
    invite: Invite, anns: Match, other: Match, here: Served
) -> None:
    browser = invite("Ann")
    for one in (anns, other):
        has_passkey(here, one)
    collects(browser, anns)
    page = browser.page
    page.evaluate(ALL_DUE)
    page.goto("/mistakes")
    expect(page.locator("[data-action]").first).to_be_visible()
    comes(browser, other.browser)
    with page.expect_response(lambda got: got.url.endswith(("/api/mistakes", "/api/session"))):
        page.locator("[data-action]").first.click()
    page.wait_for_timeout(500)
    assert {one["code"] for one in server_has(other)[1]} <= {other.code}
    asks(browser, anns)
