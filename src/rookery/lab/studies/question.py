"""Questions of studies: a question makes jobs from a plan, and an answer from their sums.

A question is a module with the members of `Question`. `QUESTIONS` lists them all by the names that
study files use; each is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from rookery.bots.names import Bot
from rookery.engine.targets import Target
from rookery.lab.duplicate.match import Match
from rookery.lab.duplicate.seeds import Family
from rookery.lab.run.jobs import Job, Sums
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Setting:
    """One rule set of a study.

    Its label, unique in a plan, is a variant's id, or a house rule's own name or changes.
    """

    label: str
    rules: Rules

    @cached_property
    def table(self) -> RuleTable:
        """The rules as the engine reads them."""
        return compile_rules(self.rules)


@dataclass(frozen=True)
class Plan:
    """The input of a question: rule sets, bots and boards.

    Attributes:
        settings: the rule sets, in the order of the study file.
        bots: names of bots, in that order.
        boards: how many boards (deals) to count for each rule set, 2 or more.
        seed: of all boards, 0 to 2^63 - 1.
        target: where the kernels run; never changes an answer.
    """

    settings: tuple[Setting, ...]
    bots: tuple[str, ...]
    boards: int
    seed: int
    target: Target = "numba"
    family: Family = Family.TUNING

    def match(self, setting: Setting, bots: tuple[Bot, ...]) -> Match:
        """Return the match of some bots on all boards under one of the rule sets."""
        return Match(
            setting.rules, setting.label, bots, self.boards, self.seed, self.family,
            target=self.target,
        )  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """The answer to a question: text, tables and pictures.

    Attributes:
        text: some plain lines for a terminal of 80 columns, without a line break at the end.
        tables: frames by the name of the file that they go to (no suffix, lower case, hyphens).
            Every measured column ``x`` has its 95 % half-width beside it in ``x_ci95``.
        draw: returns the pictures by file name with suffix; called only if they are needed.
    """

    text: str
    tables: Mapping[str, pl.DataFrame]
    draw: Callable[[], Mapping[str, bytes]] = field(default=dict)


class Question(Protocol):
    """Something that a study asks; `ABOUT` is one sentence that describes it."""

    @property
    def ABOUT(self) -> str: ...  # noqa: D102  (an attribute)

    def jobs(self, plan: Plan) -> Sequence[Job]:
        """Return the jobs to count; their names are unique within this question.

        Raises:
            ValueError: with a ``code`` and a message of one line; the question does not fit the
                plan (one bot where it needs two, a bot that cannot play a rule set).
        """

    def answer(self, plan: Plan, sums: Mapping[str, Sums]) -> Answer:
        """Return the answer from the sums of all of `jobs`, by job name."""


class CannotAsk(ValueError):
    """A question that does not fit its plan. Code: ``cannot-ask``."""

    code = "cannot-ask"


QUESTIONS: Final = ("match", "house-rules", "auctions", "cooperation")


class UnknownQuestion(ValueError):
    """There is no question of this name. Code: ``unknown-question``."""

    code = "unknown-question"


def question(name: str) -> Question:
    """Return the question called `name`.

    Raises:
        UnknownQuestion: there is no such question.

    >>> question("cooperation").ABOUT
    'What noticing your partner is worth: a bot against itself without it.'
    """
    if name not in QUESTIONS:
        near = get_close_matches(name, QUESTIONS, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(QUESTIONS)}"
        raise UnknownQuestion(f"no question is called {name!r}; {hint}")
    return cast(Question, import_module(f"rookery.lab.studies.questions.{name.replace('-', '_')}"))
