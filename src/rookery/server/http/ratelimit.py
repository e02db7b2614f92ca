"""How often somebody may do something: every limit in one table, counted by token buckets.

What is over a limit is refused. Whoever goes on regardless is cut off, and nobody is ever banned.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from starlette.types import Scope

from rookery.server.api.problems import Problem
from rookery.server.counters import PerHousehold
from rookery.server.live.sockets import AT_THE_DOOR

T = TypeVar("T")
SWEEP: Final = 4096  # buckets kept before the full ones are thrown away
HEALTH: Final = ("/healthz", "/readyz")
PROXIED: Final = "rookery.proxied"  # in a scope: whether requests come through a proxy
HELD_FOR: Final = 1.0  # seconds; what checks a server's health waits for at least two


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
        "address": Rate(600, 60, 200),
        "tables": Rate(30, 60, 30),  # of an address: a class makes theirs at once
        "record": Rate(30, 60, 10),  # of an address: that of 300 hands has 436 kB
        # Thirty in a class who come at once: a page of fifty files each, and half of them again.
        "page": Rate(1500, 60, 2400),
        "health": Rate(600, 60, 300),
        "refusal": Rate(60, 60, 20),  # those that are answered at once
        "person": Rate(20, 60, 20),
        "rename": Rate(10, 60, 5),
        "link": Rate(10, 60, 10),
        "sessions": Rate(30, 60, 15),
        "forget": Rate(3, 60, 3),
        "review": Rate(20, 600, 10),
        "admin": Rate(60, 60, 20),
        # Seconds of a core, of an address: for records, replays, statistics, reviews and rules.
        "work": Rate(0.5, 10, 0.5),
    }
)
REFUSAL: Final = 4  # further requests that a refusal counts for
AT_WORK: Final = 1  # threads that work for requests; with more, whoever plays would feel it
CONNECTIONS_PER_HOUSEHOLD: Final = 256  # without a socket on them
OVER_BEFORE_CUT: Final = 20  # refusals in a row for going too fast before the socket is closed


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
        """Begin with all buckets full; `clock` returns seconds."""
        self._rates = rates
        self._clock = clock
        self._filled: dict[tuple[str, str], tuple[float, float]] = {}  # tokens, and when
        self._sweep_at = SWEEP

    def take(self, kind: str, who: str) -> bool:
        """Take a token of `who`'s bucket of that kind; return whether there was one."""
        now = self._clock()
        tokens = self._tokens(kind, who, now)
        if len(self._filled) >= self._sweep_at:
            self._sweep(now)
            # Where most are in use, a sweep at every call would be the real attack.
            self._sweep_at = max(SWEEP, 2 * len(self._filled))
        enough = tokens >= 1
        self._filled[kind, who] = (tokens - enough, now)
        return enough

    def wait(self, kind: str, who: str) -> int:
        """Return after how many whole seconds the next one of that kind is allowed."""
        rate = self._rates[kind]
        missing = min(1, rate.burst) - self._tokens(kind, who, self._clock())
        return max(1, -int(-missing * rate.seconds // rate.tokens))

    def has(self, kind: str, who: str) -> bool:
        """Return whether anything is left in `who`'s bucket of that kind."""
        return self._tokens(kind, who, self._clock()) > 0

    def pay(self, kind: str, who: str, amount: float) -> None:
        """Take so much out of `who`'s bucket of that kind, more than is in it if need be."""
        now = self._clock()
        self._filled[kind, who] = (self._tokens(kind, who, now) - amount, now)

    def check(self, kind: str, who: str | None) -> None:
        """Take a token of `who`'s bucket of that kind; None stands for somebody without limits.

        Raises:
            Problem: there was none; code ``too-many``.
        """
        if who is not None and not self.take(kind, who):
            raise Problem("too-many", wait=self.wait(kind, who))

    def _tokens(self, kind: str, who: str, now: float) -> float:
        rate = self._rates[kind]
        tokens, then = self._filled.get((kind, who), (rate.burst, now))
        return min(rate.burst, tokens + (now - then) * rate.tokens / rate.seconds)

    def _sweep(self, now: float) -> None:
        for kind, who in list(self._filled):
            if self._tokens(kind, who, now) >= self._rates[kind].burst:
                del self._filled[kind, who]


class Payer:
    """An address that pays for the work of its requests in seconds of a core."""

    def __init__(self, who: str, buckets: Buckets, threads: asyncio.Semaphore) -> None:
        """Have `who` pay from `buckets`, and wait for one of the `threads`."""
        self._who, self._buckets, self._threads = who, buckets, threads
        self._begun = False

    async def run(self, make: Callable[[], T]) -> T:
        """Return what `make` returns, done in a thread.

        Raises:
            Problem: the address has nothing left to pay with; code ``too-many``.
        """
        async with self._threads:
            # Looked at only now: those that waited before it may have cost everything. But what is
            # begun is done: else whoever is the first to ask for a long table would never get it.
            if not self._begun and not self._buckets.has("work", self._who):
                # A refusal here costs as much as many at the door, where those that go on end up.
                # Nobody runs up a debt by it: whoever shares the address is soon let in again.
                if self._buckets.has("address", self._who):
                    self._buckets.pay("address", self._who, REFUSAL)
                raise Problem("too-many", wait=self._buckets.wait("work", self._who))
            self._begun = True
            value, seconds = await asyncio.to_thread(_timed, make)
            self._buckets.pay("work", self._who, seconds)
        if isinstance(value, BaseException):
            raise value
        return value


def _timed(make: Callable[[], T]) -> tuple[T | BaseException, float]:
    began = time.thread_time()
    try:
        value: T | BaseException = make()
    except Exception as error:
        value = error
    return value, time.thread_time() - began


class Addresses:
    """How often each address may ask: for the API, for pages and files, and about health.

    A crowd that is within the limits is let in a few at a time, so that those who play need not
    wait for all of it. A refusal costs as much as an answer does. So whoever goes on asking beyond
    a limit is answered a second later, and asks at most once a second on each connection.

    Attributes:
        waiting: the requests that wait so, of one address at most as many as a household may have
            connections. More are refused at once. Behind a proxy the proxy has to limit them.
    """

    def __init__(
        self,
        buckets: Buckets,
        most: int = CONNECTIONS_PER_HOUSEHOLD,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Count with `buckets`; `sleep` waits for so many seconds."""
        self._buckets = buckets
        self._sleep = sleep
        self.waiting = PerHousehold(most)
        self._door = asyncio.Semaphore(AT_THE_DOOR)
        self._threads = asyncio.Semaphore(AT_WORK)

    def payer(self, who: str) -> Payer:
        """Return who pays for the work of a request from that address."""
        return Payer(who, self._buckets, self._threads)

    async def admit(self, who: str, path: str) -> Problem | None:
        """Return why `who` may not ask for that now; None where they may.

        Questions about its health are never refused: a flood from the same address must not make a
        healthy server look ill. But beyond the limit they too are answered a second later.
        """
        kind = _kind_of(path)
        if self._buckets.take(kind, who):
            async with self._door:
                await asyncio.sleep(0)
            return None
        if not self._buckets.take("refusal", who) and self.waiting.take(who):
            try:
                await self._sleep(HELD_FOR)
            finally:
                self.waiting.give_back(who)
        return None if kind == "health" else Problem("too-many", wait=self._buckets.wait(kind, who))


def _kind_of(path: str) -> str:
    if path.startswith("/api"):
        return "address"
    return "health" if path in HEALTH else "page"


def household(scope: Scope) -> str | None:
    """Return the address a request comes from; None for this machine, which has no limit.

    Behind a proxy this machine is one address like others: a request that its proxy says nothing
    of may be anybody's. Of an IPv6 address it is the network: one household has all of it.

    >>> household({"client": ("::1", 1)}) is household({"client": ("::ffff:127.0.0.1", 1)}) is None
    True
    >>> household({"client": ("2001:db8:1:2:3:4:5:6", 1)})
    '2001:db8:1:2::'
    """
    client = scope.get("client")
    if not client or not client[0]:
        return None
    who = _network(str(client[0]))
    return "127.0.0.1" if who is None and scope.get(PROXIED) else who


@lru_cache(maxsize=4096)
def _network(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return None
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), 64), strict=False).network_address)
