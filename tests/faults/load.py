"""How long people wait: a hundred tables at once, and the figures kept.

A move counts as seen when the last of a table's four screens has it. Half of the tables have four
people; at the other half two people play with two bots while two more screens watch. At a few
tables more, one person plays three bots without any pause, so that a bot's own time can be seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
from tests.faults.history import History
from tests.faults.people import Network, Person, Seating, arrive, gathering
from tests.faults.serving import Server
from tests.server.core.renewed import renew
from tests.server.http.served import first_legal
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

BOT_TABLES = 4
SCREENS = 4
LONGEST = 180.0  # seconds that are played at most beyond what was asked for
IDLE = 10.0  # seconds until whoever was told nothing looks again; with thousands, looks cost
SAID = "said-"  # the ids of what is said beside the moves begin so


class _Told(msgspec.Struct):
    """What a screen needs to know of a message; the rest is left as it came."""

    type: str
    seq: int = 0
    base: int = 0
    id: str | None = None
    code: str | int | None = None
    events: list[dict[str, Any]] = []
    table: msgspec.Raw = msgspec.Raw()


class _Now(msgspec.Struct):
    """What a player needs of a snapshot to find a legal move."""

    you: int | None
    phase: str
    host: int | None
    ready: list[int]
    seats: list[dict[str, Any]]
    view: dict[str, Any] | None
    evening: dict[str, Any] | None = None


_TOLD = msgspec.json.Decoder(_Told)


@dataclass
class Measured:
    """Everything that was timed, seconds.

    Attributes:
        acks: from a move to its acknowledgement.
        screens: from a move until all the screens of its table had it.
        bots: from the message before a bot's move until that move, at tables without a pause.
        events: how many events were told, of whomever.
        acts: how many of these were acts of people and bots.
        refused: what was not done, and why.
        answered: how much was answered that was said beside the moves, see `SAID`.
    """

    acks: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)
    events: int = 0
    acts: int = 0
    refused: list[str] = field(default_factory=list)
    answered: int = 0


@dataclass
class Table:
    """A table of the load: its sockets, and whose turn it is to move next.

    Attributes:
        people: who sits there, and after them those who watch.
        players: how many of them sit.
        period: seconds between two moves.
        bots: whether its bots are timed, rather than its moves.
        measured: where the times go.
        began: from when on they count.
        arrived: of each event, how many screens have it.
        asked: when the moves behind events were sent.
        screened: when events had reached the last screen.
    """

    people: list[Person]
    players: int
    period: float
    bots: bool
    measured: Measured
    began: float
    arrived: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    asked: dict[int, float] = field(default_factory=dict)
    screened: dict[int, float] = field(default_factory=dict)

    def seen(self, seq: int, now: float) -> None:
        """Count one more screen that has an event."""
        self.arrived[seq] += 1
        if self.arrived[seq] == len(self.people):
            self.screened[seq] = now
            self._done(seq)

    def acked(self, seq: int, sent: float, now: float) -> None:
        """Note that a move was acknowledged."""
        if sent >= self.began:
            self.measured.acks.append(now - sent)
        self.asked[seq] = sent
        self._done(seq)

    def _done(self, seq: int) -> None:
        if seq in self.asked and seq in self.screened:
            sent = self.asked.pop(seq)
            if sent >= self.began and not self.bots:
                self.measured.screens.append(self.screened[seq] - sent)


async def load(
    server: Server,
    tables: int,
    seconds: float,
    bot: str,
    seed: int = 1,
    warm: float = 5.0,
    until: Callable[[Measured], bool] | None = None,
    period: float = 1.0,
) -> Measured:
    """Play at many tables for some seconds, one move a table in `period` seconds; return the times.

    With `until` the play goes on, on a slow machine longer than `seconds`, until that is so.
    """
    rng, measured = Random(seed), Measured()
    began = time.perf_counter()
    made = await seated(server, rng, tables, bot, measured, period)
    async with opened(server, made) as sockets:
        print(f"seated {sum(map(len, sockets))} in {time.perf_counter() - began:.0f} s", flush=True)
        await played(made, sockets, seconds, rng, warm, until)
    return measured


async def seated(
    server: Server,
    rng: Random,
    tables: int,
    bot: str,
    measured: Measured,
    period: float = 1.0,
    alone: int = BOT_TABLES,
    quick: float = 1.0,
) -> list[Table]:
    """Return new tables with their people: half of them with bots, `alone` more with one person.

    That one moves every `quick` seconds, and the bots without a pause.
    """
    network = Network(lambda: server.url, lambda: server.port)
    made = []
    for number in range(tables + alone):
        timed, mixed = number >= tables, number % 2 == 1
        count = 1 if timed else 2 if mixed else 4
        pace = "instant" if timed else "brisk"
        people = await gathering(network, rng, "kd_tournament", count, pace, number, bot)
        if mixed and not timed:
            at = Seating(History(people[0].at.history.code), 4)
            people += [await arrive(network, f"Screen {number}-{i}", rng, at) for i in range(2)]
        made.append(Table(people, count, quick if timed else period, timed, measured, 0.0))
    return made


@contextlib.asynccontextmanager
async def opened(
    server: Server, made: Sequence[Table]
) -> AsyncIterator[list[list[ClientConnection]]]:
    """Open a socket for everybody; at the end they are cut."""
    sockets = [[await open_socket(server, person) for person in table.people] for table in made]
    try:
        yield sockets
    finally:
        for lines in sockets:
            for line in lines:
                line.transport.abort()
                await line.wait_closed()


async def played(
    made: Sequence[Table],
    sockets: Sequence[Sequence[ClientConnection]],
    seconds: float,
    rng: Random,
    warm: float = 0.0,
    until: Callable[[Measured], bool] | None = None,
) -> None:
    """Play at tables for some seconds after `warm` ones that do not count.

    Tables begin one after another in the first half of `warm`: to begin costs more than a move.
    """
    with without_pauses():
        now = time.perf_counter()
        start = now + warm
        end = start + seconds
        measured = made[0].measured

        def over(clock: float) -> bool:
            enough = until is None or until(measured) or clock >= end + LONGEST
            return clock >= end and enough

        tasks = []
        for table, lines in zip(made, sockets, strict=True):
            table.began, begins = start, now + rng.uniform(0, warm / 2)
            for i, line in enumerate(lines):
                dice = Random(rng.random())
                screen = _Screen(table, line, i == 0, i < table.players, dice, begins)
                tasks.append(asyncio.create_task(screen.play(end, over)))
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, ConnectionClosed):
                measured.refused.append(f"closed {1006 if ended.rcvd is None else ended.rcvd.code}")
            elif ended is not None:
                raise ended


@contextlib.contextmanager
def without_pauses() -> Iterator[None]:
    """Collect no garbage meanwhile: the pauses of this program are not the server's."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def open_socket(server: Server, person: Person) -> ClientConnection:
    """Return a person's socket, on which hello has been said: who says nothing is sent away.

    It asks for deflated messages, as browsers do.
    """
    found = await connect(
        f"ws://127.0.0.1:{server.port}/ws/{person.at.history.code}",
        origin=Origin(server.url),
        additional_headers=person.headers,
        proxy=None,
        ping_interval=None,
        open_timeout=60,
    )
    await found.send('{"type":"hello"}')
    return found


class _Screen:
    """One screen, and the person in front of it."""

    def __init__(
        self,
        table: Table,
        socket: ClientConnection,
        first: bool,
        sits: bool,
        rng: Random,
        begins: float,
    ) -> None:
        self._table, self._socket, self._rng = table, socket, rng
        self._first, self._sits = first, sits
        self._now: _Now | None = None
        self._shown: dict[str, Any] = {}  # the table, as it was told
        self._seq, self._known, self._count = 0, 0, 0
        self._begins, self._move_at, self._last, self._sent = begins, begins, 0.0, 0.0
        self._waiting: str | None = None
        self._closed = False

    async def play(self, end: float, over: Callable[[float], bool]) -> None:
        """Look and move until the end, and on until it is over; ask for changes, as browsers do."""
        await self._socket.send('{"type":"hello","changes":true}')
        while not over(clock := time.perf_counter()) and not self._closed:
            await self._move(clock)
            wait = self._move_at - clock if self._move_at > clock else IDLE
            try:
                async with asyncio.timeout(min(wait, max(0.25, end - clock))):
                    raw = await self._socket.recv()
            except TimeoutError:
                continue
            self._hear(_TOLD.decode(raw), time.perf_counter())

    async def _move(self, clock: float) -> None:
        if not self._sits or self._waiting or clock < self._move_at or self._seq < self._known:
            return
        if self._now is None or (command := _next(self._now, self._seq)) is None:
            return
        self._count += 1
        self._waiting = f"m{self._count}"
        self._sent = time.perf_counter()
        await self._socket.send(json.dumps({**command, "id": self._waiting}))

    def _hear(self, message: _Told, clock: float) -> None:
        table, measured = self._table, self._table.measured
        if message.type in ("update", "change"):
            counted = clock >= table.began
            for event in message.events:
                by_bot = event["type"] == "acted" and event["by"] == "bot"
                if table.bots and by_bot and counted:
                    measured.bots.append(clock - self._last)
                table.seen(event["seq"], clock)
                measured.acts += self._first and counted and event["type"] == "acted"
            measured.events += len(message.events) if self._first and counted else 0
        if message.type in ("welcome", "update", "change"):
            self._last, self._seq = clock, message.seq
            if self._sits:
                self._look(self._table_of(message), clock)
        elif message.type == "ack" and message.id == self._waiting:
            table.acked(message.seq, self._sent, clock)
            self._known, self._waiting = message.seq, None
        elif message.type in ("ack", "refused") and (message.id or "").startswith(SAID):
            measured.answered += 1
            measured.refused += [str(message.code)] if message.type == "refused" else []
        elif message.type == "refused":
            measured.refused.append(str(message.code))
            self._move_at, self._waiting = clock + 1.0, None
        elif message.type == "closing":
            measured.refused.append(f"closed {message.code}")
            self._closed = True

    def _table_of(self, message: _Told) -> _Now:
        table = msgspec.json.decode(message.table)
        if message.type == "change":
            renew(self._shown, {"base": message.base, "seq": message.seq, "table": table})
        else:
            self._shown = table
        return msgspec.convert(self._shown, _Now)

    def _look(self, now: _Now, clock: float) -> None:
        self._now = now
        mine = now.view is not None and now.view["to_act"] == now.you
        # Moves come one a second at a table, whoever's turn it is.
        wait = self._table.period * self._rng.uniform(0.5, 1.5) if mine else 0.0
        self._move_at = max(clock + wait, self._begins)


def _next(now: _Now, seq: int) -> dict[str, Any] | None:
    if now.you is None:
        return {"type": "sit"}
    if now.phase == "over" and now.evening is not None:
        return None
    if now.phase != "playing":
        full = all(seat["kind"] != "empty" for seat in now.seats)
        word = "start" if now.phase == "lobby" else "rematch"
        return {"type": word} if now.host == now.you and full else None
    view = now.view
    if view is None:
        return None
    if view["phase"] in ("done", "redealt"):
        return {"type": "next"} if now.you not in now.ready else None
    if view["to_act"] != now.you or not view["legal"]:
        return None
    legal = view["legal"]
    action = first_legal(view)
    if action == "pass" and view["high_bid"] is None and len(legal) > 1:
        action = next(text for text in legal if text != "pass")
    return {"type": "act", "action": action, "seen": seq}


async def cold_starts(folder: Path, times: int) -> list[float]:
    """Return how long it takes from the command to a page that has come, for fresh folders."""
    found = []
    for number in range(times):
        server = Server(folder / f"cold-{number}")
        began = time.perf_counter()
        await server.start()
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=30) as browser:
            page = await browser.get("/")
            (await browser.get("/api/variants")).raise_for_status()
        page.raise_for_status()
        found.append(time.perf_counter() - began)
        await server.end()
    return found
