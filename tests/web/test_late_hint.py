"""A hint is for its own decision, though it comes late, or another is refused meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

# A room whose server is the test; `due(n)` has another decision come, and `pass` time.
ROOM = """async () => {
  let ms = 0;
  const plain = performance.now.bind(performance);
  performance.now = () => plain() + ms;
  window.pass = (more) => { ms += more; };
  window.sent = [];
  window.WebSocket = class {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 1;
    constructor() { window.hear = (said) => this.onmessage({ data: JSON.stringify(said) }); }
    send(text) { sent.push(JSON.parse(text).type); }
    close() {}
  };
  const { openRoom } = await import("/static/table/room.js");
  window.room = openRoom("AAAA");
  const view = { phase: "play", hand: null, to_act: null, trick: [], tricks: [] };
  const about = { you: 0, phase: "playing", hand_number: 0, watchers: 0, turn_since: 0 };
  const table = { seats: [], hands: [], hands_from: 0, rules: { options: {} }, ...about };
  window.due = (seq, type = "update") => {
    hear({ type, seq, table: { ...table, seq, view: { ...view, due: seq } } });
  };
  due(1, "welcome");
}"""
HINTS = "() => sent.filter((one) => one === 'hint').length"
REFUSED = "(code) => hear({ type: 'refused', code, reason: '' })"
HINT = """() => {
  hear({ type: "hint", action: "pass" });
  return Boolean(room.state.get().hint);
}"""


@pytest.mark.parametrize("between", ["refused", "welcome"])
def test_a_hint_for_an_earlier_decision_is_not_shown(bare: Page, between: str) -> None:
    bare.evaluate(ROOM)
    bare.evaluate("() => room.hint()")
    bare.evaluate("() => due(2)")
    if between == "refused":  # as a ping may be that came too fast
        bare.evaluate(REFUSED, "too-fast")
    else:  # as where the page wants the whole table once more
        bare.evaluate("() => due(2, 'welcome')")
    assert not bare.evaluate(HINT)
    bare.evaluate("() => room.hint()")
    assert bare.evaluate(HINT)


def test_a_hint_that_takes_long_is_not_lost(bare: Page) -> None:
    bare.evaluate(ROOM)
    bare.evaluate("() => room.hint()")
    bare.evaluate("() => { due(2); pass(16_000); room.hint(); }")
    assert bare.evaluate(HINTS) == 2
    bare.evaluate(REFUSED, "no-hint")  # the first is still being prepared
    assert bare.evaluate("() => room.state.get().notice") is None
    assert not bare.evaluate(HINT)
    assert bare.evaluate(HINTS) == 3
    assert bare.evaluate(HINT)
    # The control: where there is nothing to decide, that is said.
    bare.evaluate("() => room.hint()")
    bare.evaluate(REFUSED, "no-hint")
    assert bare.evaluate("() => room.state.get().notice") is not None


def test_a_hint_takes_the_place_of_a_refusal(bare: Page) -> None:
    bare.evaluate(ROOM)
    bare.evaluate("() => { room.notice('You can\\'t play that.'); room.hint(); }")
    assert bare.evaluate(HINT)
    assert bare.evaluate("() => room.state.get().notice") is None
