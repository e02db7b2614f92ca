"""Bots that search, in the same process as the table: the kernels of the native library think."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from rookery.engine.targets import MissingTarget, native
from rookery.learn.network_search import KERNELS
from rookery.server.bots import wire as bm
from rookery.server.bots.engine import State, Unanswered
from rookery.server.bots.pool import Pool
from rookery.server.bots.worker import Thinking

PAUSE: Final = 0.005  # seconds after each decision of a review: an answer takes several turns


class Mind(Pool):
    """Answers at once what a pool has its workers answer; nothing else happens meanwhile.

    A review is made decision by decision, and gives way after each. In a browser that is a worker
    of the page, so the page goes on. Where there is no library for the machine nobody answers: in
    plain Python a decision would take a minute.
    """

    def __init__(self) -> None:
        super().__init__({})

    @cached_property
    def _thinking(self) -> Thinking | None:
        try:
            native.check(*KERNELS)
        except MissingTarget:
            return None
        return Thinking("native")

    @property
    def state(self) -> State:
        """Whether there is a library."""
        return "absent" if self._thinking is None else "ready"

    async def ask(
        self,
        asked: bm.Asked,
        seconds: float | None = None,
        progress: Callable[[bm.Progress], None] = lambda _: None,
        patience: float | None = None,
    ) -> bm.Weighed | bm.Reviewed:
        """Return the answer, however long it takes."""
        if self._thinking is None:
            raise Unanswered("absent")
        await asyncio.sleep(0)  # what was told before goes out first
        for told in self._thinking.answers(replace(asked, number=1)):
            if isinstance(told, bm.Weighed | bm.Reviewed):
                return told
            if isinstance(told, bm.Progress):
                progress(told)
                await asyncio.sleep(PAUSE)  # everything else here has its turn
        raise Unanswered("failed")
