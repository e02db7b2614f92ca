"""Somebody in front of a browser: looks at what the page offers, and presses it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    TimeoutError,
    expect,
)
from tests.server.http.served import Served, table_for
from tests.web.e2e.windows import Window, Windows

SCREEN = (Path(__file__).parent / "screen.js").read_text("utf-8")
LATE = (Path(__file__).parent / "late.js").read_text("utf-8") if os.environ.get("LATE") else ""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}
# Whoever is no newcomer is not told at a first bid what one is.
KNOWS_BIDS = """try {
  localStorage["rookery.settings"] ??= JSON.stringify({ newcomer: false });
} catch {} // a page that is still blank keeps nothing"""
PATIENCE = 60_000  # milliseconds until a test gives a page up
ATTEMPTS = 6  # in that time
LOOK = 20  # milliseconds between two looks at several pages
CLICKED = "before => told.clicks !== before"
CHANGED = "() => told.table && JSON.stringify(told.table.view) !== told.asked"
# Pages of an evening, and sheets, look every 4 to 6 seconds whether there is something new; here,
# ten times as often, as a test waits for many such looks.
LOOKS_OFTEN = r"""(() => {
  const later = setTimeout, pauses = [4_000, 5_000, 6_000];
  const often = (after) => pauses.includes(after) && /^\/[est]\//.test(location.pathname);
  const due = (after) => (often(after) ? after / 10 : after);
  window.setTimeout = (act, after, ...rest) => later(act, due(after), ...rest);
})();"""
# Go on within the page, as forward does: all that it has loaded stays, and what it was told goes.
GO_ON = """(path) => {
  told.table = told.socket = null;
  told.frames.length = 0;
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""
Asked = Mapping[str, Any]


class Someone:
    """A person with a browser of their own.

    Attributes:
        name: what the others call them.
        page: their window.
    """

    def __init__(
        self,
        browser: Browser,
        here: Served,
        name: str,
        windows: Windows | None = None,
        /,
        **device: object,
    ) -> None:
        self.here = here
        self.name = name
        options: dict[str, Any] = {
            "locale": "en-GB",
            "reduced_motion": "reduce",
            "service_workers": "block",
            **(device or DESKTOP),
        }
        self.touch = bool(options.get("has_touch"))
        self.faults: list[str] = []
        self._client: httpx.Client | None = None
        # Whoever has a service worker has more than can be cleared.
        self._windows = windows if options["service_workers"] == "block" else None
        self._options = options
        self._window = self._windows.take(options) if self._windows else None
        if self._window:
            self.context, self.page = self._window.context, self._window.page
            self._heeds(self.page)
            return
        self.context = self._opened(browser, **options)
        self.page = self.window()
        if self._windows:
            self._window = Window(self.context, self.page)

    def _opened(self, browser: Browser, newcomer: object = False, **options: Any) -> BrowserContext:  # noqa: ANN401
        context = browser.new_context(base_url=self.here.url, accept_downloads=True, **options)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(LATE + SCREEN)
        context.add_init_script(LOOKS_OFTEN)
        if not newcomer:
            context.add_init_script(KNOWS_BIDS)
        return context

    def window(self) -> Page:
        """Open another window of the same browser."""
        page = self.context.new_page()
        self._heeds(page)
        return page

    def _heeds(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def known(self, client: httpx.Client) -> None:
        """Be the person who made a table by a request."""
        [(name, value)] = client.cookies.items()
        self.context.add_cookies([{"name": name, "value": value, "url": self.here.url}])

    def hosts(self, **wanted: object) -> str:
        """Make a table by a request, and go there; return its code."""
        client = self.here.browser(self.name)
        code = table_for(client, **wanted)
        self.known(client)
        self.page.goto(f"/t/{code}")
        return code

    def at_table(
        self, *, left_of_dealer: bool = False, settled: bool = True, **wanted: object
    ) -> str:
        """Make a table by a request, begin the match, and sit there; return its code."""
        code = self.hosts(**wanted)
        if settled:
            self.settled()
        if left_of_dealer:
            self.press(f"Move {self.name} one seat down")
            self.page.wait_for_function("() => told.table.you === 1")
        self.press("Start", exact=False)
        self.page.wait_for_function("() => told.table.view")
        return code

    def goes_on(self, **wanted: object) -> str:
        """Make another table as the same person, and go there within the page; return its code."""
        if self._client is None:
            self._client = self.here.browser(self.name)
            self.known(self._client)
            self.page.goto("/privacy")
        code = table_for(self._client, **wanted)
        self.page.evaluate(GO_ON, f"/t/{code}")
        self.settled()
        return code

    def at_next_table(self, **wanted: object) -> str:
        """Begin another match as the same person, within the page; return the table's code."""
        code = self.goes_on(**wanted)
        self.press(f"Move {self.name} one seat down")
        self.page.wait_for_function("() => told.table.you === 1")
        self.press("Start", exact=False)
        self.page.wait_for_function("() => told.table.view")
        return code

    def comes(self, code: str, *, sits: bool = True) -> None:
        """Come by the link, say a name, and sit down with it, or only watch."""
        self.page.goto(f"/t/{code}")
        self.page.get_by_label("Your name at the table").fill(self.name)
        self.press("Sit down" if sits else "Watch")
        self.page.wait_for_function("() => told.table")
        if sits:
            self.page.wait_for_function("() => told.table.you !== null")
            expect(self.page.get_by_role("button", name="Sit down")).to_have_count(0)
            self.settled()

    def press(self, name: str, *, exact: bool = True) -> None:
        """Press a button by its words."""
        self.hit(self.page.get_by_role("button", name=name, exact=exact).first)

    def hit(self, what: Locator, *, card: bool = False) -> None:
        """Tap or click something; a card on the strip that is always free."""
        spot: Any = {"x": 9, "y": 26} if card else None
        press = what.tap if self.touch else what.click
        before = self._seq()
        for left in reversed(range(ATTEMPTS)):
            clicks = what.page.evaluate("told.clicks") if self.touch else 0
            try:
                press(position=spot, timeout=PATIENCE / ATTEMPTS)
                if self.touch:
                    # Chromium makes a tap a click after Playwright has returned.
                    what.page.wait_for_function(CLICKED, arg=clicks, timeout=PATIENCE / ATTEMPTS)
            except TimeoutError as error:
                # Playwright misses its own click where the page is drawn anew in that moment.
                if self._seq() > before and not what.count():
                    return
                if not left:
                    raise AssertionError(
                        f"{self.name} cannot press {what}; {self._now()}"
                    ) from error
            else:
                return

    def _seq(self) -> int:
        return int(self.page.evaluate("told.table ? told.table.seq : 0"))

    def table(self) -> dict[str, Any]:
        """Return what the page was told last."""
        return dict(self.page.evaluate("told.table"))

    def frames(self) -> list[str]:
        """Return every frame that the page was sent since it was loaded."""
        return list(self.page.evaluate("told.frames"))

    def shown(self, *, waiting: bool = False) -> dict[str, Any]:
        """Return what the page asks, once it offers just what the rules allow."""
        try:
            handle = self.page.wait_for_function("(w) => window.screenNow(w)", arg=waiting)
        except Exception as error:
            raise AssertionError(f"{self.name} waits; {self._now()}") from error
        return dict(handle.json_value())

    def _now(self) -> str:
        legal = self.page.evaluate("told.table && told.table.view && told.table.view.legal")
        frames = "\n".join(frame[:200] for frame in self.frames()[-8:])
        return f"allowed: {legal}\n{self.page.locator('main').inner_text()}\n{frames}"

    def moved(self, seq: int) -> None:
        """Return once something has happened at the table after `seq`."""
        self.page.wait_for_function("(seq) => told.table?.seq > seq", arg=seq)

    def card(self, name: str, row: str = ".card-row.asked") -> Locator:
        """Return a card that can be chosen."""
        return self.page.locator(f'{row} [data-card="{name}"]')

    def act(self, asked: Asked, choose: Callable[[Asked], str] | None = None) -> str:
        """Do what is asked, chosen by `choose`; return it as a record writes it."""
        action = (choose or boldest)(asked)
        verb, *cards = action.split()
        if verb in ("play", "give"):
            self.hit(self.card(cards[0]), card=True)
            if self.touch:
                self.hit(self.page.locator(".decide .confirm .primary"))
        elif verb == "discard":
            for card in cards:
                if self.card(card).get_attribute("aria-pressed") != "true":
                    self.hit(self.card(card), card=True)
            self.hit(self.page.locator(".decide .discard .primary"))
        elif verb == "call":
            for card in cards:
                self.hit(self.page.locator(f'.deck [data-card="{card}"]'))
            self.hit(self.page.locator(".decide .call .primary"))
        else:
            self.hit(self.page.locator(f'.decide [data-action="{action}"]'))
            if self.touch:
                self.hit(self.page.locator(".decide .confirm .primary"))
        # What the page says by itself at a table, as that it waits, changes nothing of the hand.
        self.page.wait_for_function(CHANGED)
        return action

    def say(self, asked: Asked, choose: Callable[[Asked], str] | None = None) -> str:
        """Do what is asked as `act` does, but the browser says it; only a discard is pressed."""
        if asked["kind"] == "discard":
            return self.act(asked, choose)
        action = (choose or boldest)(asked)
        self.page.evaluate("([action, seq]) => say(action, seq)", [action, asked["seq"]])
        self.page.wait_for_function(CHANGED)
        return action

    def turn(self, choose: Callable[[Asked], str] | None = None) -> str:
        """Wait until something is asked, and do it; return what was done."""
        asked = self.shown()
        return asked["kind"] if asked["kind"] in ("over", "lobby") else self._answer(asked, choose)

    def _answer(self, asked: Asked, choose: Callable[[Asked], str] | None) -> str:
        if asked["kind"] != "done":
            return self.act(asked, choose)
        self.press("Next hand")
        self.moved(asked["seq"])
        return "next"

    def until(self, *kinds: str, choose: Callable[[Asked], str] | None = None) -> dict[str, Any]:
        """Do what is asked until something of these kinds is; return it."""
        while (asked := self.shown())["kind"] not in kinds:
            assert asked["kind"] not in ("over", "lobby"), asked
            self._answer(asked, choose)
        return asked

    def skip_to(self, *phases: str) -> dict[str, Any]:
        """Have the browser say what leads to one of these phases of the hand; return what is asked.

        To press it all takes three times as long. What needs thought is pressed: an exchange.
        """
        while True:
            self.page.wait_for_function("(phases) => skipTo(phases)", arg=phases, polling=LOOK)
            asked = self.shown()
            if asked["phase"] in phases or asked["kind"] == "over":
                return asked
            self.act(asked)

    def settled(self) -> None:
        """Return once the chance that this browser adds to the next deal has been taken."""
        self.page.wait_for_function(
            "() => { const { deal, you } = told.table || {};"
            " return told.table && (!deal || you === null || deal.shares.includes(you)); }"
        )

    def heard(self, words: str) -> None:
        """Return once a screen reader has been told these words, which may be gone by now."""
        said = "(words) => told.heard.some((one) => one.includes(words))"
        self.page.wait_for_function(said, arg=words)

    def no_dialog(self) -> None:
        """Return once no dialog is open, nor on its way out of the history: that stops a `goto`."""
        expect(self.page.locator("dialog")).to_have_count(0)
        self.page.wait_for_function("() => !history.state?.dialogs")

    def words(self, css: str) -> list[str]:
        """Return the words of everything that fits."""
        return [" ".join(text.split()) for text in self.page.locator(css).all_inner_texts()]

    def away(self) -> None:
        """Close the browser; no page of it may have had a fault."""
        if self._windows and self._window:
            self._windows.give(self._options, self._window, self.here.url)
        else:
            # A request that is still on its way when the browser closes is no fault.
            self.page.unroute_all(behavior="ignoreErrors")
            self.context.unroute_all(behavior="ignoreErrors")
            self.context.close()
        assert not self.faults, self.faults


def turns(people: Sequence[Someone], until: Callable[[dict[str, Any]], bool]) -> Iterator[Someone]:
    """Yield who of these people has to act, once all pages know it, until `until` is true of all.

    Only somebody's own page is asked whether they have to: another may be behind.
    """
    looks = 0
    while not all(map(until, tables := [one.table() for one in people])):
        for one, table in zip(people, tables, strict=True):
            if table["view"] and table["view"]["to_act"] == table["you"] is not None:
                for other in people:
                    other.page.wait_for_function("(n) => told.table.seq >= n", arg=table["seq"])
                looks = 0
                yield one
                break
        else:
            looks += 1
            assert looks < PATIENCE // LOOK, [one.table() for one in people]
            people[0].page.wait_for_timeout(LOOK)


def due_of(people: Sequence[Someone]) -> Someone:
    """Return who of these people has to act, once all pages know it."""
    return next(turns(people, lambda table: False))


def is_over(table: dict[str, Any]) -> bool:
    """Return whether the match is over."""
    return bool(table["phase"] == "over")


def is_done(table: dict[str, Any]) -> bool:
    """Return whether the hand is over."""
    return bool(table["view"]) and table["view"]["phase"] == "done"


def boldest(asked: Asked) -> str:
    """Return the highest bid and the first of everything else."""
    kind = asked["kind"]
    if kind in ("play", "give"):
        return f"{kind} {asked['cards'][0]}"
    if kind == "discard":
        rest = [card for card in asked["cards"] if card not in asked["must"]]
        return " ".join(["discard", *[*asked["must"], *rest][: asked["discard"]]])
    if kind == "call":
        return " ".join(["call", *asked["cards"][-asked["max"] :]])
    bids = [action for action in asked["actions"] if action.startswith("bid")]
    return str(bids[-1] if bids else asked["actions"][0])


def meekest(asked: Asked) -> str:
    """Return a pass where one is offered, else the lowest bid, and the first of the rest."""
    actions = asked.get("actions", [])
    if "pass" in actions:
        return "pass"
    bids = [action for action in actions if action.startswith("bid")]
    return str(bids[0]) if bids else boldest(asked)


def record_of(someone: Someone) -> bytes:
    """Download the record of the match by the page's own link."""
    with someone.page.expect_download() as told:
        someone.hit(someone.page.get_by_role("link", name="Download the record"))
    data = Path(told.value.path()).read_bytes()
    assert json.loads(data)["format"] == "rookery/1"
    return data
