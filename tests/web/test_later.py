"""Parts of the client that are fetched later are drawn, whoever fetched them first."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served

# A component is drawn, and before its effects run its module has come for somebody else: both wait
# for nothing but what is done at once, and effects wait for the next frame.
BETWEEN = """
async (source) => {
  const { html, render } = await import("/static/core/ui.js");
  const { lazy, loadLazyParts } = await import(source);
  const here = async () => ({ Part: () => html`<p id="part">Here</p>` });
  const Part = lazy(here, "Part");
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${Part} />`, box);
  const before = box.textContent;
  await loadLazyParts();
  return before;
}
"""


@pytest.mark.parametrize("first", ["drawn", "fetched"])
def test_a_part_that_comes_just_after_it_was_drawn_is_shown(
    chromium: Browser, here: Served, first: str
) -> None:
    context = chromium.new_context(base_url=here.url, service_workers="block")
    try:
        page = context.new_page()
        page.goto("/privacy")
        page.wait_for_load_state("networkidle")
        script = BETWEEN
        if first == "fetched":
            drawn = "  render(html`<${Part} />`, box);\n"
            script = BETWEEN.replace(drawn, "  await loadLazyParts();\n" + drawn)
        assert page.evaluate(script, "/static/components/lazy.js") == (
            "" if first == "drawn" else "Here"
        )
        expect(page.locator("#part")).to_have_text("Here")
    finally:
        context.close()
