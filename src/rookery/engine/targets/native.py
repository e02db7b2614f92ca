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
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.engine.kernel import sources_hash
from rookery.engine.targets import MissingTarget
from rookery.rules.fields import layout
from rookery.rules.table import RuleTable

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants

API: Final = "1.1.0"  # of the library's C interface: another first number is not understood
_ENDINGS: Final = {"win32": "dll", "darwin": "dylib", "emscripten": "wasm.so"}
LIBRARY: Final = Path(__file__).parent / f"rookery_native.{_ENDINGS.get(sys.platform, 'so')}"
HEADER: Final = LIBRARY.with_name("rookery.h")  # the interface, for C
PACKED: Final = "_packed"  # a kernel's entry that takes the address of a row of its arguments
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
    'rookery_seeded'
    """
    return f"rookery_{function.__name__}"


def hash_of(function: Callable[..., Any], takes: list[str]) -> str:
    """Return a hash of all that a kernel in the library is made from; Python's version is no part.

    That is its sources, the constants in them, the fields of the records that it takes, and which
    entries there are to it.
    """
    fields = sorted((name, layout(record)) for name, record in _records(function, takes).items())
    return sources_hash(function, python=f"{API} {PACKED} {fields}")


def _records(function: Callable[..., Any], takes: list[str]) -> dict[str, type[Any]]:
    names = {word.removesuffix("[]") for word in takes} - {"int", "float"}
    return {name: function.__globals__[name] for name in names}


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


_NUMBERS: Final[dict[str, Any]] = {"int": ctypes.c_int64, "float": ctypes.c_double, "none": None}


class Routine:
    """A kernel of the library, called like the plain one.

    Records and lists are those of `rookery.engine.records.Allocator`, or NumPy's.
    """

    def __init__(
        self,
        name: str,
        library: ctypes.CDLL,
        symbol: str,
        kernel: Exported,
        records: Mapping[str, Any],
    ) -> None:
        self.__name__ = name
        self._kinds = {**_ARRAYS, **{name: _descr(record) for name, record in records.items()}}
        types: list[Any] = []
        for word in kernel.takes:
            types += [_NUMBERS[word]] if word in _NUMBERS else [ctypes.c_void_p]
            types += [ctypes.c_int64] * word.endswith("[]")
        self._library, self._symbol = library, symbol
        self._routine = library[symbol]
        self._routine.argtypes = types
        self._routine.restype = _NUMBERS[kernel.returns]
        self._takes = kernel.takes

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401
        """Call it, without the interpreter's lock."""
        return self._routine(*self._arguments(given))

    def ready(self, *given: Any) -> Callable[[], Any]:  # noqa: ANN401
        """Return the call with these arguments, looked at once; it keeps them."""
        kinds = enumerate(self._routine.argtypes)
        cells = {"_fields_": [(f"a{i}", kind) for i, kind in kinds]}
        row = type("Row", (ctypes.Structure,), cells)(*self._arguments(given))
        entry = self._library[self._symbol + PACKED]
        entry.restype = self._routine.restype
        call = partial(entry, ctypes.byref(row))
        call.kept = given  # type: ignore[attr-defined]
        return call

    def _arguments(self, given: tuple[Any, ...]) -> list[Any]:
        """Return what the library's function is called with."""
        if len(given) != len(self._takes):
            raise TypeError(f"{self.__name__} takes {len(self._takes)}, got {len(given)}")
        arguments: list[Any] = []
        for word, value in zip(self._takes, given, strict=True):
            if word in _NUMBERS:
                arguments.append(value)
                continue
            arguments.append(self._address(word, value))
            if word.endswith("[]"):
                arguments.append(len(value))
        return arguments

    def _address(self, word: str, value: Any) -> int:  # noqa: ANN401
        """Return where a record, or a list of numbers or records, lies."""
        element, many = word.removesuffix("[]"), word.endswith("[]")
        if isinstance(value, ctypes.Array if many else ctypes.Structure):
            kind: Any = value._type_ if many else type(value)
            if kind is _NUMBERS.get(element) or kind.__name__ == element:
                return ctypes.addressof(value)
        elif hasattr(value, "__array_interface__"):
            memory = value.__array_interface__
            whole = memory["strides"] is None and len(memory["shape"]) == many
            if whole and memory["descr"] == self._kinds[element]:
                return int(memory["data"][0])
        given = type(value).__name__
        raise TypeError(f"{self.__name__} takes {_in_words(word)}, got {given}")


def ready(kernel: Callable[..., Any], *given: Any) -> Callable[[], Any]:  # noqa: ANN401
    """Return the call of a kernel of any target with these arguments, as soon as it can be made."""
    return kernel.ready(*given) if isinstance(kernel, Routine) else partial(kernel, *given)


_ARRAYS: Final = {"int": [("", "<i8")], "float": [("", "<f8")]}  # as NumPy says it


def _descr(record: type[Any]) -> list[tuple[Any, ...]]:
    """Return the fields of a record class as NumPy says them."""
    return [(name, "<i8", (size,)) if size else (name, "<i8") for name, size in layout(record)]


def _in_words(word: str) -> str:
    return f"a list of {word[:-2]}" if word.endswith("[]") else word


def build(
    function: Callable[..., Any], table: RuleTable | None, constants: Constants = ()
) -> Callable[..., Any]:
    """Return a kernel of the library; it serves all tables and constants alike.

    Raises:
        MissingTarget: there is no library, it was made from other sources, or it lacks the kernel.
    """
    kernel = exported(function)
    records = _records(function, kernel.takes)
    return Routine(function.__name__, _opened()[0], symbol_of(function), kernel, records)
