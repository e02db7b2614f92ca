"""The result of a daily deal: what the expert bot did, and that it stays where a look fails."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import DRAWN
from tests.web.e2e.people import Someone
from tests.web.e2e.test_daily import by_expert, finished, rows, shared

Invite = Callable[..., Someone]
HIDDEN = (
    "(now) => Object.defineProperty(document, 'hidden', { get: () => now, configurable: true })"
)


def test_what_expert_did_stands_below_with_its_version_and_tries(
    invite: Invite, here: Served
) -> None:
    ann, client = invite("Ann"), here.browser("Ann")
    told = finished(client, "two")
    answers = [*by_expert(told)]
    ann.known(client)
    ann.page.clock.install()
    ann.page.add_init_script("navigator.share = async (told) => { window.told_others = told; };")
    ann.page.route("**/results", lambda route: route.fulfill(json=answers.pop(0)))
    ann.page.goto(f"/daily/{told['day']}/two")
    expect(ann.page.get_by_text("The expert bot is playing this deal now")).to_be_visible()
    assert [name.split()[0] for name in rows(ann.page)] == ["You"]
    ann.page.evaluate(DRAWN)  # by then it has begun to wait for the next look
    ann.page.clock.fast_forward(20_000)
    expect(ann.page.locator(".beside tbody tr")).to_have_count(2)
    assert rows(ann.page)[1].startswith("Expert, version 2, 1,600 tries")
    ann.press("Share")
    link = f"{here.url}/daily/{told['day']}/two"
    ann.page.wait_for_function("window.told_others")
    assert ann.page.evaluate("told_others.text") == f"{shared(ann.page)}\n{link}"


def test_only_what_may_be_tried_once_more_has_a_button_for_it(invite: Invite, here: Served) -> None:
    ann, client = invite("Ann"), here.browser("Ann")
    told = finished(client, "two")
    ann.known(client)
    answers = [{**told, "again": again} for again in (True, False)]
    ann.page.route("**/results", lambda route: route.fulfill(json=answers.pop(0)))
    button = ann.page.get_by_role("button", name="Play it again")
    for again in (True, False):
        ann.page.goto(f"/daily/{told['day']}/two")
        expect(ann.page.locator(".share-text")).to_be_visible()
        expect(button).to_have_count(int(again))


def test_a_look_that_fails_takes_no_result_away_and_is_followed_by_another(
    invite: Invite, here: Served
) -> None:
    ann, client = invite("Ann"), here.browser("Ann")
    told = finished(client, "two")
    at_work, done = by_expert(told)
    answers = [at_work, None, done]

    def answer(route: Route) -> None:
        one = answers.pop(0)
        if one is None:
            route.abort()
        else:
            route.fulfill(json=one)

    ann.known(client)
    ann.page.clock.install()
    ann.page.route("**/results", answer)
    ann.page.goto(f"/daily/{told['day']}/two")
    expect(ann.page.get_by_text("The expert bot is playing this deal now")).to_be_visible()
    ann.page.evaluate(HIDDEN, True)
    ann.page.clock.run_for(60_000)
    assert len(answers) == 2
    ann.page.evaluate(HIDDEN, False)
    ann.page.clock.run_for(15_000)
    expect(ann.page.get_by_text("Can't reach the server")).to_be_visible()
    assert [name.split()[0] for name in rows(ann.page)] == ["You"]
    expect(ann.page.locator(".share-text")).to_be_visible()
    ann.page.clock.run_for(20_000)
    expect(ann.page.locator(".beside tbody tr")).to_have_count(2)
    expect(ann.page.get_by_text("Can't reach the server")).to_have_count(0)


CAME = """(row) => import("/static/core/i18n.js").then(async ({ needWords }) => {
  await needWords("review");
  return (await import("/static/pages/daily/days.js")).cameTo(row, 0);
})"""


def test_an_attempt_that_this_version_does_not_accept_is_not_told_as_0(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/privacy")
    nothing = dict.fromkeys(("bid", "call", "declarer", "made", "took", "ours", "points"))
    told = "played with an earlier version, which can't be counted any more"
    assert page.evaluate(CAME, nothing) == told
    assert page.evaluate(CAME, {**nothing, "points": 0}) == "no contract, 0"
