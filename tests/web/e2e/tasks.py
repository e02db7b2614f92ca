"""Measure what a phone's main thread does at the table: ``python -m tests.web.e2e.tasks``.

Prints one JSON document. A hand is played against bots at the quick pace, and pages are opened, at
the full speed of this machine and with a processor slowed down. Of each moment it has the longest
task of every go in ms: by the clock, and the processor time of the thread alone, which other
programs disturb less. What the browser does by itself stands apart: it begins a page, with the
links of its head, and it frees memory. How fast this machine is, and what the browser's
slowed-down processor really costs, is measured first and with every go (`slowdown.py`): the rate
is the one that comes nearest to a fast desktop slowed down four times, and each go's figures are
brought to that exactly. Nothing looks into a page while it opens, and what looks into a hand is
there before it begins: to compile that takes longer than any task of the page. Of an idle table it
has the processor time of the whole browser, in percent of a core.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, Page, sync_playwright
from tests.server.http.served import Served, served, table_for
from tests.web.e2e.slowdown import DESKTOP, benchmark_index, rate_for, slowdowns

GOES: Final = 5
SLOWER: Final = 4.0  # times, the processor of a fast desktop
LOOKS: Final = 9  # at how fast this machine is, before it is slowed down
LONG: Final = 50.0  # milliseconds
IDLE: Final = 60  # seconds of a table at which nothing happens
TICKS: Final = os.sysconf("SC_CLK_TCK")
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "en-GB",
    "service_workers": "block",
}
PAGES: Final = {
    "two words": ("/healthz", "body"),  # what the browser itself does, whatever a page is
    "start page": ("/", ".ways .primary"),
    "lesson": ("/learn/first", ".lesson .teacher"),
    "puzzle": ("/puzzles", ".puzzle"),
    "table": (None, ".lobby .button.primary.big"),
    "hand in play": (None, ".card-row .card"),
}
CATEGORIES: Final = ["toplevel", "devtools.timeline", "blink.user_timing"]
# What the browser does by itself: an event of such a task, and the least share it has of it.
BROWSER: Final = {"CommitLoad": ("begins a page", 0.0), "MajorGC": ("frees memory", 0.5)}
# What a finger would do next: [what, x, y], ["result", 0, 0], or nothing yet. A hint is
# asked for once.
NEXT: Final = """() => {
  const all = (css) => [...document.querySelectorAll(css)];
  const at = (what, one) => {
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = one.getBoundingClientRect();
    return [what, box.left + 9, box.top + Math.min(26, box.height / 2)];
  };
  if (all(".over .scores").length) return ["result", 0, 0];
  const bulb = all(".bar .button").find((one) => one.textContent.trim() === "Hint");
  if (bulb && all(".lain").length && all(".status.my-turn").length && !window.hinted) {
    window.hinted = true;
    return at("hint", bulb);
  }
  const [sure] = all(".decide .confirm .primary, .decide .discard .primary:not([disabled])");
  if (sure) return at("said", sure);
  const [card] = all(".card-row.asked .card.open:not(.picked)");
  if (card) return at("chosen", card);
  const actions = all(".decide [data-action]:not([disabled])");
  const bid = actions.filter((one) => one.dataset.action.startsWith("bid"))[3];
  return actions.length ? at("chosen", bid || actions.at(-1)) : null;
}"""


class Tasks:
    """The main thread's tasks of a trace, each with the moment in which it ran.

    Attributes:
        ran: of each task the moment, and how many ms it took by the clock, and of the thread's own.
    """

    def __init__(self, trace: bytes) -> None:
        events = json.loads(trace)["traceEvents"]
        marks = sorted(
            (one["ts"], one["name"][7:]) for one in events if one["name"].startswith("moment:")
        )
        # A page that opens has a mark at its end alone; what comes after that is not the page.
        begun = min(when for when, _ in marks)
        opened = marks[0][1] if len(marks) == 1 else None
        # What was said last has ended the hand.
        marks[-1] = (marks[-1][0], opened or "result")
        [pid] = {one["pid"] for one in events if one["name"].startswith("moment:")}
        [thread] = {
            one["tid"]
            for one in events
            if one["name"] == "thread_name"
            and one["pid"] == pid
            and one["args"]["name"] == "CrRendererMain"
        }
        mine = [one for one in events if (one["pid"], one["tid"]) == (pid, thread)]
        of_browser = [one for one in mine if one["name"] in BROWSER]
        self.ran: list[tuple[str, float, float]] = []
        for one in mine:
            if not one["name"].endswith("RunTask") or "tdur" not in one:
                continue
            end = one["ts"] + one["dur"]
            if (end < begun) != bool(opened):
                continue
            moment = opened or marks[bisect_right(marks, (one["ts"], "~")) - 1][1]
            for other in of_browser:
                what, share = BROWSER[other["name"]]
                if one["ts"] <= other["ts"] < end and other["tdur"] >= share * one["tdur"]:
                    moment = what
            self.ran.append((moment, one["dur"] / 1000, one["tdur"] / 1000))

    def longest(self, scale: float) -> dict[str, tuple[float, float]]:
        """Return, by moment, the longest task times `scale` by the clock, and by its own time."""
        longest: dict[str, tuple[float, float]] = {}
        for moment, took, own in self.ran:
            before = longest.get(moment, (0.0, 0.0))
            longest[moment] = max(before[0], took * scale), max(before[1], own * scale)
        return longest

    def over(self, scale: float) -> int:
        """Return how many tasks were longer than `LONG` by their own time."""
        return sum(own * scale > LONG for _, _, own in self.ran)


@contextmanager
def phone(browser: Browser, here: Served, client: httpx.Client, rate: float) -> Iterator[Page]:
    """Yield a page on a phone of somebody who is known here, slowed down by a rate."""
    context = browser.new_context(base_url=here.url, **PHONE)
    [(name, value)] = client.cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": here.url}])
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    yield page
    context.close()


def moment(page: Page, name: str) -> None:
    """Write into the trace that something else begins."""
    page.evaluate("(name) => performance.mark(`moment:${name}`)", name)


def hand(browser: Browser, here: Served, rate: float) -> Tasks:
    """Play a hand from the lobby to its result."""
    client = here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["club"] * 3, pace="brisk")
    with phone(browser, here, client, rate) as page:
        page.goto(f"/t/{code}")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(5_000)
        page.locator(".lobby .button.primary.big").scroll_into_view_if_needed()
        page.evaluate(NEXT)
        browser.start_tracing(page=page, categories=CATEGORIES)
        moment(page, "deal")
        page.locator(".lobby .button.primary.big").tap()
        while (found := page.evaluate(NEXT)) is None or found[0] != "result":
            if found is None:
                page.wait_for_timeout(100)
                continue
            moment(page, found[0])
            page.touchscreen.tap(found[1], found[2])
            if found[0] == "hint":
                page.wait_for_selector(".notes .hint")
                page.wait_for_timeout(1_000)
            page.wait_for_timeout(250)
        page.wait_for_timeout(3_000)
        return Tasks(browser.stop_tracing())


def path_of(browser: Browser, here: Served, client: httpx.Client, name: str) -> str:
    """Return where a page is; a table is made for it."""
    if PAGES[name][0]:
        return str(PAGES[name][0])
    bots = ["club"] * 3 if name == "hand in play" else []
    path = f"/t/{table_for(client, rules='kd_tournament', bots=bots)}"
    if bots:
        with phone(browser, here, client, 1.0) as page:
            page.goto(path)
            page.locator(".lobby .button.primary.big").tap()
            page.wait_for_selector(".decide [data-action]")
    return path


def opened(browser: Browser, here: Served, rate: float, name: str) -> Tasks:
    """Open a page until it has nothing more to do."""
    client = here.browser("Ann")
    path = path_of(browser, here, client, name)
    with phone(browser, here, client, rate) as page:
        browser.start_tracing(page=page, categories=CATEGORIES)
        page.goto(path, wait_until="networkidle")
        page.wait_for_timeout(3_000)
        moment(page, "opening")
        trace = browser.stop_tracing()
        page.wait_for_selector(PAGES[name][1])
        return Tasks(trace)


def burnt() -> float:
    """Return the processor time of all processes that this one has started, seconds."""
    parents, times = defaultdict(list), {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text("utf-8").partition(" (")
        except OSError:
            continue
        words = rest.rpartition(") ")[2].split()
        parents[int(words[1])].append(int(number))
        times[int(number)] = (int(words[11]) + int(words[12])) / TICKS
    todo, total = parents[os.getpid()], 0.0
    while todo:
        one = todo.pop()
        total += times.get(one, 0.0)
        todo += parents[one]
    return total


def idle(browser: Browser, here: Served, clock: int) -> float:
    """Return what a table costs at which somebody thinks, in percent of a core."""
    client = here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["club"] * 3, pace="brisk", clock=clock)
    with phone(browser, here, client, 1) as page:
        page.goto(f"/t/{code}")
        page.locator(".lobby .button.primary.big").tap()
        page.wait_for_selector(".decide [data-action]")
        page.wait_for_timeout(15_000)
        before = burnt()
        time.sleep(IDLE)
        return round(100 * (burnt() - before) / IDLE, 2)


class Goes:
    """Some goes of one thing.

    Attributes:
        tasks: what ran in each.
        costs: how many times slower a page was meanwhile.
        powers: the benchmark index of the machine before each.
    """

    def __init__(self, browser: Browser, rate: float, go: Callable[[], Tasks]) -> None:
        self.tasks: list[Tasks] = []
        self.costs: list[float] = []
        self.powers: list[float] = []
        for _ in range(GOES):
            self.powers.append(benchmark_index(browser))
            before = cost_of(browser, rate)
            self.tasks.append(go())
            self.costs.append((before + cost_of(browser, rate)) / 2)

    def told(self, slower: float | None) -> Mapping[str, Any]:
        """Return the longest tasks of each moment, one figure for each go, the shortest first.

        They are brought to so many times slower, or stay as they were.
        """
        scales = [1.0 if slower is None else slower / cost for cost in self.costs]
        longest = [one.longest(scale) for one, scale in zip(self.tasks, scales, strict=True)]
        told: dict[str, Any] = {
            name: {
                "ms": sorted(round(each[name][0], 1) for each in longest if name in each),
                "own_ms": sorted(round(each[name][1], 1) for each in longest if name in each),
            }
            for name in dict.fromkeys(name for each in longest for name in each)
        }
        over = sorted(one.over(scale) for one, scale in zip(self.tasks, scales, strict=True))
        return {
            **dict(sorted(told.items())),
            "over_50_ms": over,
            "slowed_down": [round(cost, 2) for cost in self.costs],
            "benchmark_index": self.powers,
        }


def cost_of(browser: Browser, rate: float) -> float:
    """Return how many times slower a page is at a rate now."""
    return slowdowns(browser, [rate])[rate] if rate > 1 else 1.0


def main() -> None:
    """Measure everything, and say how busy the machine was."""
    told: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 1)}
    with served() as here, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        told["idle_percent"] = {
            "no clock": idle(browser, here, 0),
            "clock, last minute": idle(browser, here, IDLE + 20),
        }
        powers = [benchmark_index(browser) for _ in range(LOOKS)]
        slow, costs = rate_for(browser, SLOWER * median(powers) / DESKTOP)
        told["slowed_down_by_rate"] = {rate: round(cost, 2) for rate, cost in costs.items()}
        went: dict[float, dict[str, Goes]] = {}
        for rate in (1.0, slow):
            part = went[rate] = {}
            for name in PAGES:
                part[name] = Goes(browser, rate, partial(opened, browser, here, rate, name))
            part["hand"] = Goes(browser, rate, partial(hand, browser, here, rate))
        browser.close()
    told["load_after"] = round(os.getloadavg()[0], 1)
    # What a machine of a cloud can do changes from second to second, so all goes say what it is.
    powers += [power for part in went.values() for goes in part.values() for power in goes.powers]
    told["benchmark_index"] = median(powers)
    slower = SLOWER * median(powers) / DESKTOP
    told["slower"] = round(slower, 2)
    for rate, part in went.items():
        name = "full speed" if rate == 1 else f"slowed down, rate {rate}"
        told[name] = {what: goes.told(None if rate == 1 else slower) for what, goes in part.items()}
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
