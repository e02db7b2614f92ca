"""How much slower the browser's slowed-down processor really is, which is more than was asked for.

The browser stops a page's main thread thousands of times a second and lets it wait in a loop.
What the machine does meanwhile makes the wait longer, so that a rate of 4 costs 4 to 10 times.
Hence what a rate costs is measured, by fixed computations with and without it, in turns: one is
script alone, the other style and layout.

"Four times slower" is said of a fast desktop; a slower machine is slowed down less, or it would be
another phone. How fast one is, says the benchmark index of Lighthouse (its `docs/throttling.md`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from math import log, sqrt
from statistics import median
from typing import Final

from playwright.sync_api import Browser

RATES: Final = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
DESKTOP: Final = 1_750  # the benchmark index of a fast desktop: Lighthouse says 1,500 to 2,000
# By Lighthouse's definition: the mean of how many strings of 10,000 characters are made, character
# by character, and how many times 100,000 numbers are copied, both in a tenth of a second.
INDEX: Final = """() => {
  const tenths = 5;
  const turns = (once, some) => {
    const begun = Date.now();
    let n = 0;
    do {
      for (let i = 0; i < some; i += 1) once(n + i);
      n += some;
    } while (Date.now() - begun < 100 * tenths);
    return Math.round((100 * n) / (Date.now() - begun));
  };
  const text = () => {
    let all = "";
    for (let i = 0; i < 10_000; i += 1) all += "a";
    if (all.length !== 10_000) throw new Error("it is not thrown, but has to be made for it");
  };
  const rows = [0, 1].map(() => Array.from({ length: 100_000 }, (_, i) => i));
  const copy = (n) => {
    const [from, to] = [rows[n % 2], rows[1 - (n % 2)]];
    for (let i = 0; i < from.length; i += 1) to[i] = from[i];
  };
  return (turns(text, 1) + turns(copy, 10)) / 2;
}"""
TURNS: Final = 12  # at each rate, and as many without
WARM: Final = 10  # before that, so that what runs often is compiled
CATEGORIES: Final = ["toplevel", "blink.user_timing"]
WORK: Final = """() => {
  window.script = () => {
    const seen = new Map();
    let n = 7;
    for (let i = 0; i < 30_000; i += 1) {
      n = (n * 1103515245 + 12345) & 0x7fffffff;
      seen.set(n & 4095, { n, text: String(n) });
    }
    return seen.size;
  };
  window.layout = () => {
    const box = document.createElement("div");
    const line = (_, i) => `<p class="c${i % 7}"><b>word ${i}</b> <i>another word</i></p>`;
    box.innerHTML = Array.from({ length: 150 }, line).join("");
    document.body.append(box);
    const high = box.offsetHeight;
    box.remove();
    return high;
  };
}"""
KINDS: Final = ("script", "layout")


def own_times(trace: bytes) -> dict[str, list[float]]:
    """Return the own times, in ms, of the tasks that set a mark `work:NAME`, by name."""
    events = json.loads(trace)["traceEvents"]
    ran = [one for one in events if one["name"].endswith("RunTask") and "tdur" in one]
    times: dict[str, list[float]] = defaultdict(list)
    for mark in events:
        if not mark["name"].startswith("work:"):
            continue
        times[mark["name"][5:]] += [
            one["tdur"] / 1000
            for one in ran
            if (one["pid"], one["tid"]) == (mark["pid"], mark["tid"])
            and one["ts"] <= mark["ts"] <= one["ts"] + one["dur"]
        ]
    return times


def benchmark_index(browser: Browser) -> float:
    """Return Lighthouse's benchmark index of this machine now; it takes a second."""
    page = browser.new_page()
    index = page.evaluate(INDEX)
    page.close()
    return float(index)


def slowdowns(browser: Browser, rates: Sequence[float]) -> dict[float, float]:
    """Return how many times slower a page's main thread is at each rate."""
    context = browser.new_context()
    page = context.new_page()
    line = context.new_cdp_session(page)
    page.evaluate(WORK)
    for _ in range(WARM):
        page.evaluate("() => { script(); layout(); }")
    browser.start_tracing(page=page, categories=CATEGORIES)
    for _ in range(TURNS):
        for rate in (1.0, *rates):
            line.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            for kind in KINDS:
                name = f"{kind} {rate}"
                page.evaluate(f"() => {{ performance.mark('work:{name}'); {kind}(); }}")
    times = {name: median(each) for name, each in own_times(browser.stop_tracing()).items()}
    context.close()
    return {
        rate: sqrt(
            times[f"script {rate}"]
            / times["script 1.0"]
            * times[f"layout {rate}"]
            / times["layout 1.0"]
        )
        for rate in rates
    }


def rate_for(browser: Browser, slower: float) -> tuple[float, dict[float, float]]:
    """Return the rate that comes nearest to so many times slower, and what each of `RATES` cost."""
    costs = slowdowns(browser, RATES)
    return min(costs, key=lambda rate: abs(log(costs[rate] / slower))), costs
