"""The ASGI application: routes, the door in front of them, and what begins and ends with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any, assert_never

import msgspec
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp

from rookery.server.cluster.pubsub import Changed, Ended, Gone, Renamed, Word
from rookery.server.http import admin as http_admin
from rookery.server.http import bots as http_bots
from rookery.server.http import errors as answers
from rookery.server.http import people as http_people
from rookery.server.http import review as http_review
from rookery.server.http import rules as http_rules
from rookery.server.http import tables as http_tables
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import Guard
from rookery.server.http.ratelimit import Buckets, limited
from rookery.server.http.sessions import Sessions
from rookery.server.http.sockets import Lines
from rookery.server.http.state import Parts
from rookery.server.http.static import Static
from rookery.server.http.urls import Links
from rookery.server.http.websocket import table_socket
from rookery.server.monitoring.health import Readiness
from rookery.server.registry.statistics import Counting
from rookery.server.registry.tables import House
from rookery.server.settings import Settings
from rookery.server.startup import house_of
from rookery.server.store.base import Store, StoreError
from rookery.server.table.commands import Command
from rookery.server.table.messages import Message
from rookery.server.table.snapshot import Snapshot

_NO_PAGES = ("api", "static", "ws", "healthz", "readyz")


class Health(BaseModel):
    """How the server is, and how much it holds."""

    ok: bool


def create_app(
    settings: Settings,
    store: Store | None = None,
    house: House | None = None,
    buckets: Buckets | None = None,
    ready: Callable[[], None] = lambda: None,
) -> ASGIApp:
    """Return the application; `ready` is called once it has begun.

    Where they are not handed in, the store is the one that the settings name, and the house is made
    of it.

    Raises:
        BadUrl: the public url is none.
        StoreError: the store cannot be opened.
    """
    links, buckets = Links(settings), buckets or Buckets()
    tables = house or (house_of(settings) if store is None else House(store, settings))
    kept = tables.store
    app = FastAPI(
        title="Rookery",
        version=version("rookery"),
        summary="Tables where people, bots and programs play any Rook.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=lambda route: route.name,
        lifespan=_lifespan,
        responses={
            "4XX": {"model": answers.Answer, "description": "It cannot be done."},
            "5XX": {"model": answers.Answer, "description": "The server is at fault, or its disk."},
        },
    )
    app.state.parts = Parts(
        settings=settings,
        links=links,
        store=kept,
        house=tables,
        sessions=Sessions(kept, links, kept=settings.keep_person),
        buckets=buckets,
        lines=Lines(),
        counting=Counting(kept),
        started_at=tables.clock.now(),
    )
    app.state.ready = ready
    answers.install(app)
    static = Static()
    app.mount("/static", static)  # asked for most
    for routes in (http_rules, http_bots, http_people, http_tables, http_review, http_admin):
        app.include_router(routes.router)
    # The first to be looked at: everybody comes this way, and comes back this way at once.
    app.router.routes.insert(0, WebSocketRoute("/ws/{code}", table_socket))
    _health(app, Readiness(tables))
    _pages(app, static)
    return Guard(app, links, buckets, tables.tally)


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    here: Parts = app.state.parts
    here.house.open()
    await here.house.join(here.lines.cut_person)
    here.house.news.listen(lambda word: _heard(here, word))
    app.state.ready()
    try:
        yield
    finally:
        await here.house.close()


def _heard(here: Parts, word: Word) -> None:
    """Take in what another server tells."""
    match word:
        case Changed():
            here.house.heard(word)
        case Gone():
            here.lines.cut_person(word.person)
        case Renamed():
            if (session := here.lines.session_of(word.person)) is not None:
                asyncio.ensure_future(_renamed(here, session))  # noqa: RUF006  (may be lost)
        case Ended():
            here.lines.cut_session(word.session)
        case _:
            assert_never(word)


async def _renamed(here: Parts, session: str) -> None:
    with contextlib.suppress(StoreError):
        who = await here.store.person(session)
        if who is not None:
            here.lines.renamed(who)


def _health(app: FastAPI, readiness: Readiness) -> None:
    @app.get("/healthz", tags=["health"], openapi_extra=limited("health"))
    async def alive() -> Health:
        """Return that the process answers."""
        return Health(ok=True)

    @app.get("/api/protocol.json", tags=["socket"])
    async def socket_schemas() -> dict[str, Any]:
        """Return the JSON schemas of what is said on the socket of a table."""
        return _schemas()

    @app.get("/readyz", tags=["health"], openapi_extra=limited("health"))
    async def at_work() -> Health:
        """Return that the store answers and this server stays; 503 where it is not so."""
        if not await readiness.here():
            raise Problem("not-ready")
        return Health(ok=True)


@lru_cache(maxsize=1)
def _schemas() -> dict[str, Any]:
    return {
        "commands": msgspec.json.schema(Command),
        "messages": msgspec.json.schema(Message),
        "snapshot": msgspec.json.schema(Snapshot),
    }


def _pages(app: FastAPI, static: Static) -> None:
    @app.api_route("/sw.js", methods=["GET", "HEAD"], include_in_schema=False)
    async def worker(request: Request) -> Response:
        return static.file("sw.js", request.headers)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """Answer every address of the client with the one page; it knows its own routes."""
        first = path.partition("/")[0]
        if first in _NO_PAGES or PurePosixPath(path).suffix:
            raise Problem("not-found")
        return static.page(request.headers)
