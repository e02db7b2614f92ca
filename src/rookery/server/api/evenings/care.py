"""Who looks after an evening on screens in this process, and who pays for the tables it opens.

None of this is kept: whoever looks at the evening next begins it anew, or after a start of the
server the first of its tables that is done.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Final, TypeAlias

from rookery.server.work import Account, cancelled

EVERY: Final = 1.0  # seconds between two times that those who look have it looked after
AWHILE: Final = 3600.0  # seconds that it goes on by itself after somebody looked
AGAIN: Final = 5.0  # seconds until something that could not be done is tried again
# Does what is due; returns after how many seconds more is due, None where nothing is.
Tend: TypeAlias = Callable[["Care"], Coroutine[Any, Any, float | None]]


class Care:
    """What is known of an evening on screens that somebody has looked at.

    Attributes:
        payer: the account of whoever ran it when they looked, else of whoever looked last; None
            for somebody of this machine, who pays for nothing.
    """

    def __init__(self) -> None:
        self.payer: Account | None = None
        self.due = 0.0  # when whoever looks has it looked after again, by the monotonic clock
        self.until = 0.0  # when it does not go on by itself any more, by the same
        self.task: asyncio.Task[None] | None = None
        self._by_host = False
        self._again = False
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def is_old(self) -> bool:
        """Whether nobody has looked for so long that it does not go on by itself."""
        return time.monotonic() >= self.until and self.task is None

    def seen(self, account: Account | None, *, host: bool) -> None:
        """Note that somebody looks, who runs the evening as its `host` or does not."""
        self.until = time.monotonic() + AWHILE
        if host or not self._by_host:
            self.payer, self._by_host = account, host

    def begin(self, tend: Tend) -> None:
        """Do what is due; where that is being done, once more after it."""
        self._again = True
        if self.task is None:
            self.end()
            # Whoever has it begun does not wait for it; who pays is said in `payer`.
            self.task = Context().run(asyncio.create_task, self._run(tend))

    def end(self) -> None:
        """Do nothing more by itself."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def _run(self, tend: Tend) -> None:
        wait = None
        try:
            while self._again:
                self._again = False
                wait = await tend(self)
        finally:
            self.task = None
        if wait is not None and time.monotonic() + wait < self.until:
            self._alarm = asyncio.get_running_loop().call_later(wait, self.begin, tend)


class Cares:
    """The evenings on screens that this process looks after."""

    def __init__(self) -> None:
        self._cares: dict[str, Care] = {}
        self._closed = False
        self._began = time.monotonic()

    def of(self, code: str) -> Care | None:
        """Return what is known of an evening; None where nobody has looked for a while."""
        care = self._cares.get(code)
        return None if care is None or care.is_old else care

    def since_start(self, code: str) -> Care | None:
        """Return what is known of an evening at which somebody may have looked before the start.

        Nobody knows when, so this goes on by itself for as long as if they had done so then. None
        where somebody has looked since, or the start is long ago.
        """
        if code in self._cares or time.monotonic() >= self._began + AWHILE:
            return None
        care = self._cares[code] = Care()
        care.until = self._began + AWHILE
        return care

    def looked(self, code: str, account: Account | None, *, host: bool) -> Care:
        """Return what is known of an evening at which somebody looks."""
        care = self._cares.get(code)
        if care is None:
            self._cares = {one: each for one, each in self._cares.items() if not each.is_old}
            care = self._cares[code] = Care()
        care.seen(account, host=host)
        return care

    def begin(self, care: Care, tend: Tend) -> None:
        """Do what is due at an evening, unless the server stops."""
        if not self._closed:
            care.begin(tend)

    async def drop(self, code: str) -> None:
        """Look after an evening no more."""
        if (care := self._cares.pop(code, None)) is not None:
            await _ended(care)

    async def close(self) -> None:
        """Look after nothing any more."""
        self._closed = True
        await asyncio.gather(*map(_ended, self._cares.values()))


async def _ended(care: Care) -> None:
    care.end()
    if care.task is not None:
        await cancelled([care.task])
