"""Servers whose tables are spread over several databases, which are lost, added and drained.

    python -m tests.faults.spread [--servers 6] [--tables 12]

This is `test_spread` at full size: so many server processes, as many tables before a database is
lost, four PostgreSQL servers (the first, two with tables, one that is added) and a Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from tests.faults.campaign import SHORT, seatings
from tests.faults.growth import NEW, Growth
from tests.faults.history import Complaint
from tests.faults.people import Network, Seating, gathering, patiently
from tests.faults.serving import Server
from tests.server.growth.engines import Engine, Postgres, logs, postgres, redis

from rookery.server.names import place_of
from rookery.server.table import events as ev

LONGEST = 20.0  # seconds that a list may take while a database is lost
MOST = 10  # tables that are made until each database has one


class Spreading(Growth):
    """Two servers, a first database and others by their letters, and people at tables."""

    def __init__(
        self,
        folder: Path,
        first: Postgres,
        others: Mapping[str, Postgres],
        herald: Engine,
        seed: int,
        build: str = "sound",
        servers: int = 2,
    ) -> None:
        """Take a folder, the databases, of which B and C are there at first, and a build."""
        super().__init__(folder, first, herald, seed, build, servers)
        self.others = dict(others)
        self.urls = {letter: engine.emptied() for letter, engine in others.items()}
        self.network = Network(lambda: self.balancer.url, lambda: self.balancer.port)
        self._lives: list[asyncio.Task[None]] = []
        self.settle("BC")

    def settle(self, letters: str, drained: str = "") -> None:
        """Have servers know these databases from their next start on."""
        self._letters = letters
        urls = [f"{letter}={self.urls[letter]}" for letter in letters]
        for server in self.servers:
            server.set("ROOKERY_DATABASE_URL", " ".join((self.url, *urls)))
            server.set("ROOKERY_DRAIN", " ".join(drained))

    async def table(self) -> str:
        """Have people come to a new table and play there; return where it is."""
        number = len(seatings(self.people))
        people = await gathering(self.network, self._rng, SHORT, 2, "instant", number)
        self.people += people
        self._lives += [asyncio.create_task(person.live()) for person in people]
        return place_of(people[0].at.history.code)

    async def tables_in(self, letters: str) -> set[str]:
        """Make tables until there is a new one in each of these databases; return where all are."""
        found = set[str]()
        for _ in range(MOST):
            if found >= set(letters):
                return found
            found.add(await self.table())
        self.result.found.append(Complaint("nowhere", f"{MOST} tables, and only in {found}"))
        return found

    async def leave(self) -> None:
        """Have everybody stop, who has come later as well."""
        for person in self.people:
            person.stopping = True
        await asyncio.gather(*self._lives)

    def at(self, letters: str) -> list[Seating]:
        """Return the tables in these databases."""
        return [one for one in seatings(self.people) if place_of(one.history.code) in [*letters]]

    async def alive_in(self, letters: str) -> float:
        """Return after how many seconds something new was answered at every table there."""
        began, tables = time.perf_counter(), self.at(letters)
        before = {id(one): one.history.acked() for one in tables}

        def are() -> bool:
            return all(one.history.acked() >= before[id(one)] + NEW for one in tables)

        await self.until(are, f"not every table in {letters} is alive")
        return time.perf_counter() - began

    async def lose(self, letter: str) -> None:
        """Have a database crash; the tables elsewhere go on, and whoever comes finds them."""
        await asyncio.to_thread(self.others[letter].stop, signal.SIGQUIT)
        rest = "".join(one for one in self.urls if one != letter)
        for _ in range(2):
            self.result.moved.append(await self.alive_in(rest))
            await self._listed()
        self.result.did["lost"] += 1

    async def back(self, letter: str) -> None:
        """Have it come up again; its tables go on too."""
        await asyncio.to_thread(self.others[letter].start)
        self.result.handed.append(await self.alive_in(letter))

    async def restarted(self, server: Server) -> None:
        """End a server and start it anew, with what it is to know by now."""
        await server.end(signal.SIGTERM)
        await server.start()
        self.result.did["restarted"] += 1

    async def rehearse(self, tables: int = 0) -> None:
        """Lose a database and have it back, add one and drain one, while people play.

        So many tables are made at first, and at least one in each database.
        """
        for _ in range(tables):
            await self.table()
        await self.tables_in("BC")
        await self.lose("B")
        if (place := await self.table()) != "C":
            self.result.found.append(Complaint("place", f"a new table is in {place}, not in C"))
        # A server that is started while it is lost has the others.
        await self.restarted(self.servers[0])
        await self.alive_in("C")
        await self.back("B")
        before = [one.history.code for one in self.at("BC")]
        # One is added, and one drained: what comes is in others, what was there goes on.
        self.settle("BCD", drained="B")
        for server in self.servers:
            await self.restarted(server)
        if not (places := await self.tables_in("D")) <= {"C", "D"}:
            self.result.found.append(Complaint("place", f"new tables in {places}; B is drained"))
        await self.alive_in("BCD")
        if [one.history.code for one in self.at("BCD")][: len(before)] != before:
            self.result.found.append(Complaint("place", "tables have other codes"))
        await self.leave()

    async def _listed(self) -> None:
        """Look at the list of open tables as a stranger, and at their own as everybody there."""
        began = time.perf_counter()
        async with httpx.AsyncClient(base_url=self.balancer.url, trust_env=False) as browser:
            people = {None, *(person.cookie for person in self.people)}
            for cookie in people:
                headers = {} if cookie is None else {"cookie": cookie}
                path = "/api/tables" if cookie is None else "/api/session"
                get = partial(browser.get, path, headers=headers, timeout=120)
                answer = await patiently(get)
                if answer.status_code != 200:
                    text = f"{path}: {answer.status_code} while a database is lost"
                    self.result.found.append(Complaint("list", text))
        if (took := time.perf_counter() - began) > LONGEST:
            self.result.found.append(Complaint("list", f"it took {took:.0f} s"))

    def _logs(self) -> dict[str, list[ev.Entry]]:
        kept = logs(self.url)
        for letter in self._letters:
            for code, log in logs(self.urls[letter]).items():
                if place_of(code) != letter:
                    text = f"{code} is in database {letter}"
                    self.result.found.append(Complaint("place", text))
                kept[code] = log
        return kept


TWO: Sequence[tuple[str | dict[str, Any], int, str]] = ((SHORT, 2, "brisk"),)


def main() -> int:
    """Rehearse at full size; return 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.spread", description=__doc__)
    parser.add_argument("--servers", type=int, default=6)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--seed", type=int, default=3)
    chosen = parser.parse_args()
    with ExitStack() as stack:
        first, *others = (stack.enter_context(postgres()) for _ in range(4))
        named, news = dict(zip("BCD", others, strict=True)), stack.enter_context(redis())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        size = {"seed": chosen.seed, "servers": chosen.servers}
        rehearsal = Spreading(folder, first, named, news, **size)

        async def scene() -> None:
            async with rehearsal.running(TWO):
                await rehearsal.rehearse(chosen.tables)

        began = time.perf_counter()
        asyncio.run(scene())
    result, took = rehearsal.result, time.perf_counter() - began
    print(
        f"{chosen.servers} servers, {len(seatings(rehearsal.people))} tables, "
        f"{len(rehearsal.people)} people, {took:.0f} s: {dict(result.did)}, "
        f"{result.acked} acknowledged, {len(result.found)} complaints"
    )
    print(f"seconds until all tables elsewhere went on: {result.moved}; when back: {result.handed}")
    print("\n".join(map(str, result.found)))
    return 1 if result.found else 0


if __name__ == "__main__":
    sys.exit(main())
