"""Evenings on screens while the server is killed and people lose their network; what comes of it.

People play at their tables, look at the evening and go where it sends them. The server scores each
table and begins the next round. What is right is judged by `on_screens_judge`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from tests.faults.history import History
from tests.faults.on_screens_judge import Shown, Told, judge, looked
from tests.faults.people import Network, Person, Seating, arrive
from tests.faults.scorers import AGAIN, CUT, PATIENT, SOON, lost_after
from tests.faults.serving import Server
from websockets.asyncio.client import ClientConnection

PEOPLE: Final = 12
AWAY: Final = 2  # of them nobody comes, so bots play for these
ROUNDS: Final = 12  # of an evening; then comes another one
HANDS: Final = 2  # of a round
NEWS: Final = 3  # scores, tables and rounds that are shown between two kills, at the least
SNAPPED: Final = 0.4  # seconds between two sockets that are cut, on average
SOON_ON: Final = "broken_screens/brisk"  # no fault
PATIENCE: Final = 180.0  # seconds until a campaign that does not come on is given up


class Guest(Person):
    """Somebody at one table of an evening, whose line can be cut."""

    _socket: ClientConnection | None = None

    async def _talk_over(self, socket: ClientConnection) -> None:
        self._socket = socket
        await super()._talk_over(socket)

    def cut(self) -> bool:
        """Cut the line; return whether there was one."""
        if self._line is None or self._socket is None:
            return False
        self._socket.transport.abort()
        return True


class Evening:
    """One evening, its host and its people.

    Attributes:
        told: what was shown of it.
        guests: who is at a table.
        stopping: whether all are to go.
    """

    def __init__(self, server: Server, seen: Shown, rng: Random, rounds: int) -> None:
        """Have it on `server`, with so many rounds."""
        self._server, self._seen, self._rng = server, seen, rng
        self._network = Network(lambda: server.url, lambda: server.port)
        self._clients: list[httpx.AsyncClient] = []
        self._cookies: dict[str, str] = {}
        self.told = Told(seen, rounds)
        self.guests: list[Guest] = []
        self.stopping = False

    async def begin(self) -> list[asyncio.Task[None]]:
        """Make it, have people say who they are, and begin; return what goes on from there."""
        host = await self._person("Host")
        screens = {"hands": HANDS, "pace": "instant", "bot": "papa", "rounds": self.told.rounds}
        wanted = {
            "movement": "individual",
            "people": [f"Guest {number}" for number in range(PEOPLE)],
            "screens": screens,
        }
        made = await self._ask(host, "POST", "/api/evenings", wanted)
        self.told.code = made.json()["code"]
        guests = [await self._person(f"Guest {number}") for number in range(PEOPLE - AWAY)]
        for number, guest in enumerate(guests):
            self.told.who[guest] = number
            await self._change(guest, do="claim", person=number)
        await self._change(host, do="round", round=1)
        lives = [self._wall(host), self._snapping(), *map(self._lives, guests)]
        return [asyncio.create_task(life) for life in lives]

    async def end(self) -> None:
        """Close all lines."""
        for client in self._clients:
            await client.aclose()

    async def _person(self, name: str) -> str:
        """Return the id of somebody new; their cookie is known from here on."""
        found = await arrive(self._network, name, self._rng, Seating(History(""), 4))
        self._cookies[found.id] = found.cookie
        return found.id

    async def _ask(
        self,
        who: str,
        method: str,
        path: str,
        body: Any = None,  # noqa: ANN401
        wait: float = PATIENT,
    ) -> httpx.Response:
        if not self._clients:
            self._clients.append(httpx.AsyncClient(trust_env=False))
        headers, url = {"origin": self._server.url, "cookie": self._cookies[who]}, self._server.url
        answer = await self._clients[0].request(
            *(method, f"{url}{path}"), json=body, headers=headers, timeout=lost_after(wait)
        )
        answer.raise_for_status()
        return answer

    async def _change(self, who: str, **change: object) -> None:
        body = {"id": f"{change['do']}-of-{who}", "change": change}
        await self._ask(who, "POST", f"/api/evenings/{self.told.code}/changes", body)

    async def _look(self, who: str, path: str = "") -> dict[str, Any] | None:
        """Return what a phone is shown; None where it has no network, or the server is gone."""
        wait = self._rng.uniform(0, SOON) if self._rng.random() < CUT else PATIENT
        try:
            answer = await self._ask(who, "GET", f"/api/evenings/{self.told.code}{path}", wait=wait)
        except httpx.ReadTimeout:
            self._seen.cuts += wait < PATIENT
            return None
        except httpx.HTTPStatusError as error:
            if error.response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                self._seen.wrong.append(f"{path}: {error.response.text[:200]}")
            return None
        except httpx.HTTPError:
            return None
        return dict(answer.json())

    async def _wall(self, host: str) -> None:
        """Show the evening, and its earlier rounds, again and again."""
        while not self.stopping:
            known = self.told.known
            if (found := await self._look(host)) is not None:
                told = found["evening"]
                self.told.see(told["round"], known)
                number, known = self._rng.randint(1, max(1, told["rounds"])), self.told.known
                if (earlier := await self._look(host, f"/rounds/{number}")) is not None:
                    self.told.see(earlier, known)
                self.told.standings = {one["person"]: one["points"] for one in told["standings"]}
                self.told.over = told["over"]
            await asyncio.sleep(AGAIN)

    async def _snapping(self) -> None:
        """Cut somebody's line again and again."""
        while not self.stopping:
            await asyncio.sleep(self._rng.expovariate(1 / SNAPPED))
            if self.guests:
                self._seen.cuts += self._rng.choice(self.guests).cut()

    async def _lives(self, who: str) -> None:
        """Look where to sit, and play there, until the evening is over."""
        before = None
        while not self.stopping:
            known = self.told.known
            told = await self._look(who)
            if told is not None:
                self.told.see(told["evening"]["round"], known)
            own = None if told is None else told["own"]
            if own is None or own["code"] in (None, before):
                await asyncio.sleep(AGAIN)
                continue
            before = own["code"]
            await self._plays(who, before)

    async def _plays(self, who: str, code: str) -> None:
        at = self.told.tables.setdefault(code, Seating(History(code), 4))
        rng = Random(self._rng.random())
        guest = Guest(who, self._cookies[who], at, self._network, rng)
        self.guests.append(guest)
        life = asyncio.create_task(guest.live())
        try:
            while not self.stopping and guest.closed is None:
                if guest.table.get("phase") == "over":
                    self.told.done(guest.table)
                    break
                await asyncio.sleep(0.01)
        finally:
            guest.stopping = True
            self.guests.remove(guest)
            await life
        if guest.closed is not None:
            self._seen.wrong.append(f"{who} was sent away from {code} with {guest.closed}")


async def on_screens(
    folder: Path, kills: int, cuts: int, seed: int, build: str = SOON_ON, rounds: int = ROUNDS
) -> Shown:
    """Kill a server so often while evenings on screens are played, and cut so many networks."""
    rng, seen = Random(seed), Shown()
    server = Server(folder, build)
    await server.start()
    try:
        while seen.sound and (seen.kills < kills or seen.cuts < cuts):
            await _evening(Evening(server, seen, rng, rounds), server, seen, rng, kills)
    finally:
        await server.end()
    seen.wrong += [line for line in server.errors() if line not in seen.wrong]
    return seen


async def _evening(evening: Evening, server: Server, seen: Shown, rng: Random, kills: int) -> None:
    """Have an evening played to its end, and the server killed meanwhile, up to `kills` times."""

    def plays() -> bool:
        for life in lives:
            if life.done():
                life.result()
        return seen.sound and not evening.told.over

    lives = await evening.begin()
    wanted = NEWS
    try:
        while plays():
            async with asyncio.timeout(PATIENCE):
                await _until(plays, evening.told, wanted)
            wanted = evening.told.news + NEWS
            if seen.kills < kills and plays():
                await asyncio.sleep(rng.uniform(0, 0.4))
                await server.end()
                seen.kills += 1
                # What is in their sockets still reaches the people: it was told.
                await asyncio.sleep(0.05)
                seen.moments[looked(server, evening.told, seen)] += 1
                await server.start()
        evening.stopping = True
        await asyncio.wait_for(asyncio.gather(*lives), PATIENCE)
    finally:
        evening.stopping = True
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
        await evening.end()
    await server.end()
    looked(server, evening.told, seen)
    if seen.sound:
        judge(server, evening.told, seen)
    seen.acts += sum(history.acked() for history in evening.told.histories)
    await server.start()


async def _until(plays: Callable[[], bool], told: Told, news: int) -> None:
    """Return once so much was shown, or nobody plays any more."""
    while True:
        if told.news >= news or not plays():
            return
        await asyncio.sleep(0.01)
