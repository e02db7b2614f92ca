"""What is said when rules do not fit: a line a problem, what is wrong and what would be right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

LONGEST: Final = 60


def shown(value: object) -> str:
    """Return what somebody wrote, on one line and not too long to quote.

    >>> shown({"cap": 430})
    '{"cap": 430}'
    """
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


class Problem(NamedTuple):
    """One thing wrong with a rule set: the option it shows in, and the rest of the line."""

    option: str
    text: str

    def __str__(self) -> str:
        return f"{self.option}: {self.text}"


class RulesError(ValueError):
    """Rules that do not fit together, or an unknown option or value. Code: ``bad-rules``.

    Attributes:
        option: the key of the option that the first problem shows in.
        problems: every problem found, a line each; the first is the message.
    """

    code = "bad-rules"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.found = tuple(problems)
        self.option = self.found[0].option
        self.problems = tuple(str(problem) for problem in self.found)
        super().__init__(self.problems[0])

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.found,)


class UnknownRules(RulesError):
    """A name that no variant of the catalogue has. Code: ``unknown-rules``."""

    code = "unknown-rules"


class RulesUnreadable(RulesError):
    """A house-rule file that cannot be opened or parsed. Code: ``unreadable-rules``."""

    code = "unreadable-rules"
