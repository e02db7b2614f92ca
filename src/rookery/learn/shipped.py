"""The network that comes with the program, as one row of numbers; NumPy need not be there."""

from __future__ import annotations

import ast
import struct
import zipfile
from array import array
from functools import cache
from pathlib import Path
from typing import Final

SHIPPED: Final = Path(__file__).parent / "weights" / "shipped.npz"
ROLLOUTS: Final = SHIPPED.with_name("rollouts.npz")  # a smaller one, which the first has taught
# The arrays of `Net`, in its order.
ARRAYS: Final = ("table", "card", "bias", "inner", "inner_bias", "outer")


@cache
def shipped_numbers() -> list[float]:
    """Return the numbers of the network, as `score_cards` takes them. Do not change them.

    >>> wide, narrow = map(int, shipped_numbers()[:2])
    >>> len(shipped_numbers()) == 2 + (51 + 27 + 1) * wide + (wide + 2) * narrow
    True
    """
    return _numbers(SHIPPED)


@cache
def rollout_numbers() -> list[float]:
    """Return the numbers of the smaller network that plays rollouts. Do not change them."""
    return _numbers(ROLLOUTS)


def _numbers(path: Path) -> list[float]:
    with zipfile.ZipFile(path) as file:
        arrays = {name: _read(file.read(f"{name}.npy")) for name in ARRAYS}
    wide, narrow = arrays["inner"][0]
    return [wide, narrow, *(number for name in ARRAYS for number in arrays[name][1])]


def _read(data: bytes) -> tuple[tuple[int, ...], list[float]]:
    """Return the shape and the numbers of an array of float32 in NumPy's format 1.0."""
    (length,) = struct.unpack_from("<8xH", data)
    shape: tuple[int, ...] = ast.literal_eval(data[10 : 10 + length].decode())["shape"]
    return shape, array("f", data[10 + length :]).tolist()
