"""What stands between a line that is opened and its first whole request: a deadline and a limit.

uvicorn waits for a request's head as long as somebody likes, and counts all lines together. Here a
head has to be there in time, whether it is the first one of a line or a later one, and one
household holds only so many lines. Behind a proxy this is the proxy's to do: who comes from one is
not limited here.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Sequence
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from rookery.server.counters import Tally
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import LINES_PER_HOUSEHOLD

HEAD_WAIT: Final = (
    10.0  # seconds for the head of a request, from its first byte or the line's start
)


class ConnectionLimits:
    """How many lines each household holds that have no socket yet.

    Attributes:
        most: how many there may be.
        wait: seconds for the head of a request.
    """

    def __init__(
        self,
        proxies: Sequence[str],
        tally: Tally,
        most: int = LINES_PER_HOUSEHOLD,
        wait: float = HEAD_WAIT,
    ) -> None:
        """Count nobody who comes from this machine or from one of the proxies."""
        self._proxies = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]
        self._held: Counter[str] = Counter()
        self._tally = tally
        self.most = most
        self.wait = wait

    def household(self, client: tuple[str, int] | None) -> str | None:
        """Return whose a line is; None for whom there is no limit."""
        who = None if client is None else stranger({"client": client})
        if who is None or client is None:
            return None
        address = ipaddress.ip_address(client[0].partition("%")[0])
        return None if any(address in proxy for proxy in self._proxies) else who

    def comes(self, who: str) -> bool:
        """Count a line; return whether there is room for it."""
        self._held[who] += 1
        if self._held[who] > self.most:
            self._tally.count("cut", "too many")
            return False
        return True

    def late(self) -> None:
        """Count a head that was not there in time."""
        self._tally.count("cut", "too slow")

    def goes(self, who: str) -> None:
        """Count a line no more."""
        self._held[who] -= 1
        if self._held[who] <= 0:
            del self._held[who]

    @property
    def held(self) -> int:
        """How many households have a line."""
        return len(self._held)


def limited_protocol(limits: ConnectionLimits) -> type[H11Protocol]:
    """Return the protocol by which uvicorn takes requests, with `limits` before it."""

    class Watched(H11Protocol):
        """HTTP with a deadline for the head of a request, and so many lines for a household."""

        _who: str | None = None
        _deadline: asyncio.TimerHandle | None = None
        _is_socket = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._who = limits.household(self.client)
            if self._who is not None and not limits.comes(self._who):
                transport.abort()
                return
            self._begin()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end()
            self._leave()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            if self._is_socket:
                return
            asked: RequestResponseCycle | None = self.cycle
            waiting = asked is None or asked.response_complete
            if not waiting:
                self._end()
            elif self._deadline is None and self.timeout_keep_alive_task is None:
                # Any byte ends uvicorn's own wait for a next request, even an empty line.
                self._begin()

        def handle_websocket_upgrade(self, event: object) -> None:
            self._is_socket = True
            self._end()
            self._leave()
            super().handle_websocket_upgrade(event)  # type: ignore[arg-type]

        def _begin(self) -> None:
            self._deadline = self.loop.call_later(limits.wait, self._late)

        def _end(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _late(self) -> None:
            self._deadline = None
            limits.late()
            self.transport.abort()

        def _leave(self) -> None:
            if self._who is not None:
                limits.goes(self._who)
                self._who = None

    return Watched
