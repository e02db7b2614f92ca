r"""Half a surrogate pair, which JSON can spell, as ``\ud800``, and which is no Unicode."""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeAlias

_HIGH, _LOW = r"[dD][89abAB][0-9a-fA-F]{2}", r"[dD][c-fC-F][0-9a-fA-F]{2}"
# One escape after another, so that a backslash that is escaped itself begins none.
_ESCAPE: Final = re.compile(
    rf"\\(?:u{_HIGH}\\u{_LOW}|(?P<half>u(?:{_HIGH}|{_LOW}))|.)|(?P<bare>[\ud800-\udfff])",
    re.DOTALL,
)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
_PLAIN: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")  # a name that can be told again
# In what a value stands, and where there: thousands of them may stand hundreds deep.
_Place: TypeAlias = "tuple[_Place, str] | None"
_MAY_BE: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def half_at(text: str) -> int | None:
    r"""Return where in a text of JSON half a surrogate pair stands; None where none does.

    >>> half_at(r'["\ud83d\ude00", "\\ud800"]') is None
    True
    >>> half_at(r'["\ude00\ud83d"]')
    2
    """
    if _MAY_BE.search(text) is None:
        return None
    found = _ESCAPE.finditer(text)
    return next((one.start() for one in found if one["half"] or one["bare"]), None)


def is_unicode(text: str) -> bool:
    r"""Return whether a text holds no half of a pair; an escape is no more than its letters.

    >>> is_unicode("Ann"), is_unicode("\ud800"), is_unicode(r"\ud800")
    (True, False, True)
    """
    return _HALF.search(text) is None


def without_halves(text: str) -> str:
    r"""Return a text of JSON with a question mark for each half of a pair.

    >>> print(without_halves(r'{"id": "a", "text": "\udfff"}'))
    {"id": "a", "text": "?"}
    """
    return _ESCAPE.sub(lambda one: "?" if one["half"] or one["bare"] else one[0], text)


def where_half(text: str) -> str:
    r"""Return where in a text of JSON half a surrogate pair stands, in words that were not in it.

    That is the field, or in a text that is no JSON the character. A name that no field of this
    project could have is a question mark.

    >>> where_half(r'{"rules": {"notes": ["a", "\ud800"]}}'), where_half(r'{"Ann": {"\ud800": 1}}')
    ('rules.notes.1', '?.?')
    >>> where_half(r'"\ud800"'), where_half(r'{"a": \ud800')
    ('the text', 'character 7')
    """
    try:
        found = _path(json.loads(text))
    except (ValueError, RecursionError):
        found = None
    if found is None:
        return f"character {(half_at(text) or 0) + 1}"
    return ".".join(found) or "the text"


def _path(whole: Any) -> list[str] | None:  # noqa: ANN401  (whatever JSON can hold)
    waiting: list[tuple[_Place, Any]] = [(None, whole)]
    while waiting:
        place, value = waiting.pop()
        inner: list[tuple[_Place, Any]] = []
        if isinstance(value, dict):
            for name, part in value.items():
                step = (place, name if _PLAIN.fullmatch(name) else "?")
                inner += [(step, name), (step, part)]
        elif isinstance(value, list):
            inner = [((place, str(at)), part) for at, part in enumerate(value)]
        elif isinstance(value, str) and _HALF.search(value):
            found = []
            while place is not None:
                place, step_to = place
                found.append(step_to)
            return found[::-1]
        waiting += reversed(inner)
    return None


def line_at(text: str, place: int) -> int:
    r"""Return the line of a place in a text, from 1.

    >>> line_at("a\nb", 2)
    2
    """
    return text.count("\n", 0, place) + 1
