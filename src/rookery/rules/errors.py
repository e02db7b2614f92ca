"""What is wrong with rules: problems as codes with values, put into words in any language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rookery.rules.language import Language, texts

LONGEST: Final = 60


def quoted(value: object) -> str:
    """Return a value as JSON on one line, cut off where it is too long to quote.

    >>> quoted({"cap": 430})
    '{"cap": 430}'
    """
    try:
        return shortened(json.dumps(value, default=str, ensure_ascii=False))
    except RecursionError:  # lists in lists can be read a little deeper than they can be written
        return "..."


def shortened(text: str) -> str:
    """Return a text, cut off where it is too long to quote.

    >>> shortened("bid_minimum")
    'bid_minimum'
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


@dataclass(init=False)
class Problem:
    """One thing that is wrong with a rule set.

    Attributes:
        option: the key of the option, or the file, that it shows in.
        code: which problem it is, a key of the texts under ``problem``.
        values: what stands in those texts: numbers, texts, and phrases of the language.
    """

    option: str
    code: str
    values: Mapping[str, object]

    def __init__(self, option: str, code: str, /, **values: object) -> None:
        self.option = option
        self.code = code
        self.values = values

    def __str__(self) -> str:
        return self.line()

    def line(self, language: Language = "en") -> str:
        """Return option and problem as one line.

        >>> Problem("bid_minimum", "not-a-step", bid=63, step=5, near=60).line()
        'bid_minimum: 63 is not a multiple of the step 5; 60 is'
        """
        return f"{self.option}: {self.text(language)}"

    def text(self, language: Language = "en") -> str:
        """Return what is wrong and what would be right, without the option.

        >>> Problem("bid_minimum", "not-a-step", bid=63, step=5, near=60).text("es")
        '63 no es múltiplo de 5; 60 sí'
        """
        return texts(language).text(f"problem.{self.code}", **self.values)


class RulesError(ValueError):
    """Rules that do not fit together, or an unknown option or value. Code: ``bad-rules``.

    Attributes:
        details: every problem.
        option: the key of the option that the first problem shows in.
    """

    code = "bad-rules"

    def __init__(self, details: Iterable[Problem]) -> None:
        self.details = tuple(details)
        self.option = self.details[0].option
        super().__init__(self.details)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """Every problem as a line in English; the first is the message."""
        return tuple(map(str, self.details))

    def __str__(self) -> str:
        return self.problems[0]


class UnknownRules(RulesError):
    """A name that no variant of the catalogue has. Code: ``unknown-rules``."""

    code = "unknown-rules"


class RulesUnreadable(RulesError):
    """A house-rule file that cannot be opened or parsed. Code: ``unreadable-rules``."""

    code = "unreadable-rules"
