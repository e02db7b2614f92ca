"""One page in windows of several sizes, so that it is walked through only once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page
from tests.web.e2e.looks import DRAWN, faults
from tests.web.e2e.people import DESKTOP, NARROW

COARSE = "matchMedia('(pointer: coarse)').matches"


def sized(page: Page, *devices: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each of these devices, once the window is as one of its, and all in it is drawn.

    It has the device's size, and is touched or not; afterwards it is as it was.
    """
    was = {"viewport": page.viewport_size, "has_touch": page.evaluate(COARSE)}
    line = page.context.new_cdp_session(page)
    for device in (*devices, was):
        touched = {"enabled": device.get("has_touch", False)}
        line.send("Emulation.setTouchEmulationEnabled", touched)
        page.set_viewport_size(device["viewport"])
        if device is was:
            return
        for _ in range(2):  # what hangs on the size of something else is drawn after that
            page.evaluate(DRAWN)
        yield device


def faults_in_both(page: Page) -> list[str]:
    """Return what is wrong on a narrow screen, and then on a desktop."""
    return [fault for _ in sized(page, NARROW, DESKTOP) for fault in faults(page)]
