"""The target ``numba``: kernels compiled for the processor, and cached on disk."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic

from rookery.engine import card_sets
from rookery.engine.kernel import called_kernels, family, sources_hash
from rookery.engine.targets.specialise import Constants, specialised, table_hash
from rookery.rules.table import RuleTable


def _bit_intrinsic(emit: Callable[[Any, Any], Any]) -> Any:  # noqa: ANN401
    def typed(_context: Any, mask: types.Type) -> Any:  # noqa: ANN401
        def generate(_cgctx: Any, builder: Any, _signature: Any, args: Any) -> Any:  # noqa: ANN401
            return emit(builder, args[0])

        return types.int64(types.int64), generate

    return intrinsic(typed)


_ZERO_IS_UNDEFINED = ir.Constant(ir.IntType(1), 1)
_TOP = ir.Constant(ir.IntType(64), 63)


@intrinsic
def _write_ones(_context: Any, words: types.Type, at: types.Type, mask: types.Type) -> Any:  # noqa: ANN401
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ANN401
        array = context.make_array(signature.args[0])(context, builder, given[0])
        wide = ir.VectorType(ir.IntType(8), 64)
        to = builder.bitcast(builder.gep(array.data, [given[1]]), wide.as_pointer())
        bits = builder.bitcast(given[2], ir.VectorType(ir.IntType(1), 64))
        builder.store(builder.zext(bits, wide), to, align=8)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), generate


PRIMITIVES = {
    card_sets.write_ones: _write_ones,
    card_sets.count: _bit_intrinsic(lambda b, x: b.ctpop(x)),
    card_sets.lowest: _bit_intrinsic(lambda b, x: b.cttz(x, _ZERO_IS_UNDEFINED)),
    card_sets.highest: _bit_intrinsic(lambda b, x: b.sub(_TOP, b.ctlz(x, _ZERO_IS_UNDEFINED))),
}


def cache_folder() -> Path:
    """Return the folder for compiled code: ``$ROOKERY_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("ROOKERY_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "rookery"


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[bool]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if usable else before
    try:
        yield usable
    finally:
        config.CACHE_DIR = before


def _folder_of(function: Callable[..., Any], table: RuleTable | None, constants: Constants) -> Path:
    return cache_folder() / sources_hash(function, __file__) / table_hash(table, constants)


def has_to_compile(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> bool:
    """Return whether a kernel is not in the cache yet, and can be kept there."""
    folder = _folder_of(function, table, constants)
    with _caching_in(folder) as usable:
        return usable and not any(folder.rglob("*.nbi"))


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a Numba dispatcher for a kernel, specialised to `table` where one is given."""
    folder = _folder_of(function, table, constants)
    compiles = has_to_compile(function, table, constants)
    made: dict[Any, Any] = dict(PRIMITIVES)
    with _caching_in(folder) as usable:
        for one in family(function):
            names = {name: made[other] for name, other in called_kernels(one)}
            plain = specialised(one, table, names, constants)
            inner = one is not function  # called by compiled code alone, and kept inside it
            made[one] = numba.njit(
                cache=usable and not inner,
                error_model="numpy",
                nogil=True,
                forceinline=True,
                no_cpython_wrapper=inner,
                no_cfunc_wrapper=True,
                _nrt=False,  # nothing is allocated in a kernel: no array has references to count
            )(plain)
    if compiles:
        print(
            "Compiling the engine for these rules (once; later runs start at once) ...",
            file=sys.stderr,
        )
    result: Callable[..., Any] = made[function]
    return result
