"""The address says what is shown, also to whoever leaves the page at once."""

from __future__ import annotations

from playwright.sync_api import Page

# Three steps are shown as quickly as they can be drawn, then another page, and then Back.
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
  go("/privacy");
  const gone = location.pathname;
  history.back();
  while (location.pathname === gone) await frame();
  return location.search;
}"""


def test_back_leads_to_the_last_step(bare: Page) -> None:
    bare.goto("/odds")
    assert bare.evaluate(QUICKLY) == "?at=3"
