"""Notices between servers. They may arrive late, twice or never.

Nothing depends on them: each notice is about something in the store, where it is found a little
later anyway. Owners of tables are found with the next heartbeat, and so are forgotten people unless
a server's clock is an hour behind the database's; open tables when the list is a second old,
sessions that are over within a minute, and a new name when the person next connects.

They go over a Redis-protocol server, Redis or Valkey: published to all, stored nowhere. A
connection that breaks is opened again. Notices wait meanwhile: the last one on each table and all
others, at most `_WAITING`. A notice whose sending failed is sent again, so it may arrive twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from rookery.server.names import is_host
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Lease
from rookery.server.table.events import Tagged

log = logging.getLogger(__name__)

CHANNEL: Final = "rookery:1"
_GATHER: Final = 0.02  # seconds in which notices gather
_WAITING: Final = 4096  # notices that may wait
_AGAIN: Final = 1.0  # seconds until a broken connection is opened again
_PATIENCE: Final = 2.0  # seconds that the server may take to answer
_NO_ADDRESS: Final = "--hints: not an address; expected redis://host:6379/0"
_BEAT: Final = 1.0  # seconds of silence before a ping


class Changed(Tagged, frozen=True):
    """A table has this lease; where `listed`, strangers find it otherwise since event `seq`."""

    code: str
    lease: Lease
    seq: int = 0
    listed: bool = False


class Gone(Tagged, frozen=True):
    """A person is to be forgotten; the store has it. Close their connections."""

    person: str


class Renamed(Tagged, frozen=True):
    """A person has a new name; the store has it."""

    person: str


class Ended(Tagged, frozen=True):
    """A session has ended; this is the hash of its token."""

    session: str


class SignedOut(Tagged, frozen=True):
    """A person has ended all their sessions but one; this is the hash of its token."""

    person: str
    but: str


Notice: TypeAlias = Changed | Gone | Renamed | Ended | SignedOut
Subscriber: TypeAlias = Callable[[Notice], object]

_READER: Final[msgspec.json.Decoder[Notice]] = msgspec.json.Decoder(Notice)
_WRITER: Final = msgspec.json.Encoder()


class PubSub:
    """Sends notices to other servers, and receives theirs. Any of them may get lost.

    This one is of a server that is alone: it sends and receives nothing.

    Attributes:
        shared: whether others may hear, and be heard.
    """

    shared = False

    @property
    def connected(self) -> bool:
        """Whether notices of other servers arrive at the moment, as far as is known."""
        return False

    def publish(self, notice: Notice) -> None:
        """Send a notice to the other servers, soon or never."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Begin to call `subscriber` with the notices of other servers."""

    async def close(self) -> None:
        """Stop sending and receiving."""


def read(sent: bytes) -> Notice | None:
    """Return the notice that was sent; None where this version does not know it.

    >>> read(b'{"type":"gone","person":"p1"}'), read(b"?")
    (Gone(person='p1'), None)
    """
    try:
        return _READER.decode(sent)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class RedisPubSub(PubSub):
    """The `PubSub` of servers that share a Redis-protocol server."""

    shared = True

    def __init__(self, url: str) -> None:
        """Take the address, ``redis://[:password@]host:port/number``. It need not answer yet.

        Raises:
            StoreError: the address is invalid, or the driver is not installed.
        """
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError
        except ModuleNotFoundError:
            raise StoreError(
                "--hints needs the package redis; install rookery-cards[redis]"
            ) from None
        try:
            self._redis: Any = Redis.from_url(
                url,
                socket_timeout=_PATIENCE,
                socket_connect_timeout=_PATIENCE,
                socket_keepalive=True,
                retry=Retry(NoBackoff(), 0),  # retried here, for ever
            )
        except ValueError:
            raise StoreError(_NO_ADDRESS) from None
        if not is_host(self._redis.connection_pool.connection_kwargs.get("host", "localhost")):
            raise StoreError(_NO_ADDRESS)
        self._failures = (RedisError, OSError)
        self._waiting: dict[object, Notice] = {}
        self._some = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._working: dict[str, bool] = {}  # "send" and "receive", once that was tried

    @property
    def connected(self) -> bool:
        return self._working.get("receive", False)

    def publish(self, notice: Notice) -> None:
        self._wait(notice)
        self._some.set()

    def _wait(self, notice: Notice) -> None:
        # Of each table only the last notice matters, and whether one said how it is listed.
        key: object = notice.code if isinstance(notice, Changed) else notice
        before = self._waiting.get(key)
        if isinstance(notice, Changed) and isinstance(before, Changed) and before.listed:
            notice = replace(notice, listed=True)
        if before is not None or len(self._waiting) < _WAITING:
            self._waiting[key] = notice

    def subscribe(self, subscriber: Subscriber) -> None:
        ways = (self._receive(subscriber), self._send())
        self._tasks += [asyncio.create_task(way, name="pubsub") for way in ways]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*self._failures):
            await self._redis.aclose()

    async def _send(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(_GATHER)
            self._some.clear()
            sent, self._waiting = self._waiting, {}
            try:
                async with self._redis.pipeline(transaction=False) as sending:
                    for notice in sent.values():
                        sending.publish(CHANNEL, _WRITER.encode(notice))
                    await sending.execute()
                self._works("send")
            except self._failures as error:
                self._works("send", error)
                later, self._waiting = self._waiting, sent
                for notice in later.values():
                    self._wait(notice)
                self._some.set()
                await asyncio.sleep(_AGAIN)

    async def _receive(self, subscriber: Subscriber) -> None:
        while True:
            try:
                async with self._redis.pubsub() as line:
                    await line.subscribe(CHANNEL)
                    await self._deliver(line, subscriber)
            except self._failures as error:
                self._works("receive", error)
            await asyncio.sleep(_AGAIN)

    async def _deliver(self, line: Any, subscriber: Subscriber) -> None:  # noqa: ANN401  (a driver's)
        asked = False
        while True:
            message = await line.get_message(timeout=_BEAT)
            if message is None:
                if asked:
                    raise TimeoutError("no answer")
                # A silent connection may be dead.
                await line.ping()
                asked = True
                continue
            asked = False
            if message["type"] == "subscribe":
                self._works("receive")
            if message["type"] != "message":
                continue
            notice = read(message["data"])
            if notice is not None:
                try:
                    subscriber(notice)
                except Exception:
                    log.exception("a notice could not be handled")

    def _works(self, way: str, error: BaseException | None = None) -> None:
        """Note whether a way works; log once that it does not."""
        is_news = self._working.get(way) is not False
        self._working[way] = error is None
        if error is not None and is_news:
            line = "Redis or Valkey fails (%s); until it answers, others hear of changes late"
            log.warning(line, type(error).__name__)
