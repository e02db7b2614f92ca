"""From settings to the ASGI application: its registry of tables, its routes, its start and end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Final, assert_never

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from rookery.about import version
from rookery.server.api.evenings.held import Evenings
from rookery.server.api.evenings.screens import table_done
from rookery.server.api.links import ANY, Links, way_out
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.cluster import pubsub as ps
from rookery.server.http import errors
from rookery.server.http.dependencies import SessionCookie
from rookery.server.http.evenings import router as of_evenings
from rookery.server.http.middleware import Guard
from rookery.server.http.ratelimit import Addresses, Buckets
from rookery.server.http.routes import router
from rookery.server.http.sheets import router as sheets
from rookery.server.http.solo import router as solo
from rookery.server.http.static import Content, Static
from rookery.server.monitoring.security import SecurityLog
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError
from rookery.server.work import in_thread

log = logging.getLogger(__name__)

CHECK_EVERY: Final = 60.0  # seconds between two looks whether sessions with sockets still hold
_NO_PAGES = ("api", "static", "kit", "ws", "healthz", "readyz")


def registry_of(settings: Settings) -> TableRegistry:
    """Return the registry that the settings describe; with a database url, one of several.

    Raises:
        StoreError: its store cannot be opened, or none is named.
    """
    if settings.database is not None:
        from rookery.server.cluster.postgres_leases import PostgresLeases
        from rookery.server.store.postgres import PostgresStore

        pubsub = ps.PubSub() if settings.hints is None else ps.RedisPubSub(settings.hints)
        first = PostgresStore(settings.database)
        # Where another server has started at its address, this one ends.
        end = partial(signal.raise_signal, signal.SIGTERM)
        address = _peer_address(settings, settings.database)
        made = partial(PostgresLeases, address=address, replaced=end)
        from rookery.server.cluster.spread.opening import only, spread_over

        if not settings.spread:
            only(first, settings.database)
            return TableRegistry(first, settings, leases=made(first), pubsub=pubsub)
        several = (settings.database, settings.spread, settings.drained)
        store, leases = spread_over(first, *several, made)
        return TableRegistry(store, settings, leases=leases, pubsub=pubsub)
    if settings.data is None:
        raise StoreError("neither a folder nor a database is given")
    from rookery.server.store.sqlite import FILE, SqliteStore

    return TableRegistry(SqliteStore(settings.data / FILE), settings)


def _peer_address(settings: Settings, database: str) -> str:
    """Return where other servers find this one: as set, as bound, or on the database's network.

    Raises:
        StoreError: the database's host has no address.
    """
    if settings.peer is not None:
        return settings.peer
    host = settings.host
    if host in ANY:
        from rookery.server.store.postgres import address

        there = address(database)
        try:
            host = way_out(there.host or "127.0.0.1", there.port or 5432)
        except OSError:
            line = f"the host of the database has no address: {there.host}"
            raise StoreError(line) from None
    return f"[{host}]:{settings.port}" if ":" in host else f"{host}:{settings.port}"


def create_app(
    registry: TableRegistry,
    buckets: Buckets | None = None,
    ready: Callable[[], None] = lambda: None,
    security: SecurityLog | None = None,
    failed: Callable[[Exception], None] = lambda _: None,
) -> ASGIApp:
    """Return the application.

    Once it has started `ready` is called; `failed` is told why it cannot start.

    Raises:
        BadUrl: the public url is none.
    """
    settings, buckets = registry.settings, buckets or Buckets()
    links = Links(settings)
    app = FastAPI(
        title="Rookery",
        version=version(),
        summary="Tables where people, bots and programs play any Rook.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_lifespan,
    )
    hidden_by, kept = registry.calendar.hidden_by, settings.keep_person - HIDDEN
    evenings = Evenings(registry.store.sheets, lambda: hidden_by() - settings.keep_sheet)
    state = AppState(registry, links, evenings, kept, hidden_by, security)
    app.state.rookery = state
    registry.admission.seat_of = evenings.seat_of
    registry.admission.done = partial(table_done, state)
    app.state.addresses = Addresses(buckets)
    app.state.cookie = SessionCookie(links, settings.keep_person)
    app.state.ready, app.state.failed = ready, failed
    errors.install(app, _is_page)
    static = Static()
    app.mount("/static", _to_read(static))  # asked for most
    app.mount("/kit", _to_read(_kit(static)))
    for each in (router, solo, sheets, of_evenings):
        # To include them would make each route anew at the first request, and check it twice.
        app.router.routes += each.routes
    sockets = WebSocketRoute("/ws/{code}", _table_socket)
    app.router.routes.insert(0, sockets)
    _described(app)
    _pages(app, static)
    guard = Guard(app, state, app.state.addresses)
    guard.sockets = _straight(app, sockets)
    return guard


def _table_socket(socket: WebSocket) -> Awaitable[None]:
    """Serve the socket of a table."""
    # Imported late, as nothing of a first page needs it.
    from rookery.server.http.websocket import table_socket

    return table_socket(socket)


def _straight(app: FastAPI, route: WebSocketRoute) -> ASGIApp:
    """Return what serves sockets, past all that FastAPI does for a request.

    Of that a socket would keep 6 KiB to its end.
    """

    def served(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # Elsewhere too: what other routes make of a socket is an answer that nobody has limited.
        scope.update(route.matches(scope)[1], app=app)
        return _table_socket(WebSocket(scope, receive, send))

    return served


def _to_read(files: ASGIApp) -> ASGIApp:
    """Return what serves files to whoever reads them; nothing else can be done to them."""

    async def read(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "GET":
            return await files(scope, receive, send)
        found = list[int]()

        async def look(message: Message) -> None:
            found.append(message.get("status", 0))

        await files({**scope, "method": "HEAD"}, receive, look)
        refused = errors.answer_to(Problem("bad-method"), ("GET", "HEAD"))
        if found[0] == 404:
            refused = errors.answer_to(Problem("not-found"))
        return await refused(scope, receive, send)

    return read


def _kit(static: Static) -> ASGIApp:
    @cache
    def made() -> ASGIApp:
        # Imported late: few ask for it, and a start loads only what a page needs.
        from rookery.server.http.kit import Kit

        return Kit(static)

    async def kit(scope: Scope, receive: Receive, send: Send) -> None:
        await made()(scope, receive, send)

    return kit


def _described(app: FastAPI) -> None:
    @cache
    def described() -> Content:
        return Content(msgspec.json.encode(app.openapi()), "application/json")

    async def description(request: Request) -> Response:
        return (await in_thread(described)).answer(request.headers)

    app.add_route("/api/openapi.json", description, include_in_schema=False)


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state: AppState = app.state.rookery
    try:
        await state.registry.open(state.sockets.cut_person)
        state.registry.pubsub.subscribe(lambda notice: _note(state, notice))
        checking = asyncio.create_task(_checking(state), name="sessions")
        app.state.ready()
    except Exception as error:
        app.state.failed(error)
        raise
    try:
        yield
    finally:
        checking.cancel()
        await state.daily.close()
        await state.lines.close()
        await state.evenings.cares.close()
        await state.registry.close()
        state.security.tell()


def _note(state: AppState, notice: ps.Notice) -> None:
    """Take in a notice of another server."""
    if isinstance(notice, ps.Changed):
        state.registry.changed_elsewhere(notice)
    else:
        asyncio.ensure_future(_heed(state, notice))  # noqa: RUF006  (may be lost)


async def _heed(state: AppState, notice: ps.Gone | ps.Renamed | ps.Ended | ps.SignedOut) -> None:
    """Do what a notice says of somebody, as far as the store says so too."""
    store, sockets, ended = state.registry.store, state.sockets, state.people.ended
    with contextlib.suppress(StoreError):  # it is found a little later anyway, see `pubsub`
        match notice:
            case ps.Ended():
                sockets.cut_sessions(await ended([notice.session]))
            case ps.Renamed():
                for session in list(sockets.sessions_of(notice.person))[:1]:
                    if (who := await store.person(session)) is not None:
                        sockets.rename(who)
            case ps.SignedOut() | ps.Gone():
                if sessions := sockets.sessions_of(notice.person):
                    sockets.close_sessions(await ended(sessions))
                if isinstance(notice, ps.Gone) and notice.person in await store.unfinished():
                    state.registry.retention.heard(notice.person)
            case _:
                assert_never(notice)


async def _checking(state: AppState) -> None:
    """Close the sockets of sessions that are over, where no notice of that has come."""
    while True:
        await asyncio.sleep(CHECK_EVERY)
        try:
            state.sockets.close_sessions(await state.people.ended(state.sockets.sessions()))
        except StoreError as error:  # they are checked again the next time
            log.warning("sessions cannot be checked: %s", error)


def _is_page(path: str) -> bool:
    """Return whether the client may have a page at a path, which begins with a slash."""
    path = path[1:]
    return path.partition("/")[0] not in _NO_PAGES and not PurePosixPath(path).suffix


def _pages(app: FastAPI, static: Static) -> None:
    @app.get("/sw.js", include_in_schema=False)
    async def worker(request: Request) -> Response:
        return static.file("sw.js", request.headers)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        """Answer every address of the client with the one page; it knows its own routes."""
        if not _is_page(f"/{path}"):
            raise Problem("not-found")
        return static.file("index.html", request.headers)
