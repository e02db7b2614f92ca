"""The target ``numba``: kernels compiled for the processor, and cached on disk."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import binding, ir
from numba.core import config, types
from numba.extending import intrinsic

from rookery.engine import card_sets
from rookery.engine.kernel import called_kernels, family, sources_hash
from rookery.engine.network import score_each
from rookery.engine.targets import network, whole
from rookery.engine.targets.specialise import Constants, Parts, specialised, table_hash
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


@intrinsic
def place(_context: Any, at: types.Integer) -> Any:  # noqa: ANN401
    """A place in a list, of which Numba need not ask whether it counts from the end."""
    return types.uint64(at), lambda _cgctx, _builder, _signature, given: given[0]


@intrinsic
def _nth(_context: Any, mask: types.Type, n: types.Type) -> Any:  # noqa: ANN401
    def generate(_cgctx: Any, builder: Any, _signature: Any, given: Any) -> Any:  # noqa: ANN401
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        bit = builder.shl(ir.Constant(word, 1), given[1])
        return builder.cttz(builder.call(deposit, [bit, given[0]]), _ZERO_IS_UNDEFINED)

    return types.int64(types.int64, types.int64), generate


def _deposits() -> bool:
    """Return whether one instruction of this processor does `nth`; AMD's first ones take long."""
    known = binding.get_host_cpu_features()
    slow = binding.get_host_cpu_name() in ("bdver4", "znver1", "znver2")
    return known.get("bmi2", False) and not slow and config.CPU_NAME is None


PRIMITIVES = {
    card_sets.write_ones: _write_ones,
    score_each: network.score_each,
    card_sets.count: _bit_intrinsic(lambda b, x: b.ctpop(x)),
    card_sets.lowest: _bit_intrinsic(lambda b, x: b.cttz(x, _ZERO_IS_UNDEFINED)),
    card_sets.highest: _bit_intrinsic(lambda b, x: b.sub(_TOP, b.ctlz(x, _ZERO_IS_UNDEFINED))),
}
_QUICKER: Final = {card_sets.nth: _nth} if _deposits() else {}
_PARTS: Final = Parts()


def cache_folder() -> Path:
    """Return the folder for compiled code: ``$ROOKERY_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("ROOKERY_CACHE")
    if chosen:
        return Path(chosen)
    folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")  # an empty one counts as none
    try:
        return folder.expanduser() / "rookery"
    except RuntimeError:  # a user without a home; what no folder can be keeps nothing
        return Path(os.devnull) / "rookery"


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
    hashed = sources_hash(function, __file__, network.__file__, whole.__file__)
    return cache_folder() / hashed / table_hash(table, constants)


def has_to_compile(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> bool:
    """Return whether a kernel is not in the cache yet, and can be kept there."""
    folder = _folder_of(function, table, constants)
    with _caching_in(folder) as usable:
        return usable and not any(folder.rglob("*.nbi"))


def _compiled(
    function: Callable[..., Any],
    table: RuleTable | None,
    constants: Constants,
    names: dict[str, Any],
    *,
    cached: bool = False,
    inner: bool = False,
) -> Any:  # noqa: ANN401  (Numba's own type)
    """Return a dispatcher; an `inner` one is called by compiled code alone, and kept inside it."""
    compile_as = numba.njit(
        cache=cached,
        error_model="numpy",
        nogil=True,
        forceinline=True,
        no_cpython_wrapper=inner,
        no_cfunc_wrapper=True,
        _nrt=False,  # nothing is allocated in a kernel: no array has references to count
        pipeline_class=whole.compiler(inner=inner),
    )
    return compile_as(specialised(function, table, names, constants, place))


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a Numba dispatcher for a kernel, specialised to `table` where one is given."""
    folder = _folder_of(function, table, constants)
    compiles = has_to_compile(function, table, constants)
    made: dict[Any, Any] = {**PRIMITIVES, **_QUICKER}
    with _caching_in(folder) as usable:
        for one in family(function):
            if one in _QUICKER and one is not function:
                continue
            names = {name: made[other] for name, other in called_kernels(one)}
            if one is function:
                made[one] = _compiled(one, table, constants, names, cached=usable)
            else:
                make = partial(_compiled, one, table, constants, names, inner=True)
                made_for = (table_hash(table, constants), whole.compiler(inner=True))
                made[one] = _PARTS.part(one, names, made_for, make)
    if compiles or not usable:
        often = "once; later runs start at once"
        if not usable:
            often = f"each time: {cache_folder()} cannot be written"
        print(f"Compiling the engine for these rules ({often}) ...", file=sys.stderr)
    result: Callable[..., Any] = made[function]
    return result
