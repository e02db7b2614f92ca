"""Work that takes long enough for others to notice: done in threads, at the cost of who asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Account(Protocol):
    """Whoever pays for the work of one request."""

    async def run(self, make: Callable[[], T]) -> T:
        """Return what `make` returns, done in a thread, or refuse it."""


ACCOUNT: ContextVar[Account | None] = ContextVar("account", default=None)


async def in_thread(make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what `make` returns for these arguments, done in a thread.

    The request that wants it pays for the time. Work that no request has asked for is free.
    """
    account = ACCOUNT.get()
    if account is None:
        return await asyncio.to_thread(make, *args, **kwargs)
    return await account.run(lambda: make(*args, **kwargs))
