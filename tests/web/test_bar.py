"""What stands above the table, and what may be done below the hand."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

NAMES = ["Ann", "Bob", "Cy", "Dee"]
SIDES = [[0, 2], [1, 3]]
DRAW = """async (tables) => {
  const { html, render } = await import("/static/core/ui.js");
  const { Bar, Tools } = await import("/static/table/bar.js");
  const box = document.body.appendChild(document.createElement("div"));
  const found = [];
  for (const { hinted, before, ...table } of tables) {
    const room = hinted ? { hint() {}, ask() {} } : { ask() {} };
    render(html`<${Tools} table=${table} chat=${[]} reads=${true} open=${() => {}} wide=${true} />
      <${Bar} table=${table} room=${room} open=${() => {}} before=${before} />`, box);
    const text = (one) => one.innerText.replace(/\\s+/g, " ").trim();
    const buttons = [...box.querySelectorAll(".bar button")].map(text);
    found.push([...["contract", "totals"].map((one) => {
      const there = box.querySelector("." + one);
      return there && text(there);
    }), buttons]);
    render(null, box);
  }
  box.remove();
  return found;
}"""


def table(
    view: dict[str, Any] | None = None, options: dict[str, Any] | None = None, **more: object
) -> dict[str, Any]:
    """Return a table of four at which Bob has bid 90, Ann is to play, and nobody may do more."""
    seats = [
        {"name": name, "kind": "person", "here": True, "total": 10 * seat}
        for seat, name in enumerate(NAMES)
    ]
    usual = {"pack": "rook", "totals": "team", "special_bids": [], "bid_maximum": 180}
    shown: dict[str, Any] = {
        **{"phase": "play", "declarer": 1, "bid": 90, "high_bidder": 1, "high_bid": 90},
        **{"call": "red", "rook": None, "called": [], "partner": False, "allies": [1, 3]},
        **{"sides": None, "to_act": 1, "tricks": [], "may_challenge": [], "discards": None},
        **{"gave": None, "nest_found": None, "nest_face_up": None, **(view or {})},
    }
    return {
        **{"you": 0, "host": 0, "phase": "playing", "seats": seats, "sides": SIDES, "pace": "calm"},
        **{"rules": {"options": {**usual, **(options or {})}}, "view": shown},
        **{"taken": None, "may_undo": False, "may_claim": False, **more},
    }


CONTRACT = "Bob bid 90 \u2013 Red is trump"
BIDS = {"declarer": None, "call": None}
NOBODY = "Nobody bid: no trump, no contract"
LOW: dict[str, Any] = {"special_bids": [{"name": "moon", "value": 360}], "bid_maximum": 90}
ALONE = {"totals": "player"}
SAID = [
    (table(), CONTRACT, "Us 0 Them 10"),
    (table(you=1), CONTRACT, "Us 10 Them 0"),
    (table(you=None), CONTRACT, "Ann and Cy 0 Bob and Dee 10"),
    (table(options=ALONE), CONTRACT, None),
    (table({"call": None}), "Bob bid 90", "Us 0 Them 10"),
    (table({**BIDS, "high_bidder": None}), "No bids yet", "Us 0 Them 10"),
    (table(BIDS), "High bid: 90 (Bob)", "Us 0 Them 10"),
    (table({"declarer": None, "high_bidder": None}), NOBODY, "Us 0 Them 10"),
    (table(options=LOW), f"{CONTRACT} The moon", "Us 0 Them 10"),
    # What the declarer's side has taken, while it is played; of a partner not known, nothing.
    (
        table(taken=[5, 20, 10, 15]),
        f"{CONTRACT} Taken so far: 35 of 90 35 of 90",
        "Us 0 Them 10",
    ),
    (table({"phase": "done"}, taken=[5, 20, 10, 15]), CONTRACT, "Us 0 Them 10"),
    (
        table({"bid": "sun"}, taken=[5, 20, 10, 15]),
        CONTRACT.replace("90", "Sun"),
        "Us 0 Them 10",
    ),
    (
        table({"rook": "low", "called": ["G14"], "partner": True}),
        f"{CONTRACT} Rook low called: Green 14 You hold the called card",
        "Us 0 Them 10",
    ),
]
LAST = {"winner": 0, "cards": [{"place": 0, "card": "R5"}]}
OFFERED = [
    (table(), []),
    (table(before=[1]), ["Last hand"]),
    (table({"tricks": [LAST]}), ["Last trick"]),
    (table({"tricks": [{"winner": 0, "cards": None}]}), []),
    (table({"discards": ["R5"]}), ["My discards"]),
    (table({"gave": "R5"}), ["My discards"]),
    (table({"nest_found": ["R5"]}), ["The nest"]),
    (table({"nest_face_up": ["R5"]}), ["The nest as shown"]),
    (table({"nest_face_up": ["R5"], "phase": "auction"}), []),
    (table({"nest_face_up": []}), []),
    (table({"to_act": 0}), []),
    (table({"to_act": 0}, hinted=True), ["Hint"]),
    (table(hinted=True), []),
    (table({"to_act": 0}, hinted=True, phase="over"), []),
    (table(may_undo=True), ["Undo"]),
    (table(may_claim=True), ["Claim the rest"]),
    (table({"may_challenge": [1]}), ["Claim a revoke"]),
]


def test_what_is_played_and_how_it_stands_is_above_the_table(bare: Page) -> None:
    found = bare.evaluate(DRAW, [shown for shown, *_ in SAID])
    assert [(contract, totals) for contract, totals, _ in found] == [
        (contract, totals) for _, contract, totals in SAID
    ]


def test_what_may_be_done_now_is_offered_and_nothing_else(bare: Page) -> None:
    found = bare.evaluate(DRAW, [shown for shown, _ in OFFERED])
    assert [buttons for *_, buttons in found] == [buttons for _, buttons in OFFERED]
