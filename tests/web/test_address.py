"""The address says what is shown, also to whoever leaves the page at once."""

from __future__ import annotations

from playwright.sync_api import Page

# Three steps are shown as quickly as they can be drawn.
QUICKLY = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { go, useAddress } = await import("/static/core/router.js");
  const Stepped = ({ at }) => useAddress(`/fair?at=${at}`) ?? html`<p>${at}</p>`;
  const box = document.body.appendChild(document.createElement("div"));
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (const at of [1, 2, 3]) {
    render(html`<${Stepped} at=${at} />`, box);
    await frame();
    await frame();
  }
  return [go, frame];
}"""
# Then another page, and then Back.
AWAY = f"""async () => {{
  const [go, frame] = await ({QUICKLY})();
  go("/privacy");
  const gone = location.pathname;
  history.back();
  while (location.pathname === gone) await frame();
  return location.search;
}}"""
# Then a dialog, which is open for long.
DIALOG = f"""async () => {{
  const {{ closedByBack }} = await import("/static/core/back.js");
  const [, frame] = await ({QUICKLY})();
  const closed = closedByBack(() => {{}});
  while (!history.state?.dialogs || location.search !== "?at=3") await frame();
  closed();
  while (history.state?.dialogs) await frame();
  return location.search;
}}"""


def test_back_leads_to_the_last_step(bare: Page) -> None:
    bare.goto("/odds")
    assert bare.evaluate(AWAY) == "?at=3"


def test_the_last_step_is_that_of_the_page_and_not_of_a_dialog_over_it(bare: Page) -> None:
    bare.goto("/odds")
    assert bare.evaluate(DIALOG) == "?at=3"
