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


# The same of a page that only looks at an evening. The second request gets no answer until `hung`.
WATCH = """async () => {
  const plain = window.setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 2_000 ? 20 : after, ...more);
  [window.heard, window.asked] = [[], 0];
  window.fetch = () => new Promise((done) => {
    const n = (asked += 1);
    const told = JSON.stringify({ now: n, n });
    const answer = () => done(new Response(told, { headers: { etag: n } }));
    if (n === 2) window.hung = answer;
    else answer();
  });
  const { watchEvening } = await import("/static/pages/evening/told.js");
  const { store } = watchEvening("A", "");
  store.subscribe(({ told }) => heard.push(told?.n));
}"""


def test_a_look_that_gets_no_answer_is_not_the_last(bare: Page) -> None:
    bare.evaluate(WATCH)
    bare.wait_for_function("() => heard.includes(3)")
    bare.evaluate("() => hung()")
    bare.wait_for_function("() => heard.includes(asked) && asked > 5")
    assert not bare.evaluate("heard.includes(2)")


# Every answer comes later than the page waits for one, and tells its own number.
SLOW = """async () => {
  const plain = window.setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 2_000 ? 20 : after, ...more);
  [window.heard, window.due] = [[], []];
  window.fetch = () => new Promise((done) => {
    const n = due.length + 1;
    const told = JSON.stringify({ now: n, n });
    due.push(() => done(new Response(told, { headers: { etag: n } })));
  });
  const { watchEvening } = await import("/static/pages/evening/told.js");
  const { store } = watchEvening("A", "");
  window.state = () => store.get();
  store.subscribe(({ told }) => heard.push(told?.n));
}"""


def test_a_look_whose_answer_takes_long_counts_unless_a_later_one_was_answered(bare: Page) -> None:
    bare.evaluate(SLOW)
    bare.wait_for_function("() => due.length > 4")
    bare.evaluate("() => due[2]()")
    bare.wait_for_function("() => state().told?.n === 3")
    bare.evaluate("() => due[1]()")
    bare.evaluate("() => due[3]()")
    bare.wait_for_function("() => state().told.n === 4")
    assert 2 not in bare.evaluate("heard")


# Two looks at once; the later one is answered first, and the one before finds nothing there.
OVERTAKEN = """async (what) => {
  const asked = [];
  window.fetch = () => new Promise((done) => asked.push(done));
  const settings = { key: "", path: "/log", to: "", headers: () => ({}), every: () => 5_000 };
  const opened = {
    outbox: async () => {
      const { shelf } = await import("/static/core/shelf.js");
      const { openOutbox } = await import("/static/core/outbox.js");
      const kept = shelf("some.", /^-$/, () => true);
      return openOutbox({ ...settings, shelf: kept, code: "A", proves: () => false });
    },
    evening: async () => (await import("/static/pages/evening/told.js")).watchEvening("A", ""),
  };
  const { store, close } = await opened[what]();
  const until = async (is) => {
    while (!is()) await new Promise((done) => setTimeout(done));
  };
  await until(() => asked.length === 1);
  dispatchEvent(new Event("online"));
  await until(() => asked.length === 2);
  const gone = JSON.stringify({ error: { code: "not-found", reason: "" } });
  asked[1](new Response(JSON.stringify({ entries: 1, now: 1 }), { headers: { etag: "1" } }));
  await until(() => store.get().told);
  asked[0](new Response(gone, { status: 404 }));
  await new Promise((done) => setTimeout(done, 100));
  const first = store.get().error;
  // The control: one that is asked for later is believed.
  dispatchEvent(new Event("online"));
  await until(() => asked.length === 3);
  asked[2](new Response(gone, { status: 404 }));
  await until(() => store.get().error);
  close();
  return [first, store.get().error.code];
}"""


@pytest.mark.parametrize("what", ["outbox", "evening"])
def test_a_look_that_was_overtaken_does_not_say_that_nothing_is_there(
    bare: Page, what: str
) -> None:
    assert bare.evaluate(OVERTAKEN, what) == [None, "not-found"]


# Whoever runs an evening begins a round, twice: the first request gets no answer.
BEGIN = """async () => {
  const plain = window.setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 2_000 ? 500 : after, ...more);
  const ids = [];
  const told = JSON.stringify({ evening: { people: [] }, you: {} });
  window.fetch = (path, { method, body }) => new Promise((done) => {
    if (method !== "POST" || ids.push(JSON.parse(body).id) > 1) done(new Response(told));
  });
  const { openEvening } = await import("/static/pages/evening/log.js");
  const log = openEvening("A", "");
  const begun = () => log.act({ do: "round", round: 1 }).then(() => "begun", ({ code }) => code);
  const waits = () => new Promise((done) => plain(done, 10_000, "waits"));
  const tries = [await Promise.race([begun(), waits()]), await Promise.race([begun(), waits()])];
  return [...tries, ids[0] === ids[1]];
}"""


def test_what_a_host_does_on_a_line_that_says_nothing_can_be_done_again(bare: Page) -> None:
    assert bare.evaluate(BEGIN) == ["offline", "begun", True]


# Two people change places; the answer comes too late. Then they do so again.
AGAIN = """async () => {
  const plain = window.setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 2_000 ? 500 : after, ...more);
  const told = JSON.stringify({ evening: { people: [] }, you: {} });
  const ids = [];
  let answer = null;
  const read = new Promise((done) => {
    const late = { status: 200, text: async () => (done(), told) };
    window.fetch = async (path, { method, body }) => {
      if (method !== "POST" || ids.push(JSON.parse(body).id) > 1) return new Response(told);
      return new Promise((say) => { answer = () => say(late); });
    };
  });
  const { openEvening } = await import("/static/pages/evening/log.js");
  const log = openEvening("A", "");
  const exchange = { do: "exchange", one: 1, other: 2 };
  const change = () => log.act(exchange).then(() => "done", ({ code }) => code);
  const first = await change();
  answer();
  await read;
  await new Promise((done) => plain(done));
  return [first, await change(), ids[0] === ids[1]];
}"""


def test_what_was_answered_late_is_another_thing_the_next_time(bare: Page) -> None:
    assert bare.evaluate(AGAIN) == ["offline", "done", False]
