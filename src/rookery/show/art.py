"""The shapes and colours of our cards, read from the files that the browser's table draws with.

They are drawn once, for the table; a picture made here takes them from the same lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Final

_STATIC: Final = files("rookery") / "web" / "static"
_SHAPE: Final = re.compile(r'\b(\w+):\s*"(M[^"]+)"')
_TEXT: Final = re.compile(r'"([^"]+)"')
_COLOUR: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")


def _read(*path: str) -> str:
    return _STATIC.joinpath(*path).read_text("utf-8")


@lru_cache(maxsize=1)
def suits() -> dict[str, str]:
    """Return the outline of each suit, by its word, on a box of 24 by 24 around the origin.

    >>> sorted(suits())
    ['black', 'clubs', 'diamonds', 'green', 'hearts', 'red', 'spades', 'yellow']
    """
    return dict(_SHAPE.findall(_read("cards", "suits.js")))


@lru_cache(maxsize=1)
def courts() -> dict[str, str]:
    """Return what king, queen and jack wear, by letter, on a box of 44 by 30 around the origin.

    >>> sorted(courts())
    ['J', 'K', 'Q']
    """
    return dict(_SHAPE.findall(_read("cards", "face.js")))


@lru_cache(maxsize=1)
def crow() -> str:
    """Return the outline of the crow, on a grid of 100 by 100; eye and wing are cut out.

    >>> crow()[:2], crow()[-1]
    ('M5', 'Z')
    """
    return "".join(_TEXT.findall(_read("cards", "crow.js")))


@lru_cache(maxsize=1)
def colours() -> dict[str, str]:
    """Return the colours of the cards by name: ``paper``, each Rook colour, ``bird`` and so on.

    >>> colours()["paper"]
    '#fffdf6'
    """
    return dict(_COLOUR.findall(_read("css", "cards.css")))
