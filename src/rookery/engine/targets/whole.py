"""How Numba builds a kernel: with all that it calls as one module, which LLVM optimises at once.

Left to itself, Numba optimises each function that another one calls, makes machine code of it, and
optimises it again in every function that it is inlined into.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

# The second time all is one function; with one round the characters play 3 to 5 % slower.
_ROUNDS: Final = 2


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


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel that only other kernels call."""

    library: type[_Unoptimised] = _Part

    def define_pipelines(self) -> Any:  # noqa: ANN401
        """Return Numba's passes, which will write into a library of ours."""
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()  # as Numba does with its own
        return super().define_pipelines()


class WholeCompiler(PartCompiler):
    """Compiles a kernel that is called from Python."""

    library = _Whole
