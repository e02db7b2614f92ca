"""The dialog about the people at a table, while they come and go."""

from __future__ import annotations

from playwright.sync_api import Page, expect

PEOPLE = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { createStore } = await import("/static/core/store.js");
  const { PeopleDialog } = await import("/static/table/dialogs/more.js");
  const box = document.body.appendChild(document.createElement("div"));
  const room = { ask: async () => true, state: createStore({ chat: [], watching: null }) };
  window.show = (name) => {
    const seats = ["Ann", name].map((one) => ({ name: one, kind: "person", here: true }));
    const table = { you: 0, host: 1, phase: "lobby", seats, silenced: {}, evening: null };
    render(html`<${PeopleDialog} table=${table} room=${room} onClose=${() => {}} />`, box);
  };
}"""


def test_what_was_said_of_somebody_is_not_said_of_who_takes_their_seat(bare: Page) -> None:
    bare.evaluate(PEOPLE)
    bare.evaluate("() => show('Bob')")
    dialog = bare.get_by_role("dialog")
    for done, said in (("Report", "Reported"), ("Block", "Blocked")):
        dialog.get_by_role("button", name=done).click()
        expect(dialog.get_by_text(said, exact=True)).to_be_visible()
    bare.evaluate("() => show('Bob')")  # the control: something else has happened at the table
    assert dialog.get_by_role("button", name="Report").count() == 0
    bare.evaluate("() => show('Cy')")
    assert dialog.get_by_role("button", name="Report").count() == 1
    assert dialog.get_by_role("button", name="Block").count() == 1
