"""A browser for all, a server for each module; without Chromium, skipped, but not in CI.

Nothing here waits for a time: a page has a minute for what comes at once on a machine at rest.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Generator, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.server.http.served import Served, served
from tests.server.luck import luck_of_a_module, luck_of_a_test
from tests.web.e2e.looks import arrive
from tests.web.e2e.windows import Window

__all__ = ["chromium", "here", "luck_of_a_module", "luck_of_a_test"]

PATIENCE = 60_000  # milliseconds until a test gives a page up
expect.set_options(timeout=PATIENCE)

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # No page lives long enough to earn back what its scripts would take to be optimised.
    "--js-flags=--no-maglev,--no-opt",
]


class Running:
    """A browser for tests that follow each other: to start one takes as long as a short test."""

    def __init__(self) -> None:
        self._ends = contextlib.ExitStack()
        self._browser: Browser | None = None

    def browser(self, where: str) -> Browser:
        """Return the browser that runs, or start the program that lies there."""
        if self._browser is None or not self._browser.is_connected():
            self.end()
            playwright = self._ends.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(
                executable_path=where, args=ARGS, timeout=3 * PATIENCE
            )
            self._ends.callback(self._browser.close)
        return self._browser

    def end(self) -> None:
        """Close it, so that this thread has no event loop any more."""
        self._browser = None
        self._ends.close()


RUNNING = Running()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Close the browser before tests of other modules that want none."""
    try:
        yield
    finally:
        if nextitem is None or (
            nextitem.path != item.path and "chromium" not in getattr(nextitem, "fixturenames", ())
        ):
            RUNNING.end()


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    yield RUNNING
    RUNNING.end()


@pytest.fixture(scope="module")
def chromium(running: Running) -> Iterator[Browser]:
    # The same pages in two thirds of the processor's time: a browser without windows to draw.
    where = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if where is None:
        if os.environ.get("CI"):
            pytest.fail("this test needs chromium on the path")
        pytest.skip("no chromium on the path")
    browser = running.browser(where)
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="module")
def here(luck_of_a_module: None) -> Iterator[Served]:
    with served(kept=True) as running:
        yield running


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Yield a page of a module's own `context`, in which nothing may go wrong unseen."""
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    yield opened
    assert not wrong


@pytest.fixture(scope="module")
def kept_windows() -> list[Window]:
    """Return where the window is kept in which the next test goes on."""
    return []


@pytest.fixture
def bare(chromium: Browser, here: Served, kept_windows: list[Window]) -> Iterator[Page]:
    """Yield a quiet page, where parts of the client are tried by themselves.

    The next test goes on in it, unless something was done to it that it cannot be rid of.
    """
    if not kept_windows:
        context = chromium.new_context(base_url=here.url, service_workers="block", locale="en-GB")
        context.set_default_timeout(PATIENCE)
        kept_windows.append(Window(context, context.new_page()))
    window = kept_windows.pop()
    arrive(window.page, "/privacy")
    yield window.page
    window.page.unroute_all(behavior="ignoreErrors")
    if window.cleared(here.url):
        kept_windows.append(window)
    else:
        window.context.close()
