"""From settings to a process that answers: the port, the folder, uvicorn, and a clean end."""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from rookery.server.app import create_app, registry_of
from rookery.server.counters import Tally
from rookery.server.http.middleware import Guard
from rookery.server.http.protocols import (
    ROOM,
    SOCKETS,
    ConnectionLimits,
    PacedWebSocket,
    as_seen,
    limited_protocol,
)
from rookery.server.monitoring import logs
from rookery.server.monitoring.security import SecurityLog
from rookery.server.names import is_host
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError
from rookery.server.store.folder import CannotServe, held
from rookery.server.table.commands import LONGEST

USER_TIMEOUT: Final = 90_000  # milliseconds that sent bytes may go unread before the end
UNREAD: Final = 65_536  # unread bytes that the system keeps for a connection (Linux: twice that)
BACKLOG: Final = 2048
# asyncio accepts in one turn as many connections as may wait, and everybody else waits for that.
IN_A_TURN: Final = 8
# With thousands of tables a look for garbage takes a third of a second, and all stands still. So it
# comes once there are so many more objects than the last time; neither play nor a connection leaves
# any. A table that is played at is some 800 objects.
GC_THRESHOLDS: Final = (1_000_000, 20, 100_000)
# Seconds that the event loop waits for a thread that works. By default it is 0.005, and it waits so
# at each of the dozen calls of the system that an act at a table takes.
SWITCH: Final = 0.0001
_SILENT: Final = logging.Logger("nobody", logging.CRITICAL + 1)


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 takes a free one.

    Raises:
        CannotServe: the address is not this machine's, or the port is taken or not allowed.
    """
    where = f"--port: {port}"
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise CannotServe(f"--host: {host!r} is no address of this machine") from None
    family, kind, protocol, _, address = found[0]
    try:
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotServe(f"--host: {host!r}: {(error.strerror or 'fails').lower()}") from None
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT)
        # By default the system keeps megabytes for each client that does not read.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(f"{where} is in use; name another one, or 0 for any") from None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise CannotServe(f"{where} is not allowed; name one from 1024 on") from None
        raise CannotServe(f"--host: {host!r} is no address of this machine") from None
    return listening


def believed(settings: Settings) -> tuple[str, ...]:
    """Return the proxies that are trusted to say where a request comes from."""
    return settings.proxies if settings.public_url is not None else ()


def configured(
    app: ASGIApp, settings: Settings, limits: ConnectionLimits | None = None
) -> uvicorn.Config:
    """Return how uvicorn serves an application; `limits` counts the connections to it."""
    return uvicorn.Config(
        app,
        log_config=None,  # its lines go the way of ours, see `logs`
        log_level="warning",
        access_log=False,  # a path may hold a return link
        server_header=False,
        proxy_headers=settings.public_url is not None,
        forwarded_allow_ips=as_seen(settings.proxies),
        http=limited_protocol(limits or ConnectionLimits(believed(settings), Tally())),
        ws=PacedWebSocket,
        ws_max_size=LONGEST,
        ws_max_queue=8,
        ws_ping_interval=30,
        ws_ping_timeout=60,
        ws_per_message_deflate=False,
        limit_concurrency=SOCKETS + ROOM,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
    )


class Server(uvicorn.Server):
    """A server that lets others take its tables before it closes any connection."""

    def __init__(self, config: uvicorn.Config, registry: TableRegistry) -> None:
        config.backlog = IN_A_TURN
        super().__init__(config)
        self._registry = registry

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections, a few in a turn, while many more may wait.

        Why the application does not start is for `serve` to say, in one line.
        """
        lifespan: Any = self.lifespan
        log, lifespan.logger = lifespan.logger, _SILENT
        await super().startup(sockets)
        lifespan.logger = log
        for listening in sockets or ():
            listening.listen(BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: first the tables, so that clients find them at another server, then all else."""
        if isinstance(self.config.app, Guard):
            self.config.app.addresses.end()
        await self._registry.leave()
        await super().shutdown(sockets)


def serve(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until somebody interrupts, and end cleanly; `ready` is called when a page works.

    The data folder is made last: a server that cannot have its addresses leaves nothing behind.

    Raises:
        CannotServe: the server could not start.
    """
    logs.begin(settings.log)
    failures: list[Exception] = []
    with listening:
        measure = None if settings.metrics is None else _published(settings.metrics)
        with contextlib.nullcontext() if settings.data is None else held(settings.data):
            server = _server(settings, measure, ready, failures.append)
            # uvicorn sends itself the signal again when it is done; by then all is saved.
            signal.signal(signal.SIGTERM, lambda _number, _frame: None)
            # uvicorn ends the program by itself where the application does not start.
            with contextlib.suppress(KeyboardInterrupt, SystemExit):
                server.run(sockets=[listening])
    if not server.started:
        raise CannotServe(_line(settings, failures[0] if failures else None))


def _server(
    settings: Settings,
    measure: Callable[[TableRegistry], object] | None,
    ready: Callable[[], None],
    failed: Callable[[Exception], None],
) -> Server:
    try:
        registry = registry_of(settings)
    except StoreError as error:
        raise CannotServe(_line(settings, error)) from None
    if measure is not None:
        measure(registry)
    security = SecurityLog(registry.tally, registry.clock.now)
    app = create_app(registry, None, lambda: _settled(ready), security, failed)
    limits = ConnectionLimits(believed(settings), registry.tally, noted=security.note)
    return Server(configured(app, settings, limits), registry)


def _line(settings: Settings, error: Exception | None) -> str:
    """Return why a server could not start, in one line; None where it was stopped before."""
    line = str(error)
    if error is None:
        line = "the server was stopped before it had started"
    elif not isinstance(error, StoreError):  # a fault, so also where it is
        *_, where = extract_tb(error.__traceback__)
        place = f"{Path(where.filename).name}:{where.lineno} {where.name}"
        line = f"the server could not start: {type(error).__name__}: {line} at {place}"
    option = "--data" if settings.database is None else "--database"
    return line if line.startswith("--") else f"{option}: {line}"


def _published(where: str) -> Callable[[TableRegistry], object]:
    """Open the address where Prometheus asks; return what adds the figures of a server to it.

    Raises:
        CannotServe: it is no address, it is taken, or it is not this machine's.
    """
    host, _, port = where.rpartition(":")
    host = host.strip("[]")
    if not (port.isdecimal() and len(port) <= 5 and int(port) <= 65535 and is_host(host)):
        raise CannotServe(f"--metrics: {where!r} is no address; expected 127.0.0.1:9100")
    try:
        from rookery.server.monitoring import metrics
    except ModuleNotFoundError:
        line = "--metrics needs prometheus-client; rookery-cards[metrics] brings it"
        raise CannotServe(line) from None
    try:
        return metrics.publish(host, int(port))
    except OSError:
        raise CannotServe(f"--metrics: {where} is taken, or not this machine's") from None


def _settled(ready: Callable[[], None]) -> None:
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH)
    ready()
