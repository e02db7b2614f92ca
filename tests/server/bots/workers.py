"""Workers for tests, which say what they are told to say; nothing hangs on how fast anybody is."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from rookery.search.choice import Choice
from rookery.server.bots import wire as bm
from rookery.server.bots.pool import Opened, Pool
from rookery.server.bots.searching import Searching

PATIENCE = 120.0  # seconds until a test gives up
HOUR = 3_600_000  # milliseconds


class Said:
    """The worker's end of a line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hear(self) -> bm.Asked:
        asked = await bm.receive(self.reader)
        assert isinstance(asked, bm.Weigh | bm.Look)
        return asked

    def say(self, message: bm.Message) -> None:
        self.writer.write(bm.written(message))

    def say_raw(self, data: bytes) -> None:
        self.writer.write(data)

    def end(self) -> None:
        self.writer.close()

    async def answer(self) -> None:
        """Answer whatever comes with the first thing there is."""
        while True:
            asked = await self.hear()
            if isinstance(asked, bm.Look):
                self.say(bm.Progress(asked.number, 1, 2))
                self.say(bm.Reviewed(asked.number, b'{"format":"rookery-review/1"}'))
            else:
                self.say(weighed(asked))


Story = Callable[[Said], Awaitable[None]]


def weighed(asked: bm.Asked, action: int | None = None) -> bm.Weighed:
    """Return an answer: an action that is legal, and one that is worse."""
    assert isinstance(asked, bm.Weigh)
    first = legal(asked) if action is None else action
    choices = [Choice(first, 8, 12.5, 0.75), Choice(first, 8, 2.25, None)]
    return bm.Weighed(asked.number, choices, 77, [0] * 8, 0.001)


def legal(asked: bm.Weigh) -> int:
    """Return the lowest card that may be played or discarded, or a pass."""
    from rookery.engine.actions import PASS
    from rookery.engine.state import AUCTION, TRUMP_CALL

    if asked.request.state.phase == AUCTION:
        return PASS
    assert asked.request.state.phase != TRUMP_CALL
    cards = asked.request.mine.cards
    return (cards & -cards).bit_length() - 1


class Worker:
    """A worker that lives through one story after another, each time that it is begun.

    Attributes:
        begun: how often it was.
        at_work: what it is living through.
    """

    def __init__(self, *stories: Story) -> None:
        self.stories = list(stories)
        self.begun = 0
        self.at_work: list[asyncio.Task[None]] = []

    async def __call__(self) -> Opened:
        story = self.stories[min(self.begun, len(self.stories) - 1)]
        self.begun += 1
        ours, theirs = socket.socketpair()
        lines: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        try:
            for end_of in (ours, theirs):
                lines.append(await asyncio.open_connection(sock=end_of))
        except BaseException:  # nobody wants it any more
            for _, half in lines:
                half.close()
            ours.close()
            theirs.close()
            raise
        (reader, writer), said = lines[0], Said(*lines[1])

        async def live() -> None:
            with contextlib.suppress(EOFError, ConnectionError):
                await story(said)

        task = asyncio.create_task(live())
        self.at_work.append(task)

        async def end() -> None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            for one in (said.writer, writer):
                one.close()
                with contextlib.suppress(OSError):
                    await one.wait_closed()

        return Opened(reader, writer, 1, end)


async def good(said: Said) -> None:
    """Be ready at once and answer everything."""
    said.say(bm.Ready(0.0))
    await said.answer()


async def silent(said: Said) -> None:
    """Be ready and never answer."""
    said.say(bm.Ready(0.0))
    while True:
        await said.hear()


async def warming(said: Said) -> None:
    """Never be ready."""
    await said.hear()


def pool(
    *workers: Worker,
    stuck: float = 3600.0,
    slowest: float = 3600.0,
    given_up: Counter[str] | None = None,
) -> Pool:
    """Return these workers together; one that is gone is begun again at once."""
    named = {f"worker {number}": worker for number, worker in enumerate(workers, 1)}
    made = Pool(named, stuck, slowest, given_up)
    for link in made._links:
        link._first_wait = 0.0
    return made


def searching(*workers: Worker, deadline: int = HOUR, stuck: float = 3600.0) -> Searching:
    """Return bots that think there."""
    bots = Searching(pool(*workers, stuck=stuck), pool(*workers), 1, HOUR)
    bots._beyond = deadline / 1000
    return bots


async def until(what: Callable[[], bool]) -> None:
    """Return once `what()` is true."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it did not come true"
        await asyncio.sleep(0.001)
