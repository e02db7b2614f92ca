"""A finished trick goes in its time, whatever becomes of the clock of the machine."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.looks import later

HOUR = 3_600_000  # milliseconds
# The felt as it is drawn: `show` takes the finished tricks, and the one that is under way.
FELT = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { Felt } = await import("/static/table/felt/felt.js");
  const seats = ["Ann", "Bob", "Cy", "Dee"].map((name) => ({ name, kind: "person", here: true }));
  const options = { pack: "rook", rook_value: 20, counters: {} };
  const box = document.body.appendChild(document.createElement("div"));
  const nest = { nest_size: 0, nest_face_up: [], nest_statement: null };
  const before = { phase: "play", ...nest, hand_sizes: [9, 9, 9, 9] };
  const table = { hand_number: 0, you: 0, seats, rules: { options }, trumps: [] };
  window.show = (tricks, trick) => {
    const view = { ...before, tricks, trick };
    render(html`<${Felt} table=${{ ...table, view }} />`, box);
  };
}"""
TRICK = {
    "winner": 1,
    "cards": [{"place": place, "card": f"R{place + 5}"} for place in range(4)],
}
LED = [{"place": 1, "card": "G7"}]
SHOW = "([tricks, trick]) => show(tricks, trick)"


@pytest.mark.parametrize("back", [0, HOUR], ids=["right", "set back"])
def test_a_trick_goes_though_the_clock_is_set_back(bare: Page, back: int) -> None:
    bare.clock.install()
    later(bare, 1_000)
    bare.evaluate(FELT)
    for tricks, trick in (([], TRICK["cards"]), ([TRICK], []), ([TRICK], LED)):
        bare.evaluate(SHOW, [tricks, trick])
        bare.clock.run_for(100)
    expect(bare.locator(".trick.aside")).to_have_count(1)
    bare.clock.set_system_time((bare.evaluate("Date.now()") - back) / 1000)
    bare.evaluate(SHOW, [[TRICK], LED])
    bare.clock.run_for(3_000)
    expect(bare.locator(".trick.aside")).to_have_count(0, timeout=3_000)
    expect(bare.locator(".trick")).to_have_count(1)
