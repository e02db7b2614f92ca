"""Many who talk without end: in one turn of the loop a few of them are heard, and no more."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.server.http.served import Here
from tests.server.http.test_garbage import Wire

from rookery.server.http import websocket as sockets
from rookery.server.live.sockets import AT_THE_DOOR

LINES, MESSAGES = 12, 40


def heard_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> int:
    """Have many say much at once; return the most that was heard in one turn of the loop.

    The first thing that each says does not count: nobody waits before that.
    """
    heard: Counter[int] = Counter()
    begun: set[sockets._TableSocket] = set()
    turn = 0
    whole = sockets._TableSocket._take

    def noted(self: sockets._TableSocket, text: Any) -> None:  # noqa: ANN401
        heard[turn] += self in begun
        begun.add(self)
        whole(self, text)

    async def turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    async def flood(here: Here, code: str, cookies: Sequence[str]) -> None:
        wires = [Wire(here, code, f"rookery={cookie}") for cookie in cookies]
        for wire in wires:
            assert (await wire.outbox.get())["type"] == "websocket.accept"
            await wire.answers('{"type":"hello"}')
        monkeypatch.setattr(sockets._TableSocket, "_take", noted)
        counting = asyncio.create_task(turns())
        said = {"type": "websocket.receive", "text": '{"type":"ping"}'}
        for wire in wires:
            for _ in range(MESSAGES):
                wire.inbox.put_nowait(said)
            wire.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.gather(*(wire.task for wire in wires))
        counting.cancel()

    async def story() -> None:
        here = Here()
        async with here.running(), AsyncExitStack() as open_ones:
            people = [
                await open_ones.enter_async_context(here.person(f"Person {number}"))
                for number in range(LINES)
            ]
            made = await people[0].post("/api/tables", json={"rules": "kd_tournament"})
            cookies = [person.cookies["rookery"] for person in people]
            await flood(here, made.json()["code"], cookies)

    asyncio.run(story())
    # Everything is heard in the end.
    assert heard.total() == LINES * (MESSAGES - 1)
    return max(heard.values())


def test_a_few_at_a_time_are_heard_of_those_who_say_much_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # However slow this machine is, nobody here has made a pause.
    monkeypatch.setattr(sockets, "AT_ONCE", 1e9)
    assert heard_in_a_turn(monkeypatch) <= 2 * AT_THE_DOOR


def test_the_control_without_the_door_whoever_says_much_is_heard_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "AT_ONCE", -1.0)
    assert heard_in_a_turn(monkeypatch) >= MESSAGES - 1
