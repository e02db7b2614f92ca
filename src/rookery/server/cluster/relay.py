"""Relays a socket whose table another server owns, unchanged in both directions.

The client is not redirected. Behind a load balancer all servers share one public address, so the
client could not reach the right one. The price is a second, internal connection for such a socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final
from urllib.parse import quote

from starlette.websockets import WebSocket, WebSocketDisconnect

from rookery.server.store.leases import Elsewhere

PEER: Final = "x-rookery-peer"  # the header that identifies another server
HOUSEHOLD: Final = "x-rookery-household"  # ... and the one by which it says whose the socket is
OPEN_WAIT: Final = 3.0  # seconds
WRITE_WAIT: Final = 5.0
_LOST: Final = 1006  # the code of a connection that broke


async def relay(
    socket: WebSocket,
    code: str,
    there: Elsewhere,
    cookie: str,
    lost: tuple[int, str],
    noted: Callable[[int], object],
    home: str | None,
    until_gone: Callable[[], AbstractAsyncContextManager[object]],
) -> bool:
    """Relay a socket until the client, this server or the other server closes it.

    A server that stands still, or whose machine is cut off, closes nothing: the relay ends with
    `until_gone` too.

    `lost` is the close code and reason for the client when the other server goes away. `noted` is
    called with the code when it closes the socket. `home` is the address that pays for what the
    socket costs; None for nobody. Return False, with the socket untouched, where the other server
    cannot be reached.
    """
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    async def outward(line: ClientConnection) -> None:
        try:
            async for message in line:
                async with asyncio.timeout(WRITE_WAIT):
                    await socket.send_text(str(message))
        except (ConnectionClosed, TimeoutError, WebSocketDisconnect, RuntimeError):
            return

    async def inward(line: ClientConnection) -> None:
        try:
            while (message := await socket.receive())["type"] == "websocket.receive":
                text = message.get("text")
                await line.send(message.get("bytes") or b"" if text is None else text)
        except (ConnectionClosed, RuntimeError):
            return

    query = socket.scope.get("query_string", b"").decode("latin-1")
    address = f"ws://{there.address}/ws/{quote(code)}{'?' if query else ''}{query}"
    headers = {PEER: there.secret, "cookie": cookie}
    if home is not None:
        headers[HOUSEHOLD] = home
    try:
        async with until_gone():
            line = await connect(
                address,
                additional_headers=headers,
                compression=None,
                proxy=None,
                open_timeout=OPEN_WAIT,
                ping_interval=None,
                close_timeout=1,
                max_queue=8,
                max_size=None,
            )
    except (OSError, TimeoutError, WebSocketException):
        return False
    ways = {asyncio.create_task(outward(line)), asyncio.create_task(inward(line))}
    try:
        async with until_gone():
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError:
        line.transport.abort()
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        ended, why = line.close_code, line.close_reason
        await line.close()
    # A client may be gone before the other server's last word to it has come here.
    if line.close_code is not None:
        noted(line.close_code)
    try:
        async with asyncio.timeout(WRITE_WAIT):
            await socket.close(*(lost if ended in (None, _LOST) else (ended, why or "")))
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        pass
    return True
