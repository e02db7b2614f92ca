"""The words in files to keep, of the catalogues that the browser shows: each stands there once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rookery.rules import Language
from rookery.show.words import words


@cache
def file_words(language: Language = "en") -> Mapping[str, str]:
    """Return the words of sheets and evenings in a language by their keys, with {gaps} to fill in.

    >>> file_words("es")["evening.nameless"].format(n=2)
    'N.º 2'
    """
    parts = ("beside/sheet", "beside/evening", "beside/files")
    return {key: text for part in parts for key, text in words(part, language).items()}


def counted(said: Mapping[str, str], key: str, n: int, **more: object) -> str:
    """Return a sentence about `n` things, one or several; `more` are its other gaps.

    >>> counted(file_words(), "file.won", 1, names="Ann")
    'Ann has won.'
    """
    return said[f"{key}.{'one' if n == 1 else 'other'}"].format(n=n, **more)
