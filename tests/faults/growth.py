"""Two servers on one database, each of which is killed, stopped and replaced while people play."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.balancer import Balancer
from tests.faults.campaign import SHORT, seatings
from tests.faults.history import Complaint, complaints
from tests.faults.people import Network, Person, gathering
from tests.faults.serving import Server
from tests.server.growth.engines import Engine, Postgres, logs, owners
from tests.server.http.served import spare_port

from rookery.server.table import events as ev

TABLES: tuple[tuple[str | dict[str, Any], int, str], ...] = (
    (SHORT, 4, "brisk"),
    (SHORT, 2, "instant"),
    ("kd_tournament", 3, "brisk"),
    ({"base": "call_partner_4_short", "target": 10}, 4, "instant"),
)
NEW = 4  # answers at each table, after which it counts as alive
LONGEST = 300.0  # seconds that are waited for something on a machine with other work


@dataclass
class Result:
    """What a campaign saw.

    Attributes:
        acked: how many commands were acknowledged.
        moved: seconds from the end of a server until each of its tables was alive elsewhere.
        handed: seconds until all tables were alive when a server was asked to go.
        carried: how many lines each server has had.
        found: everything that no sound servers leave behind.
        did: how often each thing was done to them.
    """

    acked: int = 0
    moved: list[float] = field(default_factory=list)
    handed: list[float] = field(default_factory=list)
    found: list[Complaint] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    carried: dict[int, int] = field(default_factory=dict)


class Growth:
    """Two servers, a balancer, and people at tables."""

    def __init__(
        self,
        folder: Path,
        elephant: Postgres,
        herald: Engine,
        seed: int,
        build: str = "sound",
        servers: int = 2,
    ) -> None:
        """Take a folder, a database server, a herald, a build, and how many servers there are.

        `running` lets them live.
        """
        self.elephant, self.herald = elephant, herald
        self.url = elephant.emptied()
        self.result = Result()
        self._rng = Random(seed)
        self.people: list[Person] = []
        ports = [spare_port() for _ in range(servers)]
        self.balancer = Balancer(ports)
        shared = {
            "ROOKERY_DATABASE_URL": self.url,
            "ROOKERY_HINTS_URL": f"redis://127.0.0.1:{herald.port}/0",
        }
        options = ("--public-url", self.balancer.url)
        folders = [folder / f"server-{number}" for number in range(servers)]
        self.servers = [Server(each, build, shared, options) for each in folders]
        for server, port in zip(self.servers, ports, strict=True):
            server.port = port

    @contextlib.asynccontextmanager
    async def running(
        self, tables: Sequence[tuple[str | dict[str, Any], int, str]] = TABLES
    ) -> AsyncIterator[None]:
        """Have people play at tables, until the end; then judge what is in the database."""
        lives: list[asyncio.Task[None]] = []
        try:
            await self.balancer.start()
            await asyncio.gather(*(server.start() for server in self.servers))
            network = Network(lambda: self.balancer.url, lambda: self.balancer.port)
            for number, (rules, count, pace) in enumerate(tables):
                self.people += await gathering(network, self._rng, rules, count, pace, number)
            # Who never stops to think uses up what a household may take of a server.
            for number, person in enumerate(self.people):
                person.home = f"198.51.100.{number}"
            lives += [asyncio.create_task(person.live()) for person in self.people]
            await self.alive()
            yield
        finally:
            for person in self.people:
                person.stopping = True
            await asyncio.gather(*lives)
            for server in self.servers:
                await server.end()
            await self.balancer.close()
        self._judge()

    async def alive(self) -> float:
        """Return after how many seconds something new was answered at every table."""
        began = time.perf_counter()
        tables = seatings(self.people)
        before = {id(table): table.history.acked() for table in tables}

        def waiting() -> list[str]:
            return [
                table.history.code
                for table in tables
                if table.history.acked() < before[id(table)] + NEW
            ]

        await self.until(lambda: not waiting(), "not every table is alive")
        return time.perf_counter() - began

    async def until(self, what: Callable[[], bool], otherwise: str) -> None:
        """Return once `what()` is true, or note that it does not come true."""
        end = time.perf_counter() + LONGEST
        while not what():
            if time.perf_counter() > end:
                self.result.found.append(Complaint("stuck", otherwise))
                return
            await asyncio.sleep(0.05)

    def busier(self) -> Server:
        """Return the server that has the most tables."""
        held = Counter(owner for owner, _ in owners(self.url).values())
        return max(self.servers, key=lambda server: held[f"127.0.0.1:{server.port}"])

    async def kill(self) -> None:
        """Kill a server in the middle of its games, and start it again when they go on."""
        server = self.busier()
        await server.end()
        self.result.moved.append(await self.alive())
        self.result.did["killed"] += 1
        await server.start()

    async def freeze(self) -> None:
        """Stop a server until its tables are another's, and let it go on where it was."""
        server = self.busier()
        server.signal(signal.SIGSTOP)
        self.balancer.cut(server.port)
        self.result.moved.append(await self.alive())
        server.signal(signal.SIGCONT)
        await self.alive()
        self.balancer.down.clear()
        self.result.did["frozen"] += 1

    async def replace(self) -> None:
        """Ask a server to go, and start another in its place: a rolling update."""
        server = self.busier()
        began = time.perf_counter()
        ending = asyncio.create_task(server.end(signal.SIGTERM))
        await self.alive()
        self.result.handed.append(time.perf_counter() - began)
        await ending
        self.result.did["replaced"] += 1
        await server.start()

    async def crash(self) -> None:
        """Have the database crash, and come up again."""
        await asyncio.to_thread(self.elephant.stop, signal.SIGQUIT)
        await asyncio.sleep(self._rng.uniform(0.1, 1.0))
        await asyncio.to_thread(self.elephant.start)
        await self.alive()
        self.result.did["crashed"] += 1

    async def hush(self, seconds: float) -> None:
        """Have no news between the servers for a while; kill one meanwhile."""
        await asyncio.to_thread(self.herald.stop, signal.SIGKILL)
        await asyncio.sleep(seconds)
        await self.kill()
        await asyncio.to_thread(self.herald.start)
        await self.alive()
        self.result.did["silenced"] += 1

    async def anything(self, silence: float) -> None:
        """Do one of all this, by chance; `silence` is how long there is no news, seconds."""
        chosen = self._rng.choice(("kill", "kill", "freeze", "replace", "crash", "hush"))
        what: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self.kill,
            "freeze": self.freeze,
            "replace": self.replace,
            "crash": self.crash,
            "hush": lambda: self.hush(silence),
        }
        await what[chosen]()
        await asyncio.sleep(self._rng.uniform(0.1, 2.0))

    def _logs(self) -> dict[str, list[ev.Entry]]:
        return logs(self.url)

    def _judge(self) -> None:
        result, kept = self.result, self._logs()
        result.carried = self.balancer.carried
        for seating in seatings(self.people):
            result.acked += seating.history.acked()
            result.found += complaints(seating.history, kept.get(seating.history.code, []))
        for server in self.servers:
            errors = [line for line in server.errors() if "Traceback" in line]
            result.found += [Complaint("error", line) for line in errors]
