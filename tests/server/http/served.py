"""A server for tests, and the browsers of the people who come to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import count, islice
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.server.core.tables import LATER
from tests.server.memory.store import MemoryStore
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from rookery.server.app import create_app
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.registry.tables import TableRegistry
from rookery.server.serving import bind, configured
from rookery.server.settings import Settings
from rookery.server.store.base import Store
from rookery.server.store.leases import Leases

PATIENCE = 120.0  # seconds until a test gives an answer up
HOUR = 3_600_000  # milliseconds
_STEPS = count()  # of `spare_port`
KEY = bytes(range(32))  # of every deal, so that only the code of a table makes a difference
HOME = "http://127.0.0.1:8000"
QUICK = {"base": "kd_tournament", "target": 60}


def no_limits() -> Buckets:
    """Return limits that nobody reaches."""
    return Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)))


class Here:
    """An application without a network, and its registry to look into."""

    def __init__(
        self,
        settings: Settings | None = None,
        buckets: Buckets | None = None,
        registry: TableRegistry | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.registry = registry or TableRegistry(MemoryStore(), self.settings)
        self.store = self.registry.store
        self.app: ASGIApp = create_app(self.registry, buckets or no_limits())

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Here]:
        """Run the registry, as the application's lifespan does."""
        await self.registry.open(str)
        try:
            yield self
        finally:
            await self.registry.close()

    def browser(self, origin: str | None = HOME) -> httpx.AsyncClient:
        """Return a browser whose pages are of `origin`."""
        headers = {} if origin is None else {"origin": origin}
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=HOME, headers=headers)

    @contextlib.asynccontextmanager
    async def person(self, name: str) -> AsyncIterator[httpx.AsyncClient]:
        """Yield the browser of somebody with a name."""
        async with self.browser() as browser:
            (await browser.post("/api/session", json={"name": name})).raise_for_status()
            yield browser


def makes_no_table(path: str, wanted: dict[str, Any], code: str) -> None:
    """Ask for a table at a path; that is refused with `code`, and nothing is made."""

    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            answer = await ann.post(path, json=wanted)
            assert 400 <= answer.status_code < 500
            assert answer.json()["error"]["code"] == code
        assert not await here.store.past(LATER, LATER)

    asyncio.run(story())


class Served:
    """A server on a port of this machine.

    Attributes:
        url: its address.
        registry: its tables.
    """

    def __init__(self, url: str, registry: TableRegistry) -> None:
        self.url = url
        self.registry = registry
        self.open: list[httpx.Client] = []

    def browser(self, name: str | None = None) -> httpx.Client:
        """Return a browser, of somebody called `name` if one is given."""
        headers = {"origin": self.url}
        browser = httpx.Client(
            base_url=self.url,
            headers=headers,
            timeout=PATIENCE,
            trust_env=False,
            verify=False,  # noqa: S501  (plain http; reading certificates takes 30 ms)
        )
        self.open.append(browser)
        if name is not None:
            browser.post("/api/session", json={"name": name}).raise_for_status()
        return browser


class Kept:
    """An application whose files browsers keep for an hour and do not ask about again.

    A page is made of forty of them; to ask about each is half of what it takes to open one again.
    What it has answered once for a file, it answers from then on.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._answers: dict[tuple[object, ...], list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, but for how long a file may be kept."""
        if scope["type"] != "http" or not scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        looks = (asked.get(name) for name in ("accept-encoding", "if-none-match", "range"))
        key = (scope["method"], scope["path"], scope["query_string"], *looks)
        told = self._answers.get(key, [])
        if not told:

            async def answer(message: Message) -> None:
                if message["type"] == "http.response.start":
                    MutableHeaders(scope=message)["cache-control"] = "max-age=3600"
                told.append(message)

            await self.app(scope, receive, answer)
            if told[0]["status"] < 400:
                self._answers[key] = told
        for message in told:
            await send(message)


@contextlib.contextmanager
def served(
    store: Store | None = None,
    buckets: Buckets | None = None,
    outbox: int = 64,
    unsent: int | None = None,
    grace: int = HOUR,
    unseen: int = 10_000,
    public_url: str | None = None,
    admin_secret: str | None = None,
    bot_workers: int = 0,
    kept: bool = False,
    leases: Leases | None = None,
) -> Iterator[Served]:
    """Run a server in a thread of its own, on a free port.

    Nothing at its tables hangs on chance or on how fast the machine is: the cards follow from a
    table's code, bots think as long as they like, and who is asked or away has an hour.
    `unsent` is how many bytes the system holds for a socket that does not read.
    `grace` is how long somebody may be away before a bot plays, milliseconds.
    `unseen` is after how many milliseconds somebody counts as away who has not come yet.
    `public_url` is what links begin with, if not the server's own address.
    `admin_secret` is what its admin page is behind.
    `bot_workers` is how many processes think for bots that search.
    `kept` is whether a browser asks only once for each file of the client.
    `leases` are those of one server among several.
    """
    listening = bind("127.0.0.1", 0)
    if unsent is not None:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, unsent)
    port = listening.getsockname()[1]
    base = Settings(
        port=port,
        outbox=outbox,
        bot_deadline=HOUR,
        vote=HOUR,
        grace=grace,
        unseen=unseen,
        public_url=public_url,
        admin_secret=admin_secret,
        bot_workers=bot_workers,
    )
    registry = TableRegistry(store or MemoryStore(), base, chance=lambda: KEY, leases=leases)
    app: ASGIApp = create_app(registry, buckets or no_limits())
    app = Kept(app) if kept else app
    server = uvicorn.Server(configured(app, base))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    here = Served(f"http://127.0.0.1:{port}", registry)
    thread.start()
    try:
        wait_for(lambda: server.started)
        yield here
    finally:
        for browser in here.open:
            browser.close()
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


def spare_port() -> int:
    """Return a free port that nobody else is given while a server there is down.

    Those that the system hands out by itself lie above these, and a program gets none twice.
    """
    for step in islice(_STEPS, 10_000):
        port = 20_000 + (101 * os.getpid() + step) % 10_000
        with contextlib.closing(socket.socket()) as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port from 20000 to 29999 is free")


def wait_for(what: Callable[[], bool]) -> None:
    """Return once `what()` is true."""
    until = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > until:
            raise TimeoutError("it did not come true")
        time.sleep(0.01)


def token_of(browser: httpx.Client) -> str:
    """Return the token by which a browser is somebody; the name of its cookie hangs on the port."""
    [token] = browser.cookies.values()
    return token


def cookies(browser: httpx.Client) -> dict[str, str]:
    """Return the header by which a browser's socket says who it is."""
    return {"cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}


class Line:
    """A person's socket to a table, as a client sees it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self._asked = 0

    async def say(self, **message: object) -> None:
        """Send a message; it is answered later."""
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """Return the next message, its table kept."""
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await self.socket.recv())
        self.heard.append(message)
        self.table = message.get("table", self.table)
        return message

    async def hear_type(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        while (message := await self.hear())["type"] not in types:
            pass
        return message

    async def do(self, **command: object) -> dict[str, Any]:
        """Send a command and return its answer, ``ack`` or ``refused``."""
        self._asked += 1
        asked = command.setdefault("id", f"c{self._asked}")
        await self.say(**command)
        while True:
            answer = await self.hear_type("ack", "refused")
            if answer["id"] == asked:
                return answer


@contextlib.asynccontextmanager
async def line(
    here: Served,
    browser: httpx.Client,
    code: str,
    *,
    hello: bool = True,
    logger: logging.Logger | None = None,
) -> AsyncIterator[Line]:
    """Open a person's socket to a table and say hello."""
    url = f"{here.url.replace('http', 'ws', 1)}/ws/{code}"
    async with connect(
        url,
        origin=Origin(here.url),
        additional_headers=cookies(browser),
        compression=None,
        logger=logger,
        open_timeout=PATIENCE,
        proxy=None,
    ) as socket:
        opened = Line(socket)
        if hello:
            await opened.say(type="hello")
            await opened.hear_type("welcome", "closing")
        yield opened
        # Whoever has not read all that was told would wait for the end of the line behind it.
        ending = asyncio.create_task(socket.close())
        with contextlib.suppress(ConnectionClosed):
            async for _ in socket:
                pass
        await ending


def table_for(browser: httpx.Client, **wanted: object) -> str:
    """Make a table and return its code."""
    answer = browser.post("/api/tables", json={"pace": "instant", **wanted})
    answer.raise_for_status()
    code: str = answer.json()["code"]
    return code


def first_legal(view: Mapping[str, Any]) -> str:
    """Return a legal action out of a view, as a client finds one that knows no rule."""
    legal = view["legal"]
    if isinstance(legal, list):
        return "pass" if "pass" in legal else str(legal[0])
    if "call" in legal:
        return f"call {legal['call']['from'][0]}"
    chosen = list(legal["must"])
    chosen += [card for card in legal["from"] if card not in chosen]
    return " ".join(["discard", *chosen[: legal["discard"]]])


def listening() -> FastAPI:
    """Return an application of which nobody has asked anything."""
    app = getattr(Here().app, "_app", None)
    assert isinstance(app, FastAPI)
    return app
