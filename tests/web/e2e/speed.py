"""Measure how soon a page can be used on a slow phone: ``python -m tests.web.e2e.speed``.

Prints one JSON document: for each page the times in ms from the request until what a player needs
is there to be pressed, and what came until then and in all, in bytes with headers, and requests.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
from collections.abc import Mapping
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright
from tests.server.http.served import Served, served, table_for, token_of
from tests.web.e2e.people import PHONE, Someone

TIMES: Final = 5
SLOWER: Final = 4  # times, the processor
DELAY: Final = 40  # milliseconds a round trip
RATE: Final = 10_000_000 / 8  # bytes a second, either way
LINE: Final = {
    "offline": False,
    "latency": DELAY,
    "downloadThroughput": RATE,
    "uploadThroughput": RATE,
}
# What has to be there: a button or a card that answers.
READY: Final = {
    "start page": ".ways .primary",
    "lobby": ".lobby .button.primary.big",
    "hand": ".decide [data-action]",
}


class Come:
    """What has come over the line so far."""

    def __init__(self) -> None:
        self.bytes = 0
        self.requests = 0

    def __call__(self, event: Mapping[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])
        self.requests += 1

    def now(self) -> tuple[int, int]:
        return self.bytes, self.requests


def opened(browser: Browser, here: Served, cookie: str | None, path: str, css: str) -> list[float]:
    """Return ms, bytes and requests until the page can be used, then bytes and requests in all."""
    context = browser.new_context(base_url=here.url, service_workers="block", **PHONE)
    if cookie is not None:
        context.add_cookies([{"name": "rookery", "value": cookie, "url": here.url}])
    page, come = context.new_page(), Come()
    line = context.new_cdp_session(page)
    line.on("Network.loadingFinished", come)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="commit")
    found = page.wait_for_function(
        "(css) => document.querySelector(css) && performance.now()", arg=css, polling="raf"
    )
    early = come.now()
    page.wait_for_load_state("networkidle")
    told = [float(found.json_value()), *early, *come.now()]
    context.close()
    return told


def pages(browser: Browser, here: Served) -> dict[str, tuple[str, str | None]]:
    """Return where each page is, and the cookie of who opens it."""
    client = here.browser("Ann")
    lobby = table_for(client, rules="kd_tournament")
    ann = Someone(browser, here, "Ann")
    hand = ann.at_table(left_of_dealer=True, rules="kd_tournament")
    held = ann.context.cookies()
    cookie = next(one["value"] for one in held if one["name"].startswith("rookery"))
    ann.away()
    return {
        "start page": ("/", None),
        "lobby": (f"/t/{lobby}", token_of(client)),
        "hand": (f"/t/{hand}", cookie),
    }


def main() -> None:
    """Measure every page, and say how busy the machine was."""
    told: dict[str, Any] = {"cpu_slower": SLOWER, "latency_ms": DELAY, "bytes_per_s": RATE}
    with served() as here, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (path, cookie) in pages(browser, here).items():
            rows = [opened(browser, here, cookie, path, READY[name]) for _ in range(TIMES)]
            middle = [statistics.median(column) for column in zip(*rows, strict=True)]
            told[name] = {
                "ms": sorted(round(row[0]) for row in rows),
                "ms_median": round(middle[0]),
                **dict(zip(("bytes", "requests"), middle[1:3], strict=True)),
                **dict(zip(("bytes_in_all", "requests_in_all"), middle[3:], strict=True)),
                "load": round(os.getloadavg()[0], 1),
            }
        browser.close()
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
