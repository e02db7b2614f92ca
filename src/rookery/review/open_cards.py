"""Values with all hands open and everybody playing their best, by the solver.

`OpenPlay` follows the cards that were played and keeps what it learns on the way. The solver counts
points; the score comes from a line of best play, which the engine plays to its end. `OpenValues`
gives the value of each card that may be played, in many hands of one table.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rookery.cards import Card, unpack
from rookery.engine.actions import apply
from rookery.engine.card_sets import count
from rookery.engine.records import Allocator, Attributes, copy_of
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.choice import for_table
from rookery.game import Hand
from rookery.rules.table import RuleTable
from rookery.search.endgame import points_decide
from rookery.search.outcome import margin
from rookery.solver.answer import (
    ASK_AGAIN,
    BEGIN,
    EVERY,
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

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NODES: Final = 2_000_000  # cards tried for one position before the solver gives up
IN_ALL: Final = 8_000_000  # for one hand, but at least LEAST for each position
LEAST: Final = 20_000
PIECE: Final = 100_000  # cards tried before others have their turn, where they wait for one
LARGEST: Final = 1 << 18  # entries of the memory for one hand
SLOTS: Final = 1 << 14  # entries of the memory for many hands

Points: TypeAlias = "npt.NDArray[np.int64]"


def solvable(hand: Hand) -> bool:
    """Return whether a hand in its play is a contest of two sides over points alone.

    It is not without a contract, with more than two sides, with a blind hand that takes tricks for
    nobody, or with the Sun, which needs every trick.
    """
    s, table = hand.state, hand.table
    two = table.called or 2 * count(table.partners[0]) == table.seats
    return s.phase == PLAY and s.declarer >= 0 and bool(two) and not table.blind and not s.sun


class _Walk:
    """The solver at one position of a hand, and then at those that follow."""

    def __init__(self, hand: Hand) -> None:
        left = sum(map(count, hand.hidden.hand))
        size = min(LARGEST, 1 << left // 2 + 1)
        target = for_table(respond)
        made = Allocator(target)
        # The solver changes its own records alone.
        records = [made.record(r) for r in (hand.table, hand.state, hand.hidden, Ending())]
        self._given = (*records, made.zeros(ENTRY * (size + BUCKET + 1)))
        self._respond: Callable[..., int] = load(target, respond)
        self.w: Any = Attributes(records[3])
        self._do(BEGIN)

    def _do(self, order: int, first: int = 0, second: int = 0) -> int:
        return self._respond(*self._given, order, first, second)

    def value(self, nodes: int) -> Generator[None, None, int | None]:
        """Return the points of the declarer's side at the end, None if that is too much work.

        Yields after each piece of the work.
        """
        most = int(self.w.nodes) + nodes
        while True:
            self.w.limit = min(most, int(self.w.nodes) + PIECE)
            if self._do(PROCEED, VALUE):
                return int(self.w.base + self.w.unit * self.w.value_low)
            if self.w.limit == most:
                self._do(STOP)
                return None
            yield

    def step(self, card: Card) -> None:
        """Play a card."""
        w = self.w
        self._do(STEP, int(w.solver_card[card]))
        if w.root < w.cards:  # some are left to play
            depth = int(w.depth[int(w.root)])
            got = int(w.units_before[depth])
            self._do(ASK_AGAIN, got, got + int(w.left[depth]))

    def best(self, points: int) -> Card:
        """Return a card that keeps the value of so many points, and play it."""
        w = self.w
        value = (points - int(w.base)) // int(w.unit)
        self._do(ASK_AGAIN, value, value)
        w.limit = UNLIMITED
        self._do(PROCEED, FIRST)
        known = w.low if w.team[w.turn[w.root]] else w.high
        at = next(i for i in range(int(w.options)) if int(known[i]) == value)
        number = int(w.option[at])
        self._do(STEP, number)
        return int(w.engine_card[number])


class OpenPlay:
    """A hand's play with open cards.

    Attributes:
        work: what is left to do until the values are known; it yields after each piece.
    """

    def __init__(self, hands: Sequence[Hand], cards: Sequence[Card]) -> None:
        """Prepare, with the hand before each card, from the first lead on, and after the last."""
        self._hands = hands
        self._ends: dict[tuple[int, bool], State] = {}
        self._values: list[int | None] = []
        self.work = self._follow(cards)

    @property
    def values(self) -> Sequence[int | None]:
        """The points of the declarer's side before each card, and after the last one.

        None where the solver gave up, and after the first one where points never decide.
        """
        for _ in self.work:
            pass
        return self._values

    def _follow(self, cards: Sequence[Card]) -> Generator[None, None, None]:
        walk = _Walk(self._hands[0])
        # Once points decide, they do to the end. Where they never do, only the first is used.
        if not self._decides(-1):
            self._values += [(yield from walk.value(NODES)), *[None] * len(cards)]
            return
        for card in cards:
            most = max(LEAST, min(NODES, IN_ALL - int(walk.w.nodes)))
            self._values.append((yield from walk.value(most)))
            walk.step(card)
        last = None if self._hands[-1].over else (yield from walk.value(NODES))
        self._values.append(last)

    def end(self, at: int) -> State | None:
        """Return the end of the hand with best play for points from card number `at` on.

        None if that is unknown.
        """
        points = self.values[at]
        if points is None:
            return None
        # Once points decide, all ends with as many of them score the same; before, they may not.
        key = points, self._decides(at)
        if key not in self._ends:
            self._ends[key] = _played_out(self._hands[at], points)
        return self._ends[key]

    def _decides(self, at: int) -> bool:
        hand = self._hands[at]
        return points_decide(hand.table, hand.state, hand.hidden)

    def margin(self, at: int, seat: int) -> float | None:
        """Return by how much a seat's side outscores the others then, points; None if unknown.

        It is unknown, too, where more than points decide what is scored.
        """
        end = self.end(at) if self._decides(at) else None
        return None if end is None else margin_of(self._hands[0], end, seat)


def margin_of(hand: Hand, end: State, seat: int) -> float:
    """Return by how much a seat's side outscores the others (their mean) at a hand's end."""
    side = count(hand.table.partners[seat])
    return margin(hand.table, end, seat) / (side * (hand.rules.seats - side))


def _played_out(hand: Hand, points: int) -> State:
    """Return the end of a line of best play from a position with a value of so many points."""
    walk = _Walk(hand)
    s, h = copy_of(hand.state), copy_of(hand.hidden)
    while s.phase != DONE:
        apply(hand.table, s, h, walk.best(points))
    return s


class OpenValues:
    """The solver for many hands of one rule set."""

    def __init__(self, table: RuleTable) -> None:
        """Prepare the memory; with Numba the first position in a process compiles."""
        target = for_table(respond)
        self._made = made = Allocator(target)
        self._table, self._w = made.record(table), made.record(Ending())
        self._memory = made.zeros(ENTRY * (SLOTS + BUCKET + 1))
        self._respond: Callable[..., int] = load(target, respond)

    def of(self, state: State, hands: Sequence[Hidden], cards: Sequence[Card]) -> Points | None:
        """Return the value of each card for the side of the place on turn; None if too much work.

        The shape is (hands, cards), in game points. If that side is not the declarer's, a value is
        the points of the declarer's side, with a minus. The hands agree with the open state, which
        is in the play, and the cards are those that may be played.
        """
        import numpy as np

        s, w = self._made.record(state), Attributes(self._w)
        values = np.empty((len(hands), len(cards)), dtype=np.int64)
        for row, hidden in zip(values, self._made.records(hands), strict=True):
            given = (self._table, s, hidden, self._w, self._memory)
            self._respond(*given, BEGIN, 0, 0)
            w.limit = NODES
            if not self._respond(*given, PROCEED, EVERY, 0):
                self._respond(*given, STOP, 0, 0)
                return None
            worth = {
                card: int(w.base + w.unit * w.low[option])
                for option in range(int(w.options))
                for card in unpack(int(w.equivalent[option]))
            }
            row[:] = [worth[card] for card in cards]
        return values if w.team[w.turn[w.root]] else -values
