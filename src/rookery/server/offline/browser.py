"""The way between a page and the host of its device, in a worker of the browser.

Both say JSON. A page asks (``ask``) and is answered (``answer``), opens a socket under a number of
its own (``open``), says something on it (``say``), hears something (``hear``) and closes it
(``close``). A script of the client, ``table/offline/worker.js``, calls `begin` and passes it on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

import msgspec

from rookery.server.offline.host import Host, Line
from rookery.server.store.base import StoreError


class Ask(msgspec.Struct, tag="ask"):
    """A request, with a number for its answer; see `Host.answer`."""

    id: int
    method: str
    path: str
    body: str = ""
    name: str = ""


class Open(msgspec.Struct, tag="open"):
    """A socket to a table is opened, under a number; see `Host.line`."""

    line: int
    code: str
    name: str = ""


class Say(msgspec.Struct, tag="say"):
    """The page says something on a socket."""

    line: int
    text: str


class Close(msgspec.Struct, tag="close"):
    """The page closes a socket."""

    line: int


FromPage: TypeAlias = Ask | Open | Say | Close
_FROM_PAGE: Final[msgspec.json.Decoder[FromPage]] = msgspec.json.Decoder(FromPage)


class BrowserShelf:
    """A shelf behind two functions of the browser; see `Shelf`."""

    def __init__(
        self, load: Callable[[str], Awaitable[str]], write: Callable[[str], Awaitable[bool]]
    ) -> None:
        """Take the functions; each takes and returns JSON, and fails where the browser does."""
        self._load, self._write = load, write

    async def load(self, prefix: str) -> list[tuple[str, str]]:
        try:
            found = json.loads(await self._load(prefix))
        except Exception as error:
            raise StoreError(f"the browser keeps nothing: {error}") from None
        return [(key, text) for key, text in found]

    async def write(
        self, new: Mapping[str, str], changed: Mapping[str, str], gone: Sequence[str]
    ) -> bool:
        changes = {"new": dict(new), "changed": dict(changed), "gone": list(gone)}
        try:
            return bool(await self._write(json.dumps(changes)))
        except Exception as error:
            raise StoreError(f"the browser keeps nothing: {error}") from None


class PageLine:
    """What a page says to the host of its device, and what it is told."""

    def __init__(self, host: Host, tell: Callable[[str], object]) -> None:
        """Answer by `tell`, JSON each time."""
        self.host, self._tell = host, tell
        self._lines: dict[int, asyncio.Future[Line | None]] = {}
        self._work: set[asyncio.Task[None]] = set()

    def hear(self, text: str) -> None:
        """Take something that the page says.

        Raises:
            msgspec.ValidationError: it is none of `FromPage`.
        """
        task = asyncio.ensure_future(self._do(_FROM_PAGE.decode(text)))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _do(self, said: FromPage) -> None:
        if isinstance(said, Ask):
            found = await self.host.answer(said.method, said.path, said.body, said.name)
            self._say(type="answer", id=said.id, status=found.status, body=found.body)
        elif isinstance(said, Open):
            hear = partial(self._hears, said.line)
            opening = asyncio.ensure_future(self.host.line(said.code, hear, said.name))
            self._lines[said.line] = opening
            await opening
        elif said.line in self._lines:
            line = await self._lines[said.line]
            if isinstance(said, Close):
                del self._lines[said.line]
            if line is None:
                return
            if isinstance(said, Say):
                line.say(said.text)
            else:
                line.close()

    def _hears(self, line: int, text: str) -> None:
        self._say(type="hear", line=line, text=text)

    def _say(self, **what: object) -> None:
        self._tell(json.dumps(what))


async def begin(
    load: Callable[[str], Awaitable[str]],
    write: Callable[[str], Awaitable[bool]],
    tell: Callable[[str], object],
    origin: str,
) -> PageLine:
    """Return the way to a host that has found what the device keeps.

    As of a `Shelf`, but in JSON, `load` returns a list of pairs, and `write` takes
    ``{"new": {}, "changed": {}, "gone": []}``; `tell` tells the page something, JSON.

    Raises:
        StoreError: the browser keeps nothing, or gives nothing back.
    """
    host = Host(BrowserShelf(load, write), origin)
    await host.open()
    return PageLine(host, tell)
