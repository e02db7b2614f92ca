"""What takes a server its time is asked for again, though a look failed or nobody saw the page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.e2e.looks import DRAWN, nth

# A part of a page, which looks every few milliseconds; `hides` says whether the page is in the
# background, and `asked` how often somebody wanted to know that.
PART = """async ([source, name, words, props]) => {
  const soon = (set) => (act, after, ...more) => set(act, after >= 2_000 ? 20 : after, ...more);
  [window.setTimeout, window.setInterval] = [soon(setTimeout), soon(setInterval)];
  window.hides = false;
  window.asked = 0;
  Object.defineProperty(document, "hidden", { get: () => (asked += 1, hides) });
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await needWords(words);
  const { [name]: Part } = await import(source);
  const box = document.createElement("div");
  document.body.prepend(box);
  window.show = (some) => render(html`<${Part} ...${some} />`, box);
  show(props);
}"""
DEALS = ["/static/pages/evening/deals.js", "Deals", "beside/evening"]
ROUNDS = ["/static/pages/evening/rounds.js", "RoundsSoFar", "beside/evening"]
RATINGS = ["/static/pages/stats/ratings.js", "Ratings", "pages", {"code": "ABCDEF2"}]
WHERE = "**/api/tables/ABCDEF2/ratings"
BACK = "() => document.dispatchEvent(new Event('visibilitychange'))"


def deal(state: str) -> dict[str, Any]:
    opened: dict[str, Any] = {
        "line_state": state,
        "line": None,
        "cards": [],
        "nest": [],
        "options": {},
    }
    return {"deal": 1, "results": [], "open": opened}


@pytest.mark.parametrize("hides", [False, True], ids=["seen", "in the background"])
def test_what_the_expert_makes_of_a_deal_comes_though_nobody_looked(
    bare: Page, hides: bool
) -> None:
    states = ["absent", "working"]
    bare.route("**/deals/1", lambda route: route.fulfill(json=deal(states.pop())))
    bare.evaluate(PART, [*DEALS, {"code": "ABCDEF2", "evening": {"deals": 1}, "person": None}])
    bare.evaluate("(hides) => { window.hides = hides; }", hides)
    bare.get_by_text("Deal by deal").click()
    if hides:
        bare.wait_for_function("() => asked > 0")
        bare.evaluate("() => { window.hides = false; }")
    expect(bare.get_by_text("This server has no expert bot")).to_be_visible()


def rated(done: int, *, mine: bool = True, may: bool = False) -> dict[str, Any]:
    return {"done": done, "whole": 2, "people": 0, "families": [], "mine": mine, "may": may}


@pytest.mark.parametrize("may", [True, False])
def test_whoever_may_be_rated_finds_the_switch(bare: Page, may: bool) -> None:
    bare.route(WHERE, lambda route: route.fulfill(json=rated(2, mine=False, may=may)))
    bare.evaluate(PART, RATINGS)
    expect(bare.get_by_role("status").filter(has_text="Nobody is rated here.")).to_be_visible()
    bare.evaluate(DRAWN)
    assert bare.get_by_role("checkbox", name="Rate my play at this table").count() == may


@pytest.mark.parametrize("fails", [False, True], ids=["whole", "a look fails"])
def test_ratings_that_are_worked_out_come(bare: Page, fails: bool) -> None:
    left = [rated(2), None, rated(0)] if fails else [rated(2), rated(1), rated(0)]

    def answer(route: Route) -> None:
        found = left.pop()
        if found is None:
            route.abort()
        else:
            route.fulfill(json=found)

    bare.route(WHERE, answer)
    bare.evaluate(PART, RATINGS)
    status = bare.get_by_role("status").filter(has_text="Nobody is rated here.")
    expect(status).to_be_visible()
    expect(status).not_to_contain_text("Bots are playing")
    assert not left


def test_a_look_from_before_does_not_turn_a_switch_back(bare: Page) -> None:
    looks: list[Route] = []
    first = [rated(0)]

    def answer(route: Route) -> None:
        if route.request.method == "PUT":
            route.fulfill(json=rated(2, mine=False))
        elif first:
            route.fulfill(json=first.pop())
        else:
            looks.append(route)

    bare.route(WHERE, answer)
    bare.evaluate(PART, RATINGS)
    switch = bare.get_by_role("checkbox", name="Rate my play at this table")
    expect(switch).to_be_checked()
    look = nth(bare, looks)
    switch.click()
    expect(switch).to_have_count(0)  # whoever has no seat here may only switch it off
    with bare.expect_response(WHERE):
        look.fulfill(json=rated(2))
    bare.evaluate(DRAWN)
    assert switch.count() == 0


def test_a_switch_stays_as_it_was_set_until_the_server_answers(bare: Page) -> None:
    first, looks, changes = [rated(0)], list[Route](), list[Route]()

    def answer(route: Route) -> None:
        if first:
            route.fulfill(json=first.pop())
        else:
            (changes if route.request.method == "PUT" else looks).append(route)

    bare.route(WHERE, answer)
    bare.evaluate(PART, RATINGS)
    switch = bare.get_by_role("checkbox", name="Rate my play at this table")
    look = nth(bare, looks)
    switch.click()
    change = nth(bare, changes)
    with bare.expect_response(WHERE):
        look.fulfill(json=rated(1))
    bare.evaluate(DRAWN)
    assert not switch.is_checked()
    # What is not done is not shown as done; and the bots' play is asked for again.
    change.abort()
    expect(switch).to_be_checked()
    nth(bare, looks, 2).fulfill(json=rated(2))
    status = bare.get_by_role("status").filter(has_text="Nobody is rated here.")
    expect(status).not_to_contain_text("Bots are playing")


def rounds_so_far(entries: int) -> dict[str, Any]:
    """Return what the host's list of earlier rounds is drawn of, in the second round."""
    people = [{"name": name, "number": n, "here": True} for n, name in enumerate("ABCD")]
    evening = {"rounds": 2, "missing": [], "people": people, "sides": {"4": [[0, 2], [1, 3]]}}
    told = {
        "evening": {**evening, "screens": None, "deals": 0, "over": False},
        "you": {"host": True, "person": None, "table": None},
        "entries": entries,
        "agree": False,
    }
    state = {"told": told, "waiting": [], "key": ""}
    return {"log": {"at": "ABCDEF2"}, "code": "ABCDEF2", "state": state}


@pytest.mark.parametrize("fails", [False, True], ids=["comes", "fails"])
def test_a_score_that_is_being_typed_outlives_a_look_that_fails(bare: Page, fails: bool) -> None:
    table: dict[str, Any] = {
        "number": 1,
        "seats": [0, 1, 2, 3],
        "deals": [],
        "scores": None,
        "real": False,
    }
    said: dict[str, Any] = {"said": None, "others": [], "state": "open", "entry": 0, "code": None}
    first = {"number": 1, "tables": [{**table, **said}], "byes": [], "beaten": [], "playing": []}
    bare.route("**/rounds/1", lambda route: route.fulfill(json=first))
    bare.evaluate(PART, [*ROUNDS, rounds_so_far(1)])
    bare.get_by_text("Round 1").click()
    bare.get_by_role("button", name="Enter the score of table 1").click()
    field = bare.locator(".score-form input").first
    field.fill("7")
    # Somebody else has written something: what there is is looked at once more.
    if fails:
        bare.route("**/rounds/1", lambda route: route.abort())
    event = "requestfailed" if fails else "requestfinished"
    with bare.expect_event(event):
        bare.evaluate("(some) => show(some)", rounds_so_far(2))
    bare.evaluate(DRAWN)
    assert field.count() == 1
    assert field.input_value() == "7"


def test_the_daily_deals_of_whoever_comes_back_on_another_day_are_that_days(bare: Page) -> None:
    days = iter(["2026-11-28", "2026-11-29", None, "2026-11-30"])

    def answer(route: Route) -> None:
        day = next(days)
        if day is None:
            route.abort()
        else:
            route.fulfill(json={"day": day, "ends": 0, "since": day, "families": []})

    bare.route("**/api/daily", answer)
    bare.evaluate(PART, ["/static/pages/daily/daily.js", "Days", "pages", {"path": "/api/daily"}])
    shown = bare.get_by_role("heading", level=2)
    expect(shown).to_have_text("Nov 28, 2026")
    bare.evaluate(BACK)
    expect(shown).to_have_text("Nov 29, 2026")
    with bare.expect_event("requestfailed"):
        bare.evaluate(BACK)
    bare.evaluate(DRAWN)
    assert shown.inner_text() == "Nov 29, 2026"
    bare.evaluate(BACK)
    expect(shown).to_have_text("Nov 30, 2026")
