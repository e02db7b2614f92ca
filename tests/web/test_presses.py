"""A press does what was meant: a key held down, a marked text, a line of talk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

DRAWN = """async ([source, name]) => {
  const { html, render } = await import("/static/core/ui.js");
  const { [name]: Part } = await import(source);
  const box = document.createElement("div");
  document.body.prepend(box);
  window.count = { done: 0, closed: 0 };
  window.said = [];
  const ask = ({ text }) => new Promise((answer) => said.push({ text, answer }));
  const state = { chat: [], notice: null, nameTaken: null };
  const room = { ask, draft: "" };
  const act = () => { count.done += 1; };
  const close = () => { count.closed += 1; };
  render(html`<${Part} label="Delete it" sure="Yes, delete" back="No" act=${act}
    title="A title" onClose=${close} room=${room} state=${state}>
      <p>A text in a dialog</p><//>`, box);
}"""
SURE = ["/static/components/sure.js", "Sure"]
DIALOG = ["/static/components/dialog.js", "Dialog"]
CHAT = ["/static/table/chat.js", "ChatPanel"]
# The letters of a table, of which H asks for a hint.
LETTERS = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { useKeys } = await import("/static/table/keys.js");
  window.hints = 0;
  const room = { hint: () => { hints += 1; } };
  const Keys = () => useKeys({ room, table: { view: { tricks: [] } } });
  render(html`<${Keys} />`, document.createElement("div"));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""


def test_a_double_click_asks_and_is_not_the_answer_too(bare: Page) -> None:
    bare.evaluate(DRAWN, SURE)
    box = bare.get_by_role("button", name="Delete it").bounding_box()
    assert box is not None
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    bare.mouse.click(*at, click_count=2)
    expect(bare.get_by_role("button", name="Yes, delete")).to_be_visible()
    assert bare.evaluate("count.done") == 0
    bare.mouse.click(*at)  # the control: the same place, meant
    assert bare.evaluate("count.done") == 1


def test_enter_held_down_asks_and_is_not_the_answer_too(bare: Page) -> None:
    bare.evaluate(DRAWN, SURE)
    bare.get_by_role("button", name="Delete it").focus()
    for _ in range(5):
        bare.keyboard.down("Enter")
    bare.keyboard.up("Enter")
    expect(bare.get_by_role("button", name="Yes, delete")).to_be_focused()
    assert bare.evaluate("count.done") == 0
    bare.keyboard.press("Enter")
    assert bare.evaluate("count.done") == 1


@pytest.mark.parametrize("began", ["inside", "outside"])
def test_a_text_that_is_marked_beyond_a_dialog_does_not_close_it(bare: Page, began: str) -> None:
    bare.evaluate(DRAWN, DIALOG)
    text = bare.get_by_text("A text in a dialog")
    expect(text).to_be_visible()
    box = text.bounding_box()
    assert box is not None
    if began == "inside":
        bare.mouse.move(box["x"] + 9, box["y"] + 9)
    else:
        bare.mouse.move(3, 3)
    bare.mouse.down()
    bare.mouse.move(3, 3)
    bare.mouse.up()
    assert bare.evaluate("count.closed") == (began == "outside")


def test_a_line_is_said_once_and_the_next_one_stays(bare: Page) -> None:
    bare.evaluate(DRAWN, CHAT)
    line = bare.get_by_role("textbox")
    line.fill("Hello")
    line.press("Enter")
    line.press("Enter")
    assert bare.evaluate("said.map(({ text }) => text)") == ["Hello"]
    line.press_sequentially("And")
    bare.evaluate("said[0].answer(true)")
    line.press_sequentially(" more")
    expect(line).to_have_value("And more")
    # One that is refused is there again.
    line.press("Enter")
    line.press_sequentially("!")
    bare.evaluate("said[1].answer(false)")
    expect(line).to_have_value("And more !")


TALK = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { ChatPanel } = await import("/static/table/chat.js");
  const box = document.body.appendChild(document.createElement("div"));
  const room = { ask: () => new Promise((done) => { window.answer = done; }), draft: "" };
  const state = { chat: [], notice: null, nameTaken: null };
  window.open_talk = () => render(html`<${ChatPanel} room=${room} state=${state} />`, box);
  window.close_talk = () => render(null, box);
}"""


def test_a_line_is_still_there_when_the_talk_is_opened_again(bare: Page) -> None:
    bare.evaluate(TALK)
    line = bare.get_by_role("textbox")
    bare.evaluate("() => open_talk()")
    line.fill("One mo")
    for accepted in (False, True):
        # The talk is closed, or the match begins and it lies elsewhere.
        bare.evaluate("() => close_talk()")
        expect(line).to_have_count(0)
        bare.evaluate("() => open_talk()")
        expect(line).to_have_value("One mo")
        # The control: what was said is not there again, unless the table has refused it.
        line.press("Enter")
        bare.evaluate("() => close_talk()")
        bare.evaluate("(accepted) => answer(accepted)", accepted)
    bare.evaluate("() => open_talk()")
    expect(line).to_have_value("")


def test_a_line_that_is_refused_after_the_talk_was_opened_again_is_there(bare: Page) -> None:
    bare.evaluate(TALK)
    line = bare.get_by_role("textbox")
    bare.evaluate("() => open_talk()")
    line.fill("One")
    line.press("Enter")
    bare.evaluate("() => close_talk()")
    bare.evaluate("() => open_talk()")
    line.press_sequentially("more")
    bare.evaluate("() => answer(false)")
    bare.evaluate("() => open_talk()")  # as with the notice of the refusal
    expect(line).to_have_value("One more")


LATE = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  await (await import("/static/core/i18n.js")).needWords("beside/evening");
  const { People } = await import("/static/pages/evening/people.js");
  const box = document.body.appendChild(document.createElement("div"));
  window.told = [];
  const act = ({ names }) => new Promise((done, fail) => told.push({ names, done, fail }));
  const evening = { people: [], over: false, round: null, screens: null };
  render(html`<${People} log=${{ act }} evening=${evening} />`, box);
}"""


def test_the_next_late_comer_may_be_typed_while_one_is_added(bare: Page) -> None:
    bare.evaluate(LATE)
    bare.get_by_text("People (0)").click()
    names = bare.locator("textarea[name=late]")
    add = bare.get_by_role("button", name="Add as players")
    names.press_sequentially("Ann")
    add.click()
    names.press_sequentially("Bob")
    bare.evaluate("() => told[0].done()")
    expect(add).to_be_enabled()
    expect(names).to_have_value("Bob")
    # One that is refused is there again.
    add.click()
    names.press_sequentially("Cy")
    bare.evaluate("() => told[1].fail({ code: 'busy' })")
    expect(names).to_have_value("Bob\nCy")
    assert bare.evaluate("told.map(({ names }) => names.join())") == ["Ann", "Bob"]


def test_a_letter_held_down_is_pressed_once(bare: Page) -> None:
    bare.evaluate(LETTERS)
    for _ in range(5):
        bare.keyboard.down("h")
    bare.keyboard.up("h")
    assert bare.evaluate("hints") == 1
    bare.keyboard.press("h")
    assert bare.evaluate("hints") == 2
