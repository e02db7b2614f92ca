"""A worker's own work: what to do in a seat, and what a match was played like."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from rookery import record
from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.rules import Rules, load
from rookery.rules.table import compile_rules
from rookery.search.desk import Desk
from rookery.search.seat import seen_by, weigh
from rookery.server.bots.wire import (
    Answered,
    Asked,
    Failed,
    Look,
    Progress,
    Reviewed,
    Weigh,
    Weighed,
)

DESKS: Final = 32  # games at once that a worker need not lay out anew
PRACTICE: Final = "kd_tournament"


class _Place(NamedTuple):
    rules: Rules
    desk: Desk


class Thinking:
    """Answers questions one after the other, and keeps its desks laid out."""

    def __init__(self, target: Literal["python", "numba"] = "numba") -> None:
        """Begin without a desk; `target` is what the search runs on."""
        self._target: Literal["python", "numba"] = target
        self._places: OrderedDict[bytes, _Place] = OrderedDict()

    def practise(self) -> float:
        """Think once, so that everything is compiled; return how many seconds that took.

        Raises:
            ModuleNotFoundError: what compiles is not installed.
        """
        began = time.perf_counter()
        rules = load(PRACTICE)
        hand = Hand.shuffled(rules, dealer=0, seed=0)
        desk = Desk(compile_rules(rules), self._target)
        weigh(rules, {"tries": "8"}, seen_by(hand, SeatInfo()), desk)
        return time.perf_counter() - began

    def answer(self, asked: Asked, tell: Callable[[Answered], None]) -> None:
        """Answer a question through `tell`; of a review the progress is told as well."""
        try:
            if isinstance(asked, Weigh):
                tell(self._weighed(asked))
            else:
                self._look(asked, tell)
        except Exception as error:
            # Its text may name a card; where it comes from does not.
            tell(Failed(asked.number, _where(error)))

    def _weighed(self, asked: Weigh) -> Weighed:
        began = time.perf_counter()
        place = self._place(asked.rules)
        found = weigh(place.rules, asked.options, asked.seen, place.desk, even=asked.even)
        took = time.perf_counter() - began
        return Weighed(asked.number, found.choices, found.rng, found.memo, took)

    def _place(self, rules: bytes) -> _Place:
        if rules not in self._places:
            loaded = load(json.loads(rules))
            self._places[rules] = _Place(loaded, Desk(compile_rules(loaded), self._target))
            if len(self._places) > DESKS:
                self._places.popitem(last=False)
        self._places.move_to_end(rules)
        return self._places[rules]

    def _look(self, asked: Look, tell: Callable[[Answered], None]) -> None:
        from rookery.review.match_review import review

        match = record.replay(record.loads(asked.record))
        found = review(
            match,
            progress=lambda done, whole: tell(Progress(asked.number, done, whole)),
        )
        tell(Reviewed(asked.number, found.model_dump_json().encode()))


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    return f"{type(error).__name__} at {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}"
