"""Where lessons are made: the compiled code with its scratch paper, one rule set after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from rookery.bots.decide import CLUB, seated
from rookery.bots.mine import Mine
from rookery.cards import CARDS
from rookery.engine.kernel import load
from rookery.engine.rng import seeded
from rookery.engine.scratch import Scratch
from rookery.engine.state import Hidden, State
from rookery.learn.net import Net, paper_for
from rookery.learn.practice import Lessons, blank, gather
from rookery.rules.table import PLACES, RuleTable
from rookery.search.thought import Thought
from rookery.solver.known import Known
from rookery.solver.sample import ROOM


class School:
    """A room with scratch paper for one thread; the first compiled one of all compiles."""

    def __init__(self, target: Literal["python", "numba"] = "numba") -> None:
        """Lay out the paper. Plain Python is for tests of small size."""
        self._gather: Callable[..., int] = load(target, gather, None, seated([CLUB]))
        self._scratch = Scratch(target)
        one, numbers = self._scratch.record, self._scratch.numbers
        self._one = [one(r) for r in (State(), Hidden(), Known(), Hidden(), State(), Hidden())]
        self._mine, self._cast = (
            self._scratch.records(Mine() for _ in range(PLACES)) for _ in range(2)
        )
        self._thoughts = [one(Thought()), one(Thought())]
        self._order, self._ways = numbers([0] * CARDS), numbers([0.0] * ROOM)

    def lessons(
        self,
        tables: Sequence[RuleTable],
        decisions: int,
        seed: int,
        net: Net,
        *,
        worlds: int = 0,
        taught: int = 0,
        stray: int = 13,
    ) -> Lessons:
        """Return decisions from hands of several rule sets, equally many of each.

        Args:
            tables: the rule sets.
            decisions: how many of each.
            seed: of all dice; the same gives the same lessons.
            net: who plays where `taught` says so.
            worlds: drawn for each decision; 0 tries every card once, in the true hands.
            taught: how likely a seat plays by the network, 256ths; above 0 all tries are its too.
            stray: how often a card is played at random, 256ths.
        """
        lessons = blank(decisions * len(tables))
        paper = paper_for(net)
        state, hidden, known, world, trial, closed = self._one
        for turn, table in enumerate(tables):
            rules = self._scratch.record(table)
            self._gather(
                rules, state, hidden, self._mine, self._order, known, world, trial,
                closed, self._cast, *self._thoughts, self._ways, net, paper, lessons,
                turn * decisions, (turn + 1) * decisions, seeded(seed, turn), worlds, taught, stray,
            )  # fmt: skip
        cards = int(lessons.start[-1])
        return lessons._replace(cards=lessons.cards[:cards], worth=lessons.worth[:cards])
