"""Whoever attacks a table of another server is told of by the server that they came to."""

from __future__ import annotations

import contextlib
import re
import signal
from pathlib import Path

import httpx
from tests.faults.serving import Server
from tests.server.core.tables import running
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

HOME = "http://rook.example"
AWAY = "203.0.113.9"
GARBAGE = 60  # messages; the limit is twenty at once


async def thrown_out(server: Server, browser: httpx.AsyncClient, code: str) -> int:
    """Return the code with which a socket is closed on which there is nothing but garbage."""
    cookie = f"rookery={browser.cookies['rookery']}"
    async with connect(
        f"ws://127.0.0.1:{server.port}/ws/{code}",
        origin=Origin(HOME),
        additional_headers={"cookie": cookie, "x-forwarded-for": AWAY},
        compression=None,
        proxy=None,
    ) as socket:
        await socket.send('{"type":"hello"}')
        for _ in range(GARBAGE):
            await socket.send("garbage")
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()
        return int(socket.close_code or 0)


def told(server: Server) -> list[str]:
    """Return who is told of in a server's log because too much came on their socket."""
    return re.findall(r"^cut-fast by (\w+),", (server.folder / "errors.txt").read_text(), re.M)


def test_the_server_that_somebody_came_to_tells_of_them_and_the_tables_own_does_not(
    tmp_path: Path, database: str
) -> None:
    async def scene() -> None:
        extra = {"ROOKERY_DATABASE_URL": database}
        options = ("--public-url", HOME)
        servers = [Server(tmp_path / name, extra=extra, options=options) for name in ("a", "b")]
        for server in servers:
            await server.start()
        there, here = servers
        try:
            sent = {"origin": HOME, "host": "rook.example"}
            async with httpx.AsyncClient(
                base_url=there.url, headers=sent, trust_env=False, timeout=60
            ) as browser:
                (await browser.post("/api/session", json={"name": "Eve"})).raise_for_status()
                made = await browser.post("/api/tables", json={})
                code = made.json()["code"]
                assert await thrown_out(here, browser, code) == 4029
        finally:
            for server in servers:
                await server.end(signal.SIGTERM)
        assert told(there) == []
        (who,) = told(here)
        assert re.fullmatch("[0-9a-f]{12}", who)
        for server in servers:
            assert AWAY not in (server.folder / "errors.txt").read_text()

    running(scene)
