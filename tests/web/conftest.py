"""A browser and a server for each module; without Chromium, skipped, but not in CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.server.http.served import Served, served

ARGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


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
