"""On which day a mistake is asked about again, by the clock of whoever is asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

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


@pytest.mark.parametrize("days", [1, 3])
def test_what_is_asked_again_tomorrow_is_asked_from_the_morning_on(bare: Page, days: int) -> None:
    hours = [(0, 20), (0, 23), (days - 1, 23), (days, 0), (days, 9), (days, 21)]
    assert bare.evaluate(LATER, [days, hours]) == [0, 0, 0, 1, 1, 1]
