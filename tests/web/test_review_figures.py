"""The figures of a review in words: what was given away, and how near to the best each came."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

AMOUNT = """
async (costs) => {
  const { amount } = await import("/static/pages/review/words.js");
  return costs.map(amount);
}
"""


def test_one_point_is_one_however_it_was_rounded(bare: Page) -> None:
    bare.evaluate("async () => (await import('/static/core/i18n.js')).needWords('review')")
    assert bare.evaluate(AMOUNT, [1.04, 0.96, 1, 0.9, 1.1, 12.4]) == [
        *("1 point", "1 point", "1 point"),
        *("0.9 points", "1.1 points", "12 points"),
    ]


PLAYERS = """
async (players) => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("review"), needWords("pages")]);
  const { Players } = await import("/static/pages/review/players.js");
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${Players} played=${[]} players=${players} by="known" />`, box);
  return [...box.querySelectorAll(".accuracy-line span")].map((one) => one.textContent);
}
"""


def test_only_who_gave_nothing_away_has_an_accuracy_of_100(bare: Page) -> None:
    def player(seat: int, accuracy: float | None, cost: float) -> dict[str, Any]:
        made = {"decisions": 90, "mistakes": int(cost > 0), "open_cost": None}
        return {"seat": seat, "name": None, "accuracy": accuracy, "cost": cost, **made}

    players = [player(0, 99.7, 6), player(1, 100, 0), player(2, 98.6, 14), player(3, None, 0)]
    assert bare.evaluate(PLAYERS, players) == [
        *("accuracy 99 of 100", "accuracy 100 of 100", "accuracy 99 of 100"),
        "nothing to decide",
    ]


HAND = """
async (made) => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("review"), needWords("pages")]);
  const { HandReviewed } = await import("/static/pages/review/hand.js");
  const seats = ["Ann", "Bob", "Cy", "Dee"].map((name) => ({ name, kind: "person" }));
  const table = { seats, sides: [[0, 2], [1, 3]], rules: { options: { totals: "team" } } };
  const hand = { hand: 0, phase: "done", declarer: 1, contract: 95, call: null, made, points: 40,
    auction: null, open: null, winning: [], decisions: [] };
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${HandReviewed} table=${table} hand=${hand} place=${null} by="known" />`, box);
  return box.querySelector("b").textContent;
}
"""


def test_of_a_hand_that_a_revoke_has_ended_it_is_not_said_that_the_contract_was_set(
    bare: Page,
) -> None:
    assert bare.evaluate(HAND, False) == "Bob bid 95: set with 40 points"
    assert bare.evaluate(HAND, None) == "Bob bid 95. A revoke ended the hand."
