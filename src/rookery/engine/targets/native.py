"""The target ``native``: kernels from a shared library that was built beforehand.

The library is made from the same kernels by ``python -m scripts.native`` and lies beside this
file. It serves every rule set, since a rule table is data to it, and needs neither Numba nor NumPy.
It says which kernels it has, what each of them takes, and a hash of what it was made from: one that
was made from other sources is refused.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.engine.kernel import sources_hash
from rookery.engine.targets import MissingTarget
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants

API: Final = "1.0"  # of the library's C interface: another first number is not understood
_ENDING: Final = {"win32": "dll", "darwin": "dylib", "emscripten": "wasm.so"}.get(
    sys.platform, "so"
)
LIBRARY: Final = Path(__file__).parent / f"rookery_native.{_ENDING}"
_ADVICE: Final = "scripts/setup builds it in a checkout"


class Exported(NamedTuple):
    """A kernel of the library.

    Attributes:
        hash: of what it was made from, see `hash_of`.
        takes: a word for each argument: ``int``, ``float``, the name of a record, or one of these
            with ``[]`` for a list, which is a pointer and a length.
        returns: ``int``, ``float`` or ``none``.
    """

    hash: str
    takes: list[str]
    returns: str


def symbol_of(function: Callable[..., Any]) -> str:
    """Return the name of a kernel in the library.

    >>> from rookery.engine.rng import seeded
    >>> symbol_of(seeded)
    'rookery_engine_rng_seeded'
    """
    return f"{function.__module__}.{function.__name__}".replace(".", "_")


def hash_of(function: Callable[..., Any], takes: list[str]) -> str:
    """Return a hash of all that a kernel in the library is made from; Python's version is no part.

    That is its sources, the constants in them, and the fields of the records that it takes.
    """
    names = (word.removesuffix("[]") for word in takes)
    records = {function.__globals__[name] for name in names if name not in ("int", "float")}
    fields = sorted((record.__name__, layout(record)) for record in records)
    return sources_hash(function, python=f"{API} {fields}")


@cache
def _opened() -> tuple[ctypes.CDLL, dict[str, Exported]]:
    """Return the library and its kernels.

    Raises:
        MissingTarget: there is none that this machine can use.
    """
    if not LIBRARY.exists():
        raise MissingTarget(f"the native library is not here; {_ADVICE}")
    try:
        library = ctypes.CDLL(str(LIBRARY))
        library.rookery_contents.restype = ctypes.c_char_p
        contents = json.loads(library.rookery_contents())
    except (OSError, AttributeError):
        raise MissingTarget(f"{LIBRARY.name} is no library for this machine") from None
    if contents["api"].partition(".")[0] != API.partition(".")[0]:
        raise MissingTarget(f"{LIBRARY.name} is for another version of Rookery; {_ADVICE}")
    return library, {name: Exported(**one) for name, one in contents["kernels"].items()}


@cache
def exported(function: Callable[..., Any]) -> Exported:
    """Return what the library says of a kernel.

    Raises:
        MissingTarget: there is no library, it was made from other sources, or it lacks the kernel.
    """
    found = _opened()[1].get(symbol_of(function))
    if found is None:
        raise MissingTarget(f"the native library has no {function.__name__}")
    if hash_of(function, found.takes) != found.hash:
        raise MissingTarget(f"{LIBRARY.name} is stale, the engine has changed since; {_ADVICE}")
    return found


def check(*kernels: Callable[..., Any]) -> None:
    """Refuse a library that is not here or lacks these kernels.

    Raises:
        MissingTarget: there is no library, it was made from other sources, or it lacks one.
    """
    _opened()
    for kernel in kernels:
        exported(kernel)


_NUMBERS: Final[dict[str, Any]] = {
    "int": ctypes.c_int64,
    "float": ctypes.c_double,
    "none": None,
}


class Routine:
    """A kernel of the library, called like the plain one.

    Records are those of `rookery.engine.records.Allocator`. A list of numbers is one of them too,
    or a NumPy array of one dimension.
    """

    def __init__(self, name: str, routine: Any, kernel: Exported) -> None:  # noqa: ANN401
        """Take a function of the library."""
        self.__name__ = name
        types: list[Any] = []
        for word in kernel.takes:
            types += [_NUMBERS[word]] if word in _NUMBERS else [ctypes.c_void_p]
            types += [ctypes.c_int64] * word.endswith("[]")
        routine.argtypes = types
        routine.restype = _NUMBERS[kernel.returns]
        self._routine = routine
        self._takes = kernel.takes

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401
        """Call it, without the interpreter's lock."""
        if len(given) != len(self._takes):
            raise TypeError(f"{self.__name__} takes {len(self._takes)}, got {len(given)}")
        arguments: list[Any] = []
        for word, value in zip(self._takes, given, strict=True):
            if word in _NUMBERS:
                arguments.append(value)
                continue
            wanted = word.removesuffix("[]")
            if isinstance(value, ctypes.Structure):
                if type(value).__name__ != wanted:
                    raise TypeError(f"{self.__name__} takes {word}, got {type(value).__name__}")
                arguments.append(ctypes.addressof(value))
            else:
                arguments.append(_address(self.__name__, wanted, value))
            if word.endswith("[]"):
                arguments.append(len(value))
        return self._routine(*arguments)


_ARRAYS: Final = {"int": ("<i8", ctypes.c_int64), "float": ("<f8", ctypes.c_double)}


def _address(name: str, element: str, value: Any) -> int:  # noqa: ANN401
    """Return where a list of numbers or records lies."""
    if isinstance(value, ctypes.Array):
        kind: Any = value._type_
        if (element in _ARRAYS and kind is _ARRAYS[element][1]) or kind.__name__ == element:
            return ctypes.addressof(value)
    elif element in _ARRAYS and hasattr(value, "__array_interface__"):
        memory = value.__array_interface__
        whole = memory["strides"] is None and len(memory["shape"]) == 1
        if whole and memory["typestr"] == _ARRAYS[element][0]:
            return int(memory["data"][0])
    raise TypeError(f"{name} takes a list of {element}, got {type(value).__name__}")


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a kernel of the library; it serves all tables and constants alike.

    Raises:
        MissingTarget: there is no library, it was made from other sources, or it lacks the kernel.
    """
    kernel = exported(function)
    return Routine(function.__name__, getattr(_opened()[0], symbol_of(function)), kernel)
