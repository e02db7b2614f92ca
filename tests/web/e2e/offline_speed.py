"""How soon a device answers after a reload, beside bare Pyodide, and how fast bots move on it.

``python -m tests.web.e2e.offline_speed`` prints the figures as JSON. Needs what `scripts/offline`
builds. The two starts take turns, and the first start of all, which keeps what Python was once it
had begun, is in none of them. Times are milliseconds.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
from itertools import pairwise
from typing import Any

from playwright.sync_api import sync_playwright
from tests.server.http.served import served
from tests.web.conftest import ARGS
from tests.web.e2e.people import PHONE, Someone, meekest
from tests.web.e2e.test_offline import until_kept

from rookery.server.http.static import Static

GOES = 7
# In a worker with the policy of ours: Pyodide alone, as the same browser starts it.
BARE = """() => new Promise((done) => {
  const began = performance.now();
  const thread = new Worker("/static/table/offline/bare.js", { type: "module" });
  thread.onmessage = () => { thread.terminate(); done(performance.now() - began); };
})"""
BARE_WORKER = """
const { loadPyodide } = await import("/kit/pyodide.mjs");
await loadPyodide({ indexURL: "/kit/" });
postMessage("ready");
"""
DRAWN = """() => document.querySelector(".game .card-row .card") && performance.now()"""
WELCOMED = """() => told.frames.some((one) => one.includes('"welcome"')) && performance.now()"""
TIMED = """() => {
  const bot = (one) => one.type === "change" && one.events.some((event) => event.by === "bot");
  const kept = told.frames.map((one) => JSON.parse(one)).filter(bot);
  return kept.flatMap((one) => one.events.map((event) => event.at));
}"""


def moves(someone: Someone) -> list[float]:
    """Return how long after what came before it each move of a bot was, by the device's clock."""
    at: list[float] = someone.page.evaluate(TIMED)
    return [later - one for one, later in pairwise(at) if later - one < 5_000]


def measured() -> dict[str, Any]:
    """Return the figures."""
    browser_path = shutil.which("chromium")
    with served() as here, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=ARGS)
        ann = Someone(browser, here, "Ann", **PHONE, service_workers="allow")
        page = ann.page
        page.goto("/offline")
        ann.press("Make this device ready for offline play")
        page.get_by_label("Your name").fill("Ann")
        size = page.evaluate("fetch('/kit/list.json').then((one) => one.json())")["bytes"]
        found: dict[str, Any] = {"bytes": size}
        for bot in ("club", "expert"):
            page.goto("/offline")
            page.get_by_label("Your name").fill("Ann")
            chosen = {"bot": bot, "pace": "instant", "newcomer": False}
            page.evaluate(
                "(s) => localStorage.setItem('rookery.settings', JSON.stringify(s))", chosen
            )
            page.reload()
            page.get_by_label("Your name").fill("Ann")
            ann.press("Play now against bots")
            page.wait_for_function("() => told.table?.view")
            ann.until("done", "over", choose=meekest)
            took = moves(ann)
            found[bot] = {"moves": len(took), "p50": statistics.median(took), "most": max(took)}
        ann.turn(choose=meekest)
        page.wait_for_function("() => told.table?.view")
        policy = Static().file("table/offline/worker.js", {}).headers  # type: ignore[arg-type]
        kept = {"content-security-policy": policy["content-security-policy"]}
        page.context.route(
            "**/bare.js",
            lambda route: route.fulfill(
                body=BARE_WORKER, content_type="text/javascript", headers=kept
            ),
        )
        until_kept(page)
        bare, drawn, ready = [], [], []
        for _ in range(GOES):
            page.goto("/privacy")  # where no device begins beside it
            other = ann.window()
            other.goto("/privacy")
            bare.append(other.evaluate(BARE))
            other.close()
            code = json.loads(page.evaluate("localStorage['rookery.device']"))["tables"][-1]
            page.goto(f"/t/{code}")
            drawn.append(page.wait_for_function(DRAWN).json_value())
            ready.append(page.wait_for_function(WELCOMED).json_value())
        found |= {"bare": bare, "drawn": drawn, "ready": ready}
        ratios = [after / before for after, before in zip(ready, bare, strict=True)]
        found["ratio"] = {"p50": statistics.median(ratios), "most": max(ratios)}
        found["load"] = os.getloadavg()
        ann.context.close()
        browser.close()
    return found


if __name__ == "__main__":
    print(json.dumps(measured(), indent=1))
