"""An answer that comes late takes the place of none that was asked for after it."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect
from tests.web.e2e.looks import DRAWN, nth

NO_RECORD: FilePayload = {"name": "notes.json", "mimeType": "application/json", "buffer": b"[]"}
NO_TABLE = {"error": {"code": "no-table", "reason": ""}}
SAID = "That's not the record of a match."
# The dialog of a deal, at a table as far as it reads one.
DEAL = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { DealDialog } = await import("/static/table/dialogs/deal_dialog.js");
  const { deckByNumber } = await import("/static/cards/suits.js");
  const { leadsTo } = await import("/static/fairness/deal_check.js");
  const { options } = await (await fetch("/api/variants/kd_tournament")).json();
  const box = document.createElement("div");
  document.body.prepend(box);
  const view = { laid_open: { deal: [], nest: [] } };
  const room = { promise: () => null };
  // Twice what the dialog does once the schema is there.
  window.again = async () => {
    const more = { deck: deckByNumber(options), game: "", code: "", seats: 0 };
    const proof = { key: "00", number: 1, shares: [] };
    for (const _ of [1, 2]) await leadsTo(view.laid_open, { ...more, proof });
  };
  window.show = (some) => {
    const proof = { scheme: "rook-deal-1", commitment: "00", key: null, shares: [], ...some };
    const table = { code: "ABCDEF2", proof, seats: [], view, rules: { options } };
    render(html`<${DealDialog} table=${table} room=${room} onClose=${() => {}} />`, box);
  };
}"""

RATINGS = """async (name) => {
  const { html, render } = await import("/static/core/ui.js");
  await import("/static/pages/stats/group.js"); // it brings the words
  const found = await import(`/static/pages/stats/${name.toLowerCase()}.js`);
  const box = document.createElement("div");
  document.body.prepend(box);
  render(html`<${found[name]} code="ABCDEF2" />`, box);
}"""

# By the section: where its switch is, what is answered where that is on, and what where it is off.
RATED = {"people": 1, "mine": True, "done": 0, "whole": 0, "families": []}
STRANGERS = {"on": True, "mine": [], "others": []}
SWITCHES: dict[str, tuple[str, dict[str, object], dict[str, object]]] = {
    "Ratings": ("tables/ABCDEF2", RATED, {**RATED, "mine": False}),
    "Strangers": ("session", STRANGERS, {**STRANGERS, "on": False}),
}


def switched_on(page: Page, section: str) -> list[Route]:
    """Show a section whose switch is on; return what is sent when it is pressed."""
    where, told, _ = SWITCHES[section]
    pressed: list[Route] = []

    def answer(route: Route) -> None:
        if route.request.method == "PUT":
            pressed.append(route)
        else:
            route.fulfill(json=told)

    page.route(f"**/api/{where}/ratings", answer)
    page.evaluate(RATINGS, section)
    return pressed


def held(page: Page, where: str) -> list[Route]:
    """Hold back all answers to what is asked there; return them as they are asked for."""
    found: list[Route] = []
    page.route(where, lambda route: found.append(route))
    return found


def late(page: Page, route: Route, answer: object, status: int = 200) -> None:
    """Have an answer come, and be drawn."""
    with page.expect_response(route.request.url):
        route.fulfill(json=answer, status=status)
    page.evaluate(DRAWN)


def test_the_check_of_a_file_is_not_overtaken_by_the_tables(bare: Page) -> None:
    asked = held(bare, "**/api/tables/ABCDEF2/record")
    bare.goto("/fair?table=ABCDEF2")
    first = nth(bare, asked)
    bare.locator("input[type=file]").set_input_files(NO_RECORD)
    problem = bare.locator(".problem p")
    expect(problem).to_contain_text(SAID)
    late(bare, first, NO_TABLE, 404)
    expect(problem).to_contain_text(SAID)
    # The control: the table's own counts where it is asked for last.
    bare.reload()
    late(bare, nth(bare, asked, 2), NO_TABLE, 404)
    expect(problem).to_have_count(1)
    expect(problem).not_to_contain_text(SAID)


def test_the_check_of_a_deal_is_not_overtaken_by_that_of_the_one_before(bare: Page) -> None:
    schema = bare.request.get("/api/rules/schema").json()
    asked = held(bare, "**/api/rules/schema")
    bare.evaluate(DEAL)
    bare.evaluate("() => show({ number: 1, key: '00' })")
    one = nth(bare, asked)
    bare.evaluate("() => show({ number: 2 })")
    hidden = bare.get_by_text("The key is shown when this hand is over.")
    expect(hidden).to_be_visible()
    late(bare, one, schema)
    bare.evaluate("() => again()")
    bare.evaluate(DRAWN)
    expect(hidden).to_be_visible()
    bare.evaluate("() => show({ number: 2, key: '00' })")
    expect(hidden).to_have_count(0)


def test_no_table_is_made_of_a_game_that_is_not_shown_yet(bare: Page) -> None:
    bare.goto("/new")
    make = bare.get_by_role("button", name="Create the table")
    shown = bare.locator("#game-title")
    expect(make).to_be_enabled()
    asked = held(bare, "**/api/variants/boston*")
    bare.locator('a[href$="rules=boston"]').click()
    boston = nth(bare, asked)
    expect(make).to_be_disabled()
    expect(bare.get_by_role("button", name="Play against bots")).to_be_disabled()
    boston.continue_()
    expect(shown).to_have_text("Boston")
    expect(make).to_be_enabled()


@pytest.mark.parametrize("section", SWITCHES)
def test_the_last_press_of_a_switch_is_what_is_shown(bare: Page, section: str) -> None:
    pressed, (_, on, off) = switched_on(bare, section), SWITCHES[section]
    switch = bare.get_by_role("checkbox")
    switch.uncheck()
    switch.check()
    late(bare, nth(bare, pressed), off)
    expect(switch).to_be_checked()
    last = nth(bare, pressed, 2)
    assert last.request.post_data_json == {"on": True}
    late(bare, last, on)
    expect(switch).to_be_checked()
    # The control: what the server answers last is shown.
    switch.uncheck()
    late(bare, nth(bare, pressed, 3), on)
    expect(switch).to_be_checked()


@pytest.mark.parametrize("section", SWITCHES)
def test_a_press_that_fails_leaves_what_the_one_before_has_done(bare: Page, section: str) -> None:
    pressed, (_, _, off) = switched_on(bare, section), SWITCHES[section]
    switch = bare.get_by_role("checkbox")
    switch.uncheck()
    switch.check()
    late(bare, nth(bare, pressed), off)
    nth(bare, pressed, 2).abort()
    expect(bare.locator(".problem")).to_have_count(1)
    # At a table whoever has no seat cannot switch it on, so there is no switch.
    expect(switch.and_(bare.locator(":checked"))).to_have_count(0, timeout=10_000)
