"""Who may agree by one tap to what somebody has said of a table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.e2e.looks import DRAWN

DRAW = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("pages"), needWords("beside/evening"), needWords("beside/sheet")]);
  const { TableScore } = await import("/static/pages/evening/entry.js");
  const people = ["Ann", "Bo", "Cy", "Dee"].map((name) => ({ name }));
  const evening = { people, sides: { 4: [[0, 2], [1, 3]] }, screens: {} };
  const said = { rows: [[120, 60, 120, 60]], by: "Bo", entry: 1 };
  const table = { number: 1, seats: [0, 1, 2, 3], deals: [], state: "waiting", said, others: [] };
  const told = { evening, agree: true, code: "A", you: { table: null } };
  const state = { told, waiting: [], key: "" };
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${TableScore} log=${{}} state=${state} round=${1} table=${table} />`, box);
}"""


@pytest.mark.parametrize(("me", "may"), [("Ann", 1), ("Bo", 0), (None, 1)])
def test_only_whoever_said_it_cannot_agree_though_the_server_is_away(
    bare: Page, me: str | None, may: int
) -> None:
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if me is None:
            route.abort()
        else:
            route.fulfill(json={"person": 1, "name": me, "tables": []})

    bare.route("**/api/session", answer)
    bare.reload()
    bare.evaluate(DRAW)
    expect(bare.locator(".dispute .said-row b")).to_have_text(["120", "60"])
    while not asked:
        bare.wait_for_timeout(20)
    bare.evaluate(DRAWN)
    expect(bare.get_by_role("button", name="I agree")).to_have_count(may)
