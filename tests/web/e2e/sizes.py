"""One page in windows of several sizes and in both languages: it is walked through only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page
from tests.web.e2e.looks import DRAWN, faults
from tests.web.e2e.people import DESKTOP, NARROW

LANGUAGES = ("en", "es")
SPEAK = """async (language) => {
  const app = [...document.scripts].find((one) => one.src.endsWith("/static/app.js")).src;
  const { change } = await import(new URL("core/settings.js", app));
  const { wordsLoaded } = await import(new URL("core/i18n.js", app));
  change({ language });
  await wordsLoaded();
}"""
COARSE = "matchMedia('(pointer: coarse)').matches"
DARK = "matchMedia('(prefers-color-scheme: dark)').matches"


def sized(page: Page, *devices: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each of these devices, once the window is as one of its, and all in it is drawn.

    It has the device's size and colours, and is touched or not; afterwards it is as it was.
    """
    was = {"viewport": page.viewport_size, "has_touch": page.evaluate(COARSE)}
    if any("color_scheme" in device for device in devices):
        was["color_scheme"] = "dark" if page.evaluate(DARK) else "light"
    line = page.context.new_cdp_session(page)
    for device in (*devices, was):
        touched = {"enabled": device.get("has_touch", False)}
        line.send("Emulation.setTouchEmulationEnabled", touched)
        page.set_viewport_size(device["viewport"])
        if "color_scheme" in device:
            page.emulate_media(color_scheme=device["color_scheme"])
        if device is was:
            return
        for _ in range(2):  # what hangs on the size of something else is drawn after that
            page.evaluate(DRAWN)
        yield device


def faults_on(page: Page, *devices: dict[str, Any]) -> list[str]:
    """Return what is wrong on these devices."""
    return [
        f"{device['viewport']['width']} {device.get('color_scheme', '')}: {fault}"
        for device in sized(page, *devices)
        for fault in faults(page)
    ]


def faults_in_both(page: Page) -> list[str]:
    """Return what is wrong on a narrow screen, and then on a desktop."""
    return faults_on(page, NARROW, DESKTOP)


def speaks(page: Page, language: str) -> None:
    """Have a page speak a language, as by its settings; return once all of it does."""
    page.evaluate(SPEAK, language)
    for _ in range(2):
        page.evaluate(DRAWN)
