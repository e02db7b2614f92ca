"""The focus is never lost: whoever has no pointer goes on from where they were."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.looks import DRAWN, arrive
from tests.web.test_people_dialog import PEOPLE

BUTTONS = """() => {
  document.querySelector("main").innerHTML = `<h1 tabindex="-1">Title</h1>
    <section><p><button>One</button></p><button>Two</button></section>`;
  window.one = document.querySelector("section p button");
  one.focus();
}"""
# A field whose text is drawn beside it once it is left.
FIELD = """() => {
  document.querySelector("main").innerHTML = `<h1 tabindex="-1">Title</h1>
    <section><button>One</button><input><output>None</output><button>Two</button></section>`;
  const field = document.querySelector("section input");
  const draw = () => { document.querySelector("section output").textContent = field.value; };
  field.addEventListener("change", () => Promise.resolve().then(draw));
  field.focus();
}"""
SURE = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { Sure } = await import("/static/components/sure.js");
  window.box = document.querySelector("main").appendChild(document.createElement("p"));
  window.done = 0;
  const act = () => { done += 1; };
  render(html`<${Sure} label="Delete" sure="Yes, delete" why="It goes for good."
    back="Cancel" act=${act} />`, box);
  window.focused = [];
  box.addEventListener("focusin", ({ target }) => focused.push(target.textContent));
}"""


@pytest.mark.parametrize(
    ("done", "left"),
    [("one.remove()", "Two"), ("one.closest('section').remove()", "Title")],
)
def test_where_something_goes_what_is_nearest_has_the_focus(
    bare: Page, done: str, left: str
) -> None:
    bare.evaluate(BUTTONS)
    bare.evaluate(done)
    expect(bare.locator(":focus")).to_have_text(left)


def test_a_button_that_is_busy_has_the_focus_again_afterwards(bare: Page) -> None:
    bare.evaluate(BUTTONS)
    bare.evaluate("one.disabled = true")
    bare.evaluate(DRAWN)
    bare.evaluate("one.disabled = false")
    expect(bare.locator(":focus")).to_have_text("One")


def test_a_button_that_may_not_be_pressed_again_gives_the_focus_on(bare: Page) -> None:
    bare.evaluate(BUTTONS)
    bare.evaluate("one.disabled = true")
    bare.evaluate(DRAWN)
    bare.evaluate("document.querySelector('section').append('Done.')")
    expect(bare.locator(":focus")).to_have_text("Two")


def test_a_busy_button_beside_the_one_that_goes_is_waited_for(bare: Page) -> None:
    bare.evaluate(BUTTONS)
    bare.evaluate("document.querySelector('section > button').disabled = true")
    bare.evaluate("one.parentElement.remove()")
    bare.evaluate(DRAWN)
    assert bare.evaluate("document.activeElement === document.body")
    bare.evaluate("document.querySelector('section > button').disabled = false")
    expect(bare.locator(":focus")).to_have_text("Two")


def test_whoever_leaves_a_button_by_themselves_is_not_taken_back(bare: Page) -> None:
    bare.evaluate(BUTTONS)
    bare.evaluate("one.blur()")
    bare.evaluate(DRAWN)
    bare.evaluate("one.remove()")
    bare.evaluate(DRAWN)
    assert bare.evaluate("document.activeElement === document.body")


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_a_field_that_draws_something_when_it_is_left_is_left(bare: Page, key: str) -> None:
    bare.evaluate(FIELD)
    bare.keyboard.type("7")
    bare.keyboard.press(key)
    expect(bare.locator("output")).to_have_text("7")
    expect(bare.locator(":focus")).to_have_text("Two" if key == "Tab" else "One")


def test_whoever_presses_beside_a_field_that_draws_something_then_is_not_taken_back(
    bare: Page,
) -> None:
    bare.evaluate(FIELD)
    bare.keyboard.type("7")
    bare.locator("output").click()
    expect(bare.locator("output")).to_have_text("7")
    expect(bare.locator("main")).to_be_focused()


def test_what_cannot_be_taken_back_is_asked_by_a_button_that_is_read(bare: Page) -> None:
    bare.evaluate(SURE)
    bare.get_by_role("button", name="Delete").focus()
    bare.keyboard.press("Enter")
    sure = bare.get_by_role("button", name="Yes, delete")
    expect(sure).to_be_focused()
    expect(sure).to_have_accessible_description("It goes for good.")
    # A button that only changes its words is not read again: the focus comes to another one.
    assert bare.evaluate("focused") == ["Delete", "Yes, delete"]
    bare.keyboard.press("Tab")
    bare.keyboard.press("Enter")
    expect(bare.get_by_role("button", name="Delete")).to_be_focused()
    assert bare.evaluate("done") == 0
    bare.keyboard.press("Enter")
    expect(sure).to_be_focused()
    bare.keyboard.press("Enter")
    expect(bare.get_by_role("button", name="Delete")).to_be_focused()
    assert bare.evaluate("done") == 1


def test_the_button_that_has_the_focus_is_seen_however_long_the_words_before_it(bare: Page) -> None:
    bare.set_viewport_size({"width": 320, "height": 400})
    bare.evaluate(SURE)
    bare.evaluate("Object.assign(box.style, { display: 'grid', gap: '200px' })")
    first = bare.get_by_role("button", name="Delete")
    first.focus()
    bare.keyboard.press("Enter")
    expect(bare.locator(":focus")).to_have_text("Yes, delete")
    expect(bare.locator(":focus")).to_be_in_viewport(ratio=1)


def test_a_dialog_keeps_the_focus_when_what_was_pressed_goes(bare: Page) -> None:
    bare.evaluate(PEOPLE)
    bare.evaluate("() => show('Bob')")
    dialog = bare.get_by_role("dialog")
    for button, said in (("Block", "Blocked"), ("Report", "Reported")):
        dialog.get_by_role("button", name=button).focus()
        bare.keyboard.press("Enter")
        expect(dialog.get_by_text(said, exact=True)).to_be_visible()
        expect(dialog.locator(":focus")).to_have_text("Mute")


def test_whoever_skips_to_the_content_keeps_what_the_address_carries(bare: Page) -> None:
    packed = "import('/static/pages/rules/house_rules.js').then(({ packed }) => packed({"
    rules = bare.evaluate(f"{packed} base: 'circus', name: 'Zirkus' }}))")
    arrive(bare, f"/new#{rules}")
    address, link = bare.url, bare.get_by_role("link", name="Skip to content")
    link.focus()
    link.press("Enter")
    expect(bare.locator("#main")).to_be_focused()
    bare.keyboard.press("Tab")
    expect(bare.locator("#main").get_by_role("heading", name="Zirkus")).to_be_visible()
    assert bare.url == address
    assert bare.evaluate("document.activeElement.closest('main') !== null")
