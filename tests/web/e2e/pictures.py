"""Take the pictures of the README: ``python -m tests.web.e2e.pictures docs/img``."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from tests.server.http.served import Served, served
from tests.web.e2e.people import DESKTOP, PHONE, Asked, Someone, boldest

SHARP = {"device_scale_factor": 2}


def thrifty(someone: Someone) -> Callable[[Asked], str]:
    """Return a way to play that calls the longest suit and keeps its cards, on the left."""

    def chosen(asked: Asked) -> str:
        if asked["kind"] == "play":
            return f"play {asked['cards'][-1]}"
        if asked["kind"] == "trump":
            suits = [card[0] for card in someone.table()["view"]["hand"]]
            return str(max(asked["actions"], key=lambda one: suits.count(one[6].upper())))
        return boldest(asked)

    return chosen


def middle_of_a_hand(someone: Someone, cards: int) -> None:
    """Play until some cards are left, some of them trumps, and a trick is half played."""
    while True:
        bots = ["papa", "club", "hog"]
        someone.at_table(
            left_of_dealer=True, rules="kd_tournament", bots=bots, title="Friday night"
        )
        someone.until("play", choose=thrifty(someone))
        while len(someone.table()["view"]["hand"]) > cards:
            someone.act(someone.shown(), thrifty(someone))
        someone.shown()
        table = someone.table()
        trumps = set(table["trumps"]) & set(table["view"]["hand"])
        if len(table["view"]["trick"]) > 1 and len(trumps) > 1:
            # The trick before stays for a moment.
            someone.page.wait_for_timeout(1_600)
            return


def take(browser: Browser, here: Served, folder: Path) -> None:
    """Take all pictures."""
    devices: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": PHONE | SHARP}
    for device, options in devices.items():
        for scheme in ("light", "dark"):
            ann = Someone(browser, here, "Ann", **options, color_scheme=scheme)
            middle_of_a_hand(ann, 8)
            ann.page.screenshot(path=folder / f"table-{device}-{scheme}.png")
            ann.away()


def main() -> None:
    """Take them into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with served() as here, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        take(browser, here, folder)
        browser.close()


if __name__ == "__main__":
    main()
