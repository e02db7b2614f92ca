"""Kernels as LLVM's intermediate code, by Numba: one C function for each exported kernel.

``python -m scripts.native.lower`` prints the bitcode of all that are exported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numba
from numba import types
from numba.core import codegen
from numba.np.numpy_support import from_dtype
from scripts.native.kernels import EXPORTED, Kernel, signature_of
from scripts.native.link import Piece, joined
from scripts.native.machine import here

from rookery.engine.kernel import called_kernels, family
from rookery.engine.records import dtype_of
from rookery.engine.targets.native import symbol_of
from rookery.engine.targets.numba import PRIMITIVES, place
from rookery.engine.targets.specialise import specialised

_OPTIONS: Final = {
    "error_model": "numpy",
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
_NUMBERS: Final = {"int": types.int64, "float": types.float64, "none": types.void}


def lowered(kernels: Sequence[Kernel]) -> Iterator[Piece]:
    """Yield the code of each kernel. Afterwards Numba is of no other use in this process."""
    # A portable processor, and no optimisation yet: the whole library is optimised at once. Numba
    # reads these whenever it compiles.
    os.environ["NUMBA_CPU_NAME"] = getattr(here(), "cpu", "generic")
    os.environ |= {"NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0"}
    _make_no_machine_code()
    made: dict[Any, Any] = dict(PRIMITIVES)
    for kernel in kernels:
        for one in family(kernel):
            if one not in made:
                names = {name: made[other] for name, other in called_kernels(one)}
                made[one] = numba.njit(**_OPTIONS)(specialised(one, None, names, place=place))
        function = _c_function(kernel, made[kernel])
        yield Piece(symbol_of(kernel), function.native_name, function.inspect_llvm())


def _make_no_machine_code() -> None:
    """Let Numba stop at LLVM's code: nothing is run here, and this halves the time."""
    numba.cfunc(types.int64(types.int64))(lambda number: number)  # starts Numba's own runtime
    codegen.JITCodeLibrary._finalize_specific = lambda _library: None
    codegen.JITCodeLibrary.get_pointer_to_function = lambda library, _name: _linked(library)
    codegen.JITCPUCodegen.set_env = lambda _codegen, _name, _environment: None


def _linked(library: Any) -> int:  # noqa: ANN401  (Numba's own type)
    """Link a library with those that it calls; return an address that nobody jumps to."""
    library._ensure_finalized()
    return 1


def _c_function(kernel: Kernel, compiled: Callable[..., Any]) -> Any:  # noqa: ANN401
    """Return a C function around a kernel: pointers for records, and lists with lengths."""
    takes, returns = signature_of(kernel)
    given: list[str] = []
    kinds: list[Any] = []
    passed: list[str] = []
    for i, word in enumerate(takes):
        if word in _NUMBERS:
            given.append(f"a{i}")
            kinds.append(_NUMBERS[word])
            passed.append(f"a{i}")
            continue
        name = word.removesuffix("[]")
        element = _NUMBERS.get(name) or from_dtype(dtype_of(kernel.__globals__[name]))
        given.append(f"a{i}")
        kinds.append(types.CPointer(element))
        if word.endswith("[]"):
            given.append(f"n{i}")
            kinds.append(types.int64)
            passed.append(f"carray(a{i}, (n{i},))")
        else:
            passed.append(f"carray(a{i}, (1,))[0]")
    result = "" if returns == "none" else "return "
    source = f"def entry({', '.join(given)}):\n    {result}kernel({', '.join(passed)})\n"
    scope: dict[str, Any] = {"kernel": compiled, "carray": numba.carray}
    exec(compile(source, "<entry>", "exec"), scope)  # noqa: S102  (our own source)
    signature = _NUMBERS[returns](*kinds)
    return numba.cfunc(signature, nopython=True)(scope["entry"])


if __name__ == "__main__":
    sys.stdout.buffer.write(joined(lowered(EXPORTED)))
