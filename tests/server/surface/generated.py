"""Requests made from the API's own description, asked by people who may and by people who may not.

Schemathesis draws them, fitting and unfitting ones; half of those that name a table name one that
is there, with two matches that are over: one of them somebody has looked at, the other nobody can.
Some have half a surrogate pair in their body, or bytes in their address that are no UTF-8. What
comes back is held against the same description.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

import httpx
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from pydantic import BaseModel
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.responses import JSONResponse
from tests.server.core.tables import PEOPLE, started
from tests.server.http.served import HOME, Here
from tests.server.memory.store import MemoryStore
from tests.unicode.halves import BYTES, halved

from rookery.rules import load
from rookery.server.bots.engine import BotThreads, OnProgress
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.table import commands as cm

CODE = "ABCDEF2"  # of a table with finished hands
MATCHES = 2  # that are over there
REVIEW = "/api/tables/{code}/matches/{match}/review"
SECRET = "sixteen letters, or more"  # noqa: S105  (of this server alone)
ROLES = ("stranger", "ann", "bob", "admin")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
STEPS = 10  # one after another
HALVES = 8  # the first of so many makes no Unicode; Hypothesis draws it three times in ten
T = TypeVar("T")


@dataclass
class Answered:
    """What came back.

    Attributes:
        statuses: how often each operation answered with each status.
        halves: how often a request that is no Unicode was answered with each code.
        wrong: what no answer may be, in words, the first hundred.
    """

    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    halves: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many requests there were."""
        return self.statuses.total()

    @property
    def faults(self) -> int:
        """How many answers said that the server is at fault."""
        return sum(count for (_, status), count in self.statuses.items() if status >= 500)


class JudgeOfOne(BotThreads):
    """Judge the first match that is asked for, and none after it: there is nobody who could."""

    def __init__(self) -> None:
        """Begin with none judged."""
        super().__init__(1, 3_600_000)
        self._judged = False

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        """Return a review of the first match; `Unanswered` for another."""
        if self._judged:
            return await super().review(record, progress)
        self._judged = True
        return b'{"players":[]}'


def a_server() -> Here:
    """Return a server with an admin page and somebody who judges one match."""
    made = Settings(admin_secret=SECRET)
    return Here(made, registry=TableRegistry(MemoryStore(), made, thinker=JudgeOfOne()))


class Surface:
    """A server in a thread of its own, with somebody's table, and those who ask it."""

    def __init__(self, here: Here) -> None:
        """Begin with nobody known."""
        self.here = here
        self.answered = Answered()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._browsers: dict[str, httpx.AsyncClient] = {}
        self.schema = schemathesis.openapi.from_dict(self.do(self._begin()))

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what comes of something that is awaited at the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _begin(self) -> dict[str, Any]:
        sheet = started(load({"base": "kd_tournament", "target": 60}), seed=4)
        for number in range(MATCHES):
            if number:
                sheet.say(PEOPLE[0], cm.Rematch("again"))
            sheet.play(Random(4 + number), lambda _: False)
        row = TableRow(CODE, True, sheet.table.phase, 1, self.here.registry.clock.now())
        await self.here.store.append(row, sheet.entries)
        for role in ROLES:
            await self._come(role)
        described: dict[str, Any] = (await self._browsers["ann"].get("/api/openapi.json")).json()
        return described

    async def _come(self, role: str) -> None:
        browser = self._browsers[role] = self.here.browser()
        if role == "admin":
            browser.headers["authorization"] = f"Bearer {SECRET}"
        elif role != "stranger":
            (await browser.post("/api/session", json={"name": role.title()})).raise_for_status()

    async def send(
        self, case: schemathesis.Case[Any], role: str, dice: Random | None
    ) -> httpx.Response:
        """Return the answer to a request of somebody's; with dice it is no Unicode."""
        sent = case.as_transport_kwargs(base_url=HOME)
        headers = {**(sent.get("headers") or {}), "origin": HOME}
        known = ("method", "url", "params", "json", "data", "files")
        kept = {name: sent[name] for name in known if sent.get(name) is not None}
        if isinstance(kept.get("data"), bytes | str):
            kept["content"] = kept.pop("data")
        if dice is not None:
            _halve(kept, dice)
        answer = await self._browsers[role].request(headers=headers, **kept)
        for job in [*self.here.registry.reviews._jobs.values()]:
            if job.task is not None:  # what comes of it hangs on nothing but what was asked before
                await job.task
        if case.method == "DELETE":  # whoever has been forgotten comes anew
            await self._come(role)
        elif role == "stranger":
            self._browsers[role].cookies.clear()
        return answer

    def ask(
        self, case: schemathesis.Case[Any], role: str, dice: Random | None = None
    ) -> httpx.Response:
        """Return the answer, and note whether it is one that the description knows."""
        answer = self.do(self.send(case, role, dice))
        label = case.operation.label
        self.answered.statuses[label, answer.status_code] += 1
        if dice is not None:
            code = answer.json()["error"]["code"] if answer.is_error else "done"
            self.answered.halves[code] += 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except (Failure, FailureGroup) as error:
            found = error.exceptions if isinstance(error, FailureGroup) else [error]
            for one in found:
                told = f"{label} by {role}: {answer.status_code} {type(one).__name__}: {one}"
                self.answered.wrong += [told[:500]] if len(self.answered.wrong) < 100 else []
        return answer

    def end(self) -> None:
        """End the thread."""
        self.do(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _leave(self) -> None:
        for browser in self._browsers.values():
            await browser.aclose()
        await self.here.registry.close()


def _halve(kept: dict[str, Any], dice: Random) -> None:
    if "json" in kept:
        kept["content"] = json.dumps(halved(kept.pop("json"), dice))
        return
    kept.pop("params", None)
    kept["url"] += dice.choice(("", "?lang=", "?seat=0&")) + dice.choice(BYTES)


class Half(BaseModel):
    """Half of a number."""

    half: int


def planted() -> Here:
    """Return a server with two faults: a handler that trusts an int, and one that tells a tale."""
    here = a_server()
    wrong = FastAPI()

    @wrong.get("/api/planted/half")
    async def half(number: str) -> Half:
        return Half(half=100 // int(number))

    @wrong.get("/api/planted/other", response_model=Half)
    async def other() -> JSONResponse:
        return JSONResponse({"half": "a half"})

    inner: Any = here.app
    routes = (route for route in wrong.router.routes if "planted" in getattr(route, "path", ""))
    inner._app.router.routes[:0] = routes  # before the page that answers everything else
    return here


@contextmanager
def surface(here: Here | None = None) -> Iterator[Surface]:
    """Yield a server with an admin page and no limits."""
    opened = Surface(here or a_server())
    try:
        yield opened
    finally:
        opened.end()


def steps(size: int, luck: int, here: Here | None = None) -> Answered:
    """Return what came of so many requests that follow the links of what came before."""
    with surface(here) as server:
        rounds = max(1, size // STEPS)
        base: Any = server.schema.as_state_machine()

        class Following(base):  # type: ignore[misc]
            """Somebody who goes on from one answer to the next."""

            def call(self, case: schemathesis.Case[Any], **_: object) -> Response:
                role = ROLES[1 + server.answered.size % 2]
                return Response.from_any(server.ask(case, role))

            def validate_response(self, *_: object, **__: object) -> None:
                """Return; what was asked has been looked at."""

        run_state_machine_as_test(
            seed(luck)(Following),
            settings=settings(
                max_examples=rounds,
                stateful_step_count=STEPS,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
        return server.answered


def requests(
    size: int, luck: int, here: Here | None = None, path: str | list[str] | None = None
) -> Answered:
    """Return what came of so many requests, the same ones for the same luck.

    They are for all operations, or for those of a `path`, or several, of the description.
    """
    with surface(here) as server:
        schema = server.schema if path is None else server.schema.include(path=path)
        cases = st.one_of(
            schema.as_strategy(generation_mode=GenerationMode.POSITIVE),
            schema.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        )

        @seed(luck)
        @settings(
            max_examples=size,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            *(cases, st.sampled_from(ROLES), st.booleans(), st.integers(0, 3)),
            st.sampled_from(range(HALVES)),
        )
        def asked(
            case: schemathesis.Case[Any], role: str, real: bool, number: int, half: int
        ) -> None:
            if real and "code" in case.path_parameters:
                case.path_parameters["code"] = CODE
                if "hand" in case.path_parameters:
                    case.path_parameters["hand"] = number
                if "match" in case.path_parameters:
                    case.path_parameters["match"] = number % (MATCHES + 1)
            if real and "code" in case.query:
                case.query["code"] = CODE
            server.ask(case, role, None if half else Random(server.answered.size))

        asked()
        return server.answered
