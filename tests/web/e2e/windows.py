"""Windows that tests have one after the other: a new one fetches and reads all files again.

Before the next test has one, all that its browser has kept is gone, but for files of the client.
One that may keep more than that, as with a clock of a test's own, is closed.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page

# A page of the server without the client.
QUIET = "/healthz"
# What may be called of a page and of what it belongs to, and leaves nothing that stays.
HARMLESS = re.compile(
    r"goto|reload|go_\w+|title|content|evaluate\w*|locator|get_by_\w+|wait_for_\w+|expect_\w+"
    r"|screenshot|remove_listener|route|unroute\w*|is_\w+|new_page|\w*cookies|pdf"
)
KEEPS = "cookies,local_storage,indexeddb,cache_storage"


class Window:
    """The one window of a browser, watched for what may stay when a test has ended."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context, self.page = context, page
        self.changed: set[str] = set()
        self._listeners: list[tuple[Any, Any]] = []
        self._line = context.new_cdp_session(page)
        for one in (context, page, context.clock):
            for name in dir(type(one)):
                if name[0] != "_" and callable(getattr(type(one), name)):
                    self._watch(one, name)

    def _watch(self, one: object, name: str) -> None:
        does: Callable[..., Any] = getattr(one, name)

        def noted(*args: Any, **named: Any) -> Any:  # noqa: ANN401
            if one is self.page and name == "on":
                self._listeners.append((args[0], args[1]))
            elif not HARMLESS.fullmatch(name):
                self.changed.add(name)
            return does(*args, **named)

        setattr(one, name, noted)

    def cleared(self, url: str) -> bool:
        """Return whether it is as a new one again, for pages of the server at `url`."""
        if self.changed or self.page.is_closed():
            return False
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        for event, listener in self._listeners:
            with contextlib.suppress(KeyError):  # which the test has removed itself
                self.page.remove_listener(event, listener)
        self._listeners.clear()
        try:
            self.page.goto(QUIET)
            self._line.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": KEEPS})
            self._line.send("Page.resetNavigationHistory")
            self.page.mouse.move(-1, -1)
        except Error:
            return False
        return not self.changed


class Windows:
    """Windows of one server that nobody has now, by what was asked for."""

    def __init__(self) -> None:
        self._free: dict[str, list[Window]] = {}

    def take(self, options: dict[str, Any]) -> Window | None:
        """Return one for a device, if there is one."""
        free = self._free.get(json.dumps(options, sort_keys=True))
        return free.pop() if free else None

    def give(self, options: dict[str, Any], window: Window, url: str) -> None:
        """Have one for whoever wants the same next, if it can be as new; or close it."""
        # A request that is still on its way when the browser closes is no fault.
        window.page.unroute_all(behavior="ignoreErrors")
        window.context.unroute_all(behavior="ignoreErrors")
        # Whoever has a service worker has more than can be cleared.
        if options.get("service_workers") == "block" and window.cleared(url):
            self._free.setdefault(json.dumps(options, sort_keys=True), []).append(window)
        else:
            window.context.close()
