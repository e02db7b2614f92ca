"""What a browser keeps of evenings and sheets makes room, and loses nothing that counts."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

Step = tuple[str, dict[str, Any]]
# Things are kept one after the other, each a moment later: `open(code, some)` opens one. What is
# kept of each is returned at the end: its key, "" where it is gone.
SHELF = """async (steps) => {
  let now = Date.now();
  Date.now = () => (now += 1_000);
  const { shelf } = await import("/static/core/shelf.js");
  const kept = shelf("some.", /^k/, () => true);
  for (const [code, some] of steps) {
    kept.opened(code, `k${code}`);
    kept.change(code, () => ({ told: {}, proven: true, ...some }));
  }
  return Object.fromEntries(steps.map(([code]) => [code, kept.read(code).key]));
}"""
HOST = "ABCDEF2"


def kept(page: Page, *steps: Step) -> list[str]:
    """Open some, and return the codes of those that have lost their key."""
    found = page.evaluate(SHELF, [list(step) for step in steps])
    return [code for code, key in found.items() if not key]


def test_the_links_of_its_tables_take_no_evening_from_its_host(bare: Page) -> None:
    tables: list[Step] = [(f"{HOST}/t/{n}", {}) for n in range(1, 23)]
    assert kept(bare, (HOST, {}), *tables) == [f"{HOST}/t/1"]


def test_the_oldest_make_room_where_nothing_is_to_be_sent_or_being_typed(bare: Page) -> None:
    waits = {"waiting": [{"entry": {"id": "one"}}]}
    typed = {"draft": {"form": {"points": "95"}}}
    others: list[Step] = [(f"B{n}", {}) for n in range(21)]
    assert kept(bare, ("WAITS", waits), ("TYPED", typed), ("OLD", {}), *others) == ["OLD"]
