"""What a server counts and times while it runs, for Prometheus and for the admin page.

These are plain numbers in memory, which only the event loop's thread changes. None of them says
who anybody is.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType
from typing import Final, NamedTuple

MINUTE: Final = 60  # seconds that `recent` looks back
LATEST: Final = 1024  # durations that quantiles are taken from
# Seconds; promise P4 is 50 ms from a move to all screens.
STEPS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class About(NamedTuple):
    """What a figure is.

    Attributes:
        label: the name of its label; empty where it has none.
        alarms: the values of the label that an alarm waits for.
    """

    sentence: str
    label: str
    alarms: tuple[str, ...] = ()


COUNTED: Final[Mapping[str, About]] = MappingProxyType(
    {
        "asked": About("What people asked of tables.", "type"),
        "acks": About("What was acknowledged, and is durable.", ""),
        "refused": About(
            "What a table, or the door before it, did not allow.", "code", ("storage",)
        ),
        "events": About("What happened at tables.", "type"),
        "sockets": About("Sockets that were let in: first, or back after a break.", "come"),
        "closed": About("Sockets that this server closed.", "code", ("4008",)),
        "answers": About("Answers over HTTP.", "status", ("500",)),
        "cut": About("Connections that were cut: too slow, too many, or no HTTP.", "why"),
        "security_events": About("What whoever means harm does; see `security.KINDS`.", "kind"),
        "leases": About("Tables taken up, put away, or lost to another server.", "how", ("lost",)),
        "cleared": About("Tables, and what was said at them, past their time.", "what"),
    }
)
TIMED: Final[Mapping[str, About]] = MappingProxyType(
    {
        "durable": About("Until something was durable.", ""),
        "ack": About("From a command's arrival to its acknowledgement on the way back.", ""),
        "screen": About("From a command's arrival to one screen that shows what came of it.", ""),
        "answer": About("Until an answer over HTTP began.", ""),
    }
)


class Durations:
    """How long something took, seconds: counts for a histogram, and the latest for quantiles."""

    def __init__(self) -> None:
        self.steps = [0] * (len(STEPS) + 1)
        self.total = 0.0
        self.count = 0
        self._latest: deque[float] = deque(maxlen=LATEST)

    def add(self, seconds: float) -> None:
        """Add a duration."""
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
        latest = sorted(self._latest)
        if not latest:
            return None
        return [latest[max(0, ceil(part * len(latest)) - 1)] for part in parts]


class PerHousehold:
    """How many of something each household has at a time; None stands for one without a limit.

    Attributes:
        most: how many it may have.
        taken: how many each household has that has any.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.taken: Counter[str] = Counter()

    def take(self, who: str | None) -> bool:
        """Count one more of a household; return whether there was room for it."""
        if who is None:
            return True
        if self.taken[who] >= self.most:
            return False
        self.taken[who] += 1
        return True

    def give_back(self, who: str | None) -> None:
        """Count one less of a household."""
        if who is not None:
            self.taken[who] -= 1
            if not self.taken[who]:
                del self.taken[who]


class Tally:
    """The counts and times of one server since it began."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with zeros; `clock` returns seconds."""
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.times: dict[str, Durations] = {name: Durations() for name in TIMED}
        self._clock = clock
        self._minute: dict[str, list[tuple[int, int]]] = {
            name: [(-1, 0)] * MINUTE for name in COUNTED
        }

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """Count something of `COUNTED` under a value of its label."""
        self.counts[name][label] += by
        second = int(self._clock())
        slots = self._minute[name]
        then, count = slots[second % MINUTE]
        slots[second % MINUTE] = (second, by + (count if then == second else 0))

    def took(self, name: str, seconds: float) -> None:
        """Add how long something of `TIMED` took."""
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
        return sum(count for second, count in self._minute[name] if second > since)
