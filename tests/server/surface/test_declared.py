"""What is declared is so: limits beside their routes, a policy without exceptions, idle GETs."""

from __future__ import annotations

import asyncio
import copy
import re
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.core.tables import started
from tests.server.http.served import HOME, Here

from rookery.rules import load
from rookery.server.api.rules import RulesFile, RulesWritten
from rookery.server.http import middleware as headers
from rookery.server.http import ratelimit as limits
from rookery.server.http.ratelimit import HEALTH, RATES, Buckets, Rate, kind_of_command
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.table import commands as cm

SERVER = Path(limits.__file__).parent
SECRET = "sixteen letters, or more"  # noqa: S105
CODE = "ABCDEF2"
BODIES: dict[str, Any] = {
    "/api/session": {"name": "Eve"},
    "/api/return": {"token": "x"},
    "/api/passkeys": {"credential": "AA", "client_data": "AA", "attestation": "AA"},
    "/api/return/passkey": dict.fromkeys(
        ("credential", "client_data", "device_data", "signature", "handle"), "AA"
    ),
    "/api/mistakes": {"mistakes": []},
    "/api/tables": {},
    "/api/tables/{code}/ratings": {"on": False},
    "/api/session/ratings": {"on": False},
    "/api/sheets": {"rules": "kd_tournament", "players": []},
    "/api/evenings": {"movement": "individual", "people": []},
    "/api/tables/quick": {},
    "/api/rules/check": RulesWritten(rules={}).model_dump(),
    "/api/rules/parse": RulesFile(text="").model_dump(),
}
ELSEWHERE = ("203.0.113.5", 1)


def here(buckets: Buckets | None = None) -> Here:
    return Here(Settings(admin_secret=SECRET), buckets=buckets)


def described() -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with here().browser() as browser:
            return dict((await browser.get("/api/openapi.json")).json()["paths"])

    return asyncio.run(ask())


def operations() -> list[tuple[str, str, str | None]]:
    """Return every operation under /api with the limit that it declares."""
    return [
        (method, path, operation.get("x-limit", {}).get("name"))
        for path, methods in described().items()
        for method, operation in methods.items()
        if path.startswith("/api")
    ]


LIMITED = [each for each in operations() if each[2] is not None]


def test_whatever_changes_something_and_whatever_finds_a_table_declares_a_limit() -> None:
    bare = [
        (m, p) for m, p, limit in operations() if limit is None and (m != "get" or "{code}" in p)
    ]
    assert bare == []


def test_outside_of_it_all_but_pages_and_files_is_declared_too() -> None:
    others = {path: told for path, told in described().items() if not path.startswith("/api")}
    assert set(others) == set(HEALTH)
    assert {told["get"]["x-limit"]["name"] for told in others.values()} == {"health"}


@pytest.mark.parametrize(("method", "path", "limit"), LIMITED)
def test_a_declared_limit_is_kept(method: str, path: str, limit: str) -> None:
    async def story() -> list[int]:
        rates = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {limit: Rate(1, 1e9, 2)}
        server = here(Buckets(rates, lambda: 0.0))
        await filled(server)
        transport = httpx.ASGITransport(app=server.app, client=ELSEWHERE)
        found = []
        own = {"origin": HOME, "authorization": f"Bearer {SECRET}"}
        async with httpx.AsyncClient(transport=transport, base_url=HOME, headers=own) as eve:
            if path not in ("/api/session", "/api/return") or method != "post":
                await eve.post("/api/session", json={"name": "Eve"})
            for _ in range(4):
                if path == "/api/session":
                    eve.cookies.clear() if method == "post" else None
                    if method == "delete":
                        await eve.post("/api/session", json={"name": "Eve"})
                url = path.replace("{code}", CODE).replace("{hand}", "0").replace("{match}", "0")
                url = url.replace("{number}", "0" * 16)
                body = BODIES.get(path) if method == "post" else None
                found.append((await eve.request(method, url, json=body)).status_code)
        await server.registry.close()
        return found

    found = asyncio.run(story())
    assert 429 not in found[:2]
    assert found[2:] == [429, 429]


def test_every_limit_that_is_declared_is_taken_somewhere() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in SERVER.glob("*.py"))
    taken = set(re.findall(r'(?:Limit|CountedByRoute|take|check|pay)\(\s*"(\w+)"', sources))
    taken |= {kind_of_command(kind) for kind in (cm.Act, cm.Chat, cm.Hint, cm.Ping, cm.Sit)}
    taken |= {limits._kind_of(path) for path in ("/api/bots", "/new", *HEALTH)}
    assert taken - {"x"} == set(RATES)  # an example has that one
    assert {limit for *_, limit in LIMITED} <= set(RATES)


def test_the_policy_for_pages_has_no_exception() -> None:
    parts = dict(part.split(maxsplit=1) for part in headers.POLICY.split("; "))
    assert parts["default-src"] == "'self'"
    assert set(parts.values()) == {"'self'", "'none'"}
    assert not re.search(r"unsafe|data:|blob:|\*|https?:|nonce|sha\d", headers.POLICY)


async def filled(server: Here) -> None:
    sheet = started(load({"base": "kd_tournament", "target": 60}), seed=4)
    sheet.play(Random(4), lambda _: False)
    row = TableRow(CODE, True, sheet.table.phase, 1, server.registry.clock.now())
    await server.store.append(row, sheet.entries)


def kept(server: Here) -> dict[str, Any]:
    parts = {name: held for name, held in vars(server.store).items() if name != "_wait"}
    return copy.deepcopy({name: getattr(held, "_held", held) for name, held in parts.items()})


def test_to_look_changes_nothing() -> None:
    gets = [path for method, path, _ in operations() if method == "get"]

    async def story() -> None:
        server = here()
        await filled(server)
        async with server.person("Ann") as ann:
            ann.headers["authorization"] = f"Bearer {SECRET}"
            await ann.get("/api/daily")  # the first makes the secret of all daily deals
            before = kept(server)
            for path in [*gets, "/", "/new", "/admin", "/return/some-token", "/healthz", "/readyz"]:
                url = path.replace("{code}", CODE).replace("{variant_id}", "kd_tournament")
                url = url.replace("{hand}", "0").replace("{match}", "0")
                for method in ("GET", "HEAD"):
                    answer = await ann.request(method, url)
                    assert answer.status_code < 500 or "review" in path, (path, answer.text)
            assert kept(server) == before
            # The control: something that does change is seen.
            await ann.post("/api/session", json={"name": "Anna"})
            assert kept(server) != before
        await server.registry.close()

    asyncio.run(story())
