"""One card, face up, as SVG on a grid of 100 by 140.

Shapes and colours are read from the files that the browser's table draws with.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

from rookery.cards import LETTERS, ROOK, SUIT_WORDS, Card, Pack, card_name, colour_of

WIDTH: Final = 100
HEIGHT: Final = 140
_INKS: Final = {"spades": "black", "hearts": "red", "diamonds": "red", "clubs": "black"}
_STATIC: Final = files("rookery") / "web" / "static"
_SHAPE: Final = re.compile(r'\b(\w+):\s*"(M[^"]+)"')
_TEXT: Final = re.compile(r'"([^"]+)"')
_COLOUR: Final = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")


def _read(*path: str) -> str:
    return _STATIC.joinpath(*path).read_text("utf-8")


@cache
def suits() -> dict[str, str]:
    """Return the outline of each suit, by its word, on a box of 24 by 24 around the origin.

    >>> sorted(suits())
    ['black', 'clubs', 'diamonds', 'green', 'hearts', 'red', 'spades', 'yellow']
    """
    return dict(_SHAPE.findall(_read("cards", "suits.js")))


@cache
def courts() -> dict[str, str]:
    """Return what king, queen and jack wear, by letter, on a box of 44 by 30 around the origin.

    >>> sorted(courts())
    ['J', 'K', 'Q']
    """
    drawn = dict(_SHAPE.findall(_read("cards", "face.js")))  # backs of cards are there too
    return {letter: drawn[letter] for letter in "KQJ"}


@cache
def crow() -> str:
    """Return the outline of the crow, on a grid of 100 by 100; eye and wing are cut out.

    >>> crow()[:2], crow()[-1]
    ('M5', 'Z')
    """
    return "".join(_TEXT.findall(_read("cards", "crow.js")))


@cache
def colours() -> dict[str, str]:
    """Return the colours of the cards by name: ``paper``, each Rook colour, ``bird`` and so on.

    >>> colours()["paper"]
    '#fffdf6'
    """
    root, _, _ = _read("css", "cards.css").partition("}")  # below it are paler ones, for the table
    return dict(_COLOUR.findall(root))


def face(card: Card, pack: Pack, worth: int = 0) -> str:
    """Return the drawing of a card; `worth` is what it counts, in game points.

    >>> face(ROOK, "rook", 20).count("<path")
    2
    """
    paper = (
        f'<rect x="1" y="1" width="98" height="138" rx="9" fill="{colours()["paper"]}" '
        'stroke="#74766f" stroke-width="1.5"/>'
    )
    drawing = _bird(pack) if card == ROOK else _numbered(card, pack)
    return f'{paper}<g font-weight="700">{drawing}{_worth(worth)}</g>'


def _text(text: str, x: float, y: float, size: float, fill: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">'
        f"{text}</text>"
    )


def _numbered(card: Card, pack: Pack) -> str:
    suit = SUIT_WORDS[pack][colour_of(card)]
    letter = LETTERS[pack][colour_of(card)]
    rank = card_name(card, pack)[1:]
    ink = colours()[_INKS.get(suit, suit)]
    fill = colours().get(f"{suit}-fill", ink)
    edge = f' stroke="{ink}" stroke-width="1.6"' if fill != ink else ""
    court = courts().get(rank)

    def mark(x: float, y: float, scale: float) -> str:
        place = f"translate({x} {y}) scale({scale})"
        return f'<path transform="{place}" d="{suits()[suit]}" fill="{fill}"{edge}/>'

    parts = [
        _text(rank, 22, 35, 28 if len(rank) > 1 else 32, ink),
        mark(21, 54, 1.05),
        mark(63, 86 if court else 74, 1.7 if court else 2),
        _text(rank, 93, 129, 22, ink, "end"),
    ]
    if pack == "rook":
        on_shape = colours()["black"] if edge else colours()["paper"]
        parts.append(_text(letter, 21, 86, 21, ink))
        parts.append(_text(letter, 63, 89 if suit == "green" else 82, 26, on_shape))
    if court:
        gold = 'fill="#c8930a" stroke="#5b4300" stroke-width="1.4"'
        parts.append(f'<path transform="translate(63 48)" d="{court}" {gold}/>')
    return "".join(parts)


def _bird(pack: Pack) -> str:
    ink = colours()["bird"]
    letter, word = ("R", "ROOK") if pack == "rook" else ("J", "JOKER")

    def bird(x: float, y: float, scale: float) -> str:
        place = f"translate({x} {y}) scale({scale})"
        return f'<path transform="{place}" d="{crow()}" fill="{ink}" fill-rule="evenodd"/>'

    return (
        _text(letter, 21, 36, 32, ink)
        + bird(8, 42, 0.27)
        + bird(30, 44, 0.66)
        + _text(word, 62, 130, 15, ink)
    )


def _worth(worth: int) -> str:
    if not worth:
        return ""
    wide = worth > 99
    box = f'<rect x="5" y="96" width="{42 if wide else 33}" height="23" rx="11.5" fill="#26302c"/>'
    return box + _text(str(worth), 26 if wide else 21.5, 113.5, 18, "#ffffff")
