"""How often somebody may do something: every limit in one table, counted by token buckets.

What is over a limit is refused; whoever goes on regardless is cut off, and nobody is ever banned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

SWEEP: Final = 4096  # buckets kept before the full ones are thrown away


class Rate(NamedTuple):
    """So many in so many seconds, and at most `burst` of them at once."""

    tokens: float
    seconds: float
    burst: float


# Per person over all tabs, except where the last column of docs/reference/socket.md says otherwise.
RATES: Final[Mapping[str, Rate]] = MappingProxyType(
    {
        "play": Rate(60, 20, 20),
        "lobby": Rate(30, 30, 20),
        "chat": Rate(5, 10, 5),
        "hint": Rate(20, 60, 6),
        "beat": Rate(30, 30, 10),
        "garbage": Rate(5, 30, 20),
        "connect": Rate(60, 60, 30),
        "table": Rate(10, 60, 10),
        "look": Rate(300, 60, 150),
        "check": Rate(180, 60, 60),
        "address": Rate(600, 60, 300),
        # Thirty in a class who come at once: a page of fifty files each, and half of them again.
        "page": Rate(1500, 60, 2400),
        "health": Rate(600, 60, 300),
        "refusal": Rate(60, 60, 20),  # those that are told at once
        "person": Rate(20, 60, 20),
        "link": Rate(10, 60, 10),
        "forget": Rate(3, 60, 3),
        "review": Rate(20, 600, 10),
        "admin": Rate(60, 60, 20),
    }
)
SOCKETS_PER_PERSON: Final = 6
# A whole school may come by one address; a server holds 20,000 lines.
SOCKETS_PER_HOUSEHOLD: Final = 256
LINES_PER_HOUSEHOLD: Final = 256  # without a socket on them
OVER_BEFORE_CUT: Final = 20  # refusals in a row for going too fast before the socket is closed


def limited(kind: str) -> dict[str, Any]:
    """Return what a route says of itself in the description of the API: which limit counts it.

    It is taken in the route itself, which alone knows whose it is.

    >>> limited("forget")
    {'x-limit': {'name': 'forget', 'often': 3, 'seconds': 60, 'at_once': 3}}
    """
    rate = RATES[kind]
    told = {"often": rate.tokens, "seconds": rate.seconds, "at_once": rate.burst}
    return {"x-limit": {"name": kind, **told}}


class Buckets:
    """Token buckets by kind and by whose they are; full ones are forgotten.

    >>> clock = iter([0.0, 0.0, 0.0, 1.0])
    >>> buckets = Buckets({"x": Rate(1, 1, 2)}, clock.__next__)
    >>> [buckets.take("x", "ann") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(
        self,
        rates: Mapping[str, Rate] = RATES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rates = rates
        self._clock = clock
        self._held: dict[tuple[str, str], tuple[float, float]] = {}
        self._sweep_at = SWEEP

    def take(self, kind: str, who: str) -> bool:
        """Take a token of `who`'s bucket of that kind; return whether there was one."""
        now = self._clock()
        tokens = self._tokens(kind, who, now)
        if len(self._held) >= self._sweep_at:
            self._sweep(now)
            # Where most are in use, looking at all of them every time would be the real attack.
            self._sweep_at = max(SWEEP, 2 * len(self._held))
        there = tokens >= 1
        self._held[kind, who] = (tokens - there, now)
        return there

    def wait(self, kind: str, who: str) -> int:
        """Return after how many whole seconds the next one of that kind is allowed."""
        rate = self._rates[kind]
        missing = 1 - self._tokens(kind, who, self._clock())
        return max(1, -int(-missing * rate.seconds // rate.tokens))

    @property
    def kept(self) -> int:
        """How many buckets are remembered."""
        return len(self._held)

    def _tokens(self, kind: str, who: str, now: float) -> float:
        rate = self._rates[kind]
        held, then = self._held.get((kind, who), (rate.burst, now))
        return min(rate.burst, held + (now - then) * rate.tokens / rate.seconds)

    def _sweep(self, now: float) -> None:
        for kind, who in list(self._held):
            if self._tokens(kind, who, now) >= self._rates[kind].burst:
                del self._held[kind, who]
