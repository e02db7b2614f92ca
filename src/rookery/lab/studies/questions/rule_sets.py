"""The job of `house-rules`: rule sets measured on the same boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.lab.stats import Interval
from rookery.lab.studies.changes import Change
from rookery.lab.studies.questions.blocks import Blocks, block_count, block_size
from rookery.lab.studies.questions.measure import NOTES, WIDTH, measure_boards
from rookery.lab.studies.questions.quantities import Quantity
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

Target: TypeAlias = Literal["python", "numba"]

CHUNK: Final = 500  # boards that a worker takes at a time


@dataclass(frozen=True)
class RuleSets:
    """Some rule sets, each on the same boards; a job of the laboratory.

    Attributes:
        name: the job's name in a journal.
        rules: the rule sets.
        units: boards of each.
        bots: the numbers of the bot that is measured, and of a weaker one.
        seed: of all deals and dice, 0 to 2^63 - 1.
        skip: the number of the first board among those of the seed.
        target: where the kernels run.
        chunk: boards that a worker takes at a time.
    """

    name: str
    rules: tuple[Rules, ...]
    units: int
    bots: tuple[int, int]
    seed: int
    skip: int = 0
    target: Target = "numba"
    chunk: int = CHUNK

    @cached_property
    def tables(self) -> tuple[RuleTable, ...]:
        """The rule sets as the engine reads them."""
        return tuple(compile_rules(rules) for rules in self.rules)

    def nothing(self) -> npt.NDArray[np.int64]:
        """Return the sums over no boards."""
        return np.zeros(len(self.rules) * block_count(self.units) * WIDTH, np.int64)

    def count(self, first: int, size: int) -> npt.NDArray[np.int64]:
        """Return the sums over some boards, shape (rule sets * blocks * `WIDTH`,)."""
        sums = self.nothing().reshape(len(self.rules), -1)
        block = block_size(self.units)
        play = _player(self.target)
        for table, row in zip(self.tables, sums, strict=True):
            play(table, *self.bots, self.seed, self.skip, first, size, block, row)
        return sums.reshape(-1)

    def measured(self, sums: npt.NDArray[np.int64]) -> list[RuleSet]:
        """Return the measured rule sets from `sums`, those over all boards."""
        rows = sums.reshape(len(self.rules), block_count(self.units), WIDTH)
        return [
            RuleSet(rules, table, Blocks(own))
            for rules, table, own in zip(self.rules, self.tables, rows, strict=True)
        ]


@dataclass(frozen=True)
class RuleSet:
    """One rule set that has been measured."""

    rules: Rules
    table: RuleTable
    blocks: Blocks

    def figure(self, quantity: Quantity) -> Interval:
        """Return a figure; nan where it is undefined under these rules."""
        return self.blocks(quantity.of(self.table))

    def beyond(self, base: RuleSet, quantity: Quantity) -> Interval:
        """Return the figure less that of `base`, over the same boards."""
        return self.blocks.beyond(quantity.of(self.table), base.blocks, quantity.of(base.table))


def _player(target: Target) -> Callable[..., None]:
    # One compiled program serves all rule sets; compiling one for each would take too long.
    boards: Callable[..., Any] = load(target, measure_boards)
    mine = [SeatInfo() for _ in range(PLACES)]

    def plain(table: RuleTable, *rest: Any) -> None:  # noqa: ANN401
        *numbers, sums = rest
        noted = [0] * len(sums)
        lists: Sequence[list[int]] = ([0] * PLACES, [0] * PLACES, [0] * CARDS, [0] * NOTES)
        boards(table, State(), Hidden(), mine, *lists, *numbers, noted)
        sums += np.array(noted, np.int64)

    def compiled(table: RuleTable, *rest: Any) -> None:  # noqa: ANN401
        (rules,), (state,), (hidden,) = array_of(table), array_of(State()), array_of(Hidden())
        arrays = (np.zeros(size, np.int64) for size in (PLACES, PLACES, CARDS, NOTES))
        boards(rules, state, hidden, array_of(*mine), *arrays, *rest)

    return plain if target == "python" else compiled


@dataclass(frozen=True)
class Found:
    """One rule set of the plan: how it plays, and how each change to it does.

    Attributes:
        label: what tables call it.
        base: the rule set itself.
        played: the changes that fit and may matter in a hand, each as it was measured.
        left: the changes that were not played: they do not fit, or cannot matter in a hand.
    """

    label: str
    base: RuleSet
    played: tuple[tuple[Change, RuleSet], ...]
    left: tuple[Change, ...]
