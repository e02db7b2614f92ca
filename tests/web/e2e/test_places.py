"""Where things are at the table: nothing jumps or is cut, everything grows with the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone, boldest, meekest
from tests.web.e2e.sizes import sized

Invite = Callable[..., Someone]
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 740}}
SIDE: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}
LARGE: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
HUGE: dict[str, Any] = {"viewport": {"width": 2560, "height": 1440}}
MOVING = {"reduced_motion": "no-preference"}
# How many pixels of the page are below the window.
OVER = "document.documentElement.scrollHeight - innerHeight"
# A finished trick stays until it is tapped, so that there is time to look.
STAYS = "localStorage.setItem('rookery.settings', JSON.stringify({ stay: 'tap' }))"
# Looked at in every frame that the browser draws, from the first bid to the last card.
WATCH = """() => {
  const seen = { places: {}, wide: 0, moved: [], hidden: [] };
  window.seen = seen;
  const top = (css) => {
    const one = document.querySelector(css);
    return one ? Math.round(one.getBoundingClientRect().top + scrollY) : null;
  };
  const look = () => {
    requestAnimationFrame(look);
    const { table } = told;
    const phase = table && table.view && table.view.phase;
    if (!phase || ["done", "redealt"].includes(phase)) return;
    if (!document.querySelector(".card-row.hand .card")) return;
    for (const css of [".ring", ".status", ".decide", ".card-row.hand", ".bar"]) {
      (seen.places[css] ??= {})[top(css)] = phase;
    }
    seen.wide = Math.max(seen.wide, document.documentElement.scrollWidth - innerWidth);
    for (const one of document.getAnimations()) {
      for (const frame of one.effect.getKeyframes()) {
        const { offset, computedOffset, easing, composite, ...what } = frame;
        seen.moved.push(...Object.keys(what).filter((name) => !seen.moved.includes(name)));
      }
    }
    const lain = [...document.querySelectorAll(".trick:not(.aside) .lain .face")].length;
    const due = table.view.trick.length;
    if (document.querySelector(".status.my-turn") && due && lain !== due) {
      seen.hidden.push(`${table.seq}: ${lain} of ${due}`);
    }
  };
  look();
}"""


def watched(someone: Someone, pace: str) -> dict[str, Any]:
    """Play a hand and return what was seen in all its frames."""
    someone.at_table(left_of_dealer=True, rules="kd_tournament", pace=pace)
    someone.page.evaluate(WATCH)
    while (asked := someone.shown())["kind"] not in ("done", "over") and not asked["hand"]:
        if asked["phase"] == "play" and someone.touch and len(asked["cards"]) > 1:
            # A card that is chosen and put back.
            someone.hit(someone.card(asked["cards"][-1]), card=True)
            someone.press("Cancel")
        someone.act(asked, boldest)
    return dict(someone.page.evaluate("seen"))


@pytest.mark.parametrize(
    ("device", "pace"),
    [(SMALL, "brisk"), (PHONE, "brisk"), (DESKTOP, "instant"), (LARGE, "brisk")],
    ids=["small", "phone", "desk", "large"],
)
def test_nothing_changes_its_place_in_a_whole_hand(
    invite: Invite, device: dict[str, Any], pace: str
) -> None:
    seen = watched(invite("Ann", **device, **MOVING), pace)
    jumps = {css: tops for css, tops in seen["places"].items() if len(tops) > 1}
    assert not jumps
    assert set(seen["places"]) == {".ring", ".status", ".decide", ".card-row.hand", ".bar"}
    # The way of a card widens no page, and changes nothing that has to be laid out anew.
    assert seen["wide"] <= 0
    assert {"transform", "opacity"} <= set(seen["moved"]) <= {"transform", "opacity"}
    # A finished trick hides no card of the next.
    assert seen["hidden"] == []


def test_a_hand_that_is_laid_open_moves_nothing(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules="boston")
    parts = (".ring", ".felt", ".plates.own", ".status", ".decide", ".card-row.hand", ".bar")

    def places() -> list[object]:
        found = list[object]()
        for device in sized(ann.page, NARROW, PHONE, SIDE):
            ann.page.evaluate("scrollTo(0, 0)")
            assert ann.page.evaluate(OVER) <= 0, device
            found += [ann.page.locator(css).bounding_box() for css in parts]
        return found

    ann.shown()
    before, open_for = places(), 0
    while open_for < 3:
        ann.act(ann.shown(), boldest)
        ann.shown()
        assert places() == before
        open_for += ann.page.locator(".card-row.dummy .card").count() > 0
    for device in sized(ann.page, NARROW, PHONE, SIDE):
        assert not faults(ann.page), device


@pytest.mark.parametrize("rules", ["kd_tournament", "rook_two_1914", "call_partner_5"])
def test_a_phone_on_its_side_shows_the_play_whole(invite: Invite, rules: str) -> None:
    ann = invite("Ann", **SIDE)
    ann.context.add_init_script(STAYS)
    ann.at_table(left_of_dealer=True, rules=rules)
    # A hand of two rows too, of twelve cards and more, or with the nest in it.
    asked = ann.until("discard")
    assert len(asked["cards"]) > 12
    assert ann.page.evaluate(OVER) <= 0
    least = "(all) => Math.min(...all.map((one) => one.offsetWidth))"
    assert ann.page.locator(".card-row.hand .card").evaluate_all(least) >= 50
    ann.until("play")
    ann.act(ann.shown(), boldest)
    ann.page.locator(".taken").wait_for()
    ann.shown()
    assert ann.page.evaluate(OVER) <= 0
    if rules == "call_partner_5":
        assert ann.page.locator(".lain").evaluate_all(least) >= 52
    taken = ann.page.locator(".taken").bounding_box()
    felt = ann.page.locator(".felt").bounding_box()
    assert taken is not None
    assert felt is not None
    # Who takes the trick is said in words, not letter under letter.
    assert felt["width"] >= 130
    assert taken["height"] <= 60
    assert felt["y"] <= taken["y"] < felt["y"] + felt["height"] <= SIDE["viewport"]["height"]
    assert not faults(ann.page)


def test_whoever_wants_no_motion_has_none(invite: Invite) -> None:
    seen = watched(invite("Ann"), pace="instant")
    assert seen["moved"] == []
    assert seen["places"]


def test_a_hint_has_its_place_and_is_no_choice(invite: Invite) -> None:
    ann, devices = invite("Ann", **NARROW), (NARROW, SMALL, DESKTOP)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    asked = ann.until("discard")
    ann.hit(ann.card(asked["cards"][0]), card=True)
    parts = [ann.page.locator(css) for css in (".card-row.hand", ".decide")]
    before = [[one.bounding_box() for one in parts] for _ in sized(ann.page, *devices)]
    ann.press("Hint")
    hint = ann.page.locator(".notes .hint")
    hint.wait_for()
    for device, places in zip(sized(ann.page, *devices), before, strict=True):
        assert [one.bounding_box() for one in parts] == places, device
        assert not faults(ann.page), device
        box, status = hint.bounding_box(), ann.page.locator(".status").bounding_box()
        assert box is not None
        assert status is not None
        assert box["y"] >= 0, device
        assert box["y"] + box["height"] <= status["y"] + 1, device
    frame = "(one) => getComputedStyle(one.querySelector('.face')).outline"
    picked = ann.page.locator(".card.picked:not(.hinted)").first
    hinted = ann.page.locator(".card.hinted:not(.picked)").first
    # Not the colour alone: another line, and a mark of its own.
    assert "solid" in picked.evaluate(frame)
    assert "dashed" in hinted.evaluate(frame)
    assert picked.locator(".picked-flag").count() == hinted.locator(".hint-flag").count() == 1
    seq = ann.table()["seq"]
    ann.press("Do it")
    ann.moved(seq)
    assert len(ann.table()["view"]["discards"]) == asked["discard"]


def test_the_table_grows_with_the_screen(invite: Invite) -> None:
    ann = invite("Ann", **DESKTOP)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("play")
    while not ann.table()["view"]["trick"]:
        ann.act(ann.shown(), meekest)
        ann.shown()
    leasts = iter((80, 130, 190))
    for device in sized(ann.page, DESKTOP, LARGE, HUGE):
        card = ann.page.locator(".card-row.hand .card").first.bounding_box()
        laid = ann.page.locator(".trick:not(.aside) .lain").last.bounding_box()
        assert card is not None
        assert laid is not None
        assert card["width"] >= next(leasts), device
        assert laid["width"] >= 0.75 * card["width"], device
        assert ann.page.evaluate(OVER) <= 0, device


def test_the_deck_to_call_from_moves_neither_turn_nor_hand(invite: Invite) -> None:
    ann, devices = invite("Ann", **NARROW), (NARROW, SMALL, SIDE, DESKTOP)
    ann.at_table(left_of_dealer=True, rules="call_partner_5", pace="brisk")
    parts = (".status", ".card-row.hand", ".bar")

    def tops() -> list[float]:
        found = []
        for _ in sized(ann.page, *devices):
            ann.page.evaluate("scrollTo(0, 0)")
            found += [round(ann.page.locator(css).bounding_box()["y"]) for css in parts]  # type: ignore[index]
        return found

    ann.shown()
    ann.page.locator(".bar .button").first.wait_for()
    before = tops()
    ann.until("call")
    ann.page.locator(".deck .face").first.wait_for()
    assert tops() == before
    for device in sized(ann.page, *devices):
        assert ann.page.evaluate(OVER) <= 0, device
        assert not faults(ann.page), device
    # On a desktop a partner is called without scrolling.
    for _ in sized(ann.page, DESKTOP):
        for css in (".call .primary", ".card-row.hand", ".deck", ".bar"):
            box = ann.page.locator(css).bounding_box()
            assert box is not None, css
            assert box["y"] >= 0, css
            assert box["y"] + box["height"] <= DESKTOP["viewport"]["height"], css
    ann.skip_to("done")
    sheet = ann.page.locator(".side .sheet-box")
    for _ in sized(ann.page, DESKTOP):
        assert sheet.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


def test_the_longest_name_is_cut_nowhere_and_leaves_no_card_small(invite: Invite) -> None:
    ann = invite("W" * 24, **SMALL)
    ann.context.add_init_script(STAYS)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("play")
    while not ann.table()["view"]["tricks"]:
        ann.act(ann.shown(), boldest)
    ann.page.locator(".taken").wait_for()
    for device in sized(ann.page, SMALL, SIDE):
        assert ann.page.locator(".tools-text").evaluate("(p) => p.scrollWidth - p.clientWidth") <= 0
        name = ann.page.locator(".own .plate-name b").bounding_box()
        taken = ann.page.locator(".taken").bounding_box()
        cards = ann.page.locator(".lain").evaluate_all(
            "(all) => all.map((one) => [one.getBoundingClientRect().left, one.offsetWidth])"
        )
        assert name is not None
        assert taken is not None
        assert name["width"] >= 90, device
        assert min(wide for _, wide in cards) >= 54, device
        if device is SMALL:
            assert taken["x"] + taken["width"] <= min(left for left, _ in cards) + 1


@pytest.mark.parametrize("rules", ["kd_tournament", "dixie_6"])
def test_a_total_of_three_figures_stays_on_its_plate(invite: Invite, rules: str) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules=rules)
    ann.until("play")
    out = """() => [...document.querySelectorAll(".plate")].filter((plate) => {
      plate.querySelector(".total").lastChild.data = "\u2212120";
      const right = (one) => one.getBoundingClientRect().right;
      return [...plate.querySelectorAll("*")].some((one) => right(one) > right(plate));
    }).length"""
    assert ann.page.evaluate(out) == 0


def test_every_bot_has_a_face_and_the_cloth_and_the_backs_can_be_chosen(invite: Invite) -> None:
    ann = invite("Ann", **DESKTOP)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    faces = ann.page.locator(".plate:has(.level) .bird-face")
    faces.nth(2).wait_for()
    nest = ann.page.locator(".nest .back .weave").first
    nest.wait_for()
    drawn = faces.evaluate_all("(all) => all.map((one) => one.innerHTML)")
    assert len(set(drawn)) == len(drawn) == 3
    cloth = "getComputedStyle(document.querySelector('.ring')).backgroundColor"
    weave = "document.querySelector('.nest .back .weave').getAttribute('d')"
    seen = set()
    for felt, back in (("Green", "Crow"), ("Blue", "Lattice"), ("Wine red", "Rings")):
        ann.press("Settings")
        ann.page.get_by_label("Table colour").select_option(felt)
        ann.page.get_by_label("Card backs").select_option(back)
        assert not faults(ann.page)
        ann.page.keyboard.press("Escape")
        ann.no_dialog()
        seen.add((ann.page.evaluate(cloth), ann.page.evaluate(weave)))
    assert len({one for one, _ in seen}) == len({other for _, other in seen}) == 3
    # What is chosen is kept on this device.
    ann.page.reload()
    ann.shown()
    nest.wait_for()
    assert (ann.page.evaluate(cloth), ann.page.evaluate(weave)) in seen
    assert ann.page.evaluate("document.documentElement.dataset.felt") == "wine"
