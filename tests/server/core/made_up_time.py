"""Time that is made up: where everybody waits it is later at once, so that waiting takes none."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Leaping(selectors.SelectSelector):
    """Waits for nothing but real news; what was to be waited for has passed at once."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(None if timeout is None else 0)
        if not found and timeout:
            self.passed += timeout
        return found


class MadeUpTime(asyncio.SelectorEventLoop):
    """A loop whose time passes only where nothing else can happen, and then at once."""

    def __init__(self) -> None:
        """Begin at 0."""
        self._leaping = _Leaping()
        super().__init__(self._leaping)

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self._leaping.passed


def in_made_up_time(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what comes of something that waits, without waiting."""
    with asyncio.Runner(loop_factory=MadeUpTime) as runner:
        return runner.run(work())
