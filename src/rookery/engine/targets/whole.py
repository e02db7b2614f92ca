"""How Numba builds a kernel: with all that it calls as one module, which LLVM optimises at once.

Left to itself, Numba optimises each function that another one calls, makes machine code of it, and
optimises it again in every function that it is inlined into.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

# The second time all is one function; with one round the characters play 3 to 5 % slower.
_ROUNDS: Final = 2
_TRIED: Final = ["0", "68"]
# Numba has as many more, for what no kernel has: closures, `with`, array expressions, literals.
_PASSES: Final = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    AnnotateTypes,
    NativeLowering,
    NoPythonBackend,
)


class _Unoptimised(JITCodeLibrary):  # type: ignore[misc]
    """Code that is left as Numba writes it until the whole is linked."""

    def _optimize_functions(self, ll_module: Any) -> None:  # noqa: ANN401
        ll_module.data_layout = self._codegen._data_layout


class _Part(_Unoptimised):
    """The code of a kernel that only other kernels call: nobody runs it by itself."""

    @property
    def codegen(self) -> Any:  # noqa: ANN401
        """Return itself: of what Numba makes code with, it is only asked for `set_env`."""
        return self

    def set_env(self, _name: str, _environment: Any) -> None:  # noqa: ANN401
        """Do nothing: there is no machine code that could read it."""

    def finalize(self) -> None:
        """Leave the code as it is; a `_Whole` links it."""
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0, as Numba does where it has made no wrapper."""
        return 0


class _Whole(_Unoptimised):
    """The code of a kernel and of all that it calls; only the kernel can be called."""

    def finalize(self) -> None:
        """Link all parts, optimise them together, and make machine code."""
        self._linking_libraries = list(_below(self))
        super().finalize()

    def _optimize_final_module(self) -> None:
        for one in self._final_module.functions:
            if one.linkage.name == "linkonce_odr" and not one.is_declaration:
                one.linkage = "internal"  # so LLVM need not keep it once it is inlined
        for _ in range(_ROUNDS):
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)


def _below(library: Any) -> Iterator[Any]:  # noqa: ANN401  (a library of Numba)
    """Yield what a library calls, and what those parts call, each once."""
    seen: set[Any] = set()
    todo = list(library._linking_libraries)
    for one in todo:
        if one not in seen:
            seen.add(one)
            yield one
            if isinstance(one, _Part):
                todo += one._linking_libraries


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel that only other kernels call."""

    library: type[_Unoptimised] = _Part

    def define_pipelines(self) -> Any:  # noqa: ANN401
        """Return the passes that a kernel needs, which will write into a library of ours."""
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()  # as Numba does with its own
        manager = PassManager("kernel")
        for one in _PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


class _WholeCompiler(_PartCompiler):
    """Compiles a kernel that is called from Python."""

    library = _Whole

    def define_pipelines(self) -> Any:  # noqa: ANN401
        """Return the passes, for code that may take it that all it is given lies apart.

        So LLVM need not read a record again because another one was written to. That it does lie
        apart, `tests/engine/test_apart.py` looks at.
        """
        self.state.flags.noalias = True
        return super().define_pipelines()


def compiler(*, inner: bool) -> type[Compiler]:
    """Return what compiles a kernel; `inner` is one that only other kernels call.

    It is Numba's own compiler in a version that has not been tried, since what stands here knows
    Numba from within.
    """
    if numba.__version__.split(".")[:2] != _TRIED:
        return Compiler  # type: ignore[no-any-return]
    return _PartCompiler if inner else _WholeCompiler
