"""A server on a copy of the kept data folder, and a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.kept.looks import V0_1, Held
from tests.kept.served import Server, brought_to_today, served
from tests.web.conftest import chromium, pytest_runtest_teardown, running

__all__ = ["chromium", "page", "pytest_runtest_teardown", "running", "server"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = Path(shutil.copytree(V0_1 / "data", tmp_path_factory.mktemp("kept") / "data"))
    (database,) = (path for path in data.iterdir() if path.suffix == ".sqlite3")
    brought_to_today(database)
    with served(data) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, server: Server, held: Held) -> Iterator[Page]:
    """Return a window of somebody's browser, which is new but for what it has kept."""
    context = chromium.new_context(
        base_url=server.url,
        locale="en-GB",
        viewport={"width": 1280, "height": 900},
        service_workers="block",
        storage_state={
            "cookies": [],
            "origins": [
                {
                    "origin": server.url,
                    "localStorage": [
                        {"name": name, "value": held.stored[name]} for name in held.stored
                    ],
                }
            ],
        },
    )
    context.set_default_timeout(60_000)
    context.add_cookies([{"name": "rookery", "value": held.token, "url": server.url}])
    faults: list[str] = []
    window = context.new_page()
    window.on("pageerror", lambda error: faults.append(str(error)))
    yield window
    context.close()
    assert faults == []
