"""What everybody has seen of the nest lies open until the play, and can be looked at again."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect
from tests.hands import after

from rookery.game import Hand
from rookery.rules import load
from rookery.view import trumps_of, view_of

DRAW = """async (table) => {
  const { html, render } = await import("/static/core/ui.js");
  const { Felt } = await import("/static/table/felt/felt.js");
  const { seenCards } = await import("/static/table/snapshot.js");
  const { OwnCardsDialog } = await import("/static/table/dialogs/small_dialogs.js");
  const again = seenCards(table) && html`<${OwnCardsDialog} table=${table} onClose=${() => {}} />`;
  document.querySelector("#drawn")?.remove();
  const box = document.body.appendChild(document.createElement("div"));
  box.id = "drawn";
  render(html`<${Felt} table=${table} />${again}`, box);
}"""
SHOWN = ["1 bid 180", "1 trump red"]
# The rules, what is done, and how many cards of the nest another seat sees on the table and later.
CASES: list[tuple[dict[str, Any], list[str], int, int]] = [
    ({"base": "one_low_180"}, SHOWN[:1], 5, 5),
    ({"base": "one_low_180"}, SHOWN, 5, 5),
    ({"base": "kd_tournament", "nest_face_up": 1}, ["1 bid 120"], 1, 1),
    ({"base": "kd_tournament", "nest_face_up": 1}, ["1 bid 70"], 1, 0),  # it still lies there
    ({"base": "kd_tournament"}, ["1 bid 120"], 0, 0),
]


def table_of(hand: Hand, seat: int) -> dict[str, Any]:
    view = view_of(hand, seat).as_dict()
    seats = [{"name": name, "kind": "person", "here": True} for name in ("Ann", "Bob", "Cy", "Dee")]
    table = {"you": seat, "view": view, "rules": view["rules"], "seats": seats, "phase": "playing"}
    return {**table, "hand_number": 0, "trumps": trumps_of(hand)}


def test_what_was_shown_of_the_nest_is_seen(bare: Page) -> None:
    for rules, acts, open_now, again in CASES:
        hand = after(Hand.shuffled(load(rules), 0, 1), *acts)
        bare.evaluate(DRAW, table_of(hand, 3))
        expect(bare.locator(".nest [role=img]")).to_have_count(open_now)
        expect(bare.locator(".shown-cards [role=img]")).to_have_count(again)
    # Whoever has taken it has room for the hand.
    hand = after(Hand.shuffled(load("one_low_180"), 0, 1), *SHOWN[:1])
    bare.evaluate(DRAW, table_of(hand, 1))
    expect(bare.locator(".nest")).to_have_count(0)
    expect(bare.locator(".shown-cards [role=img]")).to_have_count(5)
    # In the play it no longer lies on the table.
    hand = after(Hand.shuffled(load("one_low_180"), 0, 1), *SHOWN)
    hand = hand.act(next(iter(hand.legal())))
    assert hand.phase == "play"
    bare.evaluate(DRAW, table_of(hand, 3))
    expect(bare.locator(".nest")).to_have_count(0)
    expect(bare.locator(".shown-cards [role=img]")).to_have_count(5)


def test_before_the_discard_it_is_called_the_nest(bare: Page) -> None:
    hand = after(Hand.shuffled(load("kd_tournament"), 0, 1), "1 bid 120")
    bare.evaluate(DRAW, table_of(hand, 1))
    expect(bare.get_by_role("dialog", name="The nest")).to_be_visible()
    discard = next(act for act in hand.legal() if str(act).startswith("1 discard"))
    bare.evaluate("document.body.lastElementChild.remove()")
    bare.evaluate(DRAW, table_of(hand.act(discard), 1))
    expect(bare.get_by_role("dialog", name="My discards")).to_be_visible()


HEARD = """async (tables) => (await import("/static/table/words.js")).changes(...tables)"""


def test_it_is_read_out(bare: Page) -> None:
    before = Hand.shuffled(load("one_low_180"), 0, 1)
    tables = [table_of(hand, 3) for hand in (before, before.act("1 bid 180"))]
    heard = bare.evaluate(HEARD, [{**table, "sides": None} for table in tables])
    assert sum(line.startswith("The nest is shown: ") for line in heard) == 1
