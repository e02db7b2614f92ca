"""What runs a kernel: plain Python, the native library, Numba (or both in turn), and CUDA.

`load` turns a kernel into a function of a target. Each module here but `specialise` and `choice` is
a target, and has a function ``build(kernel, table, constants)`` that `load` calls.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, get_args

from rookery.rules.table import RuleTable

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants

Target: TypeAlias = Literal["python", "native", "soon", "numba", "cuda"]


class MissingTarget(ValueError):
    """Kernels cannot run on a target on this machine. Code: ``no-target``."""

    code = "no-target"


_Function = TypeVar("_Function", bound=Callable[..., Any])

MOST: Final = 256  # functions that stay loaded, the latest ones
_loaded: Final[dict[tuple[Target, Callable[..., Any], str], Callable[..., Any]]] = {}
_loading: Final = threading.RLock()


def load(
    target: Target, function: _Function, table: RuleTable | None = None, constants: Constants = ()
) -> _Function:
    """Return `function` for a target: itself, compiled by Numba, or a CUDA device function.

    Args:
        target: what to run on; ``soon`` is the native library until Numba has compiled.
        function: a kernel; the native library has those of `scripts.native.kernels` alone.
        table: specialise the code to this rule set; it must then be called with this one alone.
        constants: names and values to compile in place of those in the kernels' modules, such as
            ``SEATED`` of `rookery.bots.dispatch`. They may leave out what a run never reaches, and
            change nothing else.

    Raises:
        MissingTarget: there is no such target, or not on this machine.

    >>> from rookery.engine.rng import advanced
    >>> load("python", advanced) is advanced
    True
    """
    if target == "python":
        return function
    if target not in get_args(Target):
        raise MissingTarget(f"target {target}: expected {', '.join(get_args(Target))}")
    from rookery.engine.targets.specialise import table_hash

    key = (target, function, table_hash(table, constants))
    with _loading:  # one compilation, however many threads ask for it
        built = _loaded.pop(key, None)
        if built is None:
            module = importlib.import_module(f"rookery.engine.targets.{target}")
            built = module.build(function, table, constants)
        _loaded[key] = built
        if len(_loaded) > MOST:
            del _loaded[next(iter(_loaded))]
        return built  # type: ignore[return-value]
