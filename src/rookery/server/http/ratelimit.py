"""How often somebody may do something: every limit in one table, counted by token buckets.

What is over a limit is refused. Whoever goes on regardless is cut off, and nobody is ever banned.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from math import ceil
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from starlette.types import Scope

from rookery.server.api.problems import Problem
from rookery.server.counters import PerHousehold
from rookery.server.live.sockets import AT_THE_DOOR, SOCKETS_PER_HOUSEHOLD
from rookery.server.table import commands as cm
from rookery.server.work import AT_WORK, Account, in_one_of

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


# Per person over all tabs, or as the limit beside a route says; see docs/reference/socket.md.
RATES: Final[Mapping[str, Rate]] = MappingProxyType(
    {
        "play": Rate(60, 20, 20),
        "lobby": Rate(30, 30, 20),
        "chat": Rate(5, 10, 5),
        "hint": Rate(20, 60, 6),
        "beat": Rate(30, 30, 10),
        "garbage": Rate(5, 30, 20),
        "connect": Rate(60, 60, 30),
        "household": Rate(60, 60, SOCKETS_PER_HOUSEHOLD),  # connections; a school comes at once
        "table": Rate(10, 60, 10),
        "look": Rate(300, 60, 150),
        "check": Rate(180, 60, 60),
        "address": Rate(600, 60, 200),
        "tables": Rate(30, 60, 30),  # of an address: a class makes theirs at once
        "record": Rate(30, 60, 10),  # of an address: that of 300 hands has 436 kB
        # Thirty in a class who come at once: a page of fifty files each, and half of them again.
        "page": Rate(1500, 60, 2400),
        "health": Rate(600, 60, 20),
        "person": Rate(20, 60, 20),
        "daily": Rate(180, 60, 60),
        "attempts": Rate(60, 60, 60),  # of an address: a class begins theirs at once
        "rename": Rate(10, 60, 5),
        "link": Rate(10, 60, 10),
        "sessions": Rate(30, 60, 15),
        "mistakes": Rate(120, 60, 60),  # of an address: a list of 300 goes up in fifteen
        "sheet": Rate(40, 86_400, 40),
        "evening": Rate(20, 86_400, 20),
        "score": Rate(120, 60, 60),
        "passkey": Rate(60, 60, 30),  # of an address: two for each return
        "forget": Rate(3, 60, 3),
        "review": Rate(20, 600, 10),
        "admin": Rate(60, 60, 20),
        # Seconds of a core, of an address: for all but play at tables where its people sit.
        "processor": Rate(0.2, 10, 0.45),
        "moment": Rate(0.2, 1, 0.01),  # the same: so others have the rest even while it lasts
    }
)
REQUEST: Final = 0.00015  # seconds of a core for what no meter sees: to read it, and to answer
RESERVED: Final = 0.003  # ... that are kept for a request while it is being answered
HELD_MOST: Final = 15.0  # seconds that somebody waits until they have processor time again
# By refusals nobody is overdrawn further: whoever shares the address is soon let in again.
LEAST: Final = -0.9 * HELD_MOST * RATES["processor"].tokens / RATES["processor"].seconds
A_MOMENT, LOOK = 0.001, 0.25  # seconds until somebody who waits looks again, at least and at most
SHORT: Final = 0.3  # seconds that an address may be in debt without being refused anything
CREDIT: Final = 10.0  # seconds that somebody may be in debt in the midst of what costs much
CONNECTIONS_PER_HOUSEHOLD: Final = 256  # without a socket on them
WAITING: Final = 1500  # requests of one address at once; thirty in a class ask for fifty files each
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

    def due(self, kind: str, who: str, own: float = 0.0) -> float:
        """Return after how many seconds `who`'s bucket of that kind is no longer overdrawn.

        That is as if so much of it, `own`, had not been paid.
        """
        rate = self._rates[kind]
        tokens = self._tokens(kind, who, self._clock()) + own
        return max(0.0, -tokens * rate.seconds / rate.tokens)

    def pay(self, kind: str, who: str, amount: float, least: float = float("-inf")) -> None:
        """Take so much out of `who`'s bucket of that kind, more than is in it if need be.

        But nobody is overdrawn beyond `least` by it. What is less than nothing is given back.
        """
        now = self._clock()
        tokens = self._tokens(kind, who, now)
        left = max(tokens - amount, min(tokens, least))
        self._filled[kind, who] = (min(left, self._rates[kind].burst), now)

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


class Addresses:
    """How often each address may ask, and how much of a core it may take.

    There is a limit for the API, for pages and files, and for health. A crowd that is within the
    limits is let in a few at a time, so that those who play need not wait for all of it.

    Whatever is done for an address it pays for in processor time, its refusals too. While nothing
    is left it waits: its requests in order, each for a while, and then it is refused.

    Attributes:
        waiting: the requests that wait so, of one address at most so many. More are refused at
            once. Behind a proxy the proxy has to limit them.
        alone: each is held by the one request of an address and a kind that is dear.
        working: is held by the request that is worked for.
    """

    def __init__(
        self,
        buckets: Buckets,
        most: int = WAITING,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Count with `buckets`; `sleep` waits for so many seconds."""
        self.buckets = buckets
        self._sleep = sleep
        self.waiting = PerHousehold(most)
        self._waits: set[asyncio.Timeout] = set()
        self._ending = False
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.alone: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._door = asyncio.Semaphore(AT_THE_DOOR)
        self.working = asyncio.Lock()

    async def admit(self, who: str, path: str) -> Problem | None:
        """Return why `who` may not ask for that now; None where they may.

        Questions about its health are never refused: a flood from the same address must not make a
        healthy server look ill. But beyond the limit they are answered up to a second later.
        """
        kind = _kind_of(path)
        within = self.buckets.take(kind, who)
        if kind == "health" and not within:
            await self.turn(who, HELD_FOR)
        async with self._door:
            await asyncio.sleep(0)
        if kind == "health":
            return None
        # Nothing is awaited from here on until they begin to pay: so the next one in line sees it.
        if not await self.turn(who, HELD_MOST):
            return Problem("too-many", wait=max(1, ceil(self.buckets.due("processor", who))))
        if not within:
            return Problem("too-many", wait=self.buckets.wait(kind, who))
        return None

    async def turn(self, who: str, most: float | None = None) -> bool:
        """Wait until an address has processor time left, behind its others who wait for that.

        Return False where that takes more than `most` seconds, or too many wait.
        """
        if who not in self._lines and not self._due(who):
            return True
        if self._ending or not self.waiting.take(who):
            return False
        wait = asyncio.timeout(most)
        self._waits.add(wait)
        try:
            async with wait:
                line = self._lines.setdefault(who, asyncio.Lock())
                async with line:
                    while due := self._due(who):
                        await self._sleep(min(max(due, A_MOMENT), LOOK))
            return True
        except TimeoutError:
            return False
        finally:
            self._waits.discard(wait)
            self.waiting.give_back(who)

    def pay(self, who: str, seconds: float, least: float = float("-inf")) -> None:
        """Have an address pay for work that has been done; see `Buckets.pay`."""
        self.buckets.pay("processor", who, seconds, least)
        self.buckets.pay("moment", who, seconds, LEAST)

    def _due(self, who: str) -> float:
        return max(self.buckets.due("processor", who), self.buckets.due("moment", who))

    def end(self) -> None:
        """Let nobody wait any more: the server stops, and stops for nobody who waits."""
        self._ending = True
        for wait in self._waits:
            if not wait.expired():  # else it ends in this turn of the loop
                wait.reschedule(asyncio.get_running_loop().time())


class Payer(Account):
    """An address that pays for one request, or for one socket.

    Where it has nothing left to pay with, or too many wait, what it asks for ends with the
    `Problem` ``too-many``.

    Attributes:
        least: how far it may be overdrawn by this request, seconds of a core.
    """

    def __init__(self, who: str, addresses: Addresses, *, patient: bool = False) -> None:
        """Have `who` pay; somebody `patient` is never refused, but waits."""
        self.who, self._addresses = who, addresses
        self._patient, self._begun = patient, False
        self._paid = 0.0
        self.least = float("-inf")

    @asynccontextmanager
    async def alone(self, what: str) -> AsyncIterator[None]:
        """Do what costs more than can be foreseen: one of a kind, the next when that is paid."""
        async with self._addresses.alone.setdefault((self.who, what), asyncio.Lock()):
            self.check(self._paid)
            yield

    def pay(self, seconds: float) -> None:
        """Pay for work that has been done."""
        self._paid += seconds
        self._addresses.pay(self.who, seconds, self.least)

    async def turn(self) -> bool:
        """Wait until the address has processor time left; return False where too many wait."""
        return await self._addresses.turn(self.who)

    async def go_on(self) -> None:
        """Wait until there is something to pay with for more; what is not patient is refused."""
        if not self._patient:
            self.check()
        elif not await self.turn():
            raise Problem("too-many", wait=1)

    async def rest(self) -> None:
        """Wait where the address is in debt for longer than `CREDIT`, until all is paid."""
        late = self._addresses.buckets.due("processor", self.who) > CREDIT
        if late and not await self.turn():
            raise Problem("too-many", wait=1)

    def check(self, own: float = 0.0) -> None:
        """Go on, or end a request with ``too-many`` where nothing is left, but for its `own`.

        What a request has paid itself, seconds of a core, is no reason not to begin what it is for.
        """
        due = partial(self._addresses.buckets.due, "processor", self.who)
        if due(own) > SHORT and not self._patient:
            raise Problem("too-many", wait=ceil(due()))

    async def run(self, make: Callable[[], T]) -> T:
        """Return what `make` returns, done in a thread."""
        async with self._addresses.working:
            # Looked at only now: those that waited before it may have cost everything. But what is
            # begun is done: else whoever needs two pieces of work would never get the second.
            if not self._begun:
                self.check(self._paid)
            self._begun = True
            return await in_one_of(AT_WORK, make)


def kind_of_command(command: type[cm.Command]) -> str:
    """Return which limit counts a kind of command.

    >>> kind_of_command(cm.Ping), kind_of_command(cm.Leave)
    ('beat', 'lobby')
    """
    if command in cm.PLAY:
        return "play"
    if command is cm.Chat:
        return "chat"
    if command is cm.Hint:
        return "hint"
    return "beat" if command in (cm.Hello, cm.Ping) else "lobby"


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
