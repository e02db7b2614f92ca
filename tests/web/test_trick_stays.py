"""A finished trick goes in its time, whatever becomes of the clock, and on the felt till then."""

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
SEEN = [f"/static/css/{name}.css" for name in ("table", "table_small")]
# How far beside the felt the cards of a trick lie that has made room, in pixels.
BESIDE = """() => {
  for (const one of document.getAnimations()) {
    one.pause();
    one.currentTime = one.effect.getComputedTiming().duration * .6;
  }
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const faces = [...document.querySelectorAll(".trick.aside .face")];
  const boxes = faces.map((face) => face.getBoundingClientRect());
  return Math.max(...boxes.flatMap((box) => [felt.left - box.left, box.right - felt.right]));
}"""


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


@pytest.mark.parametrize("wide", [320, 640, 1280])
def test_a_trick_that_makes_room_stays_on_the_felt(bare: Page, wide: int) -> None:
    bare.set_viewport_size({"width": wide, "height": 400})
    for sheet in SEEN:
        bare.add_style_tag(url=sheet)
    bare.evaluate(FELT)
    tricks: list[object] = []
    bare.evaluate(SHOW, [tricks, TRICK["cards"]])
    bare.locator(".felt").evaluate("(felt) => { felt.style = 'width: 282px; height: 300px'; }")
    for winner in range(4):
        tricks.append({**TRICK, "winner": winner})
        bare.evaluate(SHOW, [tricks, []])
        bare.evaluate(SHOW, [tricks, [{"place": winner, "card": "G7"}]])
        expect(bare.locator(".trick.aside .face")).to_have_count(4)
        beside = bare.evaluate(BESIDE)
        assert beside <= 1, (winner, beside)
