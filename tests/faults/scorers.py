"""Phones that write scores while the server is killed and their network is cut; what comes of it.

Each phone does as the page does: it sends what it has no answer to again, under the same id.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from tests.faults.serving import Server

TABLES: Final = 5
ROUNDS: Final = 4
HANDS: Final = 120  # of a score sheet, that each of its phones writes
AT_ONCE: Final = 6  # hands that are written on a table's score sheet before the next one's
ACKED: Final = 30  # answers between two kills, at the least
CUT: Final = 0.3  # of what is sent, cut off before the answer is there
SOON: Final = 0.02  # seconds until that, at the most
PATIENT: Final = 20.0  # seconds that a phone waits which has its network
AGAIN: Final = 0.05  # seconds until something is sent again
PATIENCE: Final = 120.0  # seconds until a campaign that does not come on is given up


@dataclass
class Scored:
    """What a campaign saw.

    Attributes:
        kills: how often the server was killed.
        cuts: how often a phone lost its network while it waited for an answer.
        acked: how many scores were answered.
        resent: how often one was sent again.
        lost: those that were answered and are gone.
        twice: those that are there more than once.
        wrong: what is shown and was not said last, or an answer that nobody expected.
    """

    kills: int = 0
    cuts: int = 0
    acked: int = 0
    resent: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is missing, and nothing is there that should not be."""
        return not (self.lost or self.twice or self.wrong)


class Phone:
    """A phone that writes one score after the other.

    Attributes:
        name: what it is called, and the beginning of its ids.
        done: what was answered: the ids and what was said, in order.
        sheets: the score sheets of its table at an evening that it has begun, by their rounds.
    """

    def __init__(self, server: Server, name: str, seed: int, fresh: bool) -> None:
        """Have it write to `server`; a `fresh` one has a new id for each time it sends."""
        self.name = name
        self.done: list[tuple[str, Any]] = []
        self.at, self.key = "", {}  # type: str, dict[str, str]
        self.sheets: dict[int, str] = {}
        self._server, self._rng, self._fresh = server, Random(seed), fresh
        self._client = httpx.AsyncClient()
        self._ids = 0

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,  # noqa: ANN401
        wait: float = PATIENT,
    ) -> httpx.Response:
        """Return the answer to one request, which is waited for so long."""
        home = self._server.url
        headers = {"origin": home, **self.key}
        return await self._client.request(
            *(method, f"{home}{path}"), json=body, headers=headers, timeout=lost_after(wait)
        )

    async def go(self) -> None:
        """Close its lines."""
        await self._client.aclose()

    async def come(self) -> None:
        """Take a name."""
        (await self.ask("POST", "/api/session", {"name": self.name})).raise_for_status()

    async def write(self, said: dict[str, Any], seen: Scored) -> bool:
        """Send something until it is answered; return whether it was taken."""
        id_ = self._id()
        while True:
            try:
                answer = await self._sent({"id": id_, **said}, seen)
            except httpx.HTTPError:
                seen.resent += 1
                id_ = self._id() if self._fresh else id_
                await asyncio.sleep(AGAIN)
                continue
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
                await asyncio.sleep(AGAIN)
                continue
            if answer.status_code == httpx.codes.OK:
                self.done.append((id_, said))
                seen.acked += 1
                return True
            seen.wrong.append(f"{self.name}: {answer.status_code} {answer.text[:200]}")
            return False

    async def _sent(self, body: dict[str, Any], seen: Scored) -> httpx.Response:
        wait = self._rng.uniform(0, SOON) if self._rng.random() < CUT else PATIENT
        try:
            return await self.ask("POST", self.at, body, wait)
        except httpx.ReadTimeout:
            seen.cuts += wait < PATIENT
            raise

    def _id(self) -> str:
        self._ids += 1
        return f"{self.name}-{self._ids:016}"


def lost_after(wait: float) -> httpx.Timeout:
    """Return what has a request lost so many seconds after it was sent.

    One that is given up while it still connects may leave a socket behind that nobody closes.
    """
    return httpx.Timeout(PATIENT, read=wait)


async def scoring(
    folder: Path, kills: int, cuts: int, seed: int, build: str = "sound", fresh: bool = False
) -> Scored:
    """Kill a server so often, while so many networks are cut at least; a phone may be `fresh`."""
    rng, seen = Random(seed), Scored()
    server = Server(folder, build)
    lives: list[asyncio.Task[None]] = []
    phones = [Phone(server, f"phone{number}", seed + number, fresh) for number in range(7)]
    host = Phone(server, "host", seed, fresh=False)
    keeper = Phone(server, "keeper", seed + 7, fresh)  # of the score sheet of another table
    try:
        await server.start()
        evening, sheet = await _begun(host, [*phones, keeper])
        stopping = asyncio.Event()
        for number, phone in enumerate(phones[:TABLES], 1):
            lives.append(asyncio.create_task(_scores(phone, number, seen, stopping)))
        for number, phone in enumerate(phones[TABLES:]):
            lives.append(asyncio.create_task(_hands(phone, number, seen, stopping)))
        lives.append(asyncio.create_task(_keeps(keeper, evening, seen, stopping)))
        while seen.kills < kills and seen.sound:
            await _until(lambda: seen.acked >= ACKED * (seen.kills + 1), lives)
            await asyncio.sleep(rng.uniform(0, 0.2))
            await server.end()
            seen.kills += 1
            _look(server, [*phones, keeper], seen)
            await server.start()
        await _until(lambda: seen.cuts >= cuts or not seen.sound, lives)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*lives), PATIENCE)
        if seen.sound:
            await _compare(host, phones, evening, sheet, seen)
            await _follows(host, keeper, evening, seen)
    finally:
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
        for phone in (host, keeper, *phones):
            await phone.go()
        await server.end()
    _look(server, [*phones, keeper], seen)
    seen.wrong += [line for line in server.errors() if line not in seen.wrong]
    return seen


async def _begun(host: Phone, phones: list[Phone]) -> tuple[str, str]:
    """Make an evening of some rounds and a score sheet, and give each phone its key."""
    await host.come()
    names = [f"P{number}" for number in range(4 * (TABLES + 1))]
    wanted: dict[str, Any] = {"movement": "redraw", "people": names}
    made = (await host.ask("POST", "/api/evenings", wanted)).json()
    at = f"/api/evenings/{made['code']}"
    for number in range(1, ROUNDS + 1):
        change = {"id": f"begin-{number:016}", "change": {"do": "round", "round": number}}
        (await host.ask("POST", f"{at}/changes", change)).raise_for_status()
        await phones[-number].come()  # a name is committed at once, also in the control
    for phone in phones[:-ROUNDS]:
        await phone.come()
    for number, phone in enumerate([*phones[:TABLES], phones[-1]], 1):
        link = (await host.ask("GET", f"{at}/link?table={number}")).json()["link"]
        phone.at, phone.key = f"{at}/changes", {"x-evening-key": link.partition("#")[2]}
    body = {"rules": "kd_tournament", "players": names[:4]}
    sheet = (await host.ask("POST", "/api/sheets", body)).json()
    for phone in phones[TABLES:-1]:
        phone.at = f"/api/sheets/{sheet['code']}/entries"
        phone.key = {"x-sheet-key": sheet["key"]}
    return at, f"/api/sheets/{sheet['code']}"


async def _scores(phone: Phone, table: int, seen: Scored, stopping: asyncio.Event) -> None:
    """Write scores of a table, each of another value, in any of its rounds."""
    rng, value = Random(table), 0
    while not stopping.is_set():
        value += 1
        place = {"round": rng.randint(1, ROUNDS), "table": table}
        rows = [[value, 60, value, 60]]
        change = {"do": "score", **place, "rows": rows, "over": 0}
        await phone.write({"change": change}, seen)


async def _hands(phone: Phone, number: int, seen: Scored, stopping: asyncio.Event) -> None:
    """Write hands of a score sheet, each another one."""
    for hand in range(number, 2 * HANDS, 2):
        if stopping.is_set():
            return
        said = {"declarer": "0", "bid": 100, "points": {"0": 5 * (hand % 25)}}
        await phone.write({"hand": hand, "over": 0, "said": said}, seen)


async def _keeps(keeper: Phone, evening: str, seen: Scored, stopping: asyncio.Event) -> None:
    """Write the score sheets of a table: three hands that end a game, then the last one anew."""
    for entry in count():
        if stopping.is_set():
            return
        turn, at = divmod(entry, AT_ONCE)
        number, times = turn % ROUNDS + 1, turn // ROUNDS * AT_ONCE + at
        while number not in keeper.sheets and not await _sheet(keeper, evening, number):
            if stopping.is_set():
                return
        won = times < 3
        bid, points = (100, 110) if won else (70 + 5 * (times % 11), 5 * (times // 11 % 25))
        said = {"declarer": "0", "bid": bid, "points": {"0": points}}
        keeper.at = f"/api/sheets/{keeper.sheets[number]}/entries"
        await keeper.write({"hand": min(times, 2), "over": 0, "said": said}, seen)


async def _sheet(keeper: Phone, evening: str, number: int) -> bool:
    """Begin the score sheet of a table in a round; return whether that was answered."""
    wanted = {"round": number, "table": TABLES + 1}
    try:
        answer = await keeper.ask("POST", f"{evening}/sheets", wanted)
        answer.raise_for_status()
    except httpx.HTTPError:
        await asyncio.sleep(AGAIN)
        return False
    keeper.sheets[number] = answer.json()["code"]
    return True


async def _until(done: Any, lives: list[asyncio.Task[None]]) -> None:  # noqa: ANN401
    async with asyncio.timeout(PATIENCE):
        while not done():
            for life in lives:
                if life.done():
                    life.result()
            await asyncio.sleep(0.01)


def _look(server: Server, phones: list[Phone], seen: Scored) -> None:
    """Look into the database while no server runs: what was answered has to be there, once."""
    with closing(sqlite3.connect(server.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = connection.execute(
            "SELECT entry_id, code, name, hand, body FROM sheet_entries"
        ).fetchall()
    ids = [row[0] for row in rows]
    said = [tuple(row[1:]) for row in rows]
    acked = [id_ for phone in phones for id_, _ in phone.done]
    seen.lost = sorted({*acked} - {*ids})
    seen.twice = sorted({str(one) for one in said if said.count(one) > 1})


async def _compare(
    host: Phone, phones: list[Phone], evening: str, sheet: str, seen: Scored
) -> None:
    """Compare what the server shows with what each phone said last."""
    for number in range(1, ROUNDS + 1):
        told = (await host.ask("GET", f"{evening}/rounds/{number}")).json()
        for table in told["tables"][:TABLES]:
            changes = [said["change"] for _, said in phones[table["number"] - 1].done]
            rows = [one["rows"][0] for one in changes if one["round"] == number]
            if table["scores"] != (rows[-1] if rows else None):
                seen.wrong.append(f"round {number}: {table} after {rows[-1:]}")
    hands = (await host.ask("GET", sheet)).json()["hands"]
    shown = {one["number"]: one["said"]["points"] for one in hands}
    meant = {said["hand"]: said["said"]["points"] for p in phones[TABLES:] for _, said in p.done}
    if {number: sum(points.values()) for number, points in shown.items()} != {
        number: sum(points.values()) for number, points in meant.items()
    }:
        seen.wrong.append(f"{sheet}: {shown} after {meant}")


async def _follows(host: Phone, keeper: Phone, evening: str, seen: Scored) -> None:
    """Compare what a table has scored with the totals of its score sheets."""
    for number, code in keeper.sheets.items():
        sheet = (await host.ask("GET", f"/api/sheets/{code}")).json()
        told = (await host.ask("GET", f"{evening}/rounds/{number}")).json()["tables"][TABLES]
        if told["scores"] != (sheet["totals"] if len(sheet["hands"]) > 2 else None):
            seen.wrong.append(f"round {number}: {told} after {sheet['totals']} on its sheet")
