"""A crowd of new lines is taken in a few in a turn, however many wait at the door."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from contextlib import ExitStack

import pytest
from tests.server.http.served import PATIENCE, Here
from uvicorn.protocols.http.h11_impl import H11Protocol

from rookery.server import serving
from rookery.server.serving import BACKLOG, IN_A_TURN, Server, bind, configured
from rookery.server.settings import Settings

CROWD = 100


def taken_in(monkeypatch: pytest.MonkeyPatch) -> int:
    """Have a crowd wait at a server that begins; return the most that came in in one turn."""
    found: Counter[int] = Counter()
    turn, sound = 0, H11Protocol.connection_made
    backlogs: list[int] = []
    everybody = asyncio.Event()

    def made(self: H11Protocol, transport: asyncio.Transport) -> None:
        found[turn] += 1
        sound(self, transport)
        if found.total() == CROWD:
            everybody.set()

    class Listening(socket.socket):
        def listen(self, backlog: int = BACKLOG) -> None:
            backlogs.append(backlog)
            super().listen(backlog)

    async def turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    async def story() -> None:
        here = Here(Settings(port=0))
        with ExitStack() as open_ones:
            bound = open_ones.enter_context(bind("127.0.0.1", 0))
            listening = Listening(fileno=bound.detach())
            for _ in range(CROWD):
                line = open_ones.enter_context(socket.socket())
                line.connect(listening.getsockname())
            server = Server(configured(here.app, here.settings), here.registry)
            server.config.load()
            server.lifespan = server.config.lifespan_class(server.config)
            counting = asyncio.create_task(turns())
            await server.startup([listening])
            async with asyncio.timeout(PATIENCE):
                await everybody.wait()
            counting.cancel()
        # Many more than come in in a turn may wait.
        assert backlogs[-1] == BACKLOG
        for server_ in server.servers:
            server_.close()
        await server.lifespan.shutdown()

    monkeypatch.setattr(H11Protocol, "connection_made", made)
    asyncio.run(story())
    monkeypatch.setattr(H11Protocol, "connection_made", sound)
    return max(found.values())


def test_a_few_are_taken_in_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    # Since 3.14 asyncio takes one more.
    assert taken_in(monkeypatch) <= IN_A_TURN + (sys.version_info >= (3, 14))


def test_the_control_by_itself_asyncio_takes_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IN_A_TURN", BACKLOG)
    assert taken_in(monkeypatch) > IN_A_TURN + 1
