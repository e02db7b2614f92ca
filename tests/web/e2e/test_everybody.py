"""The table is for everybody: every phase and dialog, light and dark, narrow and enlarged."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.looks import Looked, difference, faults, picture
from tests.web.e2e.people import DESKTOP, NARROW, Someone, boldest
from tests.web.e2e.sizes import faults_on

Invite = Callable[..., Someone]

# A window of 1280 by 800 enlarged to 200 % has room for half as much.
ENLARGED: dict[str, Any] = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
DEVICES = {
    "narrow-light": {**NARROW, "color_scheme": "light"},
    "narrow-dark": {**NARROW, "color_scheme": "dark"},
    "enlarged-light": {**ENLARGED, "color_scheme": "light"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark"},
}


# What moves is counted in every frame, as it may be over when a test looks.
MOVES = """() => {
  window.moves = 0;
  const look = () => {
    moves += document.getAnimations().filter((one) => one.playState === "running").length;
    requestAnimationFrame(look);
  };
  look();
}"""


def circus(asked: Any) -> str:  # noqa: ANN401  (what a screen asks)
    return "trump circus" if "trump circus" in asked.get("actions", ()) else boldest(asked)


def on(*devices: str) -> Callable[[Page], list[str]]:
    """Return what looks at a page on these devices."""
    return lambda page: faults_on(page, *(DEVICES[device] for device in devices))


@pytest.mark.slow
def test_every_phase_and_dialog_is_for_everybody(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    look = Looked(ann.page, ann.press, on(*DEVICES))
    client = ann.here.browser("Bea")
    code = client.post(
        "/api/tables", json={"rules": "call_partner_4_short", "pace": "instant", "title": "Friday"}
    ).json()["code"]
    ann.page.goto(f"/t/{code}")
    expect(ann.page.get_by_label("Your name at the table")).to_be_visible()
    look.at("name")
    ann.comes(code)
    look.at("lobby of a guest")

    ann.at_table(left_of_dealer=True, rules="call_partner_4_short", title="Friday")
    while len(ann.table()["view"]["tricks"]) < 2:
        asked = ann.shown()
        if asked["phase"] in look.seen:
            ann.say(asked)
            continue
        look.at(asked["phase"])
        ann.act(asked)
    ann.shown()
    held = ann.page.locator(".card-row.hand .card.closed").first
    if held.count():
        ann.hit(held, card=True)
        expect(ann.page.locator(".notice")).to_be_visible()
    ann.press("Hint")
    expect(ann.page.locator(".notes .hint")).to_be_visible()
    look.at("hint")
    for dialog in ("Rules", "More", "Last trick", "My discards", "Settings"):
        look.at_dialog(dialog)
    ann.page.keyboard.press("?")
    expect(ann.page.locator("dialog[open]")).to_be_visible()
    look.at("keys")
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    # A desktop has these beside the table.
    look.judge = on("narrow-light", "narrow-dark", "enlarged-light")
    look.at_dialog("Score sheet")
    look.at_dialog("Chat")
    assert not look.wrong, look.wrong
    assert {"auction", "nest", "trump", "rook", "call", "play"} <= set(look.seen)


@pytest.mark.slow
def test_rare_phases_and_the_end_are_for_everybody(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    look = Looked(ann.page, ann.press, on("narrow-dark", "enlarged-light"))
    ann.at_next_table(rules="circus")
    ann.until("give", choose=circus)
    look.at("give")
    ann.at_next_table(rules="five_person_poker")
    ann.skip_to("leader")
    look.at("leader")
    ann.turn()
    ann.skip_to("play")
    look.at("French faces")
    ann.at_next_table(rules="boston")
    ann.skip_to("play")
    while not ann.table()["view"]["dummy_hand"]:
        ann.say(ann.shown())
    ann.shown()
    look.at("dummy")
    ann.at_next_table(rules={"base": "rook_1906_8", "target": 5})
    ann.skip_to("play")
    look.at("eight seats")
    ann.at_next_table(rules={"base": "kd_tournament", "target": 5}, title="To the end")
    ann.skip_to("over")
    look.at("over")
    assert not look.wrong, look.wrong


def test_axe_and_the_width_are_really_looked_at(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(rules="kd_tournament")
    ann.shown()
    ann.page.evaluate(
        "() => { document.querySelector('.board').append(document.createElement('img'));"
        " document.querySelector('.status').style.width = '900px'; }"
    )
    found = " ".join(faults(ann.page))
    assert "image-alt" in found
    assert "scrolls sideways" in found or "outside" in found


def test_motion_can_be_done_without(invite: Invite) -> None:
    ann = invite("Ann", **{**DESKTOP, "reduced_motion": "no-preference"})
    ann.at_table(rules="kd_tournament")
    ann.page.evaluate(MOVES)
    ann.until("play")
    ann.act(ann.shown())
    ann.shown()
    assert ann.page.evaluate("moves") > 0
    ann.press("Settings")
    ann.page.get_by_label("Animations").uncheck()
    ann.page.keyboard.press("Escape")
    ann.no_dialog()
    ann.page.wait_for_function("() => !document.getAnimations().length")
    ann.page.evaluate("moves = 0")
    ann.act(ann.shown())
    ann.shown()
    assert ann.page.evaluate("moves") == 0


SIGHTS = ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"]


@pytest.mark.parametrize("variant", ["call_partner_4", "five_person_poker"])
def test_suits_differ_for_every_kind_of_sight(invite: Invite, variant: str) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules=variant)
    asked = ann.skip_to("call")
    ranks = {card[1:] for card in asked["cards"]}
    letters = sorted({card[0] for card in asked["cards"] if card not in ("RK", "JK")})
    rank = next(
        one for one in sorted(ranks) if all(suit + one in asked["cards"] for suit in letters)
    )
    assert len(letters) == 4
    session = ann.context.new_cdp_session(ann.page)
    for sight in SIGHTS:
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        drawn = {
            suit: picture(ann.page.locator(f'.deck [data-card="{suit}{rank}"]')) for suit in letters
        }
        assert difference(drawn[letters[0]], drawn[letters[0]]) == 0
        for one, other in combinations(letters, 2):
            assert difference(drawn[one], drawn[other]) > 0.02, (sight, one, other)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    if variant == "call_partner_4":
        for suit in letters:
            text = ann.page.locator(f'.deck [data-card="{suit}{rank}"] svg').text_content()
            assert re.sub(r"[\d\s]", "", text or "") == suit * 2
