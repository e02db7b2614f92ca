"""When a match is over: its deals checked again, and its decisions looked at one by one.

The reviews shown here are made up (see `judged`), so that no bot has to be compiled; their shape is
that of `rookery schema review`.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.server.http.served import Served, table_for
from tests.web.e2e.judged import judged
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, Someone
from tests.web.e2e.spanish import Reader, pieces
from tests.web.test_pages import play

Invite = Callable[..., Someone]
GOOD = "2 hands checked: all were dealt as promised."
# What can be pressed and is lower than a finger is wide.
SMALL = """() => [...document.querySelectorAll("main button, main a.button, main select")]
  .filter((one) => one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML)"""
# What hides something to its side.
WIDE = """() => [...document.querySelectorAll("main .sheet-box, main .cost-box")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => `${one.className} ${one.scrollWidth} in ${one.clientWidth}`)"""
# The words that take more than a line in the heads of the table of choices.
BROKEN = r"""() => [...document.querySelectorAll(".alternatives thead th")].flatMap((head) =>
  [...head.firstChild.data.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(head.firstChild, index);
    range.setEnd(head.firstChild, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word))"""
CANNOT = "Don't trust this deal."


class Match(NamedTuple):
    """A match of two hands: who played it, at which table, its record and a review of it."""

    browser: httpx.Client
    code: str
    record: str
    review: dict[str, Any]


def finished(here: Served, rules: str | dict[str, object], hands: int) -> Match:
    """Play some hands."""
    browser = here.browser("Ann")
    bots = ["papa", "hog", "papa"]
    code = table_for(browser, rules=rules, bots=bots, title="Friday")
    # Playwright keeps an event loop in this thread.
    thread = threading.Thread(target=lambda: asyncio.run(play(here, browser, code, hands)))
    thread.start()
    thread.join()
    record = browser.get(f"/api/tables/{code}/record").text
    return Match(browser, code, record, judged(record))


@pytest.fixture(scope="module")
def match(here: Served) -> Match:
    return finished(here, "kd_tournament", 2)


def reviewed(page: Page, review: dict[str, Any]) -> None:
    """Have the server answer with this review."""
    page.route("**/matches/*/review", lambda route: route.fulfill(json=review))


def over(page: Page) -> None:
    """Have the server say that the match of a replayed hand is over."""

    def answer(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"over": True})

    page.route("**/api/replay/**", answer)


def costly(review: dict[str, Any], hand: int, by: str = "cost") -> list[dict[str, Any]]:
    """Return the decisions of a hand that cost something."""
    return [one for one in review["hands"][hand]["decisions"] if (one[by] or 0) > 0]


def given(page: Page, name: str, text: str) -> None:
    """Choose a file for the check."""
    data = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files(data)  # type: ignore[arg-type]


def test_a_record_is_checked_in_the_browser_and_a_forged_one_found(
    invite: Invite, match: Match
) -> None:
    ann = invite("Ann")
    ann.page.goto("/")
    ann.hit(ann.page.get_by_role("link", name="How cards are dealt"))
    given(ann.page, "match.json", match.record)
    said = ann.page.locator("main [role=status]")
    expect(said).to_contain_text(GOOD)
    forged = json.loads(match.record)
    one, other, *_ = forged["hands"][1]["deal"]
    one[0], other[0] = other[0], one[0]
    given(ann.page, "forged.json", json.dumps(forged))
    expect(said).to_contain_text("1 hand of 2 was not dealt as promised.")
    expect(ann.page.locator("main li", has_text="Hand 2: shuffled again")).to_contain_text(CANNOT)
    wrong = json.loads(match.record)
    wrong["hands"][0]["proof"]["key"] = "00" * 32
    given(ann.page, "wrong.json", json.dumps(wrong))
    expect(ann.page.locator("main li", has_text="Hand 1: the key doesn't fit")).to_be_visible()
    given(ann.page, "holiday.json", '{"format": "other"}')
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text(
        "not the record of a match"
    )
    assert not faults(ann.page)


def test_a_page_without_the_tools_names_the_program(invite: Invite, match: Match) -> None:
    ann = invite("Ann", **NARROW)
    # What plain http from another machine is like.
    ann.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    ann.page.goto(f"/fair?table={match.code}")
    expect(ann.page.get_by_text("can't check a deal over plain http")).to_be_visible()
    expect(ann.page.get_by_text("rookery verify-deal FILE")).to_be_visible()
    expect(ann.page.locator("input[type=file]")).to_have_count(0)
    assert not faults(ann.page)


def test_a_replay_leads_to_the_check_of_its_match(invite: Invite, match: Match) -> None:
    ann = invite("Ann")
    ann.known(match.browser)
    ann.page.goto(f"/replay/{match.code}/1")
    ann.hit(ann.page.get_by_role("link", name="Check the deal"))
    expect(ann.page.locator("main [role=status]")).to_contain_text(GOOD)


def test_only_a_match_that_is_over_is_offered_to_be_looked_at(invite: Invite, match: Match) -> None:
    ann = invite("Ann")
    ann.known(match.browser)
    offers = ann.page.get_by_role("link", name=re.compile("^(Review match|Match review)"))
    for path, shown in (("", ".variant"), ("/1", ".replay-board")):
        ann.page.goto(f"/replay/{match.code}{path}")
        expect(ann.page.locator(shown).first).to_be_visible()
        expect(offers).to_have_count(0)
    # The control: with a target of 5 the first hand ends it.
    done = finished(ann.here, {"base": "kd_tournament", "target": 5}, 1)
    ann.known(done.browser)
    for path in ("", "/0"):
        ann.page.goto(f"/replay/{done.code}{path}")
        expect(offers).to_have_count(1)


def test_a_review_is_waited_for_and_then_shown(invite: Invite, match: Match) -> None:
    ann = invite("Ann")
    ann.known(match.browser)
    ready = False

    def answer(route: Route) -> None:
        if ready:
            route.fulfill(json=match.review)
        else:
            route.fulfill(status=202, json={"done": 30, "whole": 60})

    ann.page.route("**/matches/*/review", answer)
    over(ann.page)
    ann.page.goto(f"/replay/{match.code}/1")
    ann.hit(ann.page.get_by_role("link", name="Match review"))
    expect(ann.page.get_by_text("30 of 60 decisions")).to_be_visible()
    assert ann.page.locator("progress").evaluate("(bar) => [bar.value, bar.max]") == [30, 60]
    assert not faults(ann.page)
    ready = True
    players = ann.page.get_by_role("region", name="The players")
    expect(players).to_contain_text(re.compile(r"accuracy \d+ of 100"))
    expect(players.get_by_role("listitem")).to_have_count(4)
    expect(ann.page.get_by_role("heading", name="Hand 2")).to_be_visible()
    ann.heard("The analysis is ready.")


def test_no_word_above_the_choices_is_broken_on_a_phone(invite: Invite, match: Match) -> None:
    ann = invite("Ann", **NARROW)
    reviewed(ann.page, match.review)
    decisions = match.review["hands"][0]["decisions"]
    discard = next(one["action_index"] for one in decisions if one["phase"] == "nest")
    ann.page.goto(f"/review/{match.code}/0?hand=1&at={discard}")
    expect(ann.page.get_by_role("columnheader")).to_have_count(3)
    assert ann.page.evaluate(BROKEN) == []


def test_a_turning_point_leads_to_the_board_of_that_moment(invite: Invite, match: Match) -> None:
    ann = invite("Ann")
    ann.known(match.browser)
    reviewed(ann.page, match.review)
    ann.page.goto(f"/review/{match.code}/0")
    point = match.review["turning"][-1]
    hand, at = point["hand"], point["action_index"]
    decision = next(
        one for one in match.review["hands"][hand]["decisions"] if one["action_index"] == at
    )
    turning = ann.page.get_by_role("region", name="Turning points").get_by_role("button")
    expect(turning).to_have_count(len(match.review["turning"]))
    ann.hit(turning.last)
    line = ann.page.locator(f"#decision-{at}")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(line).to_contain_text("turning point")
    # Judged by what the player could know, the board shows no other hand.
    board = ann.page.locator(".replay-board")
    steps = ann.page.request.get(f"/api/replay/{match.code}/{hand}?seat={decision['seat']}").json()
    held = len(steps["steps"][at]["view"]["hand"])
    seen = board.locator(".replay-place:not([aria-label='The nest']) .face:not(.back)")
    expect(seen).to_have_count(held)
    assert not faults(ann.page)
    ann.page.get_by_label("All cards open").check()
    expect(board.locator(".replay-place:not([aria-label='The nest']) .face.back")).to_have_count(0)
    ann.hit(ann.page.get_by_role("link", name="Replay from here"))
    expect(ann.page.get_by_role("slider")).to_have_value(str(at))


def test_decisions_are_judged_by_what_was_known_or_with_open_cards(
    invite: Invite, match: Match
) -> None:
    ann = invite("Ann", **NARROW)
    ann.known(match.browser)
    reviewed(ann.page, match.review)
    ann.page.goto(f"/review/{match.code}/0")
    lines = ann.page.locator(".decision")
    expect(lines).to_have_count(len(costly(match.review, 0)))
    shown = ann.page.locator(".cost-n").all_inner_texts()
    assert sum(int(text or 0) for text in shown) == pytest.approx(
        sum(one["cost"] for one in costly(match.review, 0)), abs=len(shown) / 2
    )
    tall = ann.page.locator(".cost").evaluate_all("(bars) => bars.map((bar) => bar.clientHeight)")
    assert tall.index(max(tall)) == [int(text or 0) for text in shown].index(
        max(int(text or 0) for text in shown)
    )
    ann.page.get_by_label("All cards open").check()
    expect(lines).to_have_count(len(costly(match.review, 0, "open_cost")))
    expect(ann.page.get_by_text("Hindsight")).to_be_visible()
    ann.page.get_by_label("What the player could know").check()
    ann.page.get_by_label("Whose decisions").select_option("0")
    mine = [one for one in costly(match.review, 0) if one["seat"] == 0]
    expect(lines).to_have_count(len(mine))
    ann.page.get_by_label("Include decisions that cost nothing").check()
    of_mine = [one for one in match.review["hands"][0]["decisions"] if one["seat"] == 0]
    expect(lines).to_have_count(len(of_mine))
    # A link leads others to the same place.
    ann.hit(lines.first.get_by_role("button"))
    ann.page.wait_for_url(f"**at={of_mine[0]['action_index']}**")
    expect(lines.first.locator("tbody tr")).to_have_count(len(of_mine[0]["alternatives"]))
    friend = ann.context.new_page()
    reviewed(friend, match.review)
    friend.goto(ann.page.url)
    expect(friend.locator(f"#decision-{of_mine[0]['action_index']}")).to_have_attribute(
        "aria-expanded", "true"
    )


def test_a_hand_that_was_thrown_in_has_decisions_and_no_board(invite: Invite, match: Match) -> None:
    ann = invite("Ann")
    reviewed(ann.page, match.review)
    hands = match.browser.get(f"/api/tables/{match.code}/hands").json()
    ann.page.route("**/hands", lambda route: route.fulfill(json=hands[:1]))
    ann.page.goto(f"/review/{match.code}/0?hand=2")
    lines = ann.page.locator(".decision")
    expect(lines).to_have_count(len(costly(match.review, 1)))
    ann.hit(lines.first.get_by_role("button"))
    expect(lines.first.locator("tbody tr").first).to_be_visible()
    expect(ann.page.locator(".replay-board")).to_have_count(0)
    assert not faults(ann.page)
    # The control: a hand that was played has one.
    ann.hit(ann.page.get_by_role("button", name="Hand 1", exact=True))
    ann.hit(lines.first.get_by_role("button"))
    expect(ann.page.locator(".replay-board")).to_be_visible()


@pytest.fixture
def ana(chromium: Browser, here: Served) -> Iterator[Someone]:
    came = Someone(chromium, here, "Ana", **NARROW, locale="es-MX", color_scheme="dark")
    yield came
    came.away()


@pytest.mark.slow
def test_a_review_is_for_everybody_and_in_spanish(ana: Someone, here: Served) -> None:
    match = finished(here, "boston", 1)  # thirteen tricks, side by side in a narrow window
    # What the catalogues have no words for is told as the server says it.
    review = json.loads(json.dumps(match.review).replace("Words that no catalogue has.", "…"))
    reviewed(ana.page, review)
    ana.page.goto(f"/review/{match.code}/0?hand=1")
    expect(ana.page.locator(".decision").first).to_be_visible()
    ana.hit(ana.page.locator(".decision button").first)
    expect(ana.page.locator(".replay-board .face").first).to_be_visible()
    assert not faults(ana.page)
    assert not Reader().english(pieces(ana.page))
    assert not ana.page.evaluate(WIDE)
    assert not ana.page.evaluate(SMALL)
    # The control: the same look finds a target that is too small.
    ana.page.evaluate("document.querySelector('main button').style.height = '30px'")
    ana.page.evaluate("document.querySelector('main button').style.minHeight = '0'")
    assert len(ana.page.evaluate(SMALL)) == 1


def test_where_there_is_no_match_the_page_says_so(invite: Invite, match: Match) -> None:
    ann = invite("Ann", **DESKTOP)
    ann.page.goto("/review/2222222/0")
    alert = ann.page.locator("main").get_by_role("alert")
    expect(alert).to_contain_text("This table doesn't exist")
    # Nor is there a way to it, or to its hands.
    links = ann.page.locator("main").get_by_role("link")
    expect(links).to_have_text(["Home"])
    ann.page.goto(f"/review/{match.code}/7")
    expect(ann.page.locator("main")).to_contain_text("No finished hands")
    expect(links).to_have_count(3)
