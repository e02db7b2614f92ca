"""A device without a network: a shelf in memory, and a page that plays what it is offered.

Nothing here needs more than the program does in a browser: a fresh interpreter runs it too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from rookery.server.offline.browser import PageLine, begin

ORIGIN = "http://127.0.0.1:8000"
PATIENCE = 120.0  # seconds until a page gives an answer up


class Drawer:
    """What a browser keeps: texts by key, written all or none.

    Attributes:
        kept: the texts.
        full: whether there is no room for more.
    """

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.full = False

    async def load(self, prefix: str) -> str:
        """Return the texts under a prefix."""
        await asyncio.sleep(0)
        return json.dumps(sorted(one for one in self.kept.items() if one[0].startswith(prefix)))

    async def write(self, changes: str) -> bool:
        """Change all or nothing."""
        await asyncio.sleep(0)
        if self.full:
            raise OSError("QuotaExceededError")
        asked: dict[str, Any] = json.loads(changes)
        if self.kept.keys() & asked["new"].keys():
            return False
        for prefix in asked["gone"]:
            for key in [key for key in self.kept if key.startswith(prefix)]:
                del self.kept[key]
        self.kept |= asked["new"] | asked["changed"]
        return True

    def events(self, code: str) -> list[dict[str, Any]]:
        """Return the events of a table."""
        found = sorted(one for one in self.kept.items() if one[0].startswith(f"event/{code}/"))
        return [json.loads(text) for _, text in found]


class Page:
    """A page, and the worker that answers it."""

    def __init__(self, drawer: Drawer, name: str = "Ann") -> None:
        self.drawer, self.name = drawer, name
        self.asked = 0
        self.mark = token_hex(4)  # no id is that of another page
        self.answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.lines: dict[int, asyncio.Queue[dict[str, Any]]] = {}
        self.way: PageLine

    async def begin(self) -> Page:
        """Start the worker."""
        self.way = await begin(self.drawer.load, self.drawer.write, self.told, ORIGIN)
        return self

    async def end(self) -> None:
        """Close the page, and the worker with it."""
        await self.way.host.close()

    def told(self, text: str) -> None:
        """Take what the worker tells."""
        said: dict[str, Any] = json.loads(text)
        if said["type"] == "answer":
            self.answers[said["id"]].set_result(said)
        else:
            self.lines[said["line"]].put_nowait(json.loads(said["text"]))

    async def ask(self, method: str, path: str, **body: object) -> tuple[int, Any]:
        """Return the status of an answer, and its body."""
        self.asked += 1
        answer = self.answers[self.asked] = asyncio.get_running_loop().create_future()
        asked = {"method": method, "path": path, "body": json.dumps(body), "name": self.name}
        self.way.hear(json.dumps({"type": "ask", "id": self.asked, **asked}))
        said = await asyncio.wait_for(answer, PATIENCE)
        return said["status"], json.loads(said["body"])

    async def get(self, path: str) -> Any:  # noqa: ANN401
        """Return what is found at a path."""
        status, body = await self.ask("GET", path)
        assert status == 200, body
        return body

    async def table(self, **wanted: object) -> str:
        """Make a table and return its code."""
        status, made = await self.ask("POST", "/api/tables", **{"pace": "instant", **wanted})
        assert status == 201, made
        return str(made["code"])

    def open(self, code: str) -> Socket:
        """Open a socket to a table, and say hello."""
        number = len(self.lines) + 1
        self.lines[number] = asyncio.Queue()
        said = {"type": "open", "line": number, "code": code, "name": self.name}
        self.way.hear(json.dumps(said))
        socket = Socket(self, number)
        socket.say(type="hello", seen=0)
        return socket


class Socket:
    """A page's socket to a table.

    Attributes:
        table: the latest snapshot.
        told: every message so far.
    """

    def __init__(self, page: Page, number: int) -> None:
        self.page, self.number = page, number
        self.table: dict[str, Any] = {}
        self.told: list[dict[str, Any]] = []
        self.sent = 0

    def say(self, **message: object) -> None:
        """Send a message."""
        said = {"type": "say", "line": self.number, "text": json.dumps(message)}
        self.page.way.hear(json.dumps(said))

    def command(self, **message: object) -> str:
        """Send a command, and return its id."""
        self.sent += 1
        name = f"{self.page.mark}-{self.number}-{self.sent}"
        self.say(**message, id=name)
        return name

    def close(self) -> None:
        """Close it."""
        self.page.way.hear(json.dumps({"type": "close", "line": self.number}))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these kinds; any where none is named."""
        while True:
            message = await asyncio.wait_for(self.page.lines[self.number].get(), PATIENCE)
            self.told.append(message)
            if message["type"] in ("welcome", "update"):
                self.table = {**self.table, **message["table"]}
            if not kinds or message["type"] in kinds:
                return message

    async def do(self, **message: object) -> dict[str, Any]:
        """Send a command, and return its acknowledgement or refusal."""
        name = self.command(**message)
        while (answer := await self.hear("ack", "refused"))["id"] != name:
            pass
        return answer

    async def play(self, until: str = "over", hands: int = 99) -> None:
        """Play the first thing that is offered, until the match or so many hands are over."""
        acted = -1
        while self.table["phase"] != until:
            view = self.table["view"]
            done = view is not None and view["phase"] == "done"
            if done and self.table["hand_number"] >= hands:
                return
            turn = view is not None and self.table["you"] == view["to_act"]
            if turn and acted != self.table["seq"]:
                acted = self.table["seq"]
                self.command(type="act", seen=acted, action=first_of(view))
            elif done and acted != self.table["seq"]:
                acted = self.table["seq"]
                self.command(type="next")
            await self.hear("update")


def first_of(view: Mapping[str, Any]) -> str:
    """Return an action that is offered."""
    legal: Any = view["legal"]
    if isinstance(legal, Sequence):
        return "pass" if "pass" in legal else str(legal[0])
    if "call" in legal:
        return f"call {legal['call']['from'][0]}"
    chosen = list(dict.fromkeys([*legal["must"], *legal["from"]]))
    return " ".join(["discard", *chosen[: legal["discard"]]])
