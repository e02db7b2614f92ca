"""People at tables, as stubborn as a browser: they play, come back, and ask again what was lost."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

import httpx
from tests.faults.history import History, Line, Op
from tests.server.http.served import first_legal
from tests.unicode.halves import HALVES
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from rookery.rules import load

# Such a refusal is about one copy of a command: an earlier copy may be done already.
ASK_AGAIN = ("too-fast", "busy")
PATIENCE = 60.0  # seconds in which somebody asks again who is told to wait
TALK = 2.0  # seconds between two things that one person says
GONE = (4003, 4004)


@dataclass
class Network:
    """The way to the server, and how long people wait for something that does not come.

    Attributes:
        url: the server's own address, which is also the origin of its pages.
        port: where to connect, the server's port or a proxy's.
        patience: seconds without an answer until a command is sent again.
        think: seconds that somebody takes for a move.
        reckless: how likely somebody is to play out of turn, each time they look at the table.
    """

    url: Callable[[], str]
    port: Callable[[], int]
    patience: float = 3.0
    think: float = 0.0
    reckless: float = 0.0


@dataclass
class Seating:
    """A table of a campaign: its history, and the phase in which its people do not go on."""

    history: History
    seats: int
    hold: str | None = None


@dataclass
class Person:
    """One person with one browser.

    Attributes:
        id: the person's public number.
        cookie: the header that says so.
        at: the table.
        table: the last snapshot.
        seen: the number of the last event.
        welcomes: when each welcome came.
        closed: the code with which the server sent the person away for good.
        stopping: whether the person is to go.
        silent: whether the person begins nothing new.
        home: where the person is, by a proxy's word; None where there is no proxy.
    """

    id: str
    cookie: str
    at: Seating
    network: Network
    rng: Random
    table: dict[str, Any] = field(default_factory=dict)
    seen: int = 0
    welcomes: list[float] = field(default_factory=list)
    closed: int | None = None
    stopping: bool = False
    silent: bool = False
    home: str | None = None
    _pending: Op | None = None
    _again_at: float = 0.0
    _asked: int = 0
    _known_at: int = 0
    _rest_until: float = 0.0
    _talk_at: float = 0.0
    _line: Line | None = None
    _heard_at: float = 0.0
    _pinged: bool = False

    async def live(self) -> None:
        """Come, play and come back, until `stopping` or sent away."""
        while not self.stopping and self.closed is None:
            try:
                await self._visit()
            except (OSError, WebSocketException, TimeoutError, EOFError):
                await asyncio.sleep(self.rng.uniform(0.02, 0.08))

    @property
    def headers(self) -> dict[str, str]:
        """What a socket of the person begins with."""
        away = {} if self.home is None else {"x-forwarded-for": self.home}
        return {"cookie": self.cookie, **away}

    @property
    def idle(self) -> bool:
        """Whether nothing is waited for."""
        return self._pending is None

    async def _visit(self) -> None:
        url, wait = self.network.url(), self.network.patience
        opening = connect(
            f"{url.replace('http', 'ws', 1)}/ws/{self.at.history.code}",
            host="127.0.0.1",
            port=self.network.port(),
            origin=Origin(url),
            additional_headers=self.headers,
            compression=None,
            proxy=None,
            open_timeout=max(20.0, 2 * wait),
            ping_interval=None,
            close_timeout=0.1,
        )
        socket = await opening
        try:
            await self._talk_over(socket)
        finally:
            self._line = None
            # A browser that is cut off says no goodbye.
            socket.transport.abort()
            await socket.wait_closed()

    async def _talk_over(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "hello", "seen": self.seen}))
        self._heard_at, self._pinged = time.perf_counter(), False
        if self._pending is not None:
            await self._send(socket)
        while not self.stopping and self.closed is None:
            if self._pending is None and (command := self._choice()):
                await self._invoke(socket, command)
            try:
                # What came before the line broke is still read: it was told.
                async with asyncio.timeout(self._wait()):
                    message = json.loads(await socket.recv())
            except TimeoutError:
                await self._nothing_came(socket)
                continue
            self._heard_at, self._pinged = time.perf_counter(), False
            self._hear(message)

    def _wait(self) -> float:
        now, patience = time.perf_counter(), self.network.patience
        if self._pending is not None:
            return max(0.001, self._again_at - now)
        return min(max(0.005, self._rest_until - now) if self._rest_until > now else 0.1, patience)

    async def _nothing_came(self, socket: ClientConnection) -> None:
        now, patience = time.perf_counter(), self.network.patience
        if now - self._heard_at > 3 * patience:
            raise TimeoutError("the line is dead")
        if self._pending is not None and now >= self._again_at:
            await self._send(socket)
        elif now - self._heard_at > 1.5 * patience and not self._pinged:
            self._pinged = True
            await socket.send(json.dumps({"type": "ping", "seen": self.seen}))

    async def _invoke(self, socket: ClientConnection, command: dict[str, Any]) -> None:
        self._asked += 1
        op = Op(self.id, f"o{self._asked}", command, self.seen, time.perf_counter())
        self.at.history.ops.append(op)
        self._pending = op
        await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        op = self._pending
        assert op is not None
        op.sends += 1
        self._again_at = time.perf_counter() + self.network.patience
        await socket.send(json.dumps({**op.command, "id": op.id}))

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "welcome":
            self.welcomes.append(time.perf_counter())
            table = message["table"]
            self._line = Line(self.id, message["you"], message["seq"], self.seen, shown=[table])
            self.at.history.lines.append(self._line)
            self.table, self.seen = table, message["seq"]
        elif kind == "update" and self._line is not None:
            self._line.told += message["events"]
            self.table, self.seen = message["table"], message["seq"]
            self._line.see(self.table)
            if self.network.think:
                self._rest_until = time.perf_counter() + self.rng.uniform(0, 2 * self.network.think)
        elif kind == "chat" and self._line is not None:
            self._line.told.append(message)
            self.seen = message["seq"]
        elif kind in ("ack", "refused"):
            self._answered(message)
        elif kind == "closing" and message["code"] in GONE:
            self.closed = message["code"]

    def _answered(self, message: Mapping[str, Any]) -> None:
        op = self._pending
        if op is None or message["id"] != op.id:
            return
        if message["type"] == "refused" and message["code"] in ASK_AGAIN:
            self._again_at = time.perf_counter() + 0.5
            return
        op.replied, self._pending = time.perf_counter(), None
        if message["type"] == "ack":
            op.seq = message["seq"]
            self._known_at = max(self._known_at, message["seq"])
        else:
            op.refused = message["code"]
            self._rest_until = op.replied + 0.05

    # What to do next, from the snapshot alone.

    @property
    def phase(self) -> str:
        """Return where the table is, in one word."""
        if self.table.get("phase") != "playing" or self.table["view"] is None:
            return str(self.table.get("phase"))
        return str(self.table["view"]["phase"])

    def _choice(self) -> dict[str, Any] | None:
        # An acknowledgement comes before the news; who moves in between does not know the table.
        if self._line is None or self.silent or self.seen < self._known_at:
            return None
        now, table, you = time.perf_counter(), self.table, self.table["you"]
        if you is None:
            return {"type": "sit"}
        if now >= self._talk_at:
            self._talk_at = now + self.rng.uniform(0.5, 1.5) * TALK
            return {"type": "chat", "text": f"{self.id} says {self._asked}"}
        if now < self._rest_until or self.phase == self.at.hold:
            return None
        asked = table["pending"]
        if asked is not None:
            open_to_me = you in asked["voters"] and str(you) not in asked["votes"]
            return {"type": "vote", "yes": self.rng.random() < 0.7} if open_to_me else None
        if table["phase"] != "playing":
            full = sum(seat["kind"] != "empty" for seat in table["seats"]) == self.at.seats
            word = "start" if table["phase"] == "lobby" else "rematch"
            return {"type": word} if table["host"] == you and full else None
        return self._move(table["view"], you)

    def _move(self, view: dict[str, Any], you: int) -> dict[str, Any] | None:
        if view["phase"] in ("done", "redealt"):
            return {"type": "next"} if you not in self.table["ready"] else None
        chance = self.rng.random()
        if self.table["may_undo"] and chance < 0.02:
            return {"type": "undo"}
        if view["to_act"] != you or not view["legal"]:
            return self._reckless(view)
        if self.table["may_claim"] and chance < 0.04:
            return {"type": "claim"}
        legal = view["legal"]
        action = self.rng.choice(legal) if isinstance(legal, list) else first_legal(view)
        if isinstance(legal, list) and "pass" in legal and len(legal) > 1 and chance > 0.4:
            action = "pass" if view["high_bid"] is not None else legal[legal.index("pass") - 1]
        return {"type": "act", "action": action, "seen": self.seen}

    def _reckless(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Return a card out of turn, or no text: a refusal holds, however late a copy comes."""
        if not view["hand"] or self.rng.random() > self.network.reckless:
            return None
        half = self.rng.choice(("", "", "", *HALVES))
        action = f"play {self.rng.choice(view['hand'])}{half}"
        return {"type": "act", "action": action, "seen": self.seen}


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Return what browsers trust, read once: two thousand of them would read for minutes."""
    return ssl.create_default_context()


def browser_for(network: Network) -> httpx.AsyncClient:
    """Return a browser that knows nobody, on a page of the server."""
    url = network.url()
    return httpx.AsyncClient(
        base_url=url,
        headers={"origin": url},
        timeout=120,
        trust_env=False,
        verify=_certificates(),
    )


async def patiently(ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
    """Return the answer to what is asked, and asked again when there were too many requests.

    All people of a campaign may share an address, which pays for what a slow machine takes.
    """
    until = time.perf_counter() + PATIENCE
    while True:
        answer = await ask()
        if answer.status_code != 429 or time.perf_counter() > until:
            return answer
        await asyncio.sleep(int(answer.headers["retry-after"]))


async def arrive(network: Network, name: str, rng: Random, at: Seating) -> Person:
    """Return a person with a name, who is going to a table."""
    async with browser_for(network) as browser:
        answer = await patiently(lambda: browser.post("/api/session", json={"name": name}))
        answer.raise_for_status()
        cookie = "; ".join(f"{key}={value}" for key, value in browser.cookies.items())
    return Person(answer.json()["person"], cookie, at, network, Random(rng.random()))


async def gathering(
    network: Network,
    rng: Random,
    rules: str | dict[str, Any],
    people: int,
    pace: str,
    number: int = 0,
    bot: str = "papa",
) -> list[Person]:
    """Return the people of a new table, the rest of whose seats bots have."""
    at = Seating(History(""), load(rules).seats)
    people = min(people, at.seats)
    everybody = [
        await arrive(network, f"Person {number}-{guest}", rng, at) for guest in range(people)
    ]
    wanted = {"rules": rules, "pace": pace, "bots": [bot] * (at.seats - people)}
    async with browser_for(network) as browser:
        cookie = {"cookie": everybody[0].cookie}
        made = await patiently(lambda: browser.post("/api/tables", json=wanted, headers=cookie))
        made.raise_for_status()
    at.history.code = made.json()["code"]
    return everybody
