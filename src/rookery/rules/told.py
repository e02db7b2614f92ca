"""What is wrong with rules, in another language.

A problem is found with its line in English, values and all. Another language has a text for each
such line with places for the values, which are taken out of the English line.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from rookery.rules.errors import Problem
from rookery.rules.tongue import Language, tongue, written

LISTS: Final[tuple[str, ...]] = ("allowed", "cards")  # places that hold more than a value

_PLACE: Final = re.compile(r"\{(\w+)\}")


def told(problem: Problem, lang: Language = "en") -> str:
    """Return what is wrong, without the option, in a language; in English where it has no text.

    >>> told(Problem("target", '"x" will not do; allowed: a whole number from 1 to 100000'), "es")
    '"x" no vale; se permite: un número entero de 1 a 100000'
    """
    for line, text in templates(lang):
        if found := line.fullmatch(problem.text):
            values = found.groupdict()
            lists = {name: in_pieces(values[name], lang) for name in LISTS if name in values}
            return text.format_map({**values, **lists})
    return problem.text


@cache
def templates(lang: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the English lines that a language has a text for, as patterns, each with the text."""
    tongue(lang)
    if lang == "en":
        return ()
    texts: dict[str, str] = written(f"problems.{lang}.toml")["problem"]
    return tuple((_pattern(line), text) for line, text in texts.items())


def in_pieces(text: str, lang: Language) -> str:
    """Return an English list of what is allowed in a language, a phrase at a time."""
    for phrase, own in written(f"problems.{lang}.toml")["pieces"].items():
        text = text.replace(phrase, own)
    return text


def _pattern(line: str) -> re.Pattern[str]:
    # Every second part is a place's name.
    parts = _PLACE.split(line)
    texts = (f"(?P<{part}>.+)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    return re.compile("".join(texts), re.DOTALL)
