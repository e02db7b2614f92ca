"""On which day a mistake is asked about again, by the clock of whoever is asked."""

from __future__ import annotations

from playwright.sync_api import Browser, Page
from tests.server.http.served import Served
from tests.web.e2e.looks import arrive

# A mistake is answered at 8 in the evening; the page is opened when the clock stands at `hours`.
LATER = """
async ([days, hours]) => {
  const { answered, due, nextDue } = await import("/static/pages/mistakes/kept.js");
  const best = [{ action: "play R5" }, { action: "play R6" }];
  const one = { code: "ABCDEF2", hand: 0, at: 3, step: days === 1 ? 1 : 0, due: 0, changed: 0,
    decision: { seat: 0, best: "play R5", alternatives: best, reason: {} } };
  const at = (day, hour) => new Date(2026, 9, 23 + day, hour).getTime();
  answered("ann", one, days !== 1, at(0, 20));
  return hours.map(([day, hour]) => due("ann", at(day, hour)).length);
}
"""


def test_what_is_asked_again_tomorrow_is_asked_from_the_morning_on(bare: Page) -> None:
    for days in (1, 3):
        hours = [(0, 20), (0, 23), (days - 1, 23), (days, 0), (days, 9), (days, 21)]
        assert bare.evaluate(LATER, [days, hours]) == [0, 0, 0, 1, 1, 1], days
        bare.evaluate("localStorage.clear()")


# A mistake is answered when the clock stands at `then`; how many are due at each of some moments?
ASKED = """async ([then, moments]) => {
  const { answered, due } = await import("/static/pages/mistakes/kept.js");
  const best = [{ action: "play R5" }, { action: "play R6" }];
  const one = { code: "ABCDEF2", hand: 0, at: 3, step: 0, due: 0, changed: 0,
    decision: { seat: 0, best: "play R5", alternatives: best, reason: {} } };
  const at = (text) => new Date(text).getTime();
  answered("ann", one, false, at(then));
  return moments.map((text) => due("ann", at(text)).length);
}"""


# A day of 25 hours, and one of 23.
DAYS = [
    ("2026-10-25T00:30", "2026-10-25T23:50", "2026-10-26T00:10"),
    ("2026-03-28T23:30", "2026-03-28T23:50", "2026-03-29T08:00"),
]


def test_a_day_is_a_day_however_many_hours_it_has(chromium: Browser, here: Served) -> None:
    context = chromium.new_context(
        base_url=here.url, service_workers="block", timezone_id="Europe/London"
    )
    page = context.new_page()
    arrive(page, "/privacy")
    for then, *moments in DAYS:
        assert page.evaluate(ASKED, [then, moments]) == [0, 1], then
        page.evaluate("localStorage.clear()")
    context.close()


def test_what_a_clock_that_was_ahead_put_off_for_a_year_is_asked_now(bare: Page) -> None:
    moments = ["2026-11-28T12:00", "2027-11-28T12:00"]
    assert bare.evaluate(ASKED, ["2027-11-28T12:00", moments]) == [1, 0]


# A review is opened; how many of its two mistakes are said to be kept?
COLLECTED = """async (takes) => {
  const { collect } = await import("/static/pages/mistakes/kept.js");
  const reason = { code: "worse", text: "", about: {} };
  const alternatives = [{ action: "play R5" }, { action: "play R6" }];
  const found = [1, 2].map((at) => ({ hand: 0, decision:
    { action_index: at, seat: 0, sure: true, cost: 9, best: "play R5", alternatives, reason } }));
  const full = () => { throw new DOMException("", "QuotaExceededError"); };
  if (!takes) Storage.prototype.setItem = full;
  return [collect("ann", "ABCDEF2", found), collect("ann", "ABCDEF2", found)];
}"""


def test_only_what_the_browser_has_taken_is_said_to_be_kept(bare: Page) -> None:
    assert bare.evaluate(COLLECTED, True) == [2, 2]
    bare.evaluate("localStorage.clear()")
    assert bare.evaluate(COLLECTED, False) == [0, 0]
