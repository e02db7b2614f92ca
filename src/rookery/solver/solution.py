"""The solver for a hand: values, best cards and a line of best play.

>>> from rookery.game import Hand
>>> from rookery.rules import load
>>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
>>> solve(hand)
Traceback (most recent call last):
    ...
rookery.solver.solution.Unsolvable: the hand is in its auction; solving begins with the play
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from numbers import Real
from operator import itemgetter
from typing import Any, Final

from pydantic import BaseModel, Field

from rookery.cards import unpack
from rookery.engine.card_sets import count
from rookery.engine.records import Allocator, Attributes
from rookery.engine.state import DONE, PLAY, REDEALT
from rookery.engine.targets import Target, load
from rookery.engine.targets.choice import for_table
from rookery.game import Hand
from rookery.game.errors import Refusal, check_kind
from rookery.solver import answer
from rookery.solver.ending import Ending
from rookery.solver.setup import side_solved
from rookery.solver.transpositions import BUCKET, ENTRY

FEW_CARDS: Final = 13  # cards left that plain Python solves before compiled code is even loaded
PLAIN_NODES, NODES = 500, 100_000  # nodes between two looks at the limits
PARTS: Final = 64  # looks at a large limit of nodes
GUESSES: Final = (1, 7, 2, 6, 3, 5, 4)  # eighths of what is open, tried where one target takes long
CARDS_PART: Final = 0.9  # of the time is gone when values of cards make way for the line of play
PATIENCE: Final = 8  # a target may take so much of the time before another one is tried


class CardValue(BaseModel, frozen=True):
    """A card that may be played, and what the declarer's side ends with if it is."""

    card: str
    low: int = Field(description="At least so many points.")
    high: int = Field(description="At most so many points; the same as low once it is known.")
    best: bool = Field(description="Whether no card is known to be better for who plays it.")


class Solution(BaseModel, frozen=True):
    """What a position is worth with all hands open and everybody playing their best.

    Points are those of the declarer's side at the end of the hand, nest and bonuses included,
    before the contract is held against them. Without a contract the side is that of the seat to
    act.
    """

    rules: str = Field(description="What the game is called.")
    to_act: int = Field(description="The seat whose decision it is; the declarer for a dummy.")
    turn: int = Field(description="The seat that the card comes from.")
    side: list[int] = Field(description="The seats whose points are counted.")
    contract: int | None = Field(description="Points promised; null without a contract.")
    points: int | None = Field(description="The exact value; null where time ran out.")
    low: int = Field(description="The side gets at least so many points.")
    high: int = Field(description="The side gets at most so many points.")
    made: bool | None = Field(
        description="Whether the contract is kept; null where that is not settled, where there is "
        "none, and for the Sun."
    )
    cards: list[CardValue] = Field(
        description="Every card that may be played, the best for who plays it first."
    )
    line: list[str] = Field(
        description="Best play from here on, as a record writes it; short or empty where time ran "
        "out."
    )
    nodes: int = Field(description="Cards played in the search.")
    ms: float = Field(description="Time taken, milliseconds.")


class Unsolvable(Refusal):
    """A hand that is not in its play. Code: ``not-now`` or ``hand-over``."""


def solve(hand: Hand, *, seconds: float | None = None, nodes: int | None = None) -> Solution:
    """Return what a position is worth with open hands, its best cards and a line of best play.

    Args:
        hand: a hand in its play phase; the cards of all seats are used.
        seconds: time to take; then the bounds found so far come back. No limit when None.
        nodes: cards to play in the search, as another limit; without `seconds`, what is found is
            then the same on every machine.

    Raises:
        Unsolvable: the hand is not in its play, or over.
        ValueError: a limit is not positive, or the one of the cards is endless.
        TypeError: it is no hand.
    """
    check_kind("hand", hand, Hand, "a Hand, such as Match.hand")
    if hand.state.phase != PLAY:
        raise _not_now(hand)
    for name, limit in (("seconds", seconds), ("nodes", nodes)):
        if limit is not None and not (isinstance(limit, Real) and limit > 0):
            raise ValueError(f"{name} is {limit!r}; expected a number, more than 0")
    if nodes is not None and math.isinf(nodes):
        raise ValueError(f"nodes is {nodes}; expected a whole number, or None for no limit")
    return _Search(hand, seconds, nodes).solution()


def _not_now(hand: Hand) -> Unsolvable:
    if hand.state.phase == REDEALT:
        return Unsolvable("hand-over", "the hand was dealt again; nothing is left to solve")
    if hand.state.phase == DONE:
        return Unsolvable("hand-over", "the hand is over; nothing is left to solve")
    where = {
        "auction": "in its auction",
        "nest": "waiting for the discard",
        "trump": "waiting for the trump call",
        "rook": "waiting for the rank of the Rook",
        "call": "waiting for the called card",
        "leader": "waiting for the declarer to say who leads",
        "circus": "passing cards for the circus",
    }[hand.phase]
    return Unsolvable("not-now", f"the hand is {where}; solving begins with the play")


class _Search:
    """One hand, the search on it, and its limits."""

    def __init__(self, hand: Hand, seconds: float | None, nodes: int | None) -> None:
        self.hand = hand
        self.seconds, self.nodes = seconds, nodes
        self.part = 1.0
        state, hidden = hand.state, hand.hidden
        left = sum(map(count, hidden.hand))
        self.side = side_solved(hand.table, state, hidden)
        self.w: Any = Ending()
        target: Target = "python" if left < FEW_CARDS else for_table(answer.respond)
        plain = target == "python"
        self.slice = PLAIN_NODES if plain and seconds is not None else NODES
        size = min(20, left // 2 + 1)
        if nodes is not None:
            # What is found depends on both, and so neither may depend on what runs the search.
            self.slice = min(self.slice, max(PLAIN_NODES, math.ceil(nodes / PARTS)))
            size = min(size, int(nodes).bit_length())
        elif plain:
            size = 12
        made = Allocator(target)
        records = tuple(map(made.record, (hand.table, state, hidden, self.w)))
        self.w = Attributes(records[3])
        memory = made.zeros(ENTRY * ((1 << size) + BUCKET + 1))
        response: Callable[..., int] = load(target, answer.respond)
        self.respond: Callable[[int, int, int], int] = partial(response, *records, memory)
        self.respond(answer.BEGIN, 0, 0)
        self.start = time.perf_counter()  # what had to be compiled before is no part of the search

    def solution(self) -> Solution:
        w = self.w
        valued = self._work(answer.VALUE, patient=self.seconds is None and self.nodes is None)
        if valued:
            self.part = CARDS_PART
            if not self._work(answer.EVERY, patient=True):
                self.respond(answer.STOP, 0, 0)
            self.part = 1.0
        low, high = self._points(w.value_low), self._points(w.value_high)
        cards = self._cards()
        line = list(self._line()) if valued else []
        hand = self.hand
        return Solution(
            rules=hand.rules.name,
            to_act=int(hand.to_act or 0),
            turn=int(hand.turn or 0),
            side=list(unpack(self.side)),
            contract=None if hand.declarer is None else hand.state.contract,
            points=low if low == high else None,
            low=low,
            high=high,
            made=_made(hand, low, high),
            cards=cards,
            line=line,
            nodes=int(w.nodes),
            ms=round((time.perf_counter() - self.start) * 1000, 3),
        )

    def _points(self, units: int) -> int:
        return int(self.w.base + self.w.unit * units)

    def _left(self) -> int:
        """Return how many nodes may be searched before the next look at the clock; 0 for none."""
        seconds, spent = self.seconds, time.perf_counter() - self.start
        if seconds is not None and spent > seconds * self.part:
            return 0
        if self.nodes is None:
            return self.slice
        return max(0, min(self.slice, math.ceil(self.nodes * self.part) - int(self.w.nodes)))

    def _work(self, want: int, *, patient: bool) -> bool:
        """Work on a question; return whether it is answered.

        Unless `patient`, a target that takes a large part of the time is put off for another one:
        bounds from both sides are worth more than a guess that could not be settled.
        """
        w = self.w
        begun, tries = self._spent(), 0
        known = (int(w.floor), int(w.ceiling))
        while True:
            more = self._left()
            if not more:
                return False
            w.limit = w.nodes + more
            if self.respond(answer.PROCEED, want, 0):
                return True
            if patient:
                continue
            if (int(w.floor), int(w.ceiling)) != known:
                known = (int(w.floor), int(w.ceiling))
                begun = self._spent()
            elif self._spent() - begun > (1 + tries // len(GUESSES)) / PATIENCE / len(GUESSES):
                self.respond(answer.ABANDON, 0, 0)
                span = int(w.ceiling) - int(w.floor)
                w.guess = int(w.floor) + max(1, span * GUESSES[tries % len(GUESSES)] // 8)
                tries += 1
                begun = self._spent()

    def _spent(self) -> float:
        """Return the part of the time or the nodes that is gone."""
        clock = nodes = 0.0
        if self.seconds is not None:
            clock = (time.perf_counter() - self.start) / self.seconds
        if self.nodes is not None:
            nodes = int(self.w.nodes) / self.nodes
        return max(clock, nodes)

    def _cards(self) -> list[CardValue]:
        """Return the value of every legal card, the best for who plays it first."""
        w = self.w
        ours = bool(self.side >> self.hand.state.turn & 1)
        values = []
        for i in range(int(w.options)):
            low, high = self._points(w.low[i]), self._points(w.high[i])
            if ours:
                high = min(high, self._points(w.value_high))
            else:
                low = max(low, self._points(w.value_low))
            values += [(low, high, name) for name in self.hand.names(unpack(int(w.equivalent[i])))]
        values.sort(key=itemgetter(0, 1) if ours else itemgetter(1, 0), reverse=ours)
        bar = values[0][0] if ours else values[0][1]
        return [
            CardValue(card=card, low=low, high=high, best=high >= bar if ours else low <= bar)
            for low, high, card in values
        ]

    def _line(self) -> Iterator[str]:
        """Yield best play to the end of the hand, as far as the limits reach."""
        w = self.w
        value = int(w.value_low)
        names = self.hand.names
        while True:
            ours = w.team[w.turn[w.root]]
            known = w.low if ours else w.high
            best = next((i for i in range(int(w.options)) if known[i] == value), None)
            if best is None:
                return
            place = int(w.turn[w.root])
            if place < self.hand.rules.seats:
                yield f"{place} play {names([int(w.engine_card[w.option[best]])])[0]}"
            self.respond(answer.STEP, int(w.option[best]), 0)
            if w.root == w.cards:
                return
            self.respond(answer.ASK_AGAIN, value, value)
            if not self._work(answer.FIRST, patient=True):
                return


def _made(hand: Hand, low: int, high: int) -> bool | None:
    state = hand.state
    if hand.declarer is None or state.sun:
        return None
    return True if low >= state.contract else False if high < state.contract else None
