"""A browser and a server for each module, and people who come to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.server.http.served import Served, served
from tests.web.e2e.people import Someone

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

Invite = Callable[..., Someone]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    where = shutil.which("chromium")
    if where is None:
        if os.environ.get("CI"):
            pytest.fail("this test needs chromium on the path")
        pytest.skip("no chromium on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=where, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def here() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.fixture
def invite(chromium: Browser, here: Served) -> Iterator[Invite]:
    """Return a way to have people come, each with a browser of their own."""
    came: list[Someone] = []

    def invited(name: str, **device: object) -> Someone:
        came.append(Someone(chromium, here, name, **device))
        return came[-1]

    yield invited
    for someone in came:
        someone.away()
