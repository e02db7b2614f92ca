"""A table's line is called again when nobody answers, with a server that is not there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.web.e2e.looks import later

# Sockets that are never told how their call went, or that hear nothing after the welcome.
LINES = """
async (answers) => {
  window.calls = [];
  window.WebSocket = class {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 0;
    constructor() {
      calls.push(this);
      if (!answers) return;
      this.readyState = 1;
      setTimeout(() => this.onmessage({ data: JSON.stringify({ type: "welcome", seq: 1 }) }));
    }
    sent = [];
    send(text) { this.sent.push(JSON.parse(text)); }
    close() { this.closed = true; }
  };
  const { openSocket } = await import("/static/core/socket.js");
  window.line = openSocket("AAAA", () => {}, () => {});
}
"""


@pytest.fixture
def page(bare: Page) -> Page:
    bare.clock.install()
    later(bare, 1_000)  # time passes only where a test says so
    return bare


def test_a_call_that_hangs_is_given_up(page: Page) -> None:
    page.evaluate(LINES, False)
    page.clock.run_for(7_000)
    assert page.evaluate("calls.length") == 1
    page.clock.run_for(3_000)
    assert page.evaluate("calls.length") == 2
    assert page.evaluate("calls[0].closed")


def test_a_call_that_hangs_is_made_again_as_soon_as_there_is_a_network(page: Page) -> None:
    page.evaluate(LINES, False)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    assert page.evaluate("calls.length") == 2
    assert page.evaluate("calls[0].closed")


def test_a_later_ping_gives_no_more_time_than_the_one_before(page: Page) -> None:
    page.evaluate(LINES, True)
    page.clock.run_for(9_000)
    page.evaluate("() => dispatchEvent(new Event('offline'))")
    page.clock.run_for(4_000)  # and in between the ping of every ten seconds
    assert page.evaluate("calls[0].closed")


HOUR = 3_600_000  # milliseconds


@pytest.mark.parametrize("back", [0, HOUR], ids=["right", "set back"])
def test_a_line_that_is_dead_is_seen_whatever_the_clock_says(page: Page, back: int) -> None:
    page.evaluate(LINES, True)
    page.clock.run_for(1_000)
    page.clock.set_system_time((page.evaluate("Date.now()") - back) / 1000)
    page.clock.run_for(25_000)
    assert page.evaluate("calls[0].closed")


@pytest.mark.parametrize("back", [0, HOUR], ids=["right", "set back"])
def test_what_was_not_answered_is_sent_again_whatever_the_clock_says(page: Page, back: int) -> None:
    page.evaluate(LINES, True)
    page.clock.run_for(1_000)
    page.evaluate("() => { line.command({ type: 'next' }); }")
    page.clock.set_system_time((page.evaluate("Date.now()") - back) / 1000)
    page.clock.run_for(6_000)
    assert page.evaluate("calls[0].sent.filter((one) => one.type === 'next').length") == 2


# One command over a line of its own, and what the server says of it.
TOLD = """
async (answer) => {
  const { tell } = await import("/static/core/socket.js");
  window.told = undefined;
  const line = () => calls.at(-1);
  tell("AAAA", { type: "start" }, 3_000).then((refused) => (window.told = refused && refused.code));
  await new Promise((done) => setTimeout(done, 100));
  const { id } = line().sent.find((one) => one.type === "start") ?? {};
  if (answer) line().onmessage({ data: JSON.stringify({ ...answer, id }) });
}
"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"type": "ack", "seq": 2}, None),
        ({"type": "refused", "code": "not-host", "reason": ""}, "not-host"),
        (None, "offline"),
    ],
    ids=["done", "refused", "no answer"],
)
def test_one_command_over_a_line_of_its_own_has_an_end(
    page: Page, answer: dict[str, object] | None, told: str | None
) -> None:
    page.evaluate(LINES, True)
    page.evaluate("(answer) => { window.telling = (" + TOLD + ")(answer); }", answer)
    page.clock.run_for(1_000)
    page.evaluate("() => telling")
    if answer is None:
        assert page.evaluate("told === undefined")
        page.clock.run_for(10_000)
    assert page.evaluate("told") == told
    assert not page.evaluate("calls.at(-1).closed")
    page.clock.run_for(3_000)
    assert page.evaluate("calls.at(-1).closed")
