"""Somebody at a site of files, who notices whatever it asks of others, lacks, or forbids."""

from __future__ import annotations

from typing import cast

from playwright.sync_api import Browser, Page, Response, expect
from tests.server.http.served import Served
from tests.web.e2e.files import Host
from tests.web.e2e.people import Someone

MAKE = "Make this device ready for offline play"
READY = "This device is ready for offline play."
PLAY = "Play now against bots"
FETCH = "Fetch it"
# Nobody waits here as long as people like to; a hand that is done stays until it is seen.
BRISK = "localStorage['rookery.settings'] = JSON.stringify({ newcomer: false, pace: 'brisk' })"
# What was fetched for play stays, and nothing that is somebody's.
EMPTY = """async () => {
  for (const { name } of await indexedDB.databases()) {
    await new Promise((done, fail) => {
      const asked = indexedDB.deleteDatabase(name);
      [asked.onsuccess, asked.onerror] = [done, fail];
    });
  }
  const device = Object.keys(localStorage).find((key) => /^rookery.device(\\/|$)/.test(key));
  const { kit } = JSON.parse(localStorage[device] ?? "{}");
  localStorage.clear();
  sessionStorage.clear();
  if (kit) localStorage[device] = JSON.stringify({ kit, tables: [], told: [] });
}"""
SHORT = {"base": "kd_tournament", "target": 60}  # a match of a hand or two
WATCH = """window.forbidden = [];
addEventListener("securitypolicyviolation", (event) => {
  forbidden.push(`${event.violatedDirective} ${event.blockedURI}`);
  console.info(`forbidden: ${forbidden.at(-1)}`); // a page is left, and this is not
});"""
DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: "application/json" }));
  const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""


class Visitor(Someone):
    """Somebody at a site: whatever they ask for lies there, and no policy forbids anything.

    Attributes:
        asked: the address of every request, those of workers among them.
    """

    def __init__(self, chromium: Browser, host: Host, **device: object) -> None:
        self.asked: list[str] = []
        self.outside: list[str] = []
        self.missing: list[str] = []
        self.forbidden: list[str] = []
        super().__init__(chromium, cast(Served, host), "Ann", service_workers="allow", **device)
        self.host = host
        self.context.add_init_script(WATCH)
        self.context.on("request", lambda request: self._asks(request.url))
        self.context.on("response", self._answered)
        self.context.on("console", lambda message: self._says(message.text))

    def _asks(self, url: str) -> None:
        self.asked.append(url)
        if not url.startswith((self.host.url, "blob:", "data:")):
            self.outside.append(url)

    def _says(self, text: str) -> None:
        if text.startswith("forbidden: "):
            self.forbidden.append(text.removeprefix("forbidden: "))

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.missing.append(f"{response.status} {response.url}")

    def goes(self, path: str) -> Page:
        """Go to a page by its address."""
        self.page.goto(f"?{path}")
        self.page.wait_for_selector("h1")
        return self.page

    def fetches(self) -> None:
        """Agree that what is needed is fetched."""
        self.press(FETCH)
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def plays(self) -> str:
        """Begin a match from the first page; return the code of its table."""
        self.page.goto("./")
        self.page.get_by_label("Your name").fill(self.name)
        self.press(PLAY)
        self.fetches()
        self.page.wait_for_function("() => told.table?.view")
        return str(self.table()["code"])

    def away(self) -> None:
        """Leave; nothing may have been asked of anybody else, missing, or forbidden."""
        super().away()
        self.good()

    def good(self) -> None:
        """Return if no page failed, and nothing was asked of others, missing, or forbidden."""
        assert self.asked
        wrong = (self.outside, self.missing, self.forbidden, self.faults)
        assert wrong == ([], [], [], []), wrong


def make_ready(someone: Someone) -> None:
    """Have a device fetch what it needs."""
    someone.page.goto("/offline")
    someone.press(MAKE)
    expect(someone.page.locator("main").get_by_text(READY)).to_be_visible()
    someone.page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def chooses_short(page: Page) -> None:
    """Have the next match be a short one, with bots that do not wait."""
    game = {"rules": SHORT, "seats": 4, "name": "Short"}
    chosen = {"game": game, "newcomer": False, "pace": "instant", "bot": "club"}
    page.evaluate("(s) => localStorage.setItem('rookery.settings', JSON.stringify(s))", chosen)


def begin(someone: Someone) -> str:
    """Begin a match on the device; return the code of its table."""
    someone.page.get_by_label("Your name").fill(someone.name)
    someone.press(PLAY)
    someone.page.wait_for_function("() => told.table?.view")
    return str(someone.table()["code"])


def empty(someone: Someone, path: str) -> None:
    """Leave a device, in a window at `path`, as it was when all that is played with had come."""
    context, fresh = someone.context, someone.window()
    context.set_offline(False)
    context.unroute_all(behavior="ignoreErrors")
    for page in context.pages:
        if page != fresh:
            page.unroute_all(behavior="ignoreErrors")
            page.close()
    fresh.goto(path)
    fresh.evaluate(EMPTY)
    context.clear_cookies()
    someone.page = fresh


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file on a page."""
    page.evaluate(DROP, [name, text])
