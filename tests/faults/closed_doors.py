"""P17: whoever asks for another's table, seat, match or token is refused, and always alike."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

import httpx
from tests.server.clock import HandTurnedClock
from tests.server.http.authenticator import Authenticator, Wrong, written
from tests.server.http.served import Here, no_limits
from tests.server.http.test_doors import HOSTS, SEATED, reading
from tests.server.http.test_garbage import Wire
from tests.server.memory.store import MemoryStore
from tests.unicode.halves import BYTES, halved

from rookery.daily.day import day_at
from rookery.server.clock import Clock
from rookery.server.monitoring.logs import JsonLine
from rookery.server.names import token_hash
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings

DAILY = f"/api/daily/{day_at(Clock().now())}/four"
LOCAL = "http://localhost:8000"  # where there are passkeys
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
# What the log of security events calls those who try a door; the other doors are tried by players.
GUESSES = {
    "a table": "code-guess",
    "a near table": "code-guess",
    "a link": "link-guess",
    "a used link": "link-guess",
    "a passkey": "passkey-guess",
    "a session": "token-guess",
}
ROUTES = [path.replace("CODE", "{code}") for path in reading("CODE") if "/CODE" in path]


@dataclass
class Knocked:
    """What came of it.

    Attributes:
        asked: how many times each door was tried.
        bodies: the different answers at each door, status and text.
        opened: what was not refused.
        took: seconds of each answer at each door.
        noted: how many security events of each kind the log tells of.
        logged: the lines of that log.
    """

    asked: Counter[str] = field(default_factory=Counter)
    bodies: dict[str, set[str]] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    took: dict[str, list[float]] = field(default_factory=dict)
    noted: Counter[str] = field(default_factory=Counter)
    logged: list[str] = field(default_factory=list)

    @property
    def unlike(self) -> list[str]:
        """The doors that did not always answer alike."""
        return [door for door, bodies in self.bodies.items() if len(bodies) > 1]

    @property
    def unnoted(self) -> Counter[str]:
        """The guesses that the log does not tell of, and what it tells of too often."""
        made: Counter[str] = Counter()
        for door, kind in GUESSES.items():
            made[kind] += self.asked[door]
        return (made - self.noted) + (self.noted - made)

    def ratio(self, one: str, other: str) -> float:
        """Return how much longer, in the median, one door takes to answer than another."""
        return median(self.took[one]) / median(self.took[other])


class Street:
    """A server with a table where a hand is under way, and everybody who has no business there."""

    def __init__(self, here: Here, rng: Random) -> None:
        """Begin with nobody there."""
        self._here, self._rng = here, rng
        self.found = Knocked()
        self.code, self.spent, self._passkey = "", "", ""
        self._known: list[httpx.AsyncClient] = []
        self.callers: list[httpx.AsyncClient] = []
        self.wires: dict[str, Wire] = {}
        self._key, self._forged = Authenticator(LOCAL), Authenticator(LOCAL)
        self._shown: dict[str, Any] = {}

    async def people(self, ann: httpx.AsyncClient, bob: httpx.AsyncClient) -> None:
        """Have two people begin a match; `bob` may do nothing that is the host's."""
        made = await ann.post("/api/tables", json={"rules": "kd_tournament", "pace": "calm"})
        self.code = made.json()["code"]
        self._known = [ann, bob]
        for name, browser in (("ann", ann), ("bob", bob)):
            self.wires[name] = await self._socket(browser)
        await self.wires["bob"].answers('{"type":"sit","id":"sit"}')
        await self.wires["ann"].answers('{"type":"start","id":"start"}')
        self.spent = (await ann.post("/api/session/return")).json()["token"]
        async with self._here.browser() as other:
            (await other.post("/api/return", json={"token": self.spent})).raise_for_status()
        async with self._local(ann) as own:
            body = self._key.made((await own.post("/api/passkeys/wanted")).json())
            kept = (await own.post("/api/passkeys", json=body)).raise_for_status()
            self._passkey = kept.json()[0]["id"]
        async with self._local() as other:
            self._shown = self._key.shown((await other.post("/api/return/wanted")).json())
            (await other.post("/api/return/passkey", json=self._shown)).raise_for_status()

    async def watch(self, eve: httpx.AsyncClient) -> None:
        """Have somebody watch who sits nowhere."""
        self.wires["eve"] = await self._socket(eve)

    async def _socket(self, browser: httpx.AsyncClient) -> Wire:
        wire = Wire(self._here, self.code, f"rookery={browser.cookies['rookery']}")
        assert (await wire.outbox.get())["type"] == "websocket.accept"
        await wire.answers('{"type":"hello"}')
        return wire

    def _local(self, browser: httpx.AsyncClient | None = None) -> httpx.AsyncClient:
        """Return the browser of the same person, or nobody, at an address with passkeys."""
        transport, headers = httpx.ASGITransport(app=self._here.app), {"origin": LOCAL}
        if browser is not None and browser.cookies:
            headers["cookie"] = f"rookery={browser.cookies['rookery']}"
        return httpx.AsyncClient(transport=transport, base_url=LOCAL, headers=headers)

    async def knock(self) -> None:
        """Try one door, by chance."""
        doors = (self.other_table, self.near_table, self.hand, self.token, self.spent_token)
        broken = self.broken_address, self.broken_token, self.broken_command
        known = self.session, self.other_session, self.passkey, self.other_passkey
        await self._rng.choice((*doors, *broken, *known, self.review, self.seat, self.host))()

    async def other_table(self) -> None:
        """Ask for a table that is not there."""
        code = "".join(self._rng.choices(LETTERS, k=7))
        await self._get("a table", self._rng.choice(ROUTES).format(code=code), 404)

    async def near_table(self) -> None:
        """Ask for one whose code is a letter off a table's."""
        at = self._rng.randrange(7)
        other = self._rng.choice([one for one in LETTERS if one != self.code[at]])
        code = f"{self.code[:at]}{other}{self.code[at + 1 :]}"
        await self._get("a near table", self._rng.choice(ROUTES).format(code=code), 404)

    async def hand(self) -> None:
        """Ask for the hand under way, or any other that is not done."""
        number = self._rng.choice((0, 0, 1, 2, self._rng.randrange(1_000)))
        seat = self._rng.choice(("", "?seat=0", "?seat=1", "?seat=3"))
        record = f"/api/tables/{self.code}/record?match={number}"
        path = self._rng.choice((f"/api/replay/{self.code}/{number}{seat}", record))
        await self._get("a hand", path, 404)

    async def review(self) -> None:
        """Ask what a match that is not over was played like."""
        number = self._rng.choice((0, 0, 1, self._rng.randrange(1_000)))
        await self._get("a review", f"/api/tables/{self.code}/matches/{number}/review", 404)

    async def token(self) -> None:
        """Come back by a link that nobody was given."""
        await self._return("a link", "".join(self._rng.choices(SIGNS, k=len(self.spent))))

    async def spent_token(self) -> None:
        """Come back by a link that was used."""
        await self._return("a used link", self.spent)

    async def _return(self, door: str, token: str, status: int = 410) -> None:
        caller = self._rng.choice(self.callers)
        began = time.perf_counter()
        body, kind = json.dumps({"token": token}), {"content-type": "application/json"}
        answer = await caller.post("/api/return", content=body, headers=kind)
        self._note(door, answer.status_code, answer.text, status, began)

    async def broken_address(self) -> None:
        """Ask for what has no name in Unicode."""
        path = self._rng.choice(ROUTES).format(code=f"{self.code[:6]}{self._rng.choice(BYTES)}")
        await self._get("a broken address", path, 400)

    async def broken_token(self) -> None:
        """Come back by a link that is no text."""
        await self._return("a broken link", halved(self.spent, self._rng), 400)

    async def broken_command(self) -> None:
        """Do what only who sits there may do, in what is no text."""
        command = self._rng.choice((*SEATED, *HOSTS))
        await self._say("eve", "a broken command", command, {"not-unicode"})

    async def session(self) -> None:
        """Be somebody whose token was guessed."""
        guess = "".join(self._rng.choices(SIGNS, k=43))
        headers = {"cookie": f"rookery={guess}"}
        method, path = self._rng.choice(
            (
                *(("GET", "/api/session/statistics"), ("POST", "/api/session/return")),
                *(("GET", "/api/sessions"), ("DELETE", "/api/sessions")),
                *(("GET", "/api/passkeys"), ("POST", "/api/passkeys/wanted")),
                *(("GET", "/api/session/ratings"), ("PUT", "/api/session/ratings")),
                *(("POST", DAILY), ("GET", f"{DAILY}/position"), ("GET", f"{DAILY}/results")),
            )
        )
        async with self._here.browser() as nobody:
            began = time.perf_counter()
            answer = await nobody.request(method, path, headers=headers)
        self._note("a session", answer.status_code, answer.text, 401, began)

    async def other_session(self) -> None:
        """Sign somebody else out, whose session's number is known or guessed."""
        browser = self._rng.choice(self._known)
        token = token_hash(browser.cookies["rookery"])
        number = self._rng.choice((token[:16], f"{self._rng.getrandbits(64):016x}"))
        eve = self.callers[2]
        began = time.perf_counter()
        answer = await eve.delete(f"/api/sessions/{number}")
        self._note("a session of others", answer.status_code, answer.text, 200, began)
        if (await browser.get("/api/session")).json()["person"] is None:
            self.found.opened.append(f"a session of others: {number} is over")

    async def passkey(self) -> None:
        """Come back by a passkey of somebody else's: with one's own key, or as they did before."""
        async with self._local() as caller:
            asked = (await caller.post("/api/return/wanted")).json()
            of = self._rng.choice(
                (
                    Wrong(credential=self._key.credential, handle=self._key.handle),
                    Wrong(credential=self._rng.randbytes(16), handle=self._key.handle),
                    Wrong(handle=written(self._rng.randbytes(32))),
                )
            )
            body = self._rng.choice((self._forged.shown(asked, of), self._shown))
            began = time.perf_counter()
            answer = await caller.post("/api/return/passkey", json=body)
        self._note("a passkey", answer.status_code, answer.text, 403, began)

    async def other_passkey(self) -> None:
        """Delete a passkey of somebody else's, whose number is known or guessed."""
        number = self._rng.choice((self._passkey, f"{self._rng.getrandbits(64):016x}"))
        async with self._local(self.callers[2]) as eve, self._local(self._known[0]) as ann:
            began = time.perf_counter()
            answer = await eve.delete(f"/api/passkeys/{number}")
            self._note("a passkey of others", answer.status_code, answer.text, 200, began)
            if self._passkey not in (await ann.get("/api/passkeys")).text:
                self.found.opened.append(f"a passkey of others: {number} is gone")

    async def seat(self) -> None:
        """Do what only who sits there may do."""
        await self._say("eve", "a seat", self._rng.choice(SEATED), {"not-seated"})

    async def host(self) -> None:
        """Do what only the host may do."""
        await self._say("bob", "the host's", self._rng.choice(HOSTS), {"not-host"})

    async def _say(self, name: str, door: str, command: dict[str, Any], codes: set[str]) -> None:
        actor = self._here.registry._actors[self.code]
        before, asked = actor.table, f"c{sum(self.found.asked.values())}"
        told = {**command, "id": asked}
        text = json.dumps(halved(told, self._rng) if codes == {"not-unicode"} else told)
        answers = await self.wires[name].answers(text)
        ends = [one for one in answers if one["type"] in ("ack", "refused")]
        self.found.asked[door] += 1
        if [one.get("code") in codes for one in ends] != [True] or actor.table is not before:
            self.found.opened.append(f"{door}: {text}: {ends}")

    async def _get(self, door: str, path: str, status: int) -> None:
        caller = self._rng.choice(self.callers)
        began = time.perf_counter()
        answer = await caller.get(path)
        self._note(door, answer.status_code, answer.text, status, began)

    def _note(self, door: str, status: int, text: str, expected: int, began: float) -> None:
        found = self.found
        found.took.setdefault(door, []).append(time.perf_counter() - began)
        found.asked[door] += 1
        found.bodies.setdefault(door, set()).add(f"{status} {text}")
        if status != expected:
            found.opened.append(f"{door}: {status} {text[:100]}")


class _Listening(logging.Handler):
    """Takes what the log of security events tells."""

    def __init__(self, found: Knocked) -> None:
        super().__init__()
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        told = json.loads(JsonLine().format(record))
        self._found.noted[told["kind"]] += told["times"]
        self._found.logged.append(json.dumps(told))


async def knocked(requests: int, seed: int) -> Knocked:
    """Try doors so many times, and return what came of it."""
    registry = TableRegistry(MemoryStore(), Settings(), clock=HandTurnedClock())
    here = Here(registry=registry, buckets=no_limits())
    street = Street(here, Random(seed))
    app: Any = here.app
    log, listening = logging.getLogger("rookery.security"), _Listening(street.found)
    log.addHandler(listening)
    async with (
        here.running(),
        here.person("Ann") as ann,
        here.person("Bob") as bob,
        here.person("Eve") as eve,
        here.browser() as nobody,
    ):
        await street.people(ann, bob)
        await street.watch(eve)
        street.callers = [ann, bob, eve, nobody]
        for _ in range(requests):
            await street.knock()
        for wire in street.wires.values():
            wire.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await wire.task
    app._app.state.rookery.security.tell()
    log.removeHandler(listening)
    return street.found
