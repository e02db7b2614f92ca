"""Sentences for people, from the catalogues that the browser shows: each stands there once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_CATALOGUES: Final = files("rookery") / "web" / "static" / "i18n"


@cache
def words(part: str = "", language: str = "en") -> Mapping[str, str]:
    """Return the sentences of a catalogue by their keys, with {gaps} to fill in.

    Args:
        part: which catalogue; the one that every page loads, or a name such as ``reasons``.
        language: ``en`` or ``es``.

    >>> words("reasons")["reason.lead-trumps"]
    "It draws the others' trumps."
    """
    name = f"{part}.{language}.json".removeprefix(".")
    found: dict[str, str] = json.loads(_CATALOGUES.joinpath(name).read_text("utf-8"))
    return found


def printable(text: str, longest: int = 14) -> str:
    """Return a name that a stranger chose, without control characters and not too long."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "~"
