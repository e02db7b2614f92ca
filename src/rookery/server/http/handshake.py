"""The handshake of a table's socket: where it comes from, and whether it may be opened."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from rookery.server.api.problems import Problem
from rookery.server.cluster.relay import PEER
from rookery.server.http.dependencies import addresses_of, state_of
from rookery.server.http.errors import answer_to
from rookery.server.http.middleware import bad_address
from rookery.server.http.ratelimit import LEAST, Payer, household
from rookery.server.work import ACCOUNT, Account, cancelled

HANDSHAKE: Final = 0.0015  # seconds of a core for what no meter sees of a new connection
HELD_MOST: Final = 7.0  # seconds that it waits; a page gives it up after `ANSWER` (core/socket.js)


def relayed(socket: WebSocket) -> bool:
    """Return whether another server relays a socket."""
    return state_of(socket).registry.leases.is_peer(socket.headers.get(PEER, ""))


def home_of(socket: WebSocket) -> str | None:
    """Return the household of a socket; None for this machine and for another server."""
    return None if relayed(socket) else household(socket.scope)


async def refusal_of(socket: WebSocket) -> Problem | None:
    """Return why a socket may not be opened now; None where it may, and its handshake is paid.

    An address without processor time waits, but no longer than its page does.

    Raises:
        WebSocketDisconnect: the client went meanwhile; nothing is paid for that.
    """
    account = ACCOUNT.get()
    if account is not None and (late := await _turn(socket, account)) is not None:
        return late
    links = state_of(socket).links
    if not links.serves(socket.headers.get("host", "")):
        return Problem("bad-host")
    if not links.own(socket.headers.get("origin"), socket.headers.get("host", "")):
        return Problem("bad-origin")
    try:
        addresses_of(socket).buckets.check("household", household(socket.scope))
    except Problem as error:
        return error
    return bad_address(socket.scope)


async def _turn(socket: WebSocket, account: Account) -> Problem | None:
    """Wait for an address's turn while the client is there; return why it did not come, or pay."""
    await socket.receive()  # that somebody connects; the next says that they have gone
    wait, came = asyncio.timeout(HELD_MOST), None
    watch = asyncio.create_task(_watch(socket, wait))
    try:
        with suppress(TimeoutError):
            async with wait:
                came = await account.turn()
        if socket.client_state is WebSocketState.DISCONNECTED:
            raise WebSocketDisconnect
        if came is None:
            # If they paid, those who wait in vain would use up what lets the others in.
            return Problem("too-many", wait=1)
        if not came:
            return too_many()
        # Nothing was awaited since their turn came: so the next in line sees what is paid.
        account.pay(HANDSHAKE)
        return None
    finally:
        await cancelled([watch])


async def _watch(socket: WebSocket, wait: asyncio.Timeout) -> None:
    """End a wait as soon as the client has gone; what they say is for whoever receives next."""
    message = await socket.receive()
    if message["type"] != "websocket.disconnect":
        _put_back(socket, message)
    elif not wait.expired():
        wait.reschedule(asyncio.get_running_loop().time())


def _put_back(socket: WebSocket, message: Message) -> None:
    """Have a socket give a message once more, and then go on as before."""

    async def receive() -> Message:
        del socket.receive
        return message

    socket.receive = receive  # type: ignore[method-assign]


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
