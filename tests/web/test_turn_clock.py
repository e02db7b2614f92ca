"""How long something still takes, for whoever saw it begin, comes, or comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.looks import later

HOUR = 3_600_000  # milliseconds
# A clock of 30 seconds: `show` takes when the turn began by the server's clock, and by ours where
# it was seen.
CLOCK = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { useCountdown } = await import("/static/table/countdown.js");
  const box = document.body.appendChild(document.createElement("div"));
  const Clock = ({ since, seen }) => html`<p id="left">${useCountdown(since, 30, seen)}</p>`;
  window.show = (since, seen) => render(html`<${Clock} since=${since} seen=${seen} />`, box);
}"""
SHOW = "([since, seen]) => show(since, seen)"


@pytest.fixture
def page(bare: Page) -> Page:
    bare.clock.install()
    later(bare, 1_000)  # the clock stands still
    bare.evaluate(CLOCK)
    return bare


@pytest.mark.parametrize("apart", [0, HOUR, -HOUR], ids=["same", "ahead", "behind"])
def test_a_turn_that_began_while_the_line_was_broken_has_no_more_time(
    page: Page, apart: int
) -> None:
    left = page.locator("#left")
    now = page.evaluate("Date.now()")
    page.evaluate(SHOW, [now - apart, now])
    expect(left).to_have_text("30")
    # Half a minute later somebody else's turn is seen to begin: all of it is left.
    later(page, 30_000)
    now = page.evaluate("Date.now()")
    page.evaluate(SHOW, [now - apart, now])
    expect(left).to_have_text("30")
    # The line breaks, and is there again 20 seconds after the next turn has begun.
    later(page, 40_000)
    now = page.evaluate("Date.now()")
    page.evaluate(SHOW, [now - 20_000 - apart, None])
    expect(left).to_have_text("10")


def test_whoever_comes_sees_what_is_left(page: Page) -> None:
    now = page.evaluate("Date.now()")
    page.evaluate(SHOW, [now - 20_000, None])
    expect(page.locator("#left")).to_have_text("10")


# Those who are away: `show` takes since when Bob is, 0 for not at all, and whether the page has
# just come, or come back, to the table.
ABSENT = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { Absent } = await import("/static/table/decide/absent.js");
  const box = document.body.appendChild(document.createElement("div"));
  window.show = (since, came) => {
    const bob = { name: "Bob", kind: "person", here: !since, away_since: since || null };
    const absent = since ? [{ seat: 1, bot_at: since + 60_000, now_from: null }] : [];
    const table = { came, absent, seats: [{ name: "Ann", kind: "person" }, bob] };
    render(html`<${Absent} table=${table} room=${{}} />`, box);
  };
}"""


@pytest.mark.parametrize(("gone", "came"), [(20_000, True), (0, False)], ids=["before", "now"])
def test_who_went_while_the_line_was_broken_is_waited_for_no_longer(
    page: Page, gone: int, came: bool
) -> None:
    page.evaluate(ABSENT)
    page.evaluate("() => show(0, true)")
    now = page.evaluate("Date.now()")
    page.evaluate("([since, came]) => show(since, came)", [now - gone, came])
    later(page, 10_000)
    page.evaluate("([since, came]) => show(since, came)", [now - gone, False])
    expect(page.get_by_role("timer")).to_contain_text(str((50_000 - gone) // 1000))
