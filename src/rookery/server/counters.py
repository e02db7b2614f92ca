"""What a server counts and times while it runs, for Prometheus and for the admin page.

Plain numbers in memory, from the event loop's own thread alone: no library is needed to count, and
nothing here knows who somebody is.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

MINUTE: Final = 60  # seconds that `recent` looks back
LATEST: Final = 1024  # durations that quantiles are taken from
# P4 asks for 50 ms from a move to all screens.
STEPS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Said(NamedTuple):
    """What a figure is: a sentence, and what its label tells apart; an empty one for nothing."""

    sentence: str
    label: str


COUNTED: Final[Mapping[str, Said]] = MappingProxyType(
    {
        "asked": Said("What people asked of tables.", "type"),
        "acks": Said("What was acknowledged, and is durable.", ""),
        "refused": Said("What a table, or the door before it, did not allow.", "code"),
        "events": Said("What happened at tables.", "type"),
        "sockets": Said("Sockets that were let in: first, or back after a break.", "come"),
        "closed": Said("Sockets that this server closed.", "code"),
        "answers": Said("Answers over HTTP.", "status"),
        "cut": Said("Lines that were cut before they asked for anything.", "why"),
        "leases": Said("Tables taken up, put away, or lost to another server.", "how"),
        "cleared": Said("Tables, and what was said at them, past their time; people.", "what"),
    }
)
TIMED: Final[Mapping[str, Said]] = MappingProxyType(
    {
        "durable": Said("Until something was durable.", ""),
        "ack": Said("From a command's arrival to its acknowledgement on the way back.", ""),
        "screen": Said("From a command's arrival to one screen that shows what came of it.", ""),
        "answer": Said("Until an answer over HTTP began.", ""),
    }
)


class Durations:
    """How long something took: steps for a histogram, and the latest for quantiles; seconds."""

    def __init__(self) -> None:
        """Begin with none."""
        self.steps = [0] * (len(STEPS) + 1)
        self.total = 0.0
        self.count = 0
        self._latest: deque[float] = deque(maxlen=LATEST)

    def add(self, seconds: float) -> None:
        """Take one in."""
        self.steps[bisect_left(STEPS, seconds)] += 1
        self.total += seconds
        self.count += 1
        self._latest.append(seconds)

    def quantiles(self, *parts: float) -> list[float] | None:
        """Return quantiles of the latest, seconds; None where there are none.

        >>> took = Durations()
        >>> for ms in range(1, 101):
        ...     took.add(ms / 1000)
        >>> took.quantiles(0.5, 0.99, 1.0)
        [0.05, 0.099, 0.1]
        """
        found = sorted(self._latest)
        if not found:
            return None
        return [found[max(0, -int(-part * len(found) // 1) - 1)] for part in parts]


class Tally:
    """The counts and times of one server since it began."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin at nought; `clock` gives seconds."""
        self.counts: dict[str, dict[str, int]] = {name: {} for name in COUNTED}
        self.times: dict[str, Durations] = {name: Durations() for name in TIMED}
        self._clock = clock
        self._minute: dict[str, list[tuple[int, int]]] = {
            name: [(-1, 0)] * MINUTE for name in COUNTED
        }

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """Count something of `COUNTED`, under what its label tells apart."""
        held = self.counts[name]
        held[label] = held.get(label, 0) + by
        second = int(self._clock())
        slots = self._minute[name]
        then, there = slots[second % MINUTE]
        slots[second % MINUTE] = (second, by + (there if then == second else 0))

    def took(self, name: str, seconds: float) -> None:
        """Take in how long something of `TIMED` took."""
        self.times[name].add(seconds)

    def recent(self, name: str) -> int:
        """Return how many were counted in the last minute.

        >>> now = 0.0
        >>> tally = Tally(lambda: now)
        >>> tally.count("acks")
        >>> now = 59.0
        >>> tally.count("acks", by=2)
        >>> tally.recent("acks")
        3
        >>> now = 60.0
        >>> tally.recent("acks")
        2
        """
        since = int(self._clock()) - MINUTE
        return sum(there for second, there in self._minute[name] if second > since)
