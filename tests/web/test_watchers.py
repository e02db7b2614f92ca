"""Those who sit at a table are told who comes to watch, however many watch."""

from __future__ import annotations

from playwright.sync_api import Page

# A room whose server is the test: `hear` takes its messages.
ROOM = """async () => {
  window.WebSocket = class {
    static CONNECTING = 0;
    static OPEN = 1;
    readyState = 1;
    constructor() { window.hear = (said) => this.onmessage({ data: JSON.stringify(said) }); }
    send() {}
    close() {}
  };
  const { openRoom } = await import("/static/table/room.js");
  window.room = openRoom("AAAA");
  const view = { phase: "play", hand: null, to_act: null, trick: [], tricks: [] };
  const seats = [{ name: "Ann", kind: "person", here: true }];
  const about = { you: 0, phase: "playing", hand_number: 0, watchers: 0, turn_since: 0 };
  const table = { seq: 1, seats, view, hands: [], hands_from: 0, rules: { options: {} }, ...about };
  hear({ type: "welcome", seq: 1, table });
}"""
SAID = """([count, names]) => {
  hear({ type: "watching", count, names });
  return room.state.get().outcome?.text ?? "";
}"""


def test_who_is_named_when_another_goes_has_not_come(bare: Page) -> None:
    bare.evaluate(ROOM)
    many = [f"Guest {n}" for n in range(21)]
    assert many[0] in bare.evaluate(SAID, [1, many[:1]])
    assert many[1] in bare.evaluate(SAID, [2, many[:2]])
    assert many[19] in bare.evaluate(SAID, [20, many[:20]])
    # Of the 21st only the number is told, until somebody goes.
    said = bare.evaluate(SAID, [21, many[:20]])
    assert bare.evaluate(SAID, [20, many[1:]]) == said
    # The control: whoever comes when few are left is announced.
    bare.evaluate(SAID, [1, many[:1]])
    assert "Zoe" in bare.evaluate(SAID, [2, [many[0], "Zoe"]])
