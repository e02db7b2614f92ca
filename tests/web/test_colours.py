"""Colours, read from the style sheets: what is written can be read, in both themes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from tests.web.e2e import looks
from tests.web.test_static import STATIC


def _colours(block: str) -> dict[str, tuple[int, int, int]]:
    found = re.findall(r"--([\w-]+):\s*#([0-9a-f]{6})\b", block)
    return {name: (int(hue[:2], 16), int(hue[2:4], 16), int(hue[4:], 16)) for name, hue in found}


def _light(colour: tuple[int, int, int]) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def themes() -> dict[str, dict[str, tuple[int, int, int]]]:
    text = (STATIC / "css" / "base.css").read_text("utf-8")
    both = re.compile(r"var\(--light, (#[0-9a-f]{6})\) var\(--dark, (#[0-9a-f]{6})\)")
    assert len(both.findall(text)) > 15
    ways = {"light": r"\1", "dark": r"\2"}
    return {theme: _colours(both.sub(way, text)) for theme, way in ways.items()}


READ = [
    *(("ink", ground, 4.5) for ground in ("ground", "panel", "raised", "turn-ground")),
    *(("soft", ground, 4.5) for ground in ("ground", "panel", "raised", "turn-ground")),
    *(("accent", ground, 4.5) for ground in ("ground", "panel")),
    *(("danger", ground, 4.5) for ground in ("ground", "panel")),
    *(("on-accent", "accent", 4.5), ("turn", "turn-ground", 4.5), ("turn", "ground", 3.0)),
    *(("on-felt", "felt", 4.5), ("line", "panel", 3.0)),
    *(("focus", "ground", 3.0), ("focus", "panel", 3.0)),
]


def test_what_is_written_can_be_read() -> None:
    for theme, colours in themes().items():
        for ink, ground, least in READ:
            assert contrast(colours[ink], colours[ground]) >= least, (theme, ink, ground)


# A theme as chosen, the device's own, and which of the two is seen on the screen.
SEEN = [
    *((None, own, own) for own in ("light", "dark")),
    *((chosen, own, chosen) for own in ("light", "dark") for chosen in ("light", "dark")),
]
LOOK = """(theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  const { backgroundColor, color } = getComputedStyle(document.body);
  return [backgroundColor, color];
}"""


def test_a_theme_is_seen_that_is_chosen_or_the_devices_own_and_paper_is_light(bare: Page) -> None:
    looks = {
        theme: [f"rgb({', '.join(map(str, colours[name]))})" for name in ("ground", "ink")]
        for theme, colours in themes().items()
    }
    for chosen, own, seen in SEEN:
        bare.emulate_media(color_scheme=own, media="screen")  # type: ignore[arg-type]
        assert bare.evaluate(LOOK, chosen) == looks[seen], (chosen, own)
        bare.emulate_media(media="print")
        assert bare.evaluate(LOOK, chosen)[1] == looks["light"][1], (chosen, own)
    bare.emulate_media(color_scheme="light", media="screen")


def test_a_suit_reads_well_on_its_card() -> None:
    # A card that may not be played is quiet, and can be read like any other.
    text = (STATIC / "css" / "cards.css").read_text("utf-8")
    for state in (":root", ".card-row.asked .card.closed"):
        start = text.index(state)
        colours = _colours(text[start : text.index("}", start)])
        for ink in ("red", "green", "yellow", "black", "bird", "worth"):
            assert contrast(colours[ink], colours["paper"]) >= 4.5, (state, ink)


def test_a_quiet_card_is_paler_than_one_that_may_be_played_and_not_dark() -> None:
    text = (STATIC / "css" / "cards.css").read_text("utf-8")
    lines = [line for line in text.splitlines() if "--paper:" in line]
    plain, quiet = (_colours(line)["paper"] for line in lines)
    assert 1.2 < contrast(quiet, plain) < 1.6


def test_every_suit_has_a_shape_and_a_letter_of_its_own() -> None:
    text = (STATIC / "cards" / "suits.js").read_text("utf-8")
    shapes = dict(re.findall(r'^  (\w+):\s+"(M[^"]+)"', text, re.MULTILINE))
    assert len(shapes) == len(set(shapes.values())) == 8
    packs = re.findall(r"^  (?:rook|standard): \[([^\]]+)\]", text, re.MULTILINE)
    for pack in packs:
        suits = re.findall(r'"(\w+)"', pack)
        assert len({suit[0] for suit in suits}) == len(suits) == 4
        assert set(suits) <= set(shapes)
    assert len(packs) == 2


# Draws what is pale anew between the first two questions, as a page may do.
ANEW = """() => {
  const found = (%s)(), pale = document.getElementById("pale");
  if (!pale.dataset.anew) {
    pale.dataset.anew = "yes";
    pale.replaceWith(pale.cloneNode(true));
  }
  return found;
}"""


def test_what_is_drawn_anew_meanwhile_is_looked_at_again(
    bare: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare.evaluate("""() => {
      const pale = Object.assign(document.createElement("p"), { id: "pale", innerText: "Pale" });
      [pale.style.color, pale.style.background] = ["#ccc", "#fff"];
      document.querySelector("main").append(pale);
    }""")
    monkeypatch.setattr(looks, "LOOKS", ANEW % looks.LOOKS)
    (found,) = looks.faults(bare)
    assert found.startswith('color-contrast: <p id="pale"')
