"""The job of `house-rules`: rule sets measured on the same boards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from rookery.cards import CARDS
from rookery.engine.targets import Target
from rookery.lab.run.programs import program, records, zeros
from rookery.lab.stats import Interval
from rookery.lab.studies.changes import Change
from rookery.lab.studies.questions.blocks import Blocks, block_count, block_size
from rookery.lab.studies.questions.measure import NOTES, WIDTH, measure_boards
from rookery.lab.studies.questions.quantities import Quantity
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules

CHUNK: Final = 500  # boards that a worker takes at a time


@dataclass(frozen=True)
class RuleSets:
    """Some rule sets, each on the same boards; a job of the laboratory.

    Attributes:
        units: boards of each.
        bots: the numbers of the bot that is measured, and of a weaker one.
        seed: of all deals and dice, 0 to 2^63 - 1.
        skip: the number of the first board among those of the seed.
    """

    name: str
    rules: tuple[Rules, ...]
    units: int
    bots: tuple[int, int]
    seed: int
    skip: int = 0
    target: Target = "numba"
    chunk: int = CHUNK

    def nothing(self) -> npt.NDArray[np.int64]:
        """Return the sums over no boards."""
        return np.zeros(len(self.rules) * block_count(self.units) * WIDTH, np.int64)

    def count(self, first: int, size: int) -> npt.NDArray[np.int64]:
        """Return the sums over some boards, shape (rule sets * blocks * `WIDTH`,)."""
        block = block_size(self.units)
        rows = []
        for rules in self.rules:
            play, table = program(self.target, measure_boards, rules)
            *lists, sums = zeros(
                self.target, PLACES, PLACES, CARDS, NOTES, block_count(self.units) * WIDTH
            )
            numbers = (*self.bots, self.seed, self.skip, first, size, block)
            play(table, *records(self.target), *lists, *numbers, sums)
            rows.append(np.array(sums, np.int64))
        return np.concatenate(rows)

    def measured(self, sums: npt.NDArray[np.int64]) -> list[RuleSet]:
        """Return the measured rule sets from `sums`, those over all boards."""
        rows = sums.reshape(len(self.rules), block_count(self.units), WIDTH)
        return [
            RuleSet(rules, compile_rules(rules), Blocks(own))
            for rules, own in zip(self.rules, rows, strict=True)
        ]


@dataclass(frozen=True)
class RuleSet:
    """One rule set that has been measured."""

    rules: Rules
    table: RuleTable
    blocks: Blocks

    def figure(self, quantity: Quantity) -> Interval:
        """Return a figure; nan where it is undefined under these rules."""
        return self.blocks(partial(quantity.formula, self.table))

    def beyond(self, base: RuleSet, quantity: Quantity) -> Interval:
        """Return the figure less that of `base`, over the same boards."""
        own, theirs = (partial(quantity.formula, one.table) for one in (self, base))
        return self.blocks.beyond(own, base.blocks, theirs)


@dataclass(frozen=True)
class MeasuredSetting:
    """One rule set of the plan, and each change to it that fits and may matter in a hand."""

    label: str
    base: RuleSet
    played: tuple[tuple[Change, RuleSet], ...]
