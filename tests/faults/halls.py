"""Two evenings beside each other on one server: how long the phones of so many tables wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from tests.faults.history import History
from tests.faults.load import Measured, Table, opened, played, without_pauses
from tests.faults.people import Network, Person, Seating
from tests.faults.serving import Server

EVENINGS: Final = 2
SEATS: Final = 4
LOOKS: Final = 15.0  # seconds between two looks of a phone, at an evening of that size
MOVES: Final = 1.5  # seconds between two moves at a table on screens
PATIENCE: Final = 60.0  # seconds until an answer is given up


@dataclass
class Waits:
    """What phones saw.

    Attributes:
        looks: how long each look took, seconds.
        known: how many of them were told that they know it all.
        scores: how long each score took, seconds.
        errors: answers that nobody expected, and what is not shown as it was said.
        opened: how long it took to open a round on screens, seconds a table.
        acts: how long each act at a table took until its answer was there, seconds.
        screens: ... until all people at the table had it.
        done: at how many tables on screens a score counts in the end.
    """

    looks: list[float] = field(default_factory=list)
    known: int = 0
    scores: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    acts: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    done: int = 0


class Hall:
    """An evening of many tables, and the phones of its people."""

    def __init__(self, server: Server, client: httpx.AsyncClient, waits: Waits) -> None:
        """Have it on `server`; `client` sends what all phones send."""
        self._server, self._client, self._waits = server, client, waits
        self._host = ""
        self._at, self._keys, self._cookies = "", dict[int, str](), dict[int, str]()
        self._said: dict[int, list[int]] = {}

    async def begin(self, tables: int) -> None:
        """Make the evening, begin its first round, and give each table a phone with its key."""
        cookie = await self._named("host")
        names = [f"Guest {number}" for number in range(SEATS * tables)]
        made = await self._ask(
            "POST", "/api/evenings", {"movement": "redraw", "people": names}, cookie
        )
        self._at = f"/api/evenings/{made.json()['code']}"
        change = {"id": "b" * 16, "change": {"do": "round", "round": 1}}
        await self._ask("POST", f"{self._at}/changes", change, cookie)
        for table in range(1, tables + 1):
            link = await self._ask("GET", f"{self._at}/link?table={table}", None, cookie)
            self._keys[table] = link.json()["link"].partition("#")[2]
            self._cookies[table] = await self._named(f"phone{table}")

    async def live(self, seconds: float, seed: int, every: float = LOOKS) -> None:
        """Have everybody look again and again, and each table score once, at any time."""
        rng = Random(seed)
        phones = [
            self._phone(rng.uniform(0, every), seconds, every)
            for _ in range(SEATS * len(self._keys))
        ]
        scorers = [
            self._scorer(table, rng.uniform(0, 0.9 * seconds), 5 * rng.randrange(60))
            for table in self._keys
        ]
        await asyncio.gather(*phones, *scorers)

    async def gather(self, tables: int, rng: Random) -> list[Person]:
        """Make the evening on screens, and have everybody come and say who they are."""
        self._host = await self._named("host")
        names = [f"Guest {number}" for number in range(SEATS * tables)]
        screens = {"hands": 1, "pace": "brisk", "auto": False}
        wanted = {"movement": "redraw", "people": names, "screens": screens}
        made = await self._ask("POST", "/api/evenings", wanted, self._host)
        self._at = f"/api/evenings/{made.json()['code']}"
        network = Network(lambda: self._server.url, lambda: self._server.port)
        people = []
        for number, name in enumerate(names):
            cookie = await self._named(name)
            change = {"id": f"claim-{number:016}", "change": {"do": "claim", "person": number}}
            told = await self._ask("POST", f"{self._at}/changes", change, cookie)
            assert told.json()["you"]["person"] == number
            people.append(Person(name, cookie, Seating(History(""), SEATS), network, rng))
        return people

    async def open(self, people: Sequence[Person], waits: Waits) -> dict[str, list[Person]]:
        """Begin the first round; return who sits at its tables, by their codes."""
        began = time.perf_counter()
        change = {"id": "b" * 16, "change": {"do": "round", "round": 1}}
        await self._ask("POST", f"{self._at}/changes", change, self._host)
        while True:
            told = (await self._ask("GET", self._at)).json()["evening"]["round"]["tables"]
            if all(table["code"] for table in told):
                break
            await asyncio.sleep(0.05)
        waits.opened.append((time.perf_counter() - began) / len(told))
        found = {table["code"]: [people[who] for who in table["seats"]] for table in told}
        for code, sitting in found.items():
            at = Seating(History(code), SEATS)
            for one in sitting:
                one.at = at
        return found

    async def scored(self) -> int:
        """Return at how many tables of the first round a score counts."""
        told = (await self._ask("GET", f"{self._at}/rounds/1")).json()
        return sum(table["scores"] is not None for table in told["tables"])

    async def look(self, seconds: float, seed: int, every: float = LOOKS) -> None:
        """Have everybody look at the evening again and again."""
        rng, many = (
            Random(seed),
            len((await self._ask("GET", self._at)).json()["evening"]["people"]),
        )
        await asyncio.gather(
            *(self._phone(rng.uniform(0, every), seconds, every) for _ in range(many))
        )

    async def judge(self) -> None:
        """Compare what is shown at the end with what each table has said."""
        told = (await self._ask("GET", self._at)).json()["evening"]
        tables = (told["round"] or {"tables": []})["tables"]
        shown = {table["number"]: table["scores"] for table in tables}
        if shown != self._said:
            self._waits.errors.append(f"{self._at}: {shown} after {self._said}")

    async def _phone(self, first: float, seconds: float, every: float) -> None:
        tag, until = "", time.perf_counter() + seconds
        await asyncio.sleep(first)
        while time.perf_counter() < until:
            began = time.perf_counter()
            answer = await self._ask("GET", self._at, tag=tag)
            self._waits.looks.append(time.perf_counter() - began)
            self._waits.known += answer.status_code == httpx.codes.NOT_MODIFIED
            tag = answer.headers.get("etag", tag)
            await asyncio.sleep(every)

    async def _scorer(self, table: int, after: float, points: int) -> None:
        await asyncio.sleep(after)
        row = [points, 60, points, 60]
        change = {"do": "score", "round": 1, "table": table, "rows": [row], "over": 0}
        said = {"id": f"score-{table:016}", "change": change}
        cookie, key = self._cookies[table], self._keys[table]
        began = time.perf_counter()
        await self._ask("POST", f"{self._at}/changes", said, cookie, key)
        self._waits.scores.append(time.perf_counter() - began)
        self._said[table] = row

    async def _named(self, name: str) -> str:
        answer = await self._ask("POST", "/api/session", {"name": name})
        return answer.headers["set-cookie"].partition(";")[0]

    async def _ask(
        self,
        method: str,
        path: str,
        body: Any = None,  # noqa: ANN401
        cookie: str = "",
        key: str = "",
        tag: str = "",
    ) -> httpx.Response:
        home = self._server.url
        headers = {"origin": home, "cookie": cookie, "if-none-match": tag, "x-evening-key": key}
        sent = {name: one for name, one in headers.items() if one}
        answer = await self._client.request(method, f"{home}{path}", json=body, headers=sent)
        self._client.cookies.clear()
        if answer.is_error:
            self._waits.errors.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer


async def halls(
    folder: Path, tables: int, seconds: float, seed: int, build: str = "sound", every: float = LOOKS
) -> Waits:
    """Let two evenings of so many tables score a round within some seconds."""
    server, waits = Server(folder, build), Waits()
    limits = httpx.Limits(max_connections=400, max_keepalive_connections=400)
    await server.start()
    try:
        async with httpx.AsyncClient(timeout=PATIENCE, limits=limits) as client:
            both = [Hall(server, client, waits) for _ in range(EVENINGS)]
            for hall in both:
                await hall.begin(tables)
            with without_pauses():
                await asyncio.gather(
                    *(hall.live(seconds, seed + i, every) for i, hall in enumerate(both))
                )
            for hall in both:
                await hall.judge()
    finally:
        await server.end()
    waits.errors += server.errors()
    return waits


async def halls_on_screens(
    folder: Path,
    tables: int,
    seconds: float,
    seed: int,
    build: str = "sound",
    every: float = LOOKS,
    period: float = MOVES,
) -> Waits:
    """Let two evenings of so many tables on screens play a hand, one move a table in `period`.

    Everybody plays for so many seconds, and looks at the evening meanwhile.
    """
    server, waits, rng = Server(folder, build), Waits(), Random(seed)
    limits = httpx.Limits(max_connections=400, max_keepalive_connections=400)
    await server.start()
    try:
        async with httpx.AsyncClient(timeout=PATIENCE, limits=limits) as client:
            both = [Hall(server, client, waits) for _ in range(EVENINGS)]
            measured, made = Measured(), list[Table]()
            for hall in both:
                people = await hall.gather(tables, rng)
                for sitting in (await hall.open(people, waits)).values():
                    made.append(Table(sitting, SEATS, period, False, measured, 0.0))
            async with opened(server, made) as sockets:
                await asyncio.gather(
                    played(made, sockets, seconds, rng),
                    *(hall.look(seconds, seed + i, every) for i, hall in enumerate(both)),
                )
            waits.done = sum([await hall.scored() for hall in both])
    finally:
        await server.end()
    waits.acts, waits.screens = measured.acks, measured.screens
    waits.errors += measured.refused + server.errors()
    return waits
