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

from rookery.server.cluster.pubsub import Changed, Ended, Gone, Notice, Renamed
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
from rookery.server.http.sockets import SocketRegistry
from rookery.server.http.state import AppState
from rookery.server.http.static import Static
from rookery.server.http.urls import Links
from rookery.server.http.websocket import table_socket
from rookery.server.monitoring.health import Readiness
from rookery.server.registry.statistics import Counting
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.startup import registry_of
from rookery.server.store.base import Store, StoreError
from rookery.server.table.commands import Command
from rookery.server.table.messages import Message
from rookery.server.table.projection import Snapshot

_NO_PAGES = ("api", "static", "ws", "healthz", "readyz")


class Health(BaseModel):
    """How the server is, and how much it holds."""

    ok: bool


def create_app(
    settings: Settings,
    store: Store | None = None,
    registry: TableRegistry | None = None,
    buckets: Buckets | None = None,
    ready: Callable[[], None] = lambda: None,
) -> ASGIApp:
    """Return the application; `ready` is called once it has begun.

    Without a `registry` it is made of `store`; without either, as the settings say.

    Raises:
        BadUrl: the public url is none.
        StoreError: the store cannot be opened.
    """
    links, buckets = Links(settings), buckets or Buckets()
    tables = registry or (
        registry_of(settings) if store is None else TableRegistry(store, settings)
    )
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
    app.state.parts = AppState(
        settings=settings,
        links=links,
        store=kept,
        registry=tables,
        sessions=Sessions(kept, links, kept=settings.keep_person),
        buckets=buckets,
        sockets=SocketRegistry(),
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
    here: AppState = app.state.parts
    here.registry.open()
    await here.registry.join(here.sockets.cut_person)
    here.registry.pubsub.subscribe(lambda notice: _heard(here, notice))
    app.state.ready()
    try:
        yield
    finally:
        await here.registry.close()


def _heard(here: AppState, notice: Notice) -> None:
    """Take in what another server tells."""
    match notice:
        case Changed():
            here.registry.heard(notice)
        case Gone():
            here.sockets.cut_person(notice.person)
        case Renamed():
            if (session := here.sockets.session_of(notice.person)) is not None:
                asyncio.ensure_future(_renamed(here, session))  # noqa: RUF006  (may be lost)
        case Ended():
            here.sockets.cut_session(notice.session)
        case _:
            assert_never(notice)


async def _renamed(here: AppState, session: str) -> None:
    with contextlib.suppress(StoreError):
        who = await here.store.person(session)
        if who is not None:
            here.sockets.renamed(who)


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
