"""A dialog that shows something of a hand goes with it, and does not come again by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.looks import DRAWN

# The dialogs that every board has: `show` draws them for what is otherwise in a view.
PLAY = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { usePlay } = await import("/static/table/felt/board.js");
  const seats = ["Ann", "Bob", "Cy", "Dee"].map((name) => ({ name, kind: "person", here: true }));
  const options = { pack: "rook", rook_value: 20, counters: {} };
  const table = { hand_number: 0, you: 0, phase: "playing", seats, rules: { options }, trumps: [] };
  const room = { forgetHint() {} };
  const none = { discards: null, nest_found: null, gave: null, received: null, call: null };
  const before = { phase: "play", to_act: 1, trick: [], hand: [], legal: [], ...none };
  const box = document.body.appendChild(document.createElement("div"));
  const Play = ({ now }) => {
    window.play = usePlay(room, now);
    return play.dialogs;
  };
  window.show = (some) => {
    const view = { ...before, tricks: [], may_challenge: [], ...some };
    render(html`<${Play} now=${{ ...table, view }} />`, box);
  };
}"""


def trick(suit: str) -> dict[str, object]:
    return {
        "winner": 1,
        "cards": [{"place": place, "card": f"{suit}{place + 5}"} for place in range(4)],
    }


RED, GREEN = trick("R"), trick("G")


@pytest.mark.parametrize(
    ("name", "shown", "later"),
    [
        ("trick", {"tricks": [RED]}, {"tricks": [GREEN]}),
        ("nest", {"discards": ["R5"]}, {"discards": ["G5"]}),
        ("challenge", {"may_challenge": [1]}, {"may_challenge": [2]}),
    ],
)
def test_what_was_shown_of_a_hand_goes_with_it(
    bare: Page, name: str, shown: dict[str, object], later: dict[str, object]
) -> None:
    bare.evaluate(PLAY)
    bare.evaluate("(some) => show(some)", shown)
    bare.evaluate("(name) => play.open(name)", name)
    bare.wait_for_function("(name) => play.dialog === name", arg=name)
    dialog = bare.get_by_role("dialog")
    if name != "challenge":  # a table alone has that
        expect(dialog).to_be_visible()
    # The control: as long as there is something to show, it stays.
    bare.evaluate("(some) => show(some)", later)
    bare.evaluate(DRAWN)
    assert bare.evaluate("play.dialog") == name
    # The next hand is dealt, or the trick is taken back.
    bare.evaluate("() => show({})")
    bare.evaluate(DRAWN)
    bare.evaluate("(some) => show(some)", later)
    bare.evaluate(DRAWN)
    assert bare.evaluate("play.dialog") is None
    expect(dialog).to_have_count(0)
