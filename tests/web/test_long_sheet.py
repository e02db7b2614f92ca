"""The score sheet of a long match, of which the server tells the last hands alone."""

from __future__ import annotations

from playwright.sync_api import Page

# The numbers of the hands on the sheet after each of some updates.
SHEETS = """async () => {
  const { sheet } = await import("/static/table/room.js");
  const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
  const told = (from, to) => ({ hands_from: from, hands: numbers(from, to) });
  const after = (before, ...updates) => updates.reduce(sheet, before).hands;
  return [
    after(told(0, 199), told(199, 200), told(200, 201)), // only what is new
    after(told(100, 230), told(230, 231), told(231, 232)), // ... for whoever came late
    after(told(0, 200), told(100, 201)), // all that is told
    after(told(100, 230), told(0, 1), told(1, 2)), // of the next match
  ];
}"""


def test_the_hands_that_are_known_are_kept(bare: Page) -> None:
    whole, late, told, following = bare.evaluate(SHEETS)
    assert whole == [*range(201)]
    assert late == [*range(100, 232)]
    assert told == [*range(201)]
    assert following == [0, 1]
