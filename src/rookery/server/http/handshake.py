"""The handshake of a table's socket: where it comes from, and whether it may be opened."""

from __future__ import annotations

from typing import Final

from starlette.websockets import WebSocket

from rookery.server.api.problems import Problem
from rookery.server.cluster.relay import PEER
from rookery.server.http.dependencies import buckets_of, state_of
from rookery.server.http.errors import answer_to
from rookery.server.http.middleware import bad_address
from rookery.server.http.ratelimit import HELD_MOST, LEAST, Payer, household
from rookery.server.work import ACCOUNT, within

HANDSHAKE: Final = 0.0015  # seconds of a core for what no meter sees of a new connection


def relayed(socket: WebSocket) -> bool:
    """Return whether another server relays a socket."""
    return state_of(socket).registry.leases.is_peer(socket.headers.get(PEER, ""))


def home_of(socket: WebSocket) -> str | None:
    """Return the household of a socket; None for this machine and for another server."""
    return None if relayed(socket) else household(socket.scope)


async def refusal_of(socket: WebSocket) -> Problem | None:
    """Return why a socket may not be opened now; None where it may, and its handshake is paid.

    An address without processor time waits, but no longer than with a request.
    """
    if (account := ACCOUNT.get()) is not None:
        try:
            if not await within(HELD_MOST, account.turn()):
                return too_many()
        except TimeoutError:
            return too_many()
        # Nothing was awaited since their turn came: so the next in line sees what is paid.
        account.pay(HANDSHAKE)
    links = state_of(socket).links
    if not links.serves(socket.headers.get("host", "")):
        return Problem("bad-host")
    if not links.own(socket.headers.get("origin"), socket.headers.get("host", "")):
        return Problem("bad-origin")
    try:
        buckets_of(socket).check("household", household(socket.scope))
    except Problem as error:
        return error
    return bad_address(socket.scope)


def too_many() -> Problem:
    """Return that somebody has to come again; for that, too, they pay, but not beyond `LEAST`."""
    if isinstance(account := ACCOUNT.get(), Payer):
        account.least = LEAST
        account.pay(HANDSHAKE)
    return Problem("too-many", wait=1)


async def refuse(socket: WebSocket, problem: Problem) -> None:
    """Refuse a socket, and note it."""
    state = state_of(socket)
    state.registry.tally.count("refused", problem.code)
    state.security.refused(problem.code, home_of(socket))
    if "websocket.http.response" in socket.scope.get("extensions", {}):
        await socket.send_denial_response(answer_to(problem))
    else:
        await socket.close()
