"""What a hand was worth at each card, with all hands open and everybody playing his best.

The solver walks along the cards that were played and keeps what it learns. It counts points; what
these come to as a score is read off a line of best play, played to its end on the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from rookery.cards import Card
from rookery.engine.actions import apply
from rookery.engine.card_sets import count
from rookery.engine.records import array_of, copy_of
from rookery.engine.state import DONE, PLAY, State
from rookery.engine.targets import load
from rookery.game import Hand
from rookery.search.stakes import margin
from rookery.solver.answer import (
    ASK_AGAIN,
    BEGIN,
    FIRST,
    PROCEED,
    STEP,
    STOP,
    UNLIMITED,
    VALUE,
    respond,
)
from rookery.solver.ending import Ending
from rookery.solver.transpositions import BUCKET, ENTRY

NODES: Final = 2_000_000  # cards tried for one position before it counts as too much to solve
IN_ALL: Final = 8_000_000  # for one hand, save LEAST for each position
LEAST: Final = 20_000
LARGEST: Final = 1 << 18  # entries of the memory


def solvable(hand: Hand) -> bool:
    """Return whether a hand in its play is a contest of two sides over points alone.

    It is not without a contract, where more than two play, each for himself, where a blind hand
    takes tricks for nobody, and where the Sun asks for every trick.
    """
    s, table = hand.state, hand.table
    two = table.called or 2 * count(table.partners[0]) == table.seats
    return s.phase == PLAY and s.declarer >= 0 and bool(two) and not table.blind and not s.sun


class _Walk:
    """The solver at one position of a hand, and at those that follow."""

    def __init__(self, hand: Hand) -> None:
        left = sum(map(count, hand.hidden.hand))
        size = min(LARGEST, 1 << left // 2 + 1)
        memory = np.zeros(ENTRY * (size + BUCKET + 1), dtype=np.int64)
        records = [array_of(r)[0] for r in (hand.table, hand.state, hand.hidden, Ending())]
        self._given = (*records, memory)
        self._respond: Callable[..., int] = load("numba", respond)
        self.w: Any = records[3]
        self._do(BEGIN)

    def _do(self, order: int, first: int = 0, second: int = 0) -> int:
        return self._respond(*self._given, order, first, second)

    @property
    def nodes(self) -> int:
        """How many cards have been tried so far."""
        return int(self.w["nodes"])

    @property
    def over(self) -> bool:
        """Whether every card of the hand has been played."""
        return int(self.w["root"]) == int(self.w["cards"])

    def value(self, nodes: int) -> int | None:
        """Return the points of the declarer's side at the end, None where that is too much."""
        self.w["limit"] = self.w["nodes"] + nodes
        if self._do(PROCEED, VALUE):
            return int(self.w["base"] + self.w["unit"] * self.w["value_low"])
        self._do(STOP)
        return None

    def step(self, card: Card) -> None:
        """Go on by a card that was played."""
        w = self.w
        self._do(STEP, int(w["solver_card"][card]))
        if not self.over:
            depth = int(w["depth"][int(w["root"])])
            got = int(w["units_before"][depth])
            self._do(ASK_AGAIN, got, got + int(w["left"][depth]))

    def best(self, points: int) -> Card:
        """Return a card that keeps the value, so many points, and go on by it."""
        w = self.w
        value = (points - int(w["base"])) // int(w["unit"])
        self._do(ASK_AGAIN, value, value)
        w["limit"] = UNLIMITED
        self._do(PROCEED, FIRST)
        known = w["low"] if w["team"][w["turn"][w["root"]]] else w["high"]
        at = next(i for i in range(int(w["options"])) if int(known[i]) == value)
        number = int(w["option"][at])
        self._do(STEP, number)
        return int(w["engine_card"][number])


class OpenPlay:
    """A hand's play with open cards.

    Attributes:
        values: by the number of the card played, from 0, and one more for what follows the last:
            the points of the declarer's side, None where they were not found.
    """

    def __init__(self, hands: Sequence[Hand], cards: Sequence[Card], nodes: int = NODES) -> None:
        """Walk along a hand's play.

        Args:
            hands: the hand at each card, the first one at the first lead, and after the last card.
            cards: what was played, one for each of them but the last.
            nodes: cards that may be tried for one position.
        """
        self._hands = hands
        self._ends: dict[int, State] = {}
        self.values: list[int | None] = []
        walk = _Walk(hands[0])
        for card in cards:
            self.values.append(walk.value(max(LEAST, min(nodes, IN_ALL - walk.nodes))))
            walk.step(card)
        self.values.append(None if hands[-1].over else walk.value(nodes))

    def end(self, at: int) -> State | None:
        """Return how the hand ends with best play from card number `at` on; None where unknown."""
        points = self.values[at]
        if points is None:
            return None
        if points not in self._ends:
            first = self.values.index(points)
            self._ends[points] = _played_out(self._hands[first], points)
        return self._ends[points]

    def margin(self, at: int, seat: int) -> float | None:
        """Return what a seat's side then scores above the others, points; None where unknown."""
        end = self.end(at)
        return None if end is None else margin_of(self._hands[0], end, seat)


def margin_of(hand: Hand, end: State, seat: int) -> float:
    """Return what a seat's side scores above the others (their mean) at the end of a hand."""
    side = count(hand.table.partners[seat])
    return margin(hand.table, end, seat) / (side * (hand.rules.seats - side))


def _played_out(hand: Hand, points: int) -> State:
    """Return the end of a line of best play from a position that is worth so many points."""
    walk = _Walk(hand)
    s, h = copy_of(hand.state), copy_of(hand.hidden)
    while s.phase != DONE:
        apply(hand.table, s, h, walk.best(points))
    return s
