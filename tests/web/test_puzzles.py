"""The page of puzzles: asked, answered by the keyboard, rated once, and for everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import nth, visit
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.sizes import faults_on, speaks

from rookery.puzzles.document import answer
from rookery.puzzles.glicko import Rating
from rookery.puzzles.puzzle import Puzzle
from rookery.puzzles.shelf import chosen, shelf

CARD = next(one for one in shelf() if one.part == "play" and len(one.choices) == 3)
DISCARD = next(one for one in shelf() if one.part == "nest")
BID = next(one for one in shelf() if one.part == "auction")


def page_of(browser: Browser, here: Served, **options: Any) -> Page:  # noqa: ANN401  (Playwright's own)
    context = browser.new_context(base_url=here.url, service_workers="block", **options)
    context.set_default_timeout(60_000)
    return context.new_page()


@pytest.fixture
def page(chromium: Browser, here: Served) -> Iterator[Page]:
    made = page_of(chromium, here, locale="en-GB")
    yield made
    made.context.close()


def at(page: Page, puzzle: Puzzle, query: str = "") -> None:
    page.goto(f"/puzzles/{puzzle.id}{query}")
    expect(page.get_by_role("group", name="What do you do?")).to_be_visible()


def pick(page: Page, puzzle: Puzzle, *, right: bool) -> None:
    """Choose the right answer, or a wrong one, with the keyboard alone."""
    wanted = puzzle.right if right else puzzle.choices[-1]
    options = [one.actions for one in sorted(puzzle.choices, key=lambda one: order(puzzle, one))]
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    for _ in range(options.index(wanted.actions)):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def order(puzzle: Puzzle, choice: Any) -> list[int]:  # noqa: ANN401
    return puzzle.hand.numbers_of(puzzle.action_of(choice.actions[0]))


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('rookery.puzzles')"))
    return found


@pytest.mark.parametrize("right", [True, False])
def test_a_puzzle_is_answered_by_the_keyboard(page: Page, right: bool) -> None:
    at(page, CARD)
    assert page.get_by_role("radio").count() == len(CARD.choices)
    expect(page.locator(".replay-place .back").first).to_be_visible()
    pick(page, CARD, right=right)
    head = page.locator("#answer-title")
    expect(head).to_be_focused()
    expect(head).to_have_text(re.compile("^Right!$" if right else "^Not the best choice. Better: "))
    told = answer(CARD)
    rows = page.get_by_role("list", name="What each choice is worth").get_by_role("listitem")
    expect(rows).to_have_count(len(told.choices))
    expect(rows.first).to_contain_text("right")
    expect(page.locator(".replay-place .back")).to_have_count(0)
    expected = Rating().after([(CARD.rating, float(right))])
    assert kept(page)["person"]["value"] == pytest.approx(expected.value, abs=1)
    assert (kept(page)["met"][CARD.id]["value"] > round(CARD.rating.value)) != right


def test_a_puzzle_counts_once_and_not_at_all_if_nobody_wants_it(page: Page) -> None:
    at(page, CARD, "?free=1")
    pick(page, CARD, right=True)
    expect(page.get_by_text("This one was not counted.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('rookery.puzzles')") is None
    at(page, CARD)
    pick(page, CARD, right=True)
    expect(page.get_by_text("Your rating: 1,500, now")).to_be_visible()
    before = kept(page)
    at(page, CARD)
    pick(page, CARD, right=False)
    expect(page.get_by_text("This one was not counted.")).to_be_visible()
    assert kept(page) == before


def test_what_is_chosen_counts_once_though_another_is_marked_meanwhile(page: Page) -> None:
    at(page, CARD)
    held: list[Route] = []
    page.route("**/answer", lambda route: held.append(route))
    pick(page, CARD, right=True)
    nth(page, held)
    # The line is slow: somebody presses again, and goes on to another choice.
    page.keyboard.press("Enter")
    wrong = page.get_by_role("radio", checked=False).first
    wrong.check()
    for route in held:
        route.continue_()
    expect(page.locator("#answer-title")).to_have_text("Right!")
    expect(page.get_by_text("Your rating: 1,500, now")).to_be_visible()
    assert len(held) == 1
    expected = Rating().after([(CARD.rating, 1.0)])
    assert kept(page)["person"]["value"] == pytest.approx(expected.value, abs=1)


def test_what_two_windows_rate_is_all_kept(page: Page) -> None:
    other = page.context.new_page()
    at(page, CARD)
    at(other, DISCARD)
    rating = "Your rating: 1,500, now"
    for window, puzzle in ((page, CARD), (other, DISCARD)):
        window.bring_to_front()
        pick(window, puzzle, right=True)
        expect(window.get_by_text(re.compile("Your rating: .*, now"))).to_be_visible()
    expect(page.get_by_text(rating)).to_be_visible()
    expect(other.get_by_text(rating)).to_have_count(0)
    assert set(kept(page)["met"]) == {CARD.id, DISCARD.id}


def test_the_next_one_is_of_the_kind_that_is_wanted(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_role("radio").first).to_be_visible()
    page.get_by_text("Which puzzles").click()
    page.get_by_label("About").select_option("feed")
    for _ in range(2):
        page.wait_for_url("**theme=feed")
        expect(page.get_by_role("radio").first).to_be_visible()
        shown = page.url.rpartition("/")[2].partition("?")[0]
        assert shown in {one.id for one in chosen(shelf(), theme="feed")}
        page.get_by_role("button", name="Skip").click()
        page.wait_for_function("id => !location.pathname.endsWith(id)", arg=shown)
    page.get_by_label("Game").select_option("circus")
    page.wait_for_url("**rules=circus**")
    rules = {one.id for one in chosen(shelf(), rules="circus", theme="feed")}
    if rules:
        page.wait_for_function("ids => ids.includes(location.pathname.slice(9))", arg=list(rules))


def test_what_is_no_puzzle_is_said(page: Page) -> None:
    page.goto("/puzzles/nothing")
    expect(page.get_by_text("There's no such puzzle.")).to_be_visible()


def test_the_browsers_ratings_are_the_programs(page: Page) -> None:
    page.goto("/privacy")
    pairs = [
        (Rating(1500, 350), Rating(1720, 95), 1.0),
        (Rating(1320, 61, 0.059), Rating(2010, 160), 1.0),
        (Rating(2100, 80), Rating(1100, 60), 0.0),
    ]
    for one, other, score in pairs:
        found = page.evaluate(
            "async ([a, b, s]) => (await import('/static/pages/puzzles/rating.js')).after(a, b, s)",
            [one._asdict(), other._asdict(), score],
        )
        expected = one.after([(other, score)])
        assert found["value"] == pytest.approx(expected.value, abs=1e-3)
        assert found["deviation"] == pytest.approx(expected.deviation, abs=1e-3)
        assert found["volatility"] == pytest.approx(expected.volatility, abs=1e-7)


@pytest.mark.slow
def test_question_and_answer_are_for_everybody(chromium: Browser, here: Served) -> None:
    page = page_of(chromium, here, locale="en-GB", **NARROW)
    light, dark = {**DESKTOP, "color_scheme": "light"}, {**NARROW, "color_scheme": "dark"}
    for puzzle in (CARD, DISCARD, BID):
        visit(page, f"/puzzles/{puzzle.id}")
        expect(page.get_by_role("radio").first).to_be_visible()
        assert not faults_on(page, light, dark)
        page.get_by_role("radio").first.check()
        page.locator("form button.primary").click()
        expect(page.locator("#answer-title")).to_be_focused()
        for language, device in (("en", light), ("es", dark)):
            speaks(page, language)
            assert not faults_on(page, device), language
            said = page.inner_text("body")
            assert not re.search(r"\b(?:puzzles|reason|mistake)\.[a-z_]+", said), language
    page.context.close()
