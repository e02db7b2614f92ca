"""What a change at the table costs is counted, never timed: what is laid out, styled and drawn."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served, table_for
from tests.web.e2e.people import PHONE, Someone

Invite = Callable[..., Someone]
# Notes who asks for a size between a message and the next picture, when the page has yet to be laid
# out; to ask then has it laid out at once, in the task that draws the change.
ASKED = """(() => {
  window.asked = [];
  let waits = false;
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", () => { waits = true; });
    }
  };
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => frame((at) => { waits = false; act(at); });
  const note = () => {
    const { stack } = new Error();
    if (waits && stack.includes("/static/")) asked.push(stack);
  };
  const watch = (owner, name) => {
    const way = Object.getOwnPropertyDescriptor(owner, name);
    const get = way.get && function () { note(); return way.get.call(this); };
    const value = way.value && function (...all) { note(); return way.value.apply(this, all); };
    Object.defineProperty(owner, name, { ...way, ...(get ? { get } : { value }) });
  };
  for (const name of ["innerHeight", "innerWidth", "scrollY"]) watch(window, name);
  for (const name of [
    "clientWidth", "clientHeight", "scrollHeight", "scrollWidth",
    "getBoundingClientRect", "scrollIntoView",
  ]) watch(Element.prototype, name);
  for (const name of ["offsetWidth", "offsetHeight", "focus"]) watch(HTMLElement.prototype, name);
  const idle = () => { waits = false; frame(idle); };
  frame(idle);
})()"""
# A message comes, and before the next picture the rows of cards look how wide they are.
MEASURED = """() => {
  told.socket.dispatchEvent(new MessageEvent("message", { data: '{"type": "pong"}' }));
  dispatchEvent(new Event("resize"));
  return asked.length;
}"""
# Notes, of each task that changes the page, whether the ring and the hand, and how many cards came.
CHANGED = """(() => {
  window.changed = [];
  new MutationObserver((all) => {
    const boxes = all.map(({ target }) => (target.closest ? target : target.parentElement));
    const within = (css) => boxes.some((box) => box?.closest(css));
    const added = all.flatMap(({ addedNodes }) => [...addedNodes]);
    const cards = added.filter((one) => one.matches?.(".mine .card"));
    changed.push({ ring: within(".ring"), hand: within(".mine .card-row"), cards: cards.length });
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})()"""
# Notes, of each task that draws, how many elements came into the page.
CAME = """(() => {
  window.came = [];
  new MutationObserver((all) => {
    const added = new Set();
    for (const { addedNodes } of all) {
      for (const node of addedNodes) {
        if (!node.closest?.("body")) continue;
        for (const one of [node, ...node.querySelectorAll("*")]) added.add(one);
      }
    }
    if (added.size) came.push(added.size);
  }).observe(document, { subtree: true, childList: true });
})()"""
# Notes what is made of the browser's own ways to write numbers and lists, each of which takes 13 ms
# and more to make for the first time.
MADE = """(() => {
  window.made = [];
  for (const name of ["NumberFormat", "ListFormat", "DateTimeFormat"]) {
    const construct = (target, all) => {
      made.push(name);
      return new target(...all);
    };
    Intl[name] = new Proxy(Intl[name], { construct });
  }
})()"""
TWICE = """() => {
  const page = document.getElementById("app");
  document.body.append(page.cloneNode(true), page.cloneNode(true));
}"""
WRITES = "async () => (await import('/static/core/i18n.js')).number(0.5)"
OPENED = {
    "/": ".ways .primary",
    "/learn/first": ".card-row .card.whole.below",
    "/puzzles": ".puzzle form",
    "/t/": ".lobby .button.primary.big",
}
TOGETHER = 150  # elements that one task may draw; a hand of thirteen open cards has as many
INVALID = "devtools.timeline.invalidationTracking"
# All that the page shows, elements and their texts; as many more may be kept.
SHOWN = """() => {
  const all = document.createNodeIterator(document);
  let count = 0;
  while (all.nextNode()) count += 1;
  return count;
}"""
KEPT = "() => { window.kept = document.body.cloneNode(true); }"
STYLED = 25  # elements whose style a move may put in question, on average; a table has some 600
RESTYLED = 72  # and which get a style, with what is drawn for the first time and what inherits


def test_nothing_asks_for_a_size_before_the_page_is_laid_out(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.context.add_init_script(ASKED)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    ann.until("play")
    ann.page.evaluate("asked.length = 0")  # a table that is drawn for the first time looks once
    for _ in range(4):
        ann.act(ann.shown())
    ann.shown()
    assert ann.page.evaluate("asked") == []
    # The control: whoever asks is noted.
    assert ann.page.evaluate(MEASURED) > 0


def test_what_a_move_changes_is_drawn_in_several_tasks(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.context.add_init_script(CHANGED)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    held = len(ann.table()["view"]["hand"])
    expect(ann.page.locator(".mine .card")).to_have_count(held)
    dealt = [task["cards"] for task in ann.page.evaluate("changed") if task["cards"]]
    assert sum(dealt) == held
    assert len(dealt) > 1
    ann.page.evaluate("changed.length = 0")
    ann.until("play")
    for _ in range(3):
        ann.act(ann.shown())
    ann.shown()
    tasks = ann.page.evaluate("changed")
    assert any(task["ring"] for task in tasks)
    assert any(task["hand"] for task in tasks)
    assert not [task for task in tasks if task["ring"] and task["hand"]]


@pytest.mark.parametrize("path", OPENED)
def test_a_page_that_opens_is_drawn_some_at_a_time(invite: Invite, here: Served, path: str) -> None:
    ann = invite("Ann", **PHONE)
    ann.context.add_init_script(CAME)
    ann.context.add_init_script(MADE)
    client = here.browser("Ann")
    ann.known(client)
    ann.page.goto(path + (table_for(client, rules="kd_tournament") if path == "/t/" else ""))
    expect(ann.page.locator(OPENED[path]).first).to_be_visible()
    ann.page.wait_for_load_state("networkidle")
    came = ann.page.evaluate("came")
    assert 0 < max(came) <= TOGETHER
    assert ann.page.evaluate("made") == []
    # The control: what is drawn in one task is counted together, and what is made is noted.
    ann.page.evaluate(TWICE)
    assert ann.page.evaluate("came").pop() > TOGETHER
    ann.page.evaluate(WRITES)
    assert ann.page.evaluate("made") == ["NumberFormat"]


def test_the_cards_of_all_are_drawn_when_they_are_asked_for(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    while ann.shown()["kind"] != "done":
        ann.act(ann.shown())
    faces = ann.page.locator(".over details .face")
    expect(faces).to_have_count(0)
    ann.hit(ann.page.locator(".over summary"))
    laid = ann.table()["view"]["laid_open"]
    cards = sum(map(len, [*laid["deal"], laid["nest"], laid["discards"]]))
    assert cards > 40
    expect(faces).to_have_count(cards)


def nodes(page: Page) -> int:
    """Return how many nodes of a page's documents are in memory once that has been cleared."""
    line = page.context.new_cdp_session(page)
    line.send("HeapProfiler.collectGarbage")
    line.send("Performance.enable")
    figures = line.send("Performance.getMetrics")["metrics"]
    return int(next(one["value"] for one in figures if one["name"] == "Nodes"))


def test_what_has_left_the_table_is_freed(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    while ann.shown()["kind"] != "done":
        ann.act(ann.shown())
    shown = ann.page.evaluate(SHOWN)
    assert nodes(ann.page) < 2 * shown
    # The control: what a script holds on to is not freed.
    ann.page.evaluate(KEPT)
    assert nodes(ann.page) > 1.5 * shown


def test_a_card_that_is_played_has_little_else_drawn_anew(
    chromium: Browser, invite: Invite
) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("play")
    ann.act(ann.shown())
    first = ann.shown()["seq"]
    chromium.start_tracing(
        page=ann.page, categories=["devtools.timeline", f"disabled-by-default-{INVALID}"]
    )
    for _ in range(4):
        ann.act(ann.shown())
    moves = ann.shown()["seq"] - first
    events = json.loads(chromium.stop_tracing())["traceEvents"]
    told = [
        (one["name"], one["args"]["data"]["reason"], one["args"]["data"]["nodeName"])
        for one in events
        if one["name"] in ("LayoutInvalidationTracking", "StyleRecalcInvalidationTracking")
    ]
    again = [one for one in told if one[1] == "Size changed" and one[2].startswith("svg")]
    related = [one for one in told if one[1] == "Related style rule"]
    assert any(reason == "Added to layout" for _, reason, _ in told)
    assert not again
    assert 0 < len(related) < STYLED * moves
    styled = sum(
        one["args"].get("elementCount", 0) for one in events if one["name"] == "UpdateLayoutTree"
    )
    assert 0 < styled < RESTYLED * moves
