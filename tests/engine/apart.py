"""Looks whether what a kernel of Numba's is given lies apart in memory, as its code relies on.

Compiled code does not read a record again because it has written to another one. Were both the same
memory, what it knows of it would be out of date.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest


def _place(given: Any) -> tuple[int, int] | None:  # noqa: ANN401
    """Return where a record or an array begins and ends in memory; None for a number."""
    if isinstance(given, np.ndarray | np.void):
        begin = int(np.asarray(given).__array_interface__["data"][0])
        return begin, begin + given.nbytes
    return None


def together(given: tuple[Any, ...]) -> list[tuple[int, int]]:
    """Return the pairs of arguments, by number, that share memory.

    >>> row = np.zeros(4)
    >>> together((row, 5, row[2:], row[:0])), together((row[:2], row[2:]))
    ([(0, 2)], [])
    """
    places = [(number, place) for number, one in enumerate(given) if (place := _place(one))]
    return [
        (number, other)
        for (number, (begin, end)), (other, (at, till)) in combinations(places, 2)
        if max(begin, at) < min(end, till)
    ]


class Apart:
    """A kernel of Numba's that looks at what it is given; whatever else is asked of it, it is."""

    def __init__(self, code: Callable[..., Any]) -> None:
        """Take the kernel."""
        self._code = code

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401
        """Call it.

        Raises:
            AssertionError: two of the arguments share memory.
        """
        shared = together(given)
        assert not shared, f"{self._code.__name__} is given {shared} in one memory"
        return self._code(*given)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._code, name)


def watch(patch: pytest.MonkeyPatch) -> None:
    """Have each kernel that Numba makes from now on look at what it is given."""
    from rookery.engine.targets import numba

    build = numba.build
    patch.setattr(numba, "build", lambda *made_for: Apart(build(*made_for)))
