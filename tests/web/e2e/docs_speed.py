"""Measure how soon a page of the documentation is there.

``python -m tests.web.e2e.docs_speed [PATH ...]``: on a phone's screen, with a processor four times
as slow and a line of 10 Mbit/s, an empty cache and each page by itself. Prints one JSON document:
for each page the times in ms from the request until it has been drawn and all that it asks for has
come, and for a search until the first result stands there. The list of versions comes later. Beside
it stands what of that the page's own thread has worked, which other work of the machine hardly
changes. ``--site DIR`` measures a site that has been built; ``--times N`` opens each page N times.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright
from scripts.docs.website.versions import put
from tests.web.e2e.files import UNDER, Host, hosted
from tests.web.e2e.people import PHONE
from tests.web.e2e.speed import DELAY, LINE, RATE, SLOWER

TIMES: Final = 3
AIM: Final = 1000  # ms
SEARCH: Final = "search/?q=nest"
SCREEN: Final[dict[str, Any]] = {**PHONE, "viewport": {"width": 360, "height": 740}}
# The later of the first picture with content and the end of loading.
THERE: Final = """() => new Promise((done) => {
  const look = () => {
    const [page] = performance.getEntriesByType("navigation");
    const [drawn] = performance.getEntriesByName("first-contentful-paint");
    if (page.loadEventEnd && drawn) done(Math.max(page.loadEventEnd, drawn.startTime));
    else setTimeout(look, 5);
  };
  look();
})"""
FOUND: Final = """() => new Promise((done) => {
  const look = () => {
    if (document.querySelector("#search-results li")) done(performance.now());
    else setTimeout(look, 5);
  };
  look();
})"""


def opened(browser: Browser, host: Host, path: str) -> tuple[float, float]:
    """Return how many ms a page takes, and how many of them its thread works.

    Of a search it is until the first result stands there.
    """
    context = browser.new_context(base_url=host.url, **SCREEN)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="commit")
    took = float(page.evaluate(FOUND if "?q=" in path else THERE))
    told = line.send("Performance.getMetrics")["metrics"]
    worked = {one["name"]: one["value"] for one in told}["ThreadTime"] * 1000
    context.close()
    return took, worked


def main(chosen: Sequence[str], built: Path | None, times: int) -> None:
    """Measure pages, every one unless some are chosen, and say how busy the machine was."""
    with tempfile.TemporaryDirectory() as name:
        site = Path(name, UNDER)
        if built is None:
            put(site)
        else:
            shutil.copytree(built, site)
        folders = [path.parent.relative_to(site) for path in site.rglob("index.html")]
        paths = sorted("" if str(one) == "." else f"{one}/" for one in folders)
        with hosted(Path(name)) as host, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            both = {
                path or "start": [opened(browser, host, path) for _ in range(times)]
                for path in chosen or [*paths, SEARCH]
            }
            browser.close()
    told, worked = (
        {path: sorted(round(pair[i]) for pair in pairs) for path, pairs in both.items()}
        for i in range(2)
    )
    middle = {path: statistics.median(one) for path, one in told.items()}
    middle_worked = {path: statistics.median(one) for path, one in worked.items()}
    document = {
        "cpu_slower": SLOWER,
        "latency_ms": DELAY,
        "bytes_per_s": RATE,
        "load": round(os.getloadavg()[0], 1),
        "pages": len(told),
        "slowest_ms": max(middle.values()),
        "middle_ms": statistics.median(middle.values()),
        "most_worked_ms": max(middle_worked.values()),
        "middle_worked_ms": statistics.median(middle_worked.values()),
        "over_the_aim": [path for path, took in middle.items() if took > AIM],
        "over_the_aim_each_time": [path for path, one in told.items() if min(one) > AIM],
        "ms": told,
        "worked_ms": worked,
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.web.e2e.docs_speed")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--site", type=Path, metavar="DIR")
    parser.add_argument("--times", type=int, default=TIMES, metavar="N")
    given = parser.parse_args()
    main(given.paths, given.site, given.times)
