"""Rows of small whole numbers: what their fields are, and the code that writes them.

Compiled code writes eight numbers at once, as the bytes of one integer, the lowest first. So a row
is *words* there, and an int8 view of them for everybody else. A set of cards is eight words, which
compiled code writes with one or a few instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from rookery.engine.card_sets import FIRSTS, spread, write_ones
from rookery.engine.kernel import generated_kernel

MOST: Final = 127
CARD_WORDS: Final = 8  # of a set of cards


class PlaceSets(tuple[str, ...]):
    """Expressions of a kernel that are sets of places; of each place, which sets it is in."""

    __slots__ = ()


class Field(NamedTuple):
    """Some numbers of a row, as many as fill whole words.

    Attributes:
        name: what they are called.
        words: eight numbers each.
        code: an expression of a kernel that is a set of bits, or up to eight small numbers, or up
            to seven `PlaceSets`.
        about: what they mean.
        only: a condition on ``table`` without which they are all 0.
    """

    name: str
    words: int
    code: str | tuple[str, ...] | PlaceSets
    about: str
    only: str = ""


def words_in(fields: Iterable[Field]) -> int:
    """Return how many words fields fill."""
    return sum(field.words for field in fields)


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


def writer(
    head: str,
    about: str,
    fixed: Iterable[Field],
    each: Iterable[Field],
    scope: Mapping[str, Any],
    *before: str,
) -> Callable[..., None]:
    """Return the kernel that writes a row: the fields of `fixed`, and `each` for every place.

    `head` is its name and parameters, ``table``, ``row`` and ``at`` among them: where it begins.
    `about` is its docstring, `scope` the globals of its module. One of the lines `before`, or a
    parameter, says whose row it is: ``seat``.
    """
    fixed, each = tuple(fixed), tuple(each)
    sets = {field.name: field.code for field in each if isinstance(field.code, PlaceSets)}
    lines = [
        f'"""{about}"""',
        *before,
        *_writing(fixed, "at"),
        *(f"{name} = {_bytes(f'{code} & 0xFF' for code in codes)}" for name, codes in sets.items()),
        "for i in range(table.seats + table.blind):",
        "    place = seat + i if i < table.seats else i",
        "    if i < table.seats and place >= table.seats:",
        "        place -= table.seats",
        f"    there = at + {words_in(fixed)} + i * {words_in(each)}",
        *(f"    {line}" for line in _writing(each, "there")),
    ]
    source = "\n    ".join((f"def {head}:", *lines))
    known = {"FIRSTS": FIRSTS, "MOST": MOST, "spread": spread, "write_ones": write_ones}
    return generated_kernel(source, {**known, **scope})  # type: ignore[no-any-return]


def _writing(fields: Iterable[Field], at: str) -> Iterator[str]:
    """Yield the lines of a kernel that write fields from ``row[at]`` on."""
    word = 0
    for field in fields:
        where = f"{at} + {word}"
        code = field.code
        if isinstance(code, PlaceSets):
            lines = [f"row[{where}] = {field.name} >> place & FIRSTS if place < 8 else 0"]
        elif not isinstance(code, str):
            lines = [f"row[{where}] = {_bytes(f'min({one}, MOST)' for one in code)}"]
        elif field.words == CARD_WORDS:
            lines = [f"write_ones(row, {where}, {code})"]
        else:
            lines = [
                f"row[{where} + {i}] = spread(({code}) >> {8 * i})" for i in range(field.words)
            ]
        if field.only:
            yield f"if {field.only}:"
        yield from (f"    {line}" if field.only else line for line in lines)
        word += field.words


def _bytes(codes: Iterable[str]) -> str:
    """Return the expression of a word of up to eight bytes, the lowest first."""
    return " | ".join(f"({code}) << {8 * i}" for i, code in enumerate(codes))
