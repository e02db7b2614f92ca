"""Somebody who asks for one thing without end: ``python asker.py PORT PATH SECONDS LINES``.

What it reads is JSON: an ``origin``; ``cookies``, of which each request has the next; ``asks``, the
methods, paths and bodies that are asked for in turn instead of ``PATH``; and ``say``, messages that
are said in turn on sockets to there, or each time to the next of ``paths``. In bodies and messages
``#`` stands for a number.

A program of its own, so that the waits of others that are timed meanwhile are the server's alone.
It says that it has begun, and at the end which answers it had and how many of its lines were cut.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final, TypeAlias

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

Enough: TypeAlias = Callable[[Counter[int]], bool]

AWAY: Final = "203.0.113.9"  # where that one is, by a proxy's word
AGAIN: Final = 0.2  # seconds until the next socket
AHEAD: Final = 16  # requests on a line before the first of them is answered
_STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Asker:
    """What one asks for, and what comes back.

    Attributes:
        answers: how many there were of each status.
        cut: how often the server has closed a line.
    """

    def __init__(
        self, port: int, path: str, seconds: float, enough: Enough, more: Mapping[str, Any]
    ) -> None:
        """Ask at a port of this machine for `path`, for so many seconds or until it is enough."""
        self._port, self._until, self._enough = port, time.perf_counter() + seconds, enough
        self._path, self._more = path, more
        self._lines = count()
        self.answers: Counter[int] = Counter()
        self.cut = 0

    def _request(self) -> bytes:
        number = next(self._lines)
        asks = self._more.get("asks") or [("GET", self._path, None)]
        method, path, body = asks[number % len(asks)]
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: localhost:{self._port}",
            f"X-Forwarded-For: {AWAY}",
        ]
        if cookies := self._more.get("cookies"):
            head.append(f"Cookie: {cookies[number % len(cookies)]}")
        if "origin" in self._more:
            head.append(f"Origin: {self._more['origin']}")
        if body is not None:
            body = body.replace("#", str(number))
            head.append("Content-Type: application/json")
            head.append(f"Content-Length: {len(body.encode())}")
        return "\r\n".join([*head, "", body or ""]).encode()

    async def line(self) -> None:
        """Ask on one line, and on another one when it is cut, until the time is over."""
        while (left := self._until - time.perf_counter()) > 0 and not self._enough(self.answers):
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(left):
                    await self._talk()
                    self.cut += 1

    async def _talk(self) -> None:
        if "say" in self._more:
            await self._say()
            return
        reading, writing = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writing.write(b"".join(self._request() for _ in range(AHEAD)))
            told = b""
            while not self._enough(self.answers) and (piece := await reading.read(65_536)):
                told += piece
                answers = list(_STATUS.finditer(told))
                # The line with a status may come in two pieces.
                told = told[max(len(told) - 12, answers[-1].end() if answers else 0) :]
                self.answers.update(int(answer[1]) for answer in answers)
                writing.write(b"".join(self._request() for _ in answers))
        finally:
            writing.transport.abort()

    async def _say(self) -> None:
        number, cookies = next(self._lines), self._more["cookies"]
        more = {"cookie": cookies[number % len(cookies)], "x-forwarded-for": AWAY}
        paths = self._more.get("paths") or [self._path]
        where = f"ws://127.0.0.1:{self._port}{paths[number % len(paths)]}"
        origin = Origin(self._more["origin"])
        try:
            async with connect(where, origin=origin, additional_headers=more, proxy=None) as line:
                await line.send('{"type":"hello"}')
                for turn in count():
                    said = self._more["say"][turn % len(self._more["say"])]
                    await line.send(said.replace("#", f"{number}-{turn}"))
                    message = json.loads(await line.recv())
                    refused = message["type"] in ("refused", "closing")
                    self.answers[429 if refused else 200] += 1
        except InvalidStatus as error:
            self.answers[error.response.status_code] += 1
        except ConnectionClosed:
            pass
        await asyncio.sleep(AGAIN)


async def ask(
    port: int,
    path: str,
    seconds: float,
    lines: int,
    enough: Enough = lambda _: False,
    more: Mapping[str, Any] | None = None,
) -> Asker:
    """Return what came of asking on so many lines at once."""
    asker = Asker(port, path, seconds, enough, more or {})
    asking = [asyncio.create_task(asker.line()) for _ in range(lines)]
    done, rest = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
    # It is enough, or the time is over: nobody waits for what has been asked for.
    for each in rest:
        each.cancel()
    await asyncio.wait(asking)
    for each in done:
        each.result()
    return asker


def main(words: Sequence[str]) -> None:
    """Ask, and print what came of it."""
    port, path, seconds, lines = words
    more = json.load(sys.stdin)
    print("begun", flush=True)
    found = asyncio.run(ask(int(port), path, float(seconds), int(lines), more=more))
    print(json.dumps({"answers": found.answers, "cut": found.cut}))


if __name__ == "__main__":
    main(sys.argv[1:])
