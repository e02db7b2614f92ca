"""What a study can ask: a question makes jobs from a plan, and an answer from their sums.

A question is an object with the four members of `Question`; `rookery.lab.studies.questions` lists
them all. Study files ask them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from rookery.engine.targets import Target
from rookery.lab.duplicate.seeds import Family
from rookery.lab.run.jobs import Job, Sums
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Setting:
    """One rule set of a study.

    Attributes:
        label: what tables and pictures call it: a variant's id, or a house rule's own name or
            changes; no two settings of a plan share one.
        rules: the rules as data.
    """

    label: str
    rules: Rules

    @cached_property
    def table(self) -> RuleTable:
        """The rules as the engine reads them."""
        return compile_rules(self.rules)


@dataclass(frozen=True)
class Plan:
    """What a question is asked about.

    Attributes:
        settings: the rule sets, in the order of the study file.
        bots: names of bots, in that order.
        boards: how many boards (deals) to count for each rule set, 2 or more.
        seed: of all of them, 0 to 2^63 - 1.
        target: where the kernels run; never changes an answer.
        family: which of the three families of boards they are from.
    """

    settings: tuple[Setting, ...]
    bots: tuple[str, ...]
    boards: int
    seed: int
    target: Target = "numba"
    family: Family = Family.TUNING


@dataclass(frozen=True)
class Answer:
    """What a question came to.

    Attributes:
        text: some plain lines for a terminal of 80 columns, without a line break at the end.
        tables: frames by the name of the file that they go to (no suffix, lower case, hyphens).
            Every measured column ``x`` has its 95 % half-width beside it in ``x_ci95``.
        draw: draws the pictures, by file name with suffix; called only where they are wanted.
    """

    text: str
    tables: Mapping[str, pl.DataFrame]
    draw: Callable[[], Mapping[str, bytes]] = field(default=dict)


class Question(Protocol):
    """Something that a study asks.

    Attributes:
        name: what study files call it.
        about: one sentence that says what is asked.
        families: whether its boards are those of the plan's family; else tuning is all there is.
    """

    @property
    def name(self) -> str: ...  # noqa: D102  (an attribute)

    @property
    def about(self) -> str: ...  # noqa: D102

    @property
    def families(self) -> bool: ...  # noqa: D102

    def jobs(self, plan: Plan) -> Sequence[Job]:
        """Return what has to be counted; job names are unique among those of this question.

        Raises:
            ValueError: with a ``code``, and one line, where the question cannot be asked of this
                plan (one bot where it needs two, a bot that cannot play a rule set).
        """

    def answer(self, plan: Plan, sums: Mapping[str, Sums]) -> Answer:
        """Return the answer from the sums of all of `jobs`, by job name."""


class CannotAsk(ValueError):
    """A question that does not fit its plan. Code: ``cannot-ask``."""

    code = "cannot-ask"
