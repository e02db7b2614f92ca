"""A browser and a server for each module; without Chromium, skipped, but not in CI.

Nothing here waits for a time: a page has a minute for what comes at once on a machine at rest.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tests.server.http.served import Served, served
from tests.server.luck import luck_of_a_module, luck_of_a_test

__all__ = ["chromium", "here", "luck_of_a_module", "luck_of_a_test"]

PATIENCE = 60_000  # milliseconds until a test gives a page up
expect.set_options(timeout=PATIENCE)

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    # The same pages in two thirds of the processor's time: a browser without windows to draw.
    where = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if where is None:
        if os.environ.get("CI"):
            pytest.fail("this test needs chromium on the path")
        pytest.skip("no chromium on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=where, args=ARGS, timeout=3 * PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def here(luck_of_a_module: None) -> Iterator[Served]:
    with served() as running:
        yield running
