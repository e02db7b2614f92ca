"""What the focus comes to is read by that, and is not announced as well."""

from __future__ import annotations

from playwright.sync_api import Page, expect

LISTENS = """() => {
  window.said = [];
  const listening = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    said.push(...added.map((one) => one.textContent));
  });
  const boxes = document.querySelectorAll("#polite, #urgent");
  for (const box of boxes) listening.observe(box, { childList: true });
}"""
ANNOUNCE = "() => import('/static/core/announce.js').then(({ announce }) => announce('Later.'))"


def test_the_title_of_a_page_is_read_once(bare: Page) -> None:
    bare.evaluate(LISTENS)
    bare.get_by_role("link", name="Home").click()
    expect(bare.get_by_role("heading", name="Play Rook")).to_be_focused()
    bare.evaluate(ANNOUNCE)
    bare.wait_for_function("() => said.length")
    assert bare.evaluate("said") == ["Later."]


def test_a_hand_of_cards_has_its_name_once(bare: Page) -> None:
    bare.goto("/learn/last")
    hand = bare.get_by_role("group", name="Your hand")
    expect(hand).to_be_visible()
    expect(bare.get_by_role("region", name="Your hand")).to_have_count(0)
