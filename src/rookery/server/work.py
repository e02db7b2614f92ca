"""Work for whoever asks: dear work is done in threads, and all of it is paid for in time of a core.

Processor time is counted, never time that passes: on a busy machine nobody pays for others.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from types import coroutine
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class AtOnce(Executor):
    """Does all work at once, in the thread that asks."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of work that is done."""
        done = Future[T]()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


def executor(threads: int, name: str) -> Executor:
    """Return what does work in so many threads; at once where there are none, as in a browser."""
    if sys.platform == "emscripten":
        return AtOnce()
    # Imported late: it is not there where it would be of no use.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, name)


# With more than one, whoever plays would feel it: only one thread of Python runs at a time.
AT_WORK: Final = executor(1, "work")


# Python in a browser has one thread, and no clock for each.
core_time: Final[Callable[[], float]] = getattr(time, "thread_time", time.process_time)


class Account:
    """Whoever pays for the work of requests and messages, in seconds of a core.

    This one pays nothing, and goes on at once.
    """

    def alone(self, what: str) -> AbstractAsyncContextManager[object]:
        """Do what costs more than can be foreseen: one of a kind, the next when that is paid."""
        return nullcontext()

    def pay(self, seconds: float) -> None:
        """Pay for work that has been done."""

    async def turn(self) -> bool:
        """Wait until there is something left to pay with; return whether there is at last."""
        return True

    def check(self) -> None:
        """Refuse to go on where nothing is left to pay with."""

    async def go_on(self) -> None:
        """Wait, or refuse to go on, where nothing is left to pay with for the next piece."""

    async def rest(self) -> None:
        """Wait where much has been done on credit, until it is paid."""

    async def run(self, make: Callable[[], T]) -> T:
        """Return what `make` returns, done in a thread, or refuse it."""
        return await in_one_of(AT_WORK, make)


ACCOUNT: ContextVar[Account | None] = ContextVar("account", default=None)


class Tab(Account):
    """An account of work for which it is not known yet who pays.

    Attributes:
        seconds: what it has cost so far.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def pay(self, seconds: float) -> None:
        """Add the cost of work that has been done."""
        self.seconds += seconds


@contextmanager
def paid_by(account: Account | None) -> Iterator[None]:
    """Have an account pay for what is done meanwhile."""
    before = ACCOUNT.set(account)
    try:
        yield
    finally:
        ACCOUNT.reset(before)


async def in_thread(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `make` returns for these arguments, done in the one thread that works.

    The request that wants it pays for the time. Work that no request has asked for is free.
    """
    account = ACCOUNT.get() or Tab()
    return await account.run(lambda: make(*args, **kwargs))


async def in_pieces(make: Callable[[Sequence[S]], list[T]], of: Sequence[S], size: int) -> list[T]:
    """Return what `make` makes of many, so many at once: in between others have the thread.

    What is begun is done, and may cost much. So an address has one such work done at a time, and
    it rests where it would be in debt for long.
    """
    found, account = list[T](), ACCOUNT.get() or Tab()
    async with account.alone("pieces"):
        for first in range(0, len(of), size):
            await account.rest()
            found += await in_thread(make, of[first : first + size])
    return found


async def cancelled(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and return when they have ended."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


async def in_one_of(threads: Executor, make: Callable[[], T]) -> T:
    """Return what `make` returns, done in one of these threads; whoever asks pays, if anybody.

    It is never refused.
    """
    spent, loop = list[float](), asyncio.get_running_loop()
    try:
        return await loop.run_in_executor(threads, measured, spent, make)
    finally:
        if (account := ACCOUNT.get()) is not None:
            account.pay(sum(spent))  # nothing where nobody waits for it any more


def measured(seconds: list[float], make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `make` returns; add how much of a core it took to `seconds`."""
    began = core_time()
    try:
        return make(*args, **kwargs)
    except StopIteration as error:  # no future takes it, and whoever asks would wait for ever
        raise RuntimeError("the work raised StopIteration") from error
    finally:
        seconds.append(core_time() - began)


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns, which may take so many seconds, if it has to wait at all.

    Most does not, and a timer costs more than the rest.

    Raises:
        TimeoutError: it takes longer.
    """
    try:
        waits = work.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    async with asyncio.timeout(seconds):
        return await _resumed(work, waits)


@coroutine
def _resumed(work: Coroutine[Any, Any, T], waits: object) -> Generator[Any, Any, T]:
    """Take a coroutine's other steps; it has taken the first, and `waits` for something."""
    while True:
        try:
            step: Callable[[], Any] = partial(work.send, (yield waits))
        except BaseException as error:
            step = partial(work.throw, error)
        try:
            waits = step()
        except StopIteration as end:
            value: T = end.value
            return value


async def metered(account: Account | None, work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` returns; the account pays for the time of the event loop it takes."""
    return await (work if account is None else _stepped(account, work))


@coroutine
def _stepped(account: Account, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Take a coroutine's steps one by one; what it waits for, others may do meanwhile."""
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        began = core_time()
        try:
            waits = step()
        except StopIteration as end:
            value: T = end.value
            return value
        finally:
            account.pay(core_time() - began)
        try:
            step = partial(work.send, (yield waits))
        except BaseException as error:
            step = partial(work.throw, error)
