"""What several phones write is sent, and looked at, again where a dead line does not say so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

# A log whose every 2 seconds or more are 20 ms. The first request by each method of `hang` gets no
# answer; `hung` has how to answer it. `heard` has what was told, in order.
LOG = """async (hang) => {
  const plain = window.setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 2_000 ? 20 : after, ...more);
  [window.hung, window.heard, window.entries] = [[], [], 0];
  const left = new Set(hang);
  window.fetch = (path, { method }) => new Promise((done) => {
    const answer = (n) => done(new Response(JSON.stringify({ entries: n })));
    if (method === "POST") entries = 1;
    if (left.delete(method)) hung.push(answer);
    else answer(entries);
  });
  const { shelf } = await import("/static/core/shelf.js");
  const { openOutbox } = await import("/static/core/outbox.js");
  window.log = openOutbox({
    shelf: shelf("some.", /^-$/, () => true), code: "A", key: "", path: "/log", to: "/log/entries",
    headers: () => ({}), every: () => 5_000, proves: () => false,
  });
  window.state = () => log.store.get();
  log.store.subscribe(({ told }) => heard.push(told?.entries));
}"""
WRITE = """() => {
  log.put(({ waiting }) => ({ waiting: [...waiting, { entry: { id: "one" } }] }));
  log.flush();
}"""
ARRIVED = "(n) => state().told?.entries === n && !state().waiting.length && !state().away"
# Those that hung are answered; another look is waited for.
ANSWERED = """async () => {
  hung.forEach((answer) => answer(1));
  while (state().told.entries !== 3) await new Promise((done) => setTimeout(done));
}"""


@pytest.mark.parametrize("hang", [["POST"], ["GET"], ["POST", "GET"]], ids="+".join)
def test_a_line_that_says_nothing_is_tried_again(bare: Page, hang: list[str]) -> None:
    bare.evaluate(LOG, hang)
    bare.evaluate(WRITE if "POST" in hang else "() => { entries = 1; }")
    bare.wait_for_function(ARRIVED, arg=1)
    bare.evaluate("() => { entries = 2; }")  # somebody else has written
    bare.wait_for_function(ARRIVED, arg=2)
    # What was on its way all the time tells of an older state.
    bare.evaluate("() => { entries = 3; }")
    bare.evaluate(ANSWERED)
    assert 1 not in bare.evaluate("heard.slice(heard.indexOf(2))")
