"""A browser and a server for each module, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser
from tests.server.http.served import Served
from tests.web.e2e.people import Someone
from tests.web.e2e.phones import Phones
from tests.web.e2e.windows import Windows

Invite = Callable[..., Someone]


@pytest.fixture(scope="module")
def windows(chromium: Browser) -> Windows:
    return Windows()


@pytest.fixture
def invite(chromium: Browser, here: Served, windows: Windows) -> Iterator[Invite]:
    """Return a way to have people come, each with a browser of their own."""
    came: list[Someone] = []

    def invited(name: str, **device: object) -> Someone:
        came.append(Someone(chromium, here, name, windows, **device))
        return came[-1]

    yield invited
    for someone in came:
        someone.away()


@pytest.fixture(scope="module")
def phone_windows(chromium: Browser) -> Windows:
    return Windows()


@pytest.fixture
def phones(chromium: Browser, here: Served, phone_windows: Windows) -> Iterator[Phones]:
    """Yield browsers of people who keep a score."""
    all_of_them = Phones(chromium, here, phone_windows)
    yield all_of_them
    all_of_them.away()
