"""An attempt at a daily deal, with answers that are late and people who have left."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.server.http.served import Served, first_legal

# Every request waits in `asked` for an answer, or for the line to break.
OPENED = """
async ([where, first]) => {
  window.asked = [];
  window.fetch = (path, { body }) => new Promise((done, broken) => {
    const answer = (told) => done(new Response(JSON.stringify(told)));
    const refuse = (status, code) =>
      done(new Response(JSON.stringify({ error: { code } }), { status }));
    asked.push({ path, body: JSON.parse(body), answer, broken, refuse });
  });
  const { openAttempt } = await import("/static/pages/daily/attempt.js");
  window.room = openAttempt(where, first);
}
"""


@pytest.fixture
def page(bare: Page) -> Page:
    bare.clock.install()
    return bare


@pytest.fixture
def told(here: Served, page: Page) -> tuple[str, dict[str, Any]]:
    """Return what I do first, and what the server answers, in an attempt that the page has open."""
    ann = here.browser("Ann")
    where = f"/api/daily/{ann.get('/api/daily').json()['day']}/two"
    first = ann.post(where).json()
    action = first_legal(first["view"])
    page.evaluate(OPENED, [where, first])
    page.clock.run_for(20_000)
    return action, ann.post(f"{where}/act", json={"action": action, "seen": first["seen"]}).json()


def state(page: Page) -> dict[str, Any]:
    return dict(page.evaluate("room.state.get()"))


def test_two_requests_at_once_show_nothing_twice(
    page: Page, told: tuple[str, dict[str, Any]]
) -> None:
    action, answer = told
    assert not state(page)["left"]
    before = state(page)["table"]["seq"]
    page.evaluate("(action) => { room.act(action); room.try('play R1'); }", action)
    page.evaluate("(answer) => asked.forEach((one) => one.answer(answer))", answer)
    page.wait_for_function("(seen) => room.state.get().told.seen === seen", arg=answer["seen"])
    page.clock.run_for(60_000)
    assert page.evaluate("asked.length") == 1
    assert page.evaluate("asked[0].body.number") == answer["number"] == 1
    assert state(page)["table"]["seq"] == before + len(answer["steps"])
    # The next one is sent, and an answer that says nothing new is not shown.
    page.evaluate("() => { room.try('play R1'); }")
    assert state(page)["busy"]
    page.evaluate("(answer) => asked[1].answer(answer)", answer)
    page.wait_for_function("() => !room.state.get().busy")
    page.clock.run_for(60_000)
    assert state(page)["table"]["seq"] == before + len(answer["steps"])


def test_whoever_has_left_sends_nothing_more(page: Page, told: tuple[str, dict[str, Any]]) -> None:
    action, _ = told
    page.evaluate("(action) => { room.act(action); asked[0].broken(); }", action)
    page.wait_for_function("() => room.state.get().lost")
    page.evaluate("() => room.close()")
    page.clock.run_for(60_000)
    assert page.evaluate("asked.length") == 1


def test_whoever_has_left_hears_nothing_more(page: Page, told: tuple[str, dict[str, Any]]) -> None:
    action, answer = told
    was = state(page)
    page.evaluate("(action) => { window.acted = room.act(action); room.close(); }", action)
    page.evaluate("async (answer) => { asked[0].answer(answer); await acted; }", answer)
    page.clock.run_for(60_000)
    assert state(page)["told"] == was["told"]
    assert state(page)["table"] == was["table"]


def test_a_line_that_says_nothing_is_tried_again(
    page: Page, told: tuple[str, dict[str, Any]]
) -> None:
    action, answer = told
    before = state(page)["table"]["seq"]
    page.evaluate("(action) => { room.act(action); }", action)
    page.clock.run_for(9_000)
    assert not state(page)["lost"]
    page.clock.run_for(2_000)
    page.wait_for_function("() => room.state.get().lost")
    page.clock.run_for(2_000)
    page.wait_for_function("() => asked.length === 2")
    assert page.evaluate("asked[1].body.action === asked[0].body.action")
    # The first answer comes after all.
    page.evaluate("(answer) => asked.forEach((one) => one.answer(answer))", answer)
    page.wait_for_function("() => !room.state.get().lost && !room.state.get().busy")
    page.clock.run_for(60_000)
    assert page.evaluate("asked.length") == 2
    assert state(page)["table"]["seq"] == before + len(answer["steps"])


def test_what_arrived_too_slowly_is_sent_again(
    page: Page, told: tuple[str, dict[str, Any]]
) -> None:
    action, answer = told
    page.evaluate("(action) => { room.act(action); }", action)
    page.evaluate("() => asked[0].refuse(408, 'too-slow')")
    page.wait_for_function("() => room.state.get().lost || room.state.get().notice")
    page.clock.run_for(2_000)
    page.wait_for_function("() => asked.length === 2")
    page.evaluate("(answer) => asked[1].answer(answer)", answer)
    page.wait_for_function("(seen) => room.state.get().told.seen === seen", arg=answer["seen"])
    assert not state(page)["lost"]


@pytest.mark.parametrize("tries", [1, 2])
def test_an_answer_that_takes_long_counts(
    page: Page, told: tuple[str, dict[str, Any]], tries: int
) -> None:
    action, answer = told
    before = state(page)["table"]["seq"]
    page.evaluate("(action) => { room.act(action); }", action)
    page.clock.run_for(10_500)
    page.wait_for_function("() => room.state.get().lost")
    if tries > 1:
        page.clock.run_for(1_000)
        page.wait_for_function("() => asked.length === 2")
    page.evaluate("(answer) => asked[0].answer(answer)", answer)
    page.wait_for_function("() => !room.state.get().lost && !room.state.get().busy")
    page.clock.run_for(60_000)
    assert page.evaluate("asked.length") == tries
    assert state(page)["table"]["seq"] == before + len(answer["steps"])


def test_a_link_to_somebody_elses_replay_leads_to_the_deal(bare: Page, here: Served) -> None:
    deal = f"/daily/{here.browser().get('/api/daily').json()['day']}/two"
    bare.goto(f"{deal}/replay")
    way = bare.get_by_role("link", name="Play this deal")
    expect(way).to_have_attribute("href", deal)
    expect(bare.get_by_role("button", name="Try again")).to_have_count(0)
