"""Fields of records: numbers, and lists that are an array inside a NumPy record."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any


def cells(count: int, start: int = 0, used: str = "") -> Any:  # noqa: ANN401  (a dataclass field stands for its own type)
    """Return a dataclass field for a list of `count` integers, all `start` at first.

    `used` is how many a rule set uses, an expression of ``table``, its `RuleTable`; else all.
    """
    return field(
        default_factory=lambda: [start] * count,
        metadata={"cells": count, "start": start, "used": used or str(count)},
    )


def from_option(option: str, *words: str) -> Any:  # noqa: ANN401  (as above)
    """Return a dataclass field for an option of the rules, or for a property of them.

    Of an option that is one of some `words`, the field is its place among them.
    """
    return field(default=0, metadata={"option": option, "words": words})


def layout(record: type) -> list[tuple[str, int]]:
    """Return name and number of cells of every field of a record class, 0 for a single integer.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Pair:
    ...     first: int = 0
    ...     rest: list[int] = cells(3)
    >>> layout(Pair)
    [('first', 0), ('rest', 3)]
    """
    return [(f.name, f.metadata.get("cells", 0)) for f in fields(record)]
