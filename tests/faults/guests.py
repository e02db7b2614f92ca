"""Guests that nobody wants: who never reads what is sent, and who never stops talking.

``python -m tests.faults.guests`` is a crowd of them. A program of its own, so that the times of
others that are taken meanwhile are the server's alone: twenty messages of each of fifty guests keep
whoever sends them for as long as the server. It reads JSON, which `misbehave` writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tests.faults.people import Person
from tests.faults.serving import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, WebSocketException
from websockets.typing import Origin

TOO_SLOW = 4008
SMALL = 4096  # bytes that the system takes in for somebody who does not read
UNREAD = 256 * 1024  # bytes: what the system and the server hold of a line, and some more
LONGEST = 120.0  # seconds until there is so much, and until all of it has been read
AGAIN = 1.1  # seconds between two times that somebody asks for everything, as often as may be
PATIENCE = 10.0  # seconds in which such a line has to be closed
PAUSE = 0.1  # seconds between twenty messages and twenty more, a hundred times what is allowed
AWAY = 1.0  # seconds until somebody who was thrown out, or had no time to ask, is back
ROOT = Path(__file__).resolve().parents[2]
HELLO = '{"type":"hello"}'
FLOOD = (
    '{"type":"ping"}',
    '{"type":"chat","id":"c","text":"again"}',
    '{"type":"chat","id":"c","text":"\\ud800"}',
    '{"type":"sit","id":"s"}',
    '{"type":"nothing"}',
    "[[[[",
)


class Guest(NamedTuple):
    """Somebody who comes to the address of a table, at a port of this machine."""

    url: str
    port: int
    code: str
    cookie: str

    @classmethod
    def of(cls, server: Server, person: Person) -> Guest:
        """Return a person as a guest of the table that they are at."""
        return cls(server.url, server.port, person.at.history.code, person.cookie)


@dataclass
class Guests:
    """What came of them.

    Attributes:
        slow: the codes with which those were closed who did not read, 0 for who was not in time.
        flooded: the codes with which those were closed who did not stop, 0 for no way in.
        said: how many messages these have sent.
    """

    slow: Counter[int] = field(default_factory=Counter)
    flooded: Counter[int] = field(default_factory=Counter)
    said: int = 0


async def deaf(guest: Guest, result: Guests, patience: float = PATIENCE) -> None:
    """Read nothing; some seconds after more is unread than anybody may hold, look how it ended.

    Such a guest asks for the whole table again and again, so that much is soon unread wherever
    that is. What else is told, a second line of the same guest says, on which everything is read.

    Raises:
        AssertionError: so much was not told, or could not be read, within `LONGEST`.
    """
    async with contextlib.AsyncExitStack() as lines:
        eyes = await lines.enter_async_context(_connected(guest))
        one = await lines.enter_async_context(_connected(guest, SMALL))
        for each in (eyes, one):
            await each.send(HELLO)
            shown = len(await each.recv())
        one.transport.pause_reading()
        with contextlib.suppress(ConnectionClosed):
            await _ignored(eyes, one, shown)
        reading = asyncio.create_task(_read(eyes))
        await asyncio.sleep(patience)
        reading.cancel()
        one.transport.resume_reading()
        result.slow[await _ending(one)] += 1


async def _ignored(eyes: ClientConnection, one: ClientConnection, shown: int) -> None:
    """Return once as much is unread on a line as `UNREAD`; the table is shown in `shown` bytes."""
    unread, until, again = 0, time.perf_counter() + LONGEST, 0.0
    while unread < UNREAD:
        now = time.perf_counter()
        assert now < until, f"{unread} bytes were told in {LONGEST} s; expected {UNREAD}"
        if now >= again:
            await one.send(HELLO)
            unread, again = unread + shown, now + AGAIN
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(again - now):
                unread += len(await eyes.recv())


async def _ending(one: ClientConnection) -> int:
    """Return the code with which a line ends once all is read that was sent; 0 if it goes on."""
    try:
        async with asyncio.timeout(LONGEST):
            # Where this is answered, behind all the rest, nobody has ended anything.
            await one.send('{"type":"ping"}')
            while (message := json.loads(await one.recv()))["type"] not in ("closing", "pong"):
                continue
            return int(message.get("code", 0))
    except TimeoutError:
        raise AssertionError(f"neither read nor closed within {LONGEST} s") from None
    except ConnectionClosed:
        return _code(one)


def _code(one: ClientConnection) -> int:
    return one.close_code or 1006


async def flood(guest: Guest, over: Callable[[float], bool], result: Guests) -> None:
    """Say something all the time, and come back when one is thrown out."""
    words = cycle(FLOOD)
    while not over(time.perf_counter()):
        try:
            async with _connected(guest) as one:
                reading = asyncio.create_task(_read(one))
                with contextlib.suppress(ConnectionClosed):
                    await one.send(HELLO)
                    while not reading.done() and not over(time.perf_counter()):
                        async with asyncio.timeout(LONGEST):
                            for _ in range(20):
                                await one.send(next(words))
                                result.said += 1
                        await asyncio.sleep(PAUSE)
                # Who looks only at what cannot be said any more misses most of the ends.
                if one.close_code is not None:
                    result.flooded[_code(one)] += 1
                reading.cancel()
        except (OSError, WebSocketException, TimeoutError):
            result.flooded[0] += 1
        await asyncio.sleep(AWAY)


async def _read(one: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for _ in one:
            pass


@contextlib.asynccontextmanager
async def _connected(guest: Guest, buffer: int | None = None) -> AsyncIterator[ClientConnection]:
    """Be connected to a table, on a line for which the system takes in at most so many bytes.

    A line on which nothing is asked for in time is closed, and on a slow machine that can be one
    that was just opened: another is opened then.
    """
    until = time.perf_counter() + LONGEST
    while True:
        with socket.socket() as line:
            if buffer is not None:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            line.setblocking(False)
            try:
                await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", guest.port))
                one = await _opening(guest, line)
            except InvalidMessage:
                if time.perf_counter() > until:
                    raise
                await asyncio.sleep(AWAY)
                continue
            async with one:
                yield one
            return


def _opening(guest: Guest, line: socket.socket) -> connect:
    return connect(
        f"ws://127.0.0.1:{guest.port}/ws/{guest.code}",
        sock=line,
        origin=Origin(guest.url),
        additional_headers={"cookie": guest.cookie},
        compression=None,
        proxy=None,
        ping_interval=None,
        open_timeout=60,
        close_timeout=1,
    )


async def misbehave(slow: Sequence[Guest], loud: Sequence[Guest], seconds: float) -> Guests:
    """Have guests misbehave, those who do not read once each, the others for so many seconds.

    Raises:
        AssertionError: they could not; see `deaf`.
    """
    words = (sys.executable, "-m", "tests.faults.guests")
    pipe = asyncio.subprocess.PIPE
    crowd = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, cwd=ROOT)
    try:
        asked = {"slow": slow, "loud": loud, "seconds": seconds}
        told = (await crowd.communicate(json.dumps(asked).encode()))[0]
    finally:
        if crowd.returncode is None:
            crowd.kill()
            await crowd.wait()
    assert crowd.returncode == 0, "bad guests could not misbehave"
    found = json.loads(told)
    slow_ones, loud_ones = (
        Counter({int(code): count for code, count in found[which].items()})
        for which in ("slow", "flooded")
    )
    return Guests(slow_ones, loud_ones, found["said"])


async def _misbehave(slow: Sequence[Guest], loud: Sequence[Guest], seconds: float) -> Guests:
    result, end = Guests(), time.perf_counter() + seconds
    deafs = [asyncio.create_task(deaf(guest, result)) for guest in slow]
    floods = [asyncio.create_task(flood(guest, lambda now: now >= end, result)) for guest in loud]
    await asyncio.gather(*deafs, *floods)
    return result


def main() -> None:
    """Misbehave, and print what came of it."""
    asked = json.load(sys.stdin)
    slow, loud = ([Guest(*one) for one in asked[which]] for which in ("slow", "loud"))
    print(json.dumps(vars(asyncio.run(_misbehave(slow, loud, asked["seconds"])))))


if __name__ == "__main__":
    main()
