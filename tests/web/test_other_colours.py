"""Where the system or paper decides on the colours, all is still seen."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Page

FORCED: tuple[Literal["active", "none"], ...] = ("active", "none")
# What a face looks like round its edge, one that is chosen and one that is not.
EDGES = """async () => {
  const { html, render } = await import("/static/core/ui.js");
  const { SettingsDialog } = await import("/static/components/settings_dialog.js");
  render(html`<${SettingsDialog} onClose=${() => {}} />`, document.body);
  document.querySelector(".faces").open = true;
  return [":has(:checked)", ":not(:has(:checked))"].map((which) => {
    const face = document.querySelector(`.face-choice${which}`);
    const { borderTopColor, outlineStyle } = getComputedStyle(face);
    return `${borderTopColor} ${outlineStyle}`;
  });
}"""


def test_which_face_is_chosen_is_seen(bare: Page) -> None:
    for forced in FORCED:
        bare.emulate_media(forced_colors=forced)
        chosen, other = bare.evaluate(EDGES)
        assert chosen != other, forced


INK = "() => getComputedStyle(document.body).color"
LIGHT, DARK = "rgb(28, 33, 31)", "rgb(241, 239, 232)"


def test_a_dark_page_is_printed_in_dark_ink(bare: Page) -> None:
    bare.emulate_media(color_scheme="dark")
    printed(bare)
    # By the reader's choice, and not by the system's.
    bare.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    bare.emulate_media(color_scheme="light")
    printed(bare)


def printed(page: Page) -> None:
    """Look at a dark page on the screen and on paper."""
    assert page.evaluate(INK) == DARK
    page.emulate_media(media="print")
    assert page.evaluate(INK) == LIGHT
    page.emulate_media(media="screen")
