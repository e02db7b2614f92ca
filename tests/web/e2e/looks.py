"""What every screen has to keep: no fault that axe finds, nothing out of reach at any width."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, TypeVar

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from PIL import Image
from playwright.sync_api import Locator, Page, Request, expect
from tests.web.e2e.people import GO_ON

Held = TypeVar("Held")
# WCAG 2.2 asks for the size of targets; axe leaves that rule off unless it is named.
AXE: dict[str, Any] = {
    "rules": {"target-size": {"enabled": True}, "color-contrast": {"enabled": False}},
    "resultTypes": ["violations"],
}
# Half of what axe takes goes into the contrast of each text, though few differ in their looks: this
# finds one of each. What they are and what lies behind them is in a look, and as something else may
# hide that, so are the kind of page and the width of the window.
LOOKS = """() => {
  const layers = new Map(), kind = location.pathname.split("/")[1];
  window.looks = new Map();
  const behind = (one) => {
    if (!one) return "";
    if (!layers.has(one)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one);
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
      layers.set(one, `${own}/${behind(one.parentElement)}`);
    }
    return layers.get(one);
  };
  // Of a text in a drawing axe is never sure.
  for (const one of document.querySelectorAll("body *:not(svg *)")) {
    const says = one.matches("input, select, textarea")
      || [...one.childNodes].some((part) => part.nodeName === "#text" && part.data.trim());
    if (!says || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
      continue;
    }
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    const off = Boolean(one.closest(":disabled, [aria-disabled=true], .unseen, .skip"));
    const own = [one.tagName, one.className, color, fontSize, fontWeight, off, behind(one)];
    const look = [kind, innerWidth, ...own].join("|");
    if (!looks.has(look)) looks.set(look, one);
  }
  return [...looks.keys()];
}"""
# What axe finds wrong with these, those with which it finds nothing and of which it is sure, and
# whether all were still there: a page may be drawn anew between two questions to it.
READ = """async (fresh) => {
  const only = { runOnly: ["color-contrast"], elementRef: true };
  const include = fresh.map((look) => looks.get(look)).filter((one) => one.isConnected);
  const all = include.length === fresh.length;
  if (!include.length) return [[], [], all];
  const { violations, incomplete } = await axe.run({ include }, only);
  const found = [...violations, ...incomplete].flatMap(({ nodes }) => nodes);
  const bad = new Set(found.map(({ element }) => element));
  const good = new Set(include.filter((one) => !bad.has(one)));
  return [violations, fresh.filter((look) => good.has(looks.get(look))), all];
}"""
# What had enough contrast on a page before.
GOOD = set[str]()
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
# The cards of a trick whose number cannot be seen whole in its middle line.
COVERED = """() => [...document.querySelectorAll(".trick:not(.aside) .lain")].filter((card) => {
  const box = card.querySelector(".rank").getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const spots = [[x, y], [box.left + 2, y], [box.right - 2, y]];
  return spots.some(([at, high]) => !card.contains(document.elementFromPoint(at, high)));
}).map((card) => card.dataset.lain)"""
# What came with the last answer has been run and drawn, and has asked for what it needs. What was
# put off until after a picture is done by then, as such things are done in their order.
DRAWN = """() => {
  const after = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return after().then(after);
}"""


def arrive(page: Page, path: str, *, within: bool = False) -> None:
    """Go to a page, and return once all that it asks for has come and is drawn.

    With `within`, the document that is there goes on to it: all that it has loaded stays.
    """
    going: set[Request] = set()

    def asked(request: Request) -> None:
        going.add(request)

    def came(request: Request) -> None:
        going.discard(request)

    listeners = (("request", asked), ("requestfinished", came), ("requestfailed", came))
    for event, listener in listeners:
        page.on(event, listener)  # type: ignore[call-overload]
    if within:
        page.evaluate(GO_ON, path)
    else:
        page.goto(path)
        page.wait_for_selector("h1")
    page.evaluate(DRAWN)
    while going or page.locator("#app .loading").count():
        page.evaluate(DRAWN)
    for event, listener in listeners:
        page.remove_listener(event, listener)


def visit(page: Page, path: str, *, within: bool = False) -> None:
    """Arrive at a page, and unfold it."""
    arrive(page, path, within=within)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def nth(page: Page, held: list[Held], n: int = 1, patience: int = 60_000) -> Held:
    """Return the nth of what a page has sent and a test holds back, once it has come."""
    for _ in range(0, patience, 20):
        if len(held) >= n:
            return held[n - 1]
        page.wait_for_timeout(20)
    raise AssertionError(f"{len(held)} came; expected {n}")


def later(page: Page, ms: int) -> None:
    """Have so much time pass at once for a page whose clock is a test's, and then no more."""
    page.clock.pause_at((page.evaluate("Date.now()") + ms) / 1000)


def _violations(page: Page) -> list[dict[str, Any]]:
    """Return what axe finds wrong; a page is given axe once, and tells nothing else of its look."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(rest) => axe.run(rest).then((seen) => seen.violations)", AXE)
    while fresh := [look for look in page.evaluate(LOOKS) if look not in GOOD]:
        pale, good, all_there = page.evaluate(READ, fresh)
        GOOD.update(good)
        found += pale
        if all_there:
            break
    return list(found)


def faults(page: Page) -> list[str]:
    """Return what axe finds wrong, and what does not fit into the width of the window."""
    found = [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in _violations(page)
        for node in one["nodes"]
    ]
    # A phone's own idea of its width grows with what is too wide.
    assert page.viewport_size is not None
    inner = page.viewport_size["width"]
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    if wide > inner:
        found.append(f"scrolls sideways: {wide} in {inner}")
    return [*found, *(f"outside: {html}" for html in page.evaluate(OUTSIDE, inner))]


def covered(page: Page) -> list[str]:
    """Return the cards of a finished trick whose number lies under something else."""
    page.evaluate("document.querySelector('.release').remove()")
    return list(page.evaluate(COVERED))


def picture(what: Locator) -> Image.Image:
    """Return what something looks like, in greys."""
    return Image.open(io.BytesIO(what.screenshot())).convert("L")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of points that are clearly darker or lighter in one than in the other."""
    size = (min(one.width, other.width), min(one.height, other.height))
    pairs = zip(one.crop((0, 0, *size)).tobytes(), other.crop((0, 0, *size)).tobytes(), strict=True)
    return sum(abs(a - b) > 60 for a, b in pairs) / (size[0] * size[1])


class Looked:
    """Looks at screens, and keeps by their names which there were and what is `wrong` with them."""

    def __init__(
        self, page: Page, press: Callable[[str], object], judge: Callable[[Page], list[str]]
    ) -> None:
        self.page, self.press, self.judge = page, press, judge
        self.wrong: dict[str, list[str]] = {}
        self.seen: list[str] = []

    def at(self, name: str) -> None:
        """Look at the screen as it is."""
        self.seen.append(name)
        if found := self.judge(self.page):
            self.wrong[name] = found

    def at_dialog(self, button: str) -> None:
        """Look at the dialog that a button opens, and close it."""
        self.press(button)
        dialog = self.page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        expect(dialog.locator(".loading")).to_have_count(0)
        self.at(f"dialog {button}")
        self.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
