"""A pool of workers, and the connection to each: started, asked, ended, started again.

The worker with most room is asked next. Nobody waits for one that hangs. Of the questions that wait
the one that takes least time goes first: whoever asks for much of it gives way to all others.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from rookery.server.bots import wire as bm
from rookery.server.bots.engine import State, Unanswered
from rookery.server.work import cancelled

log = logging.getLogger("rookery.server.bots.engine")

STUCK: Final = 5.0  # seconds beyond the deadline until a silent worker is ended
SLOWEST: Final = 1200.0  # seconds until a worker that is not ready is ended; compiling takes 60
FIRST_WAIT: Final = 0.5  # seconds until a lost worker is started again, at first
LONGEST_WAIT: Final = 30.0
SILENCE: Final = 120.0  # seconds without progress after which a review counts as stuck
WAITING: Final = 256  # questions that may wait; more are refused
QUEUE: Final = 0.25  # seconds that a question at a table may be expected to wait
STEP: Final = 0.05  # seconds; what a question waited is counted in so many
_LATELY: Final = 20  # answers, roughly, that the pace of a kind is averaged over


class Opened(NamedTuple):
    """An open connection to a worker.

    Attributes:
        reader: its messages to the server.
        writer: the server's messages to it.
        room: how many questions it takes at a time.
        end: closes the connection, and returns when everything has ended.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    room: int
    end: Callable[[], Awaitable[None]]


class Question(NamedTuple):
    """A question, and where its answer goes.

    Attributes:
        answer: the future of the answer, or of `Unanswered`.
        progress: is called with the progress of a long answer.
        patience: after how many seconds of silence the worker counts as stuck. Each progress
            message starts them again.
        kind: what it has in common with those that take about as long.
        since: when it was asked, by the event loop's clock.
    """

    asked: bm.Asked
    answer: asyncio.Future[bm.Weighed | bm.Reviewed]
    progress: Callable[[bm.Progress], None]
    patience: float
    kind: str
    since: float

    def sent(self, now: float) -> bm.Asked:
        """Return the question as it is sent: what it waited for is no longer there to think in."""
        waited = int((now - self.since) / STEP) * int(1000 * STEP)
        if not waited or not isinstance(self.asked, bm.Weigh) or "ms" not in self.asked.options:
            return self.asked
        left = max(1, int(self.asked.options["ms"]) - waited)
        return replace(self.asked, options={**self.asked.options, "ms": str(left)})


class Link:
    """A worker, and the connection to it.

    Attributes:
        name: its name in the log.
        state: whether it can be asked.
    """

    def __init__(self, name: str, begin: Callable[[], Awaitable[Opened]], pool: Pool) -> None:
        """Store how to start the worker: `begin` opens a connection to it."""
        self.name = name
        self.state: State = "warming"
        self._orderly = False  # it has announced its end
        self._begin, self._pool = begin, pool
        self._first_wait = FIRST_WAIT
        self._opened: Opened | None = None
        self._ending: asyncio.Future[None] | None = None
        self._busy: dict[int, tuple[Question, asyncio.TimerHandle, float]] = {}

    @property
    def load(self) -> float:
        """How much of its room is used, 0 to 1; 1 where it cannot be asked."""
        if self.state != "ready" or self._opened is None:
            return 1.0
        return len(self._busy) / self._opened.room

    @property
    def room(self) -> int:
        """How many questions it takes at a time; 0 without a connection."""
        return 0 if self._opened is None else self._opened.room

    @property
    def busy(self) -> int:
        """How many questions it has."""
        return len(self._busy)

    def ask(self, question: Question) -> None:
        """Send a question to a worker that has room."""
        if self._opened is None:
            raise Unanswered("gone")
        number = question.asked.number
        now = asyncio.get_running_loop().time()
        self._busy[number] = question, self._timer(number, question.patience), now
        self._opened.writer.write(bm.written(question.sent(now)))

    async def run(self) -> None:
        """Start the worker, and again whenever it is lost. Return if it can never be ready."""
        wait = self._first_wait
        while True:
            answered = self._orderly = False
            until_ready: asyncio.Timeout | None = None
            try:
                self._opened = await self._begin()
                async with asyncio.timeout(self._pool.slowest) as until_ready:
                    answered = await self._serve(self._opened.reader, until_ready)
            except bm.Garbled as error:
                log.warning("%s: %s", self.name, error)
            except (OSError, EOFError, TimeoutError) as error:
                if until_ready is not None and until_ready.expired():
                    waited = f"{self._pool.slowest:.0f} s"
                    log.warning("%s is not ready after %s; it is started again", self.name, waited)
                    self._pool.given_up["warming"] += 1
                else:
                    log.warning("%s is gone: %s", self.name, type(error).__name__)
            finally:
                await self._drop()
            if self.state == "absent":
                return
            wait = self._first_wait if answered else min(2 * wait, LONGEST_WAIT)
            # After an announced end, it or another worker may be there again at once.
            await asyncio.sleep(0.0 if self._orderly else wait)

    async def _serve(self, reader: asyncio.StreamReader, until_ready: asyncio.Timeout) -> bool:
        """Handle a worker's messages until it ends; return whether it has answered anything."""
        answered = False
        while True:
            match await bm.receive(reader):
                case bm.Ready(took=took):
                    until_ready.reschedule(None)
                    log.info("%s is ready after %.1f s", self.name, took)
                    self.state = "ready"
                    self._pool.feed()
                case bm.Unable(why=why):
                    log.warning("%s cannot think: %s", self.name, why)
                    self.state = "absent"
                    return answered
                case bm.Ending():
                    self.state, self._orderly = "warming", True
                    if not self._busy:
                        return answered
                case bm.Progress() as progress:
                    self._goes_on(progress)
                case bm.Weighed() | bm.Reviewed() | bm.Failed() as answer:
                    answered = True
                    self._answer(answer)
                    if self.state == "ready":
                        self._pool.feed()
                    elif not self._busy:
                        return answered
                case other:
                    raise bm.Garbled(f"says {type(other).__name__} out of turn")

    def _answer(self, answer: bm.Weighed | bm.Reviewed | bm.Failed) -> None:
        if answer.number not in self._busy:
            raise bm.Garbled("answers what nobody asked")
        question, timer, began = self._busy.pop(answer.number)
        timer.cancel()
        self._pool.took(question.kind, asyncio.get_running_loop().time() - began)
        if isinstance(answer, bm.Failed):
            log.warning("%s failed: %s", self.name, answer.why)
            _settle(question, Unanswered("failed"))
        elif isinstance(answer, bm.Weighed) != isinstance(question.asked, bm.Weigh):
            _settle(question, Unanswered("failed"))
            raise bm.Garbled("answers another question")
        elif not question.answer.done():
            question.answer.set_result(answer)

    def _goes_on(self, progress: bm.Progress) -> None:
        if progress.number not in self._busy:
            raise bm.Garbled("goes on with what nobody asked")
        question, timer, began = self._busy[progress.number]
        timer.cancel()
        timer = self._timer(progress.number, question.patience)
        self._busy[progress.number] = question, timer, began
        question.progress(progress)

    def _timer(self, number: int, patience: float) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_later(patience + self._pool.stuck, self._give_up, number)

    def _give_up(self, number: int) -> None:
        if number in self._busy and self._opened is not None:
            log.warning("%s is stuck; it is started again", self.name)
            self._pool.given_up["stuck"] += 1
            self.state = "warming"
            self._ending = asyncio.ensure_future(self._opened.end())

    async def _drop(self) -> None:
        """Close the connection, and answer the worker's open questions with `Unanswered`."""
        opened, self._opened = self._opened, None
        if self.state == "ready":
            self.state = "warming"
        held = list(self._busy.values())
        self._busy.clear()
        for question, timer, _ in held:
            timer.cancel()
            _settle(question, Unanswered("gone"))
        if opened is not None:
            await opened.end()


def _settle(question: Question, why: Unanswered) -> None:
    if not question.answer.done():
        question.answer.set_exception(why)


class Pool:
    """Workers by name. None is started before it is needed.

    Attributes:
        stuck: seconds beyond the deadline until a worker is ended for its silence.
        slowest: seconds until a worker is ended that does not become ready.
        given_up: how often workers were ended, by their state.
    """

    def __init__(
        self,
        workers: Mapping[str, Callable[[], Awaitable[Opened]]],
        stuck: float = STUCK,
        slowest: float = SLOWEST,
        given_up: Counter[str] | None = None,
    ) -> None:
        self.stuck, self.slowest = stuck, slowest
        self.given_up = Counter[str]() if given_up is None else given_up
        self._paces: dict[str, float] = {}  # seconds by the kind of question, running averages
        self._links = [Link(name, begin, self) for name, begin in workers.items()]
        self._waiting: list[Question] = []
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

    def queue(self, kind: str) -> float:
        """Return how long a question of a kind would wait for a worker, roughly, seconds."""
        paces = [self._pace(one.kind) for one in self._waiting]
        return sum(pace for pace in paces if pace <= self._pace(kind)) / max(1, self.room)

    def _pace(self, kind: str) -> float:
        return self._paces.get(kind, 0.0)

    def took(self, kind: str, seconds: float) -> None:
        """Note how long the answer to a question of a kind has taken."""
        self._paces[kind] = self._pace(kind) + (seconds - self._pace(kind)) / _LATELY

    def begin(self) -> None:
        """Start the workers, unless they are started."""
        if not self._tasks and not self._closed:
            self._tasks = [
                asyncio.create_task(link.run(), name=f"bot worker {link.name}")
                for link in self._links
            ]

    async def ask(
        self,
        asked: bm.Asked,
        seconds: float | None = None,
        progress: Callable[[bm.Progress], None] = lambda _: None,
        patience: float | None = None,
    ) -> bm.Weighed | bm.Reviewed:
        """Return the answer of the first worker that has room.

        The deadline is in so many `seconds`; None for none. After as many of silence as `patience`
        says the worker counts as stuck: by default `seconds`, or `SILENCE` without a deadline.

        Raises:
            Unanswered: no worker answers in time.
        """
        self.begin()
        if self.state != "ready":
            raise Unanswered(self.state)
        kind = _kind(asked)
        self._waiting = [one for one in self._waiting if not one.answer.done()]
        if len(self._waiting) >= WAITING or (seconds is not None and self.queue(kind) > QUEUE):
            raise Unanswered("busy")
        answer: asyncio.Future[bm.Weighed | bm.Reviewed]
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        limit = patience if patience is not None else SILENCE if seconds is None else seconds
        asked = replace(asked, number=next(self._numbers))
        self._waiting.append(Question(asked, answer, progress, limit, kind, loop.time()))
        self.feed()
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
        await cancelled(self._tasks)
        self._tasks = []
        for question in self._waiting:
            _settle(question, Unanswered("gone"))
        self._waiting.clear()

    def feed(self) -> None:
        """Give waiting questions to workers with room."""
        self._changed.set()
        while self._waiting:
            free = min(self._links, key=lambda link: link.load)
            if free.load >= 1.0:
                return
            paces = [self._pace(one.kind) for one in self._waiting]
            # Of several that take as long, the one that was asked first.
            shortest = self._waiting.pop(paces.index(min(paces)))
            if not shortest.answer.done():
                free.ask(shortest)


def _kind(asked: bm.Asked) -> str:
    if isinstance(asked, bm.Look):
        return "review"
    return f"{asked.options.get('version', '')}:{asked.options.get('rollouts', '')}"
