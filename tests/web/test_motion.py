"""A match that is won is worth looking at: feathers fall once, move nothing else, and are gone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import arrive, later

# The end of a match, as two snapshots one after the other.
ENDS = """
async ([winners]) => {
  const { html, render } = await import("/static/core/ui.js");
  const { Motion } = await import("/static/table/felt/motion.js");
  const { needStyle } = await import("/static/components/loading.js");
  await needStyle("table");
  const view = { phase: "play", trick: [], tricks: [], dealer: 0 };
  const before = { hand_number: 0, phase: "playing", you: 1, view };
  const after = { ...before, phase: "over", winners, view: { ...view, phase: "done" } };
  const box = document.body.appendChild(document.createElement("div"));
  box.style.position = "relative";
  const root = { current: box };
  const draw = (table) => render(html`<${Motion} table=${table} root=${root} />`, box);
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const frame = () => next().then(next);
  draw(before);
  await frame();
  draw(after);
  await frame();
  const moving = document.getAnimations();
  const moved = moving.flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys);
  return {
    feathers: box.querySelectorAll(".feather").length,
    ends: moving.map((one) => one.effect.getComputedTiming().endTime),
    moved: [...new Set(moved)].filter((name) => !/offset|composite|easing/i.test(name)).sort(),
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}
"""

# A new hand, whose cards come into their row when the page has been drawn, some at a time.
DEALT = """
async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { Motion } = await import("/static/table/felt/motion.js");
  const box = document.body.appendChild(document.createElement("div"));
  box.innerHTML = '<p class="plate" data-place="0"></p><div class="card-row hand"></div><p></p>';
  const [, row, drawn] = box.children;
  const card = () => Object.assign(document.createElement("b"), { className: "card" });
  const add = () => row.appendChild(card());
  // What has moved counts, be it over by now or not.
  const moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...way) {
    moved.push(this);
    return animate.apply(this, way);
  };
  const root = { current: box };
  const view = { phase: "auction", trick: [], tricks: [], dealer: 0, hand: ["R1", "R2", "R3"] };
  const table = (hand_number) => ({ hand_number, phase: "playing", you: 1, view: { ...view } });
  const draw = (one) => render(html`<${Motion} table=${one} root=${root} />`, drawn);
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const frame = () => next().then(next);
  draw(table(0));
  await frame();
  draw(table(1));
  await frame();
  const cards = [add(), add()];
  await frame();
  cards.push(add());
  await frame();
  const late = add();
  await frame();
  return [...cards, late].map((card) => moved.filter((one) => one === card).length);
}
"""


def ended(page: Page, here: Served, winners: list[int]) -> dict[str, Any]:
    """Return what is seen when these places have won, at place 1."""
    arrive(page, f"{here.url}/privacy")
    return dict(page.evaluate(ENDS, [winners]))


@pytest.mark.parametrize("width", [320, 1280])
def test_feathers_fall_for_who_has_won_and_are_gone(
    chromium: Browser, here: Served, width: int
) -> None:
    size = {"width": width, "height": 640}
    context = chromium.new_context(viewport=size, service_workers="block")  # type: ignore[arg-type]
    page = context.new_page()
    page.clock.install()
    seen = ended(page, here, [1, 3])
    assert seen["feathers"] > 10
    assert len(seen["ends"]) == seen["feathers"]
    assert max(seen["ends"]) < 6_000
    assert seen["moved"] == ["opacity", "transform"]
    assert seen["wide"] <= 0
    later(page, 6_000)
    expect(page.locator(".feather")).to_have_count(0)
    page.clock.resume()
    assert ended(page, here, [0, 2])["feathers"] == 0
    context.close()


def test_nothing_falls_where_no_motion_is_wanted(chromium: Browser, here: Served) -> None:
    context = chromium.new_context(reduced_motion="reduce", service_workers="block")
    seen = ended(context.new_page(), here, [1, 3])
    assert seen["feathers"] == 0
    assert seen["ends"] == []
    context.close()


def test_each_card_of_a_new_hand_is_dealt_once(chromium: Browser, here: Served) -> None:
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    arrive(page, f"{here.url}/privacy")
    # The fourth is none of the hand that was dealt.
    assert page.evaluate(DEALT) == [1, 1, 1, 0]
    context.close()
