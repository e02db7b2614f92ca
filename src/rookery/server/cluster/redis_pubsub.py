"""Notices over a Redis-protocol server, Redis or Valkey: published to all, kept by nobody.

A line that breaks is made again. What was to be told meanwhile is dropped, except for the last
notice on each table, of which there are only so many.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

from rookery.server.cluster.pubsub import Changed, Notice, Subscriber, read, written
from rookery.server.store.base import StoreError

log = logging.getLogger("rookery.server.cluster.pubsub")

CHANNEL: Final = "rookery:1"
_GATHER: Final = 0.02  # seconds in which words gather
_WAITING: Final = 4096  # words that may wait
_AGAIN: Final = 1.0  # seconds until a broken line is made again
_PATIENCE: Final = 2.0  # seconds that the server may take for an answer
_BEAT: Final = 1.0  # seconds between two questions whether it is still there


class RedisPubSub:
    """The `PubSub` of servers that share a Redis-protocol server."""

    def __init__(self, url: str) -> None:
        """Take its address, ``redis://[:password@]host:port/number``; it may be away for now.

        Raises:
            StoreError: that is no address, or the driver is not installed.
        """
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError
        except ModuleNotFoundError:
            raise StoreError("--hints needs redis; rookery[redis] brings it") from None
        try:
            self._redis: Any = Redis.from_url(
                url,
                socket_timeout=_PATIENCE,
                socket_connect_timeout=_PATIENCE,
                socket_keepalive=True,
                retry=Retry(NoBackoff(), 0),  # it is tried again here, for ever
            )
        except ValueError:
            raise StoreError("--hints: that is no address; expected redis://host:6379/0") from None
        self._failures = (RedisError, OSError, TimeoutError)
        self._waiting: dict[object, Notice] = {}
        self._some = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._hears = self._speaks = False

    @property
    def connected(self) -> bool:
        """Whether what others tell is heard at the moment, as far as anybody can know."""
        return self._hears

    def publish(self, notice: Notice) -> None:
        """Have the others know, soon or never."""
        # Of one table only the last notice matters.
        key: object = notice.code if isinstance(notice, Changed) else notice
        if len(self._waiting) < _WAITING or key in self._waiting:
            self._waiting[key] = notice
        self._some.set()

    def subscribe(self, subscriber: Subscriber) -> None:
        """Begin to hear what the others tell, and to tell them."""
        ways = (self._hear(subscriber), self._speak())
        self._tasks += [asyncio.create_task(way, name="pubsub") for way in ways]

    async def close(self) -> None:
        """Hear and tell nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*self._failures):
            await self._redis.aclose()

    async def _speak(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(_GATHER)
            self._some.clear()
            words, self._waiting = list(self._waiting.values()), {}
            try:
                async with self._redis.pipeline(transaction=False) as sending:
                    for notice in words:
                        sending.publish(CHANNEL, written(notice))
                    await sending.execute()
                self._say(speaks=True)
            except self._failures as error:
                self._say(speaks=False, error=error)
                await asyncio.sleep(_AGAIN)

    async def _hear(self, subscriber: Subscriber) -> None:
        while True:
            try:
                async with self._redis.pubsub() as line:
                    await line.subscribe(CHANNEL)
                    await self._heard(line, subscriber)
            except self._failures as error:
                self._say(hears=False, error=error)
            await asyncio.sleep(_AGAIN)

    async def _heard(self, line: Any, subscriber: Subscriber) -> None:  # noqa: ANN401  (redis's own type)
        asked = False
        while True:
            message = await line.get_message(timeout=_BEAT)
            if message is None:
                if asked:
                    raise TimeoutError("no answer")
                # A line on which nothing comes may be dead.
                await line.ping()
                asked = True
                continue
            asked = False
            if message["type"] == "subscribe":
                self._say(hears=True)
            if message["type"] != "message":
                continue
            notice = read(message["data"])
            if notice is not None:
                try:
                    subscriber(notice)
                except Exception:
                    log.exception("a notice could not be taken in")

    def _say(
        self,
        *,
        hears: bool | None = None,
        speaks: bool | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Note a change for whoever runs this, once."""
        before = self._hears, self._speaks
        self._hears = self._hears if hears is None else hears
        self._speaks = self._speaks if speaks is None else speaks
        if (self._hears, self._speaks) != before and error is not None:
            log.warning("pubsub is off for now: %s", type(error).__name__)
