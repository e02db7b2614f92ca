"""The network that comes with the program, for `score_cards`; NumPy need not be there."""

from __future__ import annotations

import ast
import struct
import zipfile
from array import array
from functools import cache
from pathlib import Path
from typing import Final

from rookery.learn.scoring import network_of

SHIPPED: Final = Path(__file__).parent / "weights" / "shipped.npz"
ROLLOUTS: Final = SHIPPED.with_name("rollouts.npz")  # a smaller one, which the first has taught
# The arrays of `Net`, in its order.
ARRAYS: Final = ("table", "card", "bias", "inner", "inner_bias", "outer")


@cache
def shipped_numbers() -> list[int]:
    """Return the network, as `score_cards` takes it. Do not change it.

    >>> wide, narrow = shipped_numbers()[:2]
    >>> len(shipped_numbers()) == 2 + ((51 + 27 + 1) * wide + (wide + 2) * narrow) / 2
    True
    """
    return _numbers(SHIPPED)


@cache
def rollout_numbers() -> list[int]:
    """Return the smaller network, which plays rollouts. Do not change it."""
    return _numbers(ROLLOUTS)


def _numbers(path: Path) -> list[int]:
    with zipfile.ZipFile(path) as file:
        arrays = {name: _read(file.read(f"{name}.npy")) for name in ARRAYS}
    wide, narrow = arrays["inner"][0]
    return network_of(wide, narrow, *(arrays[name][1] for name in ARRAYS))


def _read(data: bytes) -> tuple[tuple[int, ...], list[float]]:
    """Return the shape and the numbers of an array of float32 in NumPy's format 1.0."""
    (length,) = struct.unpack_from("<8xH", data)
    shape: tuple[int, ...] = ast.literal_eval(data[10 : 10 + length].decode())["shape"]
    return shape, array("f", data[10 + length :]).tolist()
