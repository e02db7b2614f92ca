"""People of an evening who have no browser here: each with a session and a socket of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from typing import Any

import httpx
from tests.server.http.served import Line, Served, first_legal, line

LOOK = 0.3  # seconds between two looks at the evening
PATIENCE = 900.0  # seconds


class Crowd:
    """Guests of an evening on screens, who take their name, and play wherever they are sent.

    Attributes:
        sat: whom the evening had at which seat of which table, as each socket was told it.
    """

    def __init__(self, here: Served, code: str, people: Iterable[int], leaving: set[int]) -> None:
        """Take the names of `people`; those of `leaving` go home after their first table."""
        self._here, self._at, self._people, self._leaving = here, code, [*people], leaving
        self.sat: dict[tuple[int, str], int] = {}
        self.failed: list[BaseException] = []
        self._ready = threading.Barrier(2)
        self._thread = threading.Thread(target=self._run, name="crowd")
        self._thread.start()
        self._ready.wait(PATIENCE)

    def join(self) -> None:
        """Return once the evening is over for all of them."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        assert self.failed == []

    def _run(self) -> None:
        try:
            asyncio.run(self._all())
        except BaseException as error:
            self.failed.append(error)

    async def _all(self) -> None:
        browsers = {who: self._here.browser(f"Guest {who}") for who in self._people}
        for who, browser in browsers.items():
            self._change(browser, f"claim-by-guest-{who:03}", do="claim", person=who)
        self._ready.wait(PATIENCE)
        async with asyncio.TaskGroup() as going:
            for who, browser in browsers.items():
                going.create_task(self._evening(who, browser))

    def _change(self, browser: httpx.Client, id_: str, **change: object) -> None:
        path = f"/api/evenings/{self._at}/changes"
        browser.post(path, json={"id": id_, "change": change}).raise_for_status()

    def _told(self, browser: httpx.Client) -> dict[str, Any]:
        return dict(browser.get(f"/api/evenings/{self._at}").json())

    async def _evening(self, who: int, browser: httpx.Client) -> None:
        """Go from table to table until the evening is over."""
        before = None
        while True:
            told = self._told(browser)
            own, over = told["own"], told["evening"]["over"]
            if over or (who in self._leaving and before is not None):
                break
            if own is None or own["code"] in (None, before):
                await asyncio.sleep(LOOK)
                continue
            before = own["code"]
            async with line(self._here, browser, before) as one:
                await self._plays(who, own["seats"].index(who), one)
        if not over:
            self._change(browser, f"leave-of-guest-{who:03}", do="leave", person=who)

    async def _plays(self, who: int, seat: int, one: Line) -> None:
        """Play at a table, where the seat is mine already, until it is done."""
        assert one.table["you"] == seat, (who, seat, one.table["you"])
        self.sat[who, one.table["code"]] = seat
        while one.table["phase"] != "over":
            view, table = one.table["view"], one.table
            if view["legal"] and view["to_act"] == table["you"] and table["pending"] is None:
                answer = await one.do(type="act", action=first_legal(view), seen=table["seq"])
                assert answer["type"] == "ack", answer
                while one.table["seq"] < answer["seq"]:  # others come and go meanwhile
                    await one.hear()
            else:
                await one.hear_type("update")
