"""Browsers of people who keep a score, in which nothing may go wrong unseen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page
from tests.server.http.served import Served
from tests.web.e2e.looks import faults
from tests.web.e2e.people import LOOKS_OFTEN
from tests.web.e2e.windows import Window, Windows

# A page that is loaded again has a network for a moment, before the browser takes it away or the
# test may answer for it; a service worker that controls the page makes that longer. So a request
# for what is written went out now and then. This runs before any script of the page.
CUT = """{
  const real = window.fetch;
  const isCut = (path) => sessionStorage.getItem("cut") && String(path).startsWith("/api/");
  window.fetch = (path, ...more) => isCut(path)
    ? Promise.reject(new TypeError("there is no network")) : real(path, ...more);
}"""


class Phones:
    """Browsers of people who keep a score.

    Attributes:
        wrong: what went wrong in any of them.
    """

    def __init__(self, browser: Browser, here: Served, windows: Windows) -> None:
        self.browser, self.here = browser, here
        self.wrong: list[str] = []
        self._windows = windows
        self._came: list[tuple[dict[str, Any], Window]] = []

    def page(self, **device: object) -> Page:
        """Return a window of another browser; one that is to be `cut` allows service workers."""
        usual = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
        options: dict[str, Any] = {**usual, **device}
        window = self._windows.take(options) or self._opened(options)
        self._came.append((options, window))
        window.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        return window.page

    def _opened(self, options: dict[str, Any]) -> Window:
        context = self.browser.new_context(base_url=self.here.url, **options)
        context.set_default_timeout(60_000)
        context.add_init_script(CUT)
        context.add_init_script(LOOKS_OFTEN)
        return Window(context, context.new_page())

    def cut(self, page: Page) -> None:
        """Take the network away from a page that its service worker has made ready for that."""
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.evaluate("sessionStorage.setItem('cut', 'yes')")
        page.context.set_offline(True)

    def join(self, page: Page) -> None:
        """Give it back."""
        page.evaluate("sessionStorage.removeItem('cut')")
        page.context.set_offline(False)

    def look(self, page: Page, what: str) -> None:
        """Note what is wrong with the look of a page."""
        self.wrong += [f"{what}: {one}" for one in faults(page)]

    def away(self) -> None:
        """Close all of them; nothing may have gone wrong."""
        for options, window in self._came:
            self._windows.give(options, window, self.here.url)
        assert not self.wrong, self.wrong
