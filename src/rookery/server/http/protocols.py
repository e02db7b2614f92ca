"""How uvicorn takes requests and messages here: in time, in pieces, and only so many at once.

uvicorn waits for the head of a request without a deadline, and counts all connections together.
Here the head of every request on a connection has a deadline, and a household has only so many
connections. Whoever comes from a known proxy is not limited here: the proxy has to do that.

uvicorn parses whatever has come on a WebSocket, up to 256 KiB, in one go. For the smallest messages
that takes a third of a second, in which no table is served. It also reads on for ten seconds after
it has closed a socket. `PacedWebSocket` parses a piece at a time, and reads hardly anything once it
has closed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Callable, Sequence
from math import inf
from traceback import clear_frames
from typing import TYPE_CHECKING, Any, Final

from h11 import IDLE, SEND_RESPONSE, EndOfMessage, Response
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from rookery.server.counters import PerHousehold, Tally
from rookery.server.http.dependencies import for_socket
from rookery.server.http.ratelimit import CONNECTIONS_PER_HOUSEHOLD, household
from rookery.server.http.waiting import Gate, Inbox

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent
    from websockets.frames import Frame
    from websockets.http11 import Request

    from rookery.server.http.packed import Packed

HEAD_WAIT: Final = 10.0  # seconds for the head of a request
# Seconds. A proxy has to end an idle connection first, or it sends a request into one that is being
# closed, and answers 502. AWS's balancer and Caddy do after 120.
PROXY_KEEP: Final = 130
PIECE: Final = 1024  # bytes that are parsed in one turn of the loop
LAST_WORDS: Final = 4_096  # bytes that are read on a socket that has been closed
SAY: Final = "rookery.say"  # among a socket's extensions, what sends a text at once
SOCKETS: Final = 20_000  # of a server, as long as it has no other connections
ROOM: Final = 1_000  # connections beyond that, so that pages and health are answered even then
FRAMES: Final = 60  # a minute that are no message by themselves; a browser sends hardly any


def as_seen(proxies: Sequence[str]) -> list[str]:
    """Return proxies as connections show them: those in IPv4 also mapped, as on ``--host ::``.

    >>> as_seen(["10.0.0.0/8", "::1"])
    ['10.0.0.0/8', '::ffff:10.0.0.0/104', '::1']
    """
    found = list[str]()
    for proxy in proxies:
        found.append(proxy)
        network = ipaddress.ip_network(proxy, strict=False)
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{network.prefixlen + 96}")
    return found


# Of a connection that is lost nothing may stay until Python looks for garbage, which is seldom.
def _untie(transport: asyncio.BaseTransport) -> None:
    """Have asyncio's own transport hold none of its methods, and so not itself."""
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)


def _forget(error: BaseException | None) -> None:
    """Have an error hold nothing of where it came from: a name for it may be among that."""
    if error is not None:
        clear_frames(error.__traceback__)


class ConnectionLimits:
    """How many connections each household has that are no socket yet.

    Attributes:
        wait: seconds for the head of a request.
        sockets: with more connections, of all kinds, none becomes a socket.
        tally: counts the connections that are closed for a limit.
        noted: is called with a kind of `security.KINDS` and the household of each of them.
    """

    def __init__(
        self,
        proxies: Sequence[str],
        tally: Tally,
        most: int = CONNECTIONS_PER_HOUSEHOLD,
        wait: float = HEAD_WAIT,
        noted: Callable[[str, str | None], object] = lambda _kind, _who: None,
        sockets: int = SOCKETS,
    ) -> None:
        """Count nobody who comes from this machine or from one of the proxies."""
        self._proxies = [ipaddress.ip_network(one, strict=False) for one in as_seen(proxies)]
        self.connections = PerHousehold(most)
        self.tally = tally
        self.wait = wait
        self.sockets = sockets
        self.noted = noted

    def household(self, client: tuple[str, int] | None) -> str | None:
        """Return the household of a client; None for one without a limit."""
        return None if self.is_proxy(client) else household({"client": client})

    def is_proxy(self, client: tuple[str, int] | None) -> bool:
        """Return whether a client is one of the proxies."""
        if client is None or not client[0]:
            return False
        address = ipaddress.ip_address(client[0].partition("%")[0])
        return any(address in proxy for proxy in self._proxies)


def limited_protocol(limits: ConnectionLimits) -> type[H11Protocol]:
    """Return the protocol by which uvicorn takes requests, within `limits`."""

    class LimitedHttp(H11Protocol):
        """HTTP with a deadline for the head of a request, and a limit for each household."""

        _who: str | None = None
        _deadline: asyncio.TimerHandle | None = None
        _is_socket = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._who = limits.household(self.client)
            if not limits.connections.take(self._who):
                limits.noted("put-out", self._who)
                self._who = None
                limits.tally.count("cut", "too many")
                transport.abort()
                return
            if limits.is_proxy(self.client):
                self.timeout_keep_alive = PROXY_KEEP
                self.timeout_keep_alive_task = self.loop.call_later(
                    PROXY_KEEP, self.timeout_keep_alive_handler
                )
            else:
                self._begin()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end()
            self._leave()
            super().connection_lost(exc)
            self._unset_keepalive_if_required()  # the base does so only where nothing went wrong
            _untie(self.transport)

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            before: RequestResponseCycle | None = self.cycle
            super().data_received(data)
            if self._is_socket:
                return
            asked: RequestResponseCycle | None = self.cycle
            if asked is not before and len(self.connections) >= (self.limit_concurrency or inf):
                limits.tally.count("cut", "full")  # the answer is a 503
            waiting = asked is None or asked.response_complete
            if not waiting:
                self._end()
            elif self._deadline is None and self.timeout_keep_alive_task is None:
                # Any byte ends uvicorn's own wait for a next request, even an empty line.
                self._begin()

        def handle_websocket_upgrade(self, event: object) -> None:
            # uvicorn has no limit for sockets; they would leave no room for pages and health.
            if len(self.connections) > limits.sockets:
                limits.tally.count("cut", "full")
                self._refuse()
                return
            self._is_socket = True
            self._end()
            self._leave()
            self.headers = list(for_socket(self.headers))
            super().handle_websocket_upgrade(event)  # type: ignore[arg-type]

        def send_400_response(self, msg: str) -> None:
            _forget(sys.exception())
            limits.tally.count("cut", "garbled")
            if self.conn.our_state in (IDLE, SEND_RESPONSE):
                super().send_400_response(msg)
            else:  # the answer has begun already, while the rest of the request came
                self.transport.close()

        def _refuse(self) -> None:
            headers = [(b"content-length", b"0"), (b"connection", b"close")]
            head = Response(status_code=503, headers=headers, reason=b"Service Unavailable")
            for part in (head, EndOfMessage()):
                self.transport.write(self.conn.send(part) or b"")
            self.transport.close()

        def _begin(self) -> None:
            self._deadline = self.loop.call_later(limits.wait, self._late)

        def _end(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _late(self) -> None:
            self._deadline = None
            limits.tally.count("cut", "too slow")
            limits.noted("cut-slow", self._who)
            self.transport.abort()

        def _leave(self) -> None:
            limits.connections.give_back(self._who)
            self._who = None

    return LimitedHttp


class PacedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, a piece at a time; more is read once all that was read is taken."""

    queue: Inbox  # type: ignore[assignment]
    writable: Gate  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  (uvicorn's own)
        # Imported late, as nothing of a first page needs it.
        from rookery.server.http.packed import PACKING

        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [PACKING]
        self.queue, self.writable = Inbox(), Gate()
        self._unread = bytearray()
        self._turn: asyncio.Handle | None = None
        self._last = self._frames = 0
        self._since = 0.0

    def data_received(self, data: bytes) -> None:
        """Keep what has come, and begin to parse it."""
        if self.close_sent:
            self._last += len(data)
            if self._last > LAST_WORDS:
                # Whoever sends on does not wait for the end of the closing handshake either.
                self.transport.abort()
                return
        free = self.queue.empty() or self.close_sent
        if free and not self._unread and len(data) <= PIECE and not self.transport.is_closing():
            super().data_received(data)  # what most say: a message by itself
            return
        self._unread += data
        if free and self._turn is None:
            self._next()
        else:
            self._pause()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, and read on: the base pauses, which takes two calls of the system.

        Whoever says more before it is taken is paused then.
        """
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget what was not parsed, and `say`, by which this would keep itself."""
        if self._turn is not None:
            self._turn.cancel()
        self._unread.clear()
        super().connection_lost(exc)
        if (scope := getattr(self, "scope", None)) is not None:
            scope["extensions"].pop(SAY, None)
        self.conn.parser.close()  # where the other side did not end, it waits for that
        _forget(self.conn.parser_exc)
        _untie(self.transport)

    def handle_ping(self) -> None:
        """Answer a ping, one of so many frames a minute."""
        super().handle_ping()
        self._count()

    def handle_pong(self, event: Frame) -> None:
        """Take an answer to a ping, one of so many frames a minute."""
        super().handle_pong(event)
        self._count()

    def handle_cont(self, event: Frame) -> None:
        """Take a further part of a message, one of so many frames a minute."""
        super().handle_cont(event)
        self._count()

    def _count(self) -> None:
        now = self.loop.time()
        if now >= self._since + 60:
            self._since, self._frames = now, 0
        self._frames += 1
        if self._frames > FRAMES:
            # No limit on messages ever sees these, and each costs as much to read.
            self.transport.abort()

    def handle_events(self) -> None:
        """Take in what was parsed; of what is no handshake the base would wait for the end."""
        super().handle_events()
        if self.conn.handshake_exc is not None:
            self.transport.close()

    def handle_connect(self, event: Request) -> None:
        """Begin the application, which may use `say`."""
        super().handle_connect(event)
        if self.conn.extensions:
            self.scope["extensions"][SAY] = self.say  # type: ignore[assignment]

    def say(self, message: bytes) -> bool:
        """Send a text at once, and return True; False where `send` has to wait, or to refuse.

        It is as `send` would send it, without what that does for messages of any kind.
        """
        reads = self.writable.is_open and not self.disconnected and not self.transport.is_closing()
        if not reads or self.conn.state is not State.OPEN:
            return False
        packing: Packed = self.conn.extensions[0]  # type: ignore[assignment]
        self.transport.write(packing.framed(message))
        return True

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message; after the last one parse or read more."""
        message = await self.queue.get()
        if self.handshake_complete and self.response is not None:
            # Of the handshake nothing is needed any more, and a browser says much in it.
            self.request.headers.clear()
            self.response = None  # type: ignore[assignment]
        self._go_on()
        return message

    async def run_asgi(self) -> None:
        """Run the application; for whoever reads nothing by then, no connection is kept.

        The base closes it, but the system would keep what is unread for a minute and a half.
        """
        await super().run_asgi()
        if self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
        elif not self.writable.is_open:
            self.transport.abort()

    def _next(self) -> None:
        self._turn = None
        if self.transport.is_closing():
            self._unread.clear()
            return
        piece = bytes(self._unread[:PIECE])
        del self._unread[:PIECE]
        super().data_received(piece)
        self._go_on()

    def _go_on(self) -> None:
        """Parse the next piece in the next turn of the loop, or read on where all was taken."""
        if self._turn is not None:
            return
        free = self.queue.empty() or self.close_sent
        if self._unread:
            self._turn = self.loop.call_soon(self._next) if free else None
            self._pause()
        elif free and self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def _pause(self) -> None:
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
