"""Whoever takes a free name sees no prepared deal that its table has played already."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.server.http.served import Served, line, served, wait_for
from tests.server.http.test_evenings import IDS, NAMES
from tests.server.http.test_screens import FAST
from websockets.exceptions import ConnectionClosed

from rookery.server.api.evenings import screens
from rookery.server.live.sockets import NOT_OVER


async def _told(here: Served, *, late: bool, over: bool = False) -> int | str:
    """Return what somebody hears of a table that is done, where they have taken a free name.

    They take it before the table is opened, or `late`, when it is done; or also `over` is all.
    """
    ann, eve = here.browser("Ann"), here.browser("Eve")
    wanted = {"movement": "mitchell", "people": [*NAMES, *"abcd"], "boards": 2, "screens": FAST}
    at = f"/api/evenings/{ann.post('/api/evenings', json=wanted).json()['code']}"

    def say(browser: Any, **said: object) -> None:  # noqa: ANN401
        body = {"id": f"{next(IDS):016}", "change": said}
        browser.post(f"{at}/changes", json=body).raise_for_status()

    def tables() -> list[dict[str, Any]]:
        return list(ann.get(at).json()["evening"]["round"]["tables"])

    def take_name() -> None:
        say(eve, do="claim", person=0)

    if not late:
        take_name()
    say(ann, do="round", round=1)
    wait_for(lambda: all(one["state"] == "stands" and one["code"] for one in tables()))
    if late:
        take_name()
    if over:
        say(ann, do="end", over=True)
    [code] = [one["code"] for one in tables() if 0 in one["seats"]]
    async with line(here, eve, code, hello=False) as one:
        try:
            await one.say(type="hello")
            return str((await one.hear_type("welcome"))["type"])
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0


@pytest.mark.parametrize(
    ("late", "over", "told"),
    [
        (True, False, NOT_OVER),
        (False, False, "welcome"),  # the controls
        (True, True, "welcome"),
    ],
)
def test_who_takes_a_name_after_its_table_is_done_sees_no_card_of_it(
    late: bool, over: bool, told: int | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "EVERY", 0.0)
    with served(grace=200, unseen=200) as here:
        assert asyncio.run(_told(here, late=late, over=over)) == told
