"""Where the system or paper decides on the colours, all is still seen."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page

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


@pytest.mark.parametrize("forced", ["active", "none"])
def test_which_face_is_chosen_is_seen(bare: Page, forced: Literal["active", "none"]) -> None:
    bare.emulate_media(forced_colors=forced)
    chosen, other = bare.evaluate(EDGES)
    assert chosen != other


INK = "() => getComputedStyle(document.body).color"
LIGHT, DARK = "rgb(28, 33, 31)", "rgb(241, 239, 232)"


@pytest.mark.parametrize(("media", "ink"), [("print", LIGHT), ("screen", DARK)])
@pytest.mark.parametrize("chosen", [True, False], ids=["by the reader", "by the system"])
def test_a_dark_page_is_printed_in_dark_ink(
    bare: Page, media: Literal["print", "screen"], ink: str, chosen: bool
) -> None:
    if chosen:
        bare.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    bare.emulate_media(media=media, color_scheme="light" if chosen else "dark")
    assert bare.evaluate(INK) == ink
