"""The effect of house rules: they and their base are played by the same bots on the same deals."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from pydantic import BaseModel, Field

from rookery.bots.dispatch import kind_of
from rookery.engine.targets import Target
from rookery.lab.run.jobs import Executor, Progress, run_jobs
from rookery.lab.stats import Interval, student
from rookery.lab.studies.changes import hand_table
from rookery.lab.studies.questions.quantities import QUANTITIES, Quantity
from rookery.lab.studies.questions.rule_sets import RuleSet, RuleSets
from rookery.rules import Rules

BOARDS: Final = 10_000
BOTS: Final = ("club", "papa")  # who plays, and the weaker one against whom skill shows


@dataclass(frozen=True)
class Compared:
    """One quantity under the base and under the house rules."""

    quantity: Quantity
    base: Interval
    house: Interval
    difference: Interval


@dataclass(frozen=True)
class Effect:
    """House rules and their base, measured on the same boards.

    Attributes:
        base: the base, measured.
        house: the house rules, measured.
        boards: deals, each played several times under either.
        seed: of all deals.
        seconds: how long it took.
    """

    base: RuleSet
    house: RuleSet
    boards: int
    seed: int
    seconds: float

    @property
    def changes(self) -> dict[str, object]:
        """Return the options that differ, with the house rules' values."""
        return self.house.rules.changes(self.base.rules)

    @property
    def same_deals(self) -> bool:
        """Return whether both dealt the same cards to the same seats."""
        return all(
            getattr(self.base.table, name) == getattr(self.house.table, name)
            for name in ("deck", "cards", "seats", "hand_size", "blind")
        ) and (self.base.rules.redeal == "auto") == (self.house.rules.redeal == "auto")

    @property
    def same_hands(self) -> bool:
        """Return whether no hand can differ, because the changes have no effect on a hand."""
        return hand_table(self.base.rules) == hand_table(self.house.rules)

    @property
    def same_play(self) -> bool:
        """Return whether every hand came out the same."""
        return self.house.blocks.same(self.base.blocks)

    @property
    def compared(self) -> list[Compared]:
        """Return every quantity that either rule set has."""
        both = (
            Compared(
                quantity,
                self.base.figure(quantity),
                self.house.figure(quantity),
                self.house.beyond(self.base, quantity),
            )
            for quantity in QUANTITIES.values()
        )
        return [one for one in both if np.isfinite([one.base.mean, one.house.mean]).any()]

    @property
    def wider(self) -> float:
        """Return the factor by which Bonferroni's correction widens an interval.

        With it, one set of comparisons in twenty has a false claim. Without it, one comparison in
        twenty is false.
        """
        blocks = len(self.house.blocks.rows)
        together = sum(one.difference.known for one in self.compared)
        return student(blocks, 0.05 / max(1, together)) / student(blocks)


def effect(
    rules: Rules,
    base: Rules,
    *,
    boards: int = BOARDS,
    seed: int = 1,
    target: Target = "numba",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Effect:
    """Play `rules` and `base` on the same boards and return how they differ.

    Nothing is played where they are the same.

    Args:
        rules: the house rules.
        base: what they are compared with.
        boards: how many deals, 2 or more.
        seed: of all deals, 0 to 2^63 - 1.
        target: where the kernels run.
        executor: counts the boards; threads on all cores where None.
        progress: called with how many units are done.
    """
    began = time.perf_counter()
    strong, weak = (kind_of(bot) for bot in BOTS)
    job = RuleSets("effect", (base, rules), boards, (strong, weak), seed, target=target)
    if hand_table(rules) == hand_table(base):
        job = replace(job, rules=(base,))
    if rules.changes(base):
        sums = run_jobs([job], executor, progress=progress)[job.name]
    else:
        sums = job.nothing()
    before, after = job.measured(sums)[0], job.measured(sums)[-1]
    if len(job.rules) == 1:
        after = replace(after, rules=rules)
    return Effect(before, after, boards, seed, time.perf_counter() - began)


class Figure(BaseModel, frozen=True):
    """One quantity under both rule sets; null where a rule set has no such thing."""

    name: str
    unit: str = Field(description="%, points, or sd: standard deviations of a hand's margin.")
    meaning: str
    base: float | None
    base_ci95: float | None = Field(description="Half the width of the 95 % interval.")
    house: float | None
    house_ci95: float | None
    difference: float | None = Field(description="House less base, over the same deals.")
    difference_ci95: float | None
    clear: bool = Field(
        description="Whether the difference stands out, all quantities being looked at together."
    )


class EffectDocument(BaseModel, frozen=True):
    """What `rookery rules effect --json` prints."""

    rules: str = Field(description="The name of the house rules.")
    base: str = Field(description="The id of the variant that they are compared with.")
    changes: dict[str, object] = Field(description="The options that differ, as the house has it.")
    boards: int = Field(description="Deals, each played several times under either rule set.")
    seed: int
    bots: tuple[str, str] = Field(description="Who played, and the weaker bot that shows skill.")
    same_deals: bool = Field(description="Whether both dealt the same cards to the same seats.")
    same_play: bool = Field(description="Whether not one hand came out differently.")
    figures: list[Figure]
    seconds: float


def document(effect: Effect) -> EffectDocument:
    """Return an effect as the document that the command prints."""
    wider = effect.wider
    return EffectDocument(
        rules=effect.house.rules.name,
        base=effect.base.rules.id or effect.base.rules.name,
        changes=effect.changes,
        boards=effect.boards,
        seed=effect.seed,
        bots=BOTS,
        same_deals=effect.same_deals,
        same_play=effect.same_play,
        figures=[
            Figure(
                name=one.quantity.name,
                unit=one.quantity.unit,
                meaning=one.quantity.meaning,
                **dict(zip(("base", "base_ci95"), _plain(one.base), strict=True)),
                **dict(zip(("house", "house_ci95"), _plain(one.house), strict=True)),
                **dict(zip(("difference", "difference_ci95"), _plain(one.difference), strict=True)),
                clear=one.difference.clear(wider),
            )
            for one in effect.compared
        ],
        seconds=round(effect.seconds, 3),
    )


def _plain(measured: Interval) -> list[float | None]:
    return [round(number, 4) if np.isfinite(number) else None for number in measured]
