"""A pool of workers. The one with most room is asked next; nobody waits for one that hangs."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from rookery.server.bots import wire as bm
from rookery.server.bots.engine import State, Unanswered
from rookery.server.bots.link import SLOWEST, STUCK, GivenUp, Link, Opened, Question

WAITING: Final = 256  # questions that may wait; more are refused
QUEUE: Final = 0.25  # seconds that a question at a table may be expected to wait


class Pool:
    """Workers by name. None is started before it is needed."""

    def __init__(
        self,
        workers: Mapping[str, Callable[[], Awaitable[Opened]]],
        stuck: float = STUCK,
        slowest: float = SLOWEST,
        given_up: Callable[[GivenUp], None] = lambda _: None,
    ) -> None:
        """Store how to start and end each worker; see `Link`."""
        self._links = [
            Link(name, begin, self._feed, stuck, slowest=slowest, given_up=given_up)
            for name, begin in workers.items()
        ]
        self._waiting: deque[Question] = deque()
        self._numbers = itertools.count(1)
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._changed = asyncio.Event()

    @property
    def state(self) -> State:
        """Whether a worker is ready, is getting ready, or never will be."""
        states = {link.state for link in self._links}
        return "ready" if "ready" in states else "warming" if "warming" in states else "absent"

    @property
    def room(self) -> int:
        """How many questions all its workers take at a time."""
        return sum(link.room for link in self._links)

    @property
    def ready(self) -> int:
        """How many of its workers can be asked."""
        return sum(link.state == "ready" for link in self._links)

    @property
    def queue(self) -> float:
        """How long a question would wait for a worker, roughly, seconds."""
        ready = [link for link in self._links if link.state == "ready"]
        pace = sum(link.pace for link in ready) / max(1, len(ready))
        return len(self._waiting) * pace / max(1, self.room)

    def begin(self) -> None:
        """Start the workers, unless they are started."""
        if not self._tasks and not self._closed:
            self._tasks = [
                asyncio.create_task(link.run(), name=f"bot worker {link.name}")
                for link in self._links
            ]

    async def ask(
        self,
        make: Callable[[int], bm.Asked],
        seconds: float | None = None,
        progress: Callable[[bm.Progress], None] = lambda _: None,
        patience: float | None = None,
    ) -> bm.Weighed | bm.Reviewed:
        """Return the answer of the first worker that has room.

        Args:
            make: makes the question from its number.
            seconds: the deadline; None for none.
            progress: is called with the progress of a long answer.
            patience: after how many seconds of silence the worker counts as stuck, if not
                after `seconds`.

        Raises:
            Unanswered: no worker answers in time.
        """
        self.begin()
        if self.state != "ready":
            raise Unanswered(self.state)
        if self._waiting:
            self._waiting = deque(one for one in self._waiting if not one.answer.done())
        if len(self._waiting) >= WAITING or (seconds is not None and self.queue > QUEUE):
            raise Unanswered("busy")
        answer: asyncio.Future[bm.Weighed | bm.Reviewed]
        answer = asyncio.get_running_loop().create_future()
        limit = patience if patience is not None else 0.0 if seconds is None else seconds
        self._waiting.append(Question(make(next(self._numbers)), answer, progress, limit))
        self._feed()
        try:
            return await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            raise Unanswered("late") from None

    async def settled(self) -> State:
        """Return ``ready`` or ``absent`` as soon as one of them is known."""
        self.begin()
        while self.state == "warming":
            self._changed.clear()
            waiter = asyncio.ensure_future(self._changed.wait())
            running = [task for task in self._tasks if not task.done()]
            try:
                await asyncio.wait([waiter, *running], return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiter.cancel()
        return self.state

    async def drain(self, seconds: float) -> None:
        """Return when no question is open, or after some seconds."""
        until = asyncio.get_running_loop().time() + seconds
        while any(link.busy for link in self._links) or self._waiting:
            if asyncio.get_running_loop().time() > until:
                return
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """End all workers; open questions are answered ``gone``."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        for question in self._waiting:
            if not question.answer.done():
                question.answer.set_exception(Unanswered("gone"))
        self._waiting.clear()

    def _feed(self) -> None:
        """Give waiting questions to workers with room."""
        self._changed.set()
        while self._waiting:
            if self._waiting[0].answer.done():
                self._waiting.popleft()
                continue
            free = min(self._links, key=lambda link: link.load)
            if free.load >= 1.0:
                return
            free.ask(self._waiting.popleft())
