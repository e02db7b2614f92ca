"""The compiled search with its scratch paper: what it is given is one position, seen from a seat.

The code is compiled once for all rule sets, so that a table with a new house rule need not wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bots.decide import CLUB, seated
from rookery.bots.mine import Mine
from rookery.engine.kernel import load
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.rules.table import PLACES, RuleTable
from rookery.search.expert import begin_thought, rank, try_worlds
from rookery.search.thought import Thought
from rookery.solver.known import Known
from rookery.solver.sample import ROOM

SLICE: Final = 64  # tries between two looks at the clock


class Desk:
    """Where one thread thinks. What it thought last is in `weighed`."""

    def __init__(self, table: RuleTable) -> None:
        """Lay out the scratch paper; the first desk of all compiles."""
        self._begin: Callable[..., None] = load("numba", begin_thought, None, seated([CLUB]))
        self._try: Callable[..., None] = load("numba", try_worlds, None, seated([CLUB]))
        self._rank: Callable[..., None] = load("numba", rank, None, seated([CLUB]))
        self._rules = array_of(table)[0]
        self._known, self._thought = array_of(Known())[0], array_of(Thought())[0]
        self._trial, self._closed = array_of(State())[0], array_of(Hidden())[0]
        self._world = array_of(Hidden())[0]
        self._cast = array_of(*(Mine() for _ in range(PLACES)))
        self._ways = np.zeros(ROOM, np.float64)

    def think(
        self, state: State, mine: Mine, tries: int, milliseconds: float = float("inf")
    ) -> None:
        """Weigh the actions of the seat of `mine`, whose turn it is, in about `tries` tries.

        After `milliseconds` it stops where it stands; each action has been tried once at least.
        The generator and the notes of `mine` move on.
        """
        until = time.perf_counter() + milliseconds / 1000
        (s,), (m,) = array_of(state), array_of(mine)
        k, t, world = self._known, self._thought, self._world
        self._begin(self._rules, s, m, k, world, t, self._ways)
        rounds = max(1, (int(t["count"]) - 1).bit_length())
        late = False
        for _ in range(rounds if t["count"] > 1 else 0):
            alive = int(t["alive"])
            worlds = max(1, tries // (rounds * alive))
            while worlds and not late:
                some = min(worlds, max(1, SLICE // alive))
                self._try(
                    self._rules, s, m, k, world, self._trial, self._closed, self._cast, t,
                    self._ways, some, 1,
                )  # fmt: skip
                worlds -= some
                late = time.perf_counter() > until
            self._rank(t)
            if late:
                break
            t["alive"] = (alive + 1) // 2
        mine.rng = int(m["rng"])
        mine.memo = [int(note) for note in m["memo"]]

    @property
    def weighed(self) -> list[tuple[int, int, int, int]]:
        """Action, tries, sum of margins and contracts made of every action, the best first."""
        t: Any = self._thought
        return [
            (int(t["action"][i]), int(t["tried"][i]), int(t["total"][i]), int(t["made"][i]))
            for i in range(int(t["count"]))
        ]
