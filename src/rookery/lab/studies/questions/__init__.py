"""The questions of studies by name; each is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from rookery.lab.studies.question import Question

QUESTIONS: Final[Mapping[str, str]] = {
    "match": "rookery.lab.studies.questions.match:Match",
    "house-rules": "rookery.lab.studies.questions.house_rules:HouseRules",
    "auctions": "rookery.lab.studies.questions.auctions:Auctions",
    "cooperation": "rookery.lab.studies.questions.cooperation:Cooperation",
}
"""Name to ``module:class``; the class is made without arguments."""


class UnknownQuestion(ValueError):
    """There is no question of this name. Code: ``unknown-question``."""

    code = "unknown-question"


def question(name: str) -> Question:
    """Return the question called `name`.

    Raises:
        UnknownQuestion: there is no such question.

    >>> question("match").name
    'match'
    """
    if name not in QUESTIONS:
        near = get_close_matches(name, QUESTIONS, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(QUESTIONS)}"
        raise UnknownQuestion(f"no question is called {name!r}; {hint}")
    module, _, class_name = QUESTIONS[name].partition(":")
    made: Question = getattr(import_module(module), class_name)()
    return made
