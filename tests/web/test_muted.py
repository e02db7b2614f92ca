"""Whoever is muted at a table is muted there alone: somebody else has that name at another."""

from __future__ import annotations

from playwright.sync_api import Page

# Bob is muted at a table, which is opened again, and then another one; what is seen of the talk.
TABLES = """async () => {
  window.WebSocket = class {
    static CONNECTING = 0;
    readyState = 1;
    send() {}
    close() {}
  };
  const { openRoom } = await import("/static/table/room.js");
  const { mute, useVisibleLines } = await import("/static/table/muted.js");
  const { html, render } = await import("/static/core/ui.js");
  const box = document.createElement("div");
  const lines = [{ name: "Ann" }, { name: "Bob" }];
  const Talk = () => useVisibleLines(lines).map(({ name }) => name).join();
  const seen = () => {
    render(html`<${Talk} key=${Math.random()} />`, box);
    return box.textContent;
  };
  openRoom("AAAA");
  mute("Bob", true);
  const found = [seen()];
  for (const code of ["AAAA", "BBBB"]) {
    openRoom(code).close();
    found.push(seen());
  }
  return found;
}"""


def test_who_is_muted_is_heard_at_another_table(bare: Page) -> None:
    assert bare.evaluate(TABLES) == ["Ann", "Ann", "Ann,Bob"]
