"""What each card that may be played is worth with open hands, in many hands of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.cards import Card, unpack
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.rules.table import RuleTable
from rookery.solver.answer import BEGIN, EVERY, PROCEED, STOP, respond
from rookery.solver.ending import Ending
from rookery.solver.transpositions import BUCKET, ENTRY

NODES: Final = 2_000_000  # cards tried for one position before it counts as too much to solve
SLOTS: Final = 1 << 14  # entries of the memory

Points: TypeAlias = npt.NDArray[np.int64]


class OpenValues:
    """The solver, at tables that are played by one rule set."""

    def __init__(self, table: RuleTable, nodes: int = NODES) -> None:
        """Lay out its memory; the first position of all compiles.

        Args:
            table: the rules.
            nodes: cards that may be tried for one position.
        """
        self._table = array_of(table)[0]
        self._w: Any = array_of(Ending())[0]
        self._memory = np.zeros(ENTRY * (SLOTS + BUCKET + 1), dtype=np.int64)
        self._respond: Callable[..., int] = load("numba", respond)
        self._nodes = nodes

    def of(self, state: State, hands: Sequence[Hidden], cards: Sequence[Card]) -> Points | None:
        """Return what the side of the place on turn ends with; None where that is too much work.

        What is returned has the shape (hands, cards), in game points. Where the declarer's side is
        the other one, they are what that side takes, with a minus.

        Args:
            state: what lies open, in the play.
            hands: the closed cards, each of which agrees with it.
            cards: those that may be played.
        """
        s, w = array_of(state)[0], self._w
        found = np.empty((len(hands), len(cards)), dtype=np.int64)
        for row, hidden in zip(found, array_of(*hands), strict=True):
            given = (self._table, s, hidden, w, self._memory)
            self._respond(*given, BEGIN, 0, 0)
            w["limit"] = self._nodes
            if not self._respond(*given, PROCEED, EVERY, 0):
                self._respond(*given, STOP, 0, 0)
                return None
            worth = {
                card: int(w["base"] + w["unit"] * w["low"][option])
                for option in range(int(w["options"]))
                for card in unpack(int(w["equivalent"][option]))
            }
            row[:] = [worth[card] for card in cards]
        return found if w["team"][w["turn"][w["root"]]] else -found
