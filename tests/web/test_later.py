"""Parts of the client that are fetched later are drawn, whoever fetched them first."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.e2e.looks import arrive, nth

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
def test_a_part_that_comes_just_after_it_was_drawn_is_shown(bare: Page, first: str) -> None:
    script = BETWEEN
    if first == "fetched":
        drawn = "  render(html`<${Part} />`, box);\n"
        script = BETWEEN.replace(drawn, "  await loadLazyParts();\n" + drawn)
    assert bare.evaluate(script, "/static/components/lazy.js") == (
        "" if first == "drawn" else "Here"
    )
    expect(bare.locator("#part")).to_have_text("Here")


def test_words_that_cannot_be_had_keep_no_part_of_the_page_from_coming(bare: Page) -> None:
    bare.route("**/static/i18n/reasons.*.json", lambda route: route.abort())
    bare.evaluate("() => import('/static/table/result/verdict.js')")
    bare.evaluate("async () => (window.words = await import('/static/core/i18n.js'))")
    assert not bare.evaluate("() => words.has('reason.leader')")
    bare.unroute_all()
    # They are asked for again at once by whoever needs them, and in a moment by themselves.
    bare.wait_for_function("() => words.has('reason.leader') && words.late.get() === 1")


@pytest.mark.parametrize("status", [None, 502])
def test_a_page_comes_once_its_words_can_be_had(bare: Page, status: int | None) -> None:
    def fails(route: Route) -> None:
        if status:
            route.fulfill(status=status, body="<h1>Bad</h1>")
        else:
            route.abort()

    bare.route("**/static/i18n/en.json", fails)
    bare.clock.install()
    bare.goto("/fair")
    expect(bare.get_by_role("status").filter(has_text="Can't reach the server")).to_be_visible()
    bare.clock.run_for(10_000)
    expect(bare.get_by_role("heading")).to_have_count(0)
    bare.unroute_all()
    bare.clock.run_for(10_000)
    expect(bare.get_by_role("heading", level=1)).to_have_text("Fair deals")
    expect(bare.get_by_text("Can't reach the server")).to_have_count(0)


def test_a_page_says_its_name_until_its_program_has_come(bare: Page) -> None:
    held: list[Route] = []
    bare.route("**/static/app.js", lambda route: held.append(route))
    bare.goto("/fair", wait_until="commit")
    expect(bare.get_by_text("Rookery …")).to_be_visible()
    nth(bare, held).continue_()
    expect(bare.get_by_role("heading", level=1)).to_have_text("Fair deals")
    expect(bare.get_by_text("Rookery …")).to_have_count(0)


# A language is chosen whose words come late; what the page calls its settings.
CHOSEN = """async () => {
  const [{ t }, { change }] = await Promise.all(
    [import("/static/core/i18n.js"), import("/static/core/settings.js")]);
  window.says = () => t("shell.settings");
  change({ language: "es" });
}"""


def test_a_language_comes_once_its_words_can_be_had(bare: Page) -> None:
    wrong: list[str] = []
    bare.on("pageerror", lambda error: wrong.append(str(error)))
    bare.route("**/static/i18n/es.json", lambda route: route.fulfill(status=502))
    bare.clock.install()
    bare.goto("/fair")
    expect(bare.get_by_role("heading", level=1)).to_be_visible()
    with bare.expect_response("**/static/i18n/es.json"):
        bare.evaluate(CHOSEN)
    assert bare.evaluate("says()") == "Settings"
    bare.unroute_all()
    bare.clock.run_for(10_000)
    bare.wait_for_function("() => says() === 'Ajustes'")
    assert not wrong


# The settings as two tabs have them: each is a module of its own, over what the browser keeps.
TABS = """
async () => {
  const { settings } = await import("/static/core/settings.js?one");
  const { change } = await import("/static/core/settings.js?two");
  const odd = settings.get();
  change({ felt: "wine" });
  (await import("/static/core/settings.js?one")).change({ sound: true });
  return { odd, kept: JSON.parse(localStorage.getItem("rookery.settings")) };
}
"""


def test_settings_that_cannot_be_meant_are_the_usual_ones_and_tabs_keep_each_others(
    bare: Page,
) -> None:
    bare.evaluate(
        """() => localStorage.setItem("rookery.settings",
            JSON.stringify({ game: {}, pace: "never", sound: "yes", felt: "blue" }))"""
    )
    told = bare.evaluate(TABS)
    assert told["odd"]["game"] is None
    assert told["odd"]["pace"] == "normal"
    assert told["odd"]["sound"] is False
    assert told["odd"]["felt"] == "blue"
    assert told["kept"]["felt"] == "wine"
    assert told["kept"]["sound"] is True


NAMED = """
async (seats) => {
  const { html, render } = await import("/static/core/ui.js");
  const { Terms } = await import("/static/components/terms.js");
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${Terms} text="Moon bid 120" seats=${seats} />`, box);
  return [...box.querySelectorAll(".term")].map((term) => term.textContent);
}
"""


def test_the_name_of_a_player_is_no_word_of_the_game(bare: Page) -> None:
    assert bare.evaluate(NAMED, []) == ["Moon", "bid"]
    assert bare.evaluate(NAMED, [{"name": "Ann"}, {"name": "Moon"}]) == ["bid"]


# A link inside a dialog takes the dialog's place in the history.
LINKED = """
async () => {
  const { closedByBack } = await import("/static/core/back.js");
  const { go } = await import("/static/core/router.js");
  const until = async (what) => {
    while (!what()) await new Promise((done) => setTimeout(done, 10));
  };
  const closed = closedByBack(() => {});
  await until(() => history.state?.dialogs === 1);
  go("/learn");
  closed();
  await until(() => location.pathname === "/learn" && !history.state?.dialogs);
}
"""


def test_forward_leads_again_to_where_a_link_in_a_dialog_led(bare: Page) -> None:
    arrive(bare, "/fair")
    bare.evaluate(LINKED)
    bare.evaluate("() => history.back()")
    bare.wait_for_function("() => location.pathname === '/fair' && !history.state?.dialogs")
    bare.evaluate("() => history.forward()")
    expect(bare).to_have_url(re.compile("/learn$"))
