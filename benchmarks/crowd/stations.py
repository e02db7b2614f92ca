"""What a simulation of discrete events needs: a clock, and places where work waits its turn."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from typing import Any


class Clock:
    """Calls what is to happen, in the order of time.

    Attributes:
        now: seconds since the beginning.
        happened: how much was called.
    """

    def __init__(self) -> None:
        """Begin at zero."""
        self.now, self.happened = 0.0, 0
        self._due: list[tuple[float, int, Callable[..., object], tuple[Any, ...]]] = []
        self._count = 0

    def at(self, when: float, call: Callable[..., object], *about: Any) -> None:  # noqa: ANN401
        """Call something at a time; of what is due at the same time, the first that was said."""
        self._count += 1
        heappush(self._due, (when, self._count, call, about))

    def run(self, until: float) -> None:
        """Let happen what is due until then."""
        due = self._due
        while due and due[0][0] <= until:
            self.now, _, call, about = heappop(due)
            self.happened += 1
            call(*about)
        self.now = until


class Station:
    """Cores that take up one piece of work after another, in the order in which it came.

    Attributes:
        worked: seconds of a core so far.
    """

    def __init__(self, clock: Clock, cores: int = 1) -> None:
        """Begin idle."""
        self.worked = 0.0
        self._clock, self._free = clock, [0.0] * cores

    @property
    def rests(self) -> bool:
        """Whether a core has nothing to do."""
        return self._free[0] <= self._clock.now

    def work(self, seconds: float) -> float:
        """Take up work that comes now; return when it will be done.

        >>> clock = Clock()
        >>> one, two = Station(clock), Station(clock, cores=2)
        >>> [one.work(1.0) for _ in range(3)], [two.work(1.0) for _ in range(3)]
        ([1.0, 2.0, 3.0], [1.0, 1.0, 2.0])
        """
        done = max(self._clock.now, self._free[0]) + seconds
        heapreplace(self._free, done)
        self.worked += seconds
        return done
