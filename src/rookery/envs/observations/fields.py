"""Rows of small whole numbers: what their fields are, and the code that writes them.

Compiled code writes eight numbers at once, as the bytes of one integer, the lowest first. So a row
is *words* there, and an int8 view of them for everybody else.

A set of cards is written only where it has changed since the row was written last: the *notes*
beside the row say which sets stand in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from rookery.engine.kernel import kernel

MOST: Final = 127
# Seven bits times this: each bit at the place of its byte, and others between, in no byte's first.
_STRIDE: Final = 0x0002040810204081
_FIRSTS: Final = 0x0101010101010101


class Field(NamedTuple):
    """Some numbers of a row, as many as fill whole words.

    Attributes:
        name: what they are called.
        words: eight numbers each.
        code: an expression of a kernel that is a set of bits, or up to eight small numbers.
        about: what they mean.
    """

    name: str
    words: int
    code: str | tuple[str, ...]
    about: str


def words_in(fields: Iterable[Field]) -> int:
    """Return how many words fields fill."""
    return sum(field.words for field in fields)


def sets_in(fields: Iterable[Field]) -> int:
    """Return how many notes fields need: one for each that is a set of bits."""
    return sum(isinstance(field.code, str) for field in fields)


def places_in(fixed: Iterable[Field], each: Iterable[Field], places: int) -> dict[str, slice]:
    """Return where the numbers of each field stand; ``hand[1]`` is of the next seat clockwise."""
    named = [(field.name, field.words) for field in fixed]
    for place in range(places):
        named += [(f"{field.name}[{place}]", field.words) for field in each]
    found: dict[str, slice] = {}
    at = 0
    for name, words in named:
        found[name] = slice(8 * at, 8 * (at + words))
        at += words
    return found


@kernel
def spread(bits: int, at: int) -> int:
    """Return the eight bits from bit `at` of a set as the bytes of a word.

    >>> hex(spread(0b1000_0001_0110, 4)), hex(spread(0b101, 0))
    ('0x100000000000001', '0x10001')
    """
    bits = bits >> at & 0xFF
    return (bits & 0x7F) * _STRIDE & _FIRSTS | bits >> 7 << 56


@kernel
def write_set(row: list[int], at: int, words: int, notes: list[int], k: int, bits: int) -> None:
    """Write a set into `words` words from ``row[at]`` on: 1 for each bit that is set, else 0.

    ``notes[k]`` is the set that stands there, and gets the new one.
    """
    if bits != notes[k]:
        notes[k] = bits
        for i in range(words):
            row[at + i] = spread(bits, 8 * i)


def writing(fields: Iterable[Field], at: str, k: str) -> list[str]:
    """Return the lines of a kernel that write fields from ``row[at]`` on, with notes from `k` on.

    >>> writing([Field("a", 8, "m.hand", ""), Field("b", 1, ("s.sun", "s.high"), "")], "at", "k")[0]
    'write_set(row, at + 0, 8, notes, k + 0, m.hand)'
    """
    lines: list[str] = []
    word = note = 0
    for field in fields:
        if isinstance(field.code, str):
            where = f"row, {at} + {word}, {field.words}, notes, {k} + {note}"
            lines.append(f"write_set({where}, {field.code})")
            note += 1
        else:
            packed = (f"min({code}, MOST) << {8 * i}" for i, code in enumerate(field.code))
            lines.append(f"row[{at} + {word}] = {' | '.join(packed)}")
        word += field.words
    return lines
