"""Tables, and who acts there when: as people do, and as the load generator of the tests does."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from benchmarks.crowd.system import Act, Server, System

ACTS: Final = 45  # of a hand; with its deal and what leads to the next one there are 49 events
BOT: Final = (0.3, 0.8)  # seconds that a bot takes at the pace "brisk"


class Table:
    """A table where somebody acts as soon as the last act has been seen for a while."""

    def __init__(
        self,
        system: System,
        number: int,
        place: int,
        home: Server,
        doors: Sequence[Server],
        period: float,
        people: Sequence[int],
        rng: Random,
        seen: list[float],
        bot: tuple[float, float] = BOT,
    ) -> None:
        """Take the table's server and database, its screens' servers, and which seats are people's.

        `period` is how many seconds a person takes on average; `seen` is given how long each act of
        a person took until the last screen had it.
        """
        self._system, self._rng, self._seen = system, rng, seen
        self._number, self._place, self._home, self._doors = number, place, home, doors
        self._period, self._people, self._bot = period, people, bot
        self._left, self._ready, self._turn = rng.randrange(ACTS), 0, rng.randrange(4)
        system.clock.at(rng.random() * period, self._next)

    def _next(self) -> None:
        clock, rng = self._system.clock, self._rng
        if not self._left:
            self._left, self._ready = ACTS, len(self._people)
            for seat in self._people:  # all of them want the next hand at once
                self._act(seat)
            return
        self._left -= 1
        self._turn = (self._turn + 1) % 4
        if self._turn in self._people:
            wait = self._period * rng.uniform(0.5, 1.5)
            clock.at(clock.now + wait, self._act, self._turn)
        else:
            clock.at(clock.now + rng.uniform(*self._bot), self._act, None)

    def _act(self, seat: int | None) -> None:
        began = self._system.clock.now

        def told(when: float) -> None:
            if seat is not None:
                self._seen.append(when - began)
            if self._ready:
                self._ready -= 1
                if self._ready:
                    return
            self._system.clock.at(when, self._next)

        act = Act(self._home, self._place, self._number, self._doors, told)
        self._system.send(act, None if seat is None else self._doors[seat])


def generated(
    system: System,
    tables: int,
    period: float,
    rng: Random,
    alone: int,
    quick: float,
) -> list[float]:
    """Have the tables of `tests/faults/load.py` played at; return where the times will be.

    At every other one two of four seats are bots'; at `alone` more, one person plays with three
    bots that take no time, and nobody is timed.
    """
    (server,) = system.servers
    seen: list[float] = []
    doors = [server] * 4
    for number in range(tables):
        people = (0, 2) if number % 2 else (0, 1, 2, 3)
        Table(system, number, 0, server, doors, period, people, rng, seen)
    for number in range(alone):
        Table(system, number, 0, server, [server], quick, (0,), rng, [], (0.0, 0.0))
    return seen


def crowded(system: System, tables: int, period: float, rng: Random) -> list[float]:
    """Have so many tables of four people played at; return where the times will be.

    A balancer that remembers nobody gives each socket to any server.
    """
    seen: list[float] = []
    servers, places = system.servers, max(1, len(system.databases))
    for number in range(tables):
        doors = [rng.choice(servers) for _ in range(4)]
        home, place = servers[number % len(servers)], number % places
        Table(system, number, place, home, doors, period, (0, 1, 2, 3), rng, seen)
    return seen
