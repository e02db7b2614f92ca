"""Reasons for an action, and for what was wrong with one: a code and a sentence each."""

from __future__ import annotations

from typing import Final

from rookery.review.document import Reason
from rookery.show.words import words

_PREFIX: Final = "reason."
# The English sentence of every code, with {gaps}; other languages go by the code.
REASONS: Final = {key.removeprefix(_PREFIX): text for key, text in words("reasons").items()}


def reason(code: str, **about: str | int) -> Reason:
    """Return the reason or mistake with a code; `about` fills the gaps of its sentence.

    >>> reason("missed-trick", points=20).text
    'A sure trick with 20 points was missed.'
    """
    return Reason(code=code, text=REASONS[code].format(**about), about=about)
