"""Sums over many units on a GPU: each thread counts a few units and keeps its own sums.

Needs ``rookery-cards[gpu]``. In numba-cuda's simulator the sums are the same, but slow.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rookery.engine.targets.cuda import SIMULATED, cuda

THREADS: Final = 128  # a block
AT_ONCE: Final = 300 << 20  # bytes of sums of one launch
SHARE: Final = 2 if SIMULATED else 64  # units that a thread counts


def sums_on_gpu(
    kernel: Any,  # noqa: ANN401  (a compiled kernel has no type of its own)
    arrays: tuple[npt.NDArray[Any], ...],
    numbers: tuple[int, ...],
    first: int,
    units: int,
    width: int,
) -> npt.NDArray[np.int64]:
    """Return the sums over units `first` to `first` + `units` - 1, shape (width,).

    `kernel` is a CUDA kernel. Its arguments: `arrays`, `numbers`, the first unit, how many units in
    all and to a thread, and the sums that it adds to, int64 of shape (threads, width).
    """
    on_gpu = [array if SIMULATED else cuda.to_device(array) for array in arrays]
    total = np.zeros(width, dtype=np.int64)
    most = AT_ONCE // (8 * width) * SHARE
    for at in range(first, first + units, most):
        count = min(most, first + units - at)
        threads = -(-count // SHARE)
        sums = cuda.to_device(np.zeros((threads, width), dtype=np.int64))
        block = 1 if SIMULATED else THREADS
        kernel[-(-threads // block), block](*on_gpu, *numbers, at, count, SHARE, sums)
        total += sums.copy_to_host().sum(axis=0)
    return total
