"""Guests that nobody wants: who never reads what is sent, and who never stops talking."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from tests.faults.people import Person
from tests.faults.serving import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Origin

TOO_SLOW = 4008
SMALL = 4096  # bytes that the system takes in for somebody who does not read
UNREAD = 256 * 1024  # bytes: what the system and the server hold of a line, and some more
LONGEST = 120.0  # seconds until there is so much
PATIENCE = 10.0  # seconds in which such a line has to be closed
PAUSE = 0.1  # seconds between twenty messages and twenty more, a hundred times what is allowed
AWAY = 1.0  # seconds until somebody who was thrown out is back
FLOOD = (
    '{"type":"ping"}',
    '{"type":"chat","id":"c","text":"again"}',
    '{"type":"sit","id":"s"}',
    '{"type":"nothing"}',
    "[[[[",
)


@dataclass
class Guests:
    """What came of them.

    Attributes:
        slow: the codes with which those were closed who did not read, 0 for who was not in time.
        flooded: the codes with which those were closed who did not stop.
        said: how many messages these have sent.
    """

    slow: Counter[int] = field(default_factory=Counter)
    flooded: Counter[int] = field(default_factory=Counter)
    said: int = 0


async def deaf(server: Server, guest: Person, result: Guests, patience: float = PATIENCE) -> None:
    """Read nothing; some seconds after more is unread than anybody may hold, look how it ended.

    How much that is, a second line of the same guest tells, on which everything is read.
    """
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    line.setblocking(False)
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", server.port))
    async with _connected(server, guest) as eyes, _connected(server, guest, line) as one:
        for each in (eyes, one):
            await each.send('{"type":"hello"}')
            await each.recv()
        one.transport.pause_reading()
        async with asyncio.timeout(LONGEST):
            unread = 0
            while unread < UNREAD:
                unread += len(await eyes.recv())
        reading = asyncio.create_task(_read(eyes))
        await asyncio.sleep(patience)
        reading.cancel()
        one.transport.resume_reading()
        result.slow[await _ending(one)] += 1


async def _ending(one: ClientConnection) -> int:
    """Return the code with which a line ends once all is read that was sent; 0 if it goes on."""
    try:
        async with asyncio.timeout(1):
            while True:
                message = json.loads(await one.recv())
                if message["type"] == "closing":
                    return int(message["code"])
    except TimeoutError:
        return 0
    except ConnectionClosed as closed:
        return 1006 if closed.rcvd is None else closed.rcvd.code


async def flood(
    server: Server, guest: Person, over: Callable[[float], bool], result: Guests
) -> None:
    """Say something all the time, and come back when one is thrown out."""
    words = cycle(FLOOD)
    while not over(time.perf_counter()):
        try:
            async with _connected(server, guest) as one:
                reading = asyncio.create_task(_read(one))
                await one.send('{"type":"hello"}')
                while not reading.done() and not over(time.perf_counter()):
                    for _ in range(20):
                        await one.send(next(words))
                        result.said += 1
                    await asyncio.sleep(PAUSE)
                reading.cancel()
        except ConnectionClosed as closed:
            result.flooded[1006 if closed.rcvd is None else closed.rcvd.code] += 1
        except (OSError, WebSocketException, TimeoutError):
            result.flooded[0] += 1
        await asyncio.sleep(AWAY)


async def _read(one: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for _ in one:
            pass


def _connected(server: Server, guest: Person, line: socket.socket | None = None) -> connect:
    more = {"host": "127.0.0.1", "port": server.port} if line is None else {"sock": line}
    return connect(
        f"ws://127.0.0.1:{server.port}/ws/{guest.at.history.code}",
        origin=Origin(server.url),
        additional_headers={"cookie": guest.cookie},
        compression=None,
        proxy=None,
        ping_interval=None,
        open_timeout=60,
        close_timeout=1,
        **more,
    )


async def misbehave(
    server: Server,
    slow: Sequence[Person],
    loud: Sequence[Person],
    over: Callable[[float], bool],
    result: Guests,
) -> None:
    """Have guests misbehave, those who do not read once each, the others until it is over."""
    deafs = [asyncio.create_task(deaf(server, guest, result)) for guest in slow]
    floods = [asyncio.create_task(flood(server, guest, over, result)) for guest in loud]
    await asyncio.gather(*deafs, *floods)
