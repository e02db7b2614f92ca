"""Two evenings beside each other on one server: how long the phones of so many tables wait."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from tests.faults.serving import Server

EVENINGS: Final = 2
SEATS: Final = 4
LOOKS: Final = 15.0  # seconds between two looks of a phone, at an evening of that size
PATIENCE: Final = 60.0  # seconds until an answer is given up


@dataclass
class Waits:
    """What phones saw.

    Attributes:
        looks: how long each look took, seconds.
        known: how many of them were told that they know it all.
        scores: how long each score took, seconds.
        errors: answers that nobody expected, and what is not shown as it was said.
    """

    looks: list[float] = field(default_factory=list)
    known: int = 0
    scores: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Hall:
    """An evening of many tables, and the phones of its people."""

    def __init__(self, server: Server, client: httpx.AsyncClient, waits: Waits) -> None:
        """Have it on `server`; `client` sends what all phones send."""
        self._server, self._client, self._waits = server, client, waits
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
            await asyncio.gather(
                *(hall.live(seconds, seed + i, every) for i, hall in enumerate(both))
            )
            for hall in both:
                await hall.judge()
    finally:
        await server.end()
    waits.errors += server.errors()
    return waits
