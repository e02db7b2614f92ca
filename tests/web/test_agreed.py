"""Who may agree by one tap to what somebody has said of a table, or of a hand."""

from __future__ import annotations

from itertools import product

from playwright.sync_api import Page, expect

# Everybody here is called Bo.
DRAW = """async ({ of, writer }) => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("pages"), needWords("beside/evening"), needWords("beside/sheet")]);
  document.querySelector("#drawn")?.remove();
  const box = document.body.appendChild(document.createElement("div"));
  box.id = "drawn";
  const state = { waiting: [], key: "" };
  if (of === "table") {
    const { TableScore } = await import("/static/pages/evening/entry.js");
    const people = ["Bo", "Bo", "Cy", "Dee"].map((name) => ({ name }));
    const evening = { people, sides: { 4: [[0, 2], [1, 3]] }, screens: {} };
    const said = { rows: [[120, 60, 120, 60]], by: "Bo", entry: 1, writers: [1] };
    const table = { number: 1, seats: [0, 1, 2, 3], deals: [], state: "waiting", said, others: [] };
    state.told = { evening, agree: true, code: "A", you: { table: null, writer } };
    render(html`<${TableScore} log=${{}} state=${state} round=${1} table=${table} />`, box);
  } else {
    const { Agreements } = await import("/static/pages/sheet/ledger.js");
    const said = { declarer: "0", bid: 120 };
    const row = { number: 0, said, by: "Bo", state: "waiting", others: [], yours: writer === 1 };
    state.told = { players: ["Bo", "Bob", "Cy", "Dee"], hands: [row] };
    render(html`<${Agreements} state=${state} agree=${() => {}} />`, box);
  }
}"""


def test_only_whoever_said_it_cannot_agree_whatever_they_are_called(bare: Page) -> None:
    bare.route("**/api/session", lambda route: route.fulfill(json={"name": "Bo", "tables": []}))
    for of, (writer, may) in product(("table", "hand"), ((1, 0), (2, 1), (None, 1))):
        bare.evaluate(DRAW, {"of": of, "writer": writer})
        expect(bare.locator(".dispute")).to_contain_text("120")
        expect(bare.get_by_role("button", name="I agree")).to_have_count(may)
