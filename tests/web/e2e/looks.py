"""What every screen has to keep: no fault that axe finds, nothing out of reach at any width."""

from __future__ import annotations

import io
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from PIL import Image
from playwright.sync_api import Locator, Page, Request

# WCAG 2.2 asks for the size of targets; axe leaves that rule off unless it is named.
AXE: dict[str, Any] = {
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
# What lies to the side of the window and in no box that scrolls.
OUTSIDE = """(wide) => {
  const own = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX);
  const scrolls = (one) => one && (own(one) || scrolls(one.parentElement));
  return [...document.querySelectorAll("button, a, input, select, p, h1, h2, svg, .plate")]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const unseen = one.closest(".unseen, .skip, [hidden]") || !box.width;
      return !unseen && !scrolls(one.parentElement) && (box.left < -1 || box.right > wide + 1);
    })
    .map((one) => one.outerHTML.slice(0, 120));
}"""
# What came with the last answer has been run and drawn, and has asked for what it needs.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def visit(page: Page, path: str) -> None:
    """Go to a page, unfold it, and return once all that it asks for has come and is drawn."""
    going: set[Request] = set()

    def asked(request: Request) -> None:
        going.add(request)

    def came(request: Request) -> None:
        going.discard(request)

    listeners = (("request", asked), ("requestfinished", came), ("requestfailed", came))
    for event, listener in listeners:
        page.on(event, listener)  # type: ignore[call-overload]
    page.goto(path)
    page.wait_for_selector("h1")
    page.evaluate(DRAWN)
    while going:
        page.evaluate(DRAWN)
    for event, listener in listeners:
        page.remove_listener(event, listener)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def faults(page: Page) -> list[str]:
    """Return what axe finds wrong, and what does not fit into the width of the window."""
    found = [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in Axe().run(page, options=AXE).response["violations"]
        for node in one["nodes"]
    ]
    # A phone's own idea of its width grows with what is too wide.
    assert page.viewport_size is not None
    inner = page.viewport_size["width"]
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    if wide > inner:
        found.append(f"scrolls sideways: {wide} in {inner}")
    return [*found, *(f"outside: {html}" for html in page.evaluate(OUTSIDE, inner))]


def picture(what: Locator) -> Image.Image:
    """Return what something looks like, in greys."""
    return Image.open(io.BytesIO(what.screenshot())).convert("L")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of points that are clearly darker or lighter in one than in the other."""
    size = (min(one.width, other.width), min(one.height, other.height))
    pairs = zip(one.crop((0, 0, *size)).tobytes(), other.crop((0, 0, *size)).tobytes(), strict=True)
    return sum(abs(a - b) > 60 for a, b in pairs) / (size[0] * size[1])
