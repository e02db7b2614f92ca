"""The target ``cuda``: kernels as device functions for an NVIDIA GPU, by numba-cuda.

They also run in its simulator, which is on if ``NUMBA_ENABLE_CUDASIM`` is 1 before numba is first
imported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

# numba-cuda 0.30 still names row_stack, which NumPy 2.5 took away.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # type: ignore[attr-defined, unused-ignore]  # noqa: NPY201

from numba import cuda
from numba.cuda.core import config

from rookery.engine import card_sets
from rookery.engine.kernel import called_kernels, family
from rookery.engine.targets.specialise import Constants, Parts, specialised, table_hash
from rookery.rules.table import RuleTable

__all__ = ["SIMULATED", "build", "cuda"]

SIMULATED = bool(config.ENABLE_CUDASIM)


if SIMULATED:
    from numba.cuda.simulator.kernelapi import FakeCUDALocal

    def _local_array(_: object, shape: int, dtype: Any) -> Any:  # noqa: ANN401
        array = np.zeros(shape, dtype)
        return array.view(np.recarray) if array.dtype.names else array

    # The simulator's own arrays of records have no fields to name.
    FakeCUDALocal.array = _local_array

# The simulator does not inline, and refuses the option.
_OPTIONS: dict[str, Any] = {"device": True} if SIMULATED else {"device": True, "forceinline": True}


# Population count alone: the simulator's 64-bit clz and ffs give wrong answers.
@cuda.jit(**_OPTIONS)
def _count(mask: int) -> int:
    return cuda.popc(mask)  # type: ignore[no-any-return]


@cuda.jit(**_OPTIONS)
def _lowest(mask: int) -> int:
    return cuda.popc((mask & -mask) - 1)  # type: ignore[no-any-return]


@cuda.jit(**_OPTIONS)
def _highest(mask: int) -> int:
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return cuda.popc(mask) - 1  # type: ignore[no-any-return]


_spread = cuda.jit(**_OPTIONS)(card_sets.spread)


@cuda.jit(**_OPTIONS)
def _write_ones(words: Any, at: int, mask: int) -> None:  # noqa: ANN401  (an array)
    for i in range(8):
        words[at + i] = _spread(mask >> 8 * i)


_PRIMITIVES = {
    card_sets.count: _count,
    card_sets.lowest: _lowest,
    card_sets.highest: _highest,
    card_sets.write_ones: _write_ones,
}
_PARTS: Final = Parts()


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a device function for a kernel and all that it calls, specialised to a table."""
    made: dict[Any, Any] = dict(_PRIMITIVES)
    made_for = table_hash(table, constants)
    for one in family(function):
        names = {name: made[other] for name, other in called_kernels(one)}
        make = partial(_device_function, one, table, constants, names)
        made[one] = _PARTS.part(one, names, made_for, make)
    result: Callable[..., Any] = made[function]
    return result


def _device_function(
    function: Callable[..., Any],
    table: RuleTable | None,
    constants: Constants,
    names: dict[str, Any],
) -> Callable[..., Any]:
    plain = specialised(function, table, names, constants)
    if SIMULATED:
        # At each call the simulator would put its own `cuda` into the function's module, but a
        # kernel names none: that alone takes longer than what most of them do.
        return plain
    compiled: Callable[..., Any] = cuda.jit(**_OPTIONS)(plain)
    return compiled
