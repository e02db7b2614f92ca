"""Records: dataclasses of integers and lists of integers, for plain Python and for compiled code.

Compiled code works on records with the same fields: structured NumPy arrays, or C structures for
the native library, which does without NumPy. Kernels that set every field of
a record, or copy it, are written here from the record's own list of fields.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.rules.fields import layout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_Record = TypeVar("_Record")


def dtype_of(record: type[Any]) -> np.dtype[Any]:
    """Return the aligned dtype of a record class: ``i8`` integers and ``i8`` arrays."""
    import numpy as np

    return np.dtype(
        [(name, "i8", (size,)) if size else (name, "i8") for name, size in layout(record)],
        align=True,
    )


def array_of(*records: Any) -> npt.NDArray[Any]:  # noqa: ANN401
    """Return a structured array, shape (n,), with the values of `records`, all of one class."""
    import numpy as np

    kind: type[Any] = type(records[0])
    rows = [tuple(getattr(r, name) for name, _ in layout(kind)) for r in records]
    return np.array(rows, dtype=dtype_of(kind))


@cache
def _reader(kind: type[Any]) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[str, ...]]:
    names = [name for name, _ in layout(kind)]
    # Of a single name an attrgetter returns no tuple.
    read: Any = attrgetter(*names) if len(names) > 1 else lambda one: (getattr(one, names[0]),)
    return read, tuple(name for name, size in layout(kind) if size)


def copy_of(record: _Record) -> _Record:
    """Return an independent copy of a record of plain Python."""
    # Every action at a table makes a few of these; `copy.copy` takes six times as long.
    kind: Any = type(record)
    read, lists = _reader(kind)
    other: _Record = kind(*read(record))
    for name in lists:
        setattr(other, name, list(getattr(other, name)))
    return other


@cache
def structure_of(kind: type[Any]) -> type[ctypes.Structure]:
    """Return the C structure of a record class, of the same name: int64 and arrays of them."""
    cells = [
        (name, ctypes.c_int64 * size if size else ctypes.c_int64) for name, size in layout(kind)
    ]
    return type(kind.__name__, (ctypes.Structure,), {"_fields_": cells})


def _structure(record: Any) -> ctypes.Structure:  # noqa: ANN401
    """Return a C structure with the values of a record of plain Python."""
    kind: Any = type(record)
    made = structure_of(kind)()
    for name, size in layout(kind):
        if size:
            getattr(made, name)[:] = getattr(record, name)
        else:
            setattr(made, name, getattr(record, name))
    return made


class Allocator:
    """Make records and arrays of numbers as the code of one target takes them."""

    def __init__(self, target: str) -> None:
        """Take the target: ``python`` has plain objects, ``native`` C's, all others NumPy's."""
        self._plain = target == "python"
        self._native = target == "native"

    def record(self, record: Any) -> Any:  # noqa: ANN401  (any of the engine's records)
        """Return a record: itself, or a copy that compiled code can write in.

        >>> from rookery.engine.state import Hidden
        >>> hidden = Hidden(rng=3)
        >>> Allocator("python").record(hidden) is hidden
        True
        >>> int(Allocator("numba").record(hidden)["rng"]), Allocator("native").record(hidden).rng
        (3, 3)
        """
        if self._plain:
            return record
        return _structure(record) if self._native else array_of(record)[0]

    def records(self, records: Iterable[Any]) -> Any:  # noqa: ANN401
        """Return records of one class: a list, or an array of them."""
        many = list(records)
        if self._native:
            kind: Any = type(many[0])
            return (structure_of(kind) * len(many))(*map(_structure, many))
        return many if self._plain else array_of(*many)

    def copies(self, record: Any, size: int) -> Any:  # noqa: ANN401
        """Return so many copies of a record, as `records` does.

        >>> from rookery.engine.state import Hidden
        >>> made = Allocator("native").copies(Hidden(rng=3), 2)
        >>> made[0].rng = 5
        >>> made[1].rng, len(made)
        (3, 2)
        """
        if self._plain:
            return [copy_of(record) for _ in range(size)]
        if self._native:
            one = _structure(record)
            return (type(one) * size).from_buffer_copy(bytes(one) * size)
        return array_of(record).repeat(size)

    def numbers(self, numbers: Sequence[float]) -> Any:  # noqa: ANN401
        """Return a copy of numbers: a list, or an array of int64 or float64."""
        if self._plain:
            return list(numbers)
        if self._native:
            whole = all(isinstance(number, int) for number in numbers)
            kind: Any = ctypes.c_int64 if whole else ctypes.c_double
            return (kind * len(numbers))(*numbers)
        import numpy as np

        return np.array(numbers)

    def zeros(self, size: int) -> Any:  # noqa: ANN401
        """Return so many integers, all 0: a list, or an array of int64."""
        if self._plain:
            return [0] * size
        if self._native:
            return (ctypes.c_int64 * size)()
        import numpy as np

        return np.zeros(size, np.int64)


def kept_of(memory: Any) -> Any:  # noqa: ANN401
    """Return what stands in a record or an array of any target, for `put_back`.

    >>> from rookery.engine.state import Hidden
    >>> one, other = Allocator("native").record(Hidden(rng=3)), Allocator("native").record(Hidden())
    >>> put_back(other, kept_of(one))
    >>> other.rng
    3
    """
    if isinstance(memory, ctypes.Array | ctypes.Structure):
        return bytes(memory)
    return memory.copy() if hasattr(memory, "dtype") else deepcopy(memory)


def put_back(memory: Any, kept: Any) -> None:  # noqa: ANN401
    """Write what `kept_of` returned into memory of the same kind and size."""
    if isinstance(memory, ctypes.Array | ctypes.Structure):
        ctypes.memmove(ctypes.addressof(memory), kept, len(kept))
    elif isinstance(memory, list):
        memory[:] = deepcopy(kept)
    elif hasattr(memory, "shape") and memory.shape:
        memory[:] = kept
    else:
        names = memory.dtype.names if hasattr(memory, "dtype") else dict(layout(type(memory)))
        to, source = Attributes(memory), Attributes(deepcopy(kept))
        for name in names:
            setattr(to, name, getattr(source, name))


class Attributes:
    """The fields of a record as attributes, whatever target it was made for; they can be set."""

    def __init__(self, record: Any) -> None:  # noqa: ANN401
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_plain", not hasattr(record, "dtype"))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._record, name) if self._plain else self._record[name]

    def __setattr__(self, name: str, value: int) -> None:
        if self._plain:
            setattr(self._record, name, value)
        else:
            self._record[name] = value


def copying_source(name: str, kind: type[Any], *but: str) -> str:
    """Return the source of the kernel ``name(table, source, to)``, which copies a record.

    It copies every field but those named, and of a list the cells that the rule set uses.
    """
    doc = f"Copy a {kind.__name__} to another, but for {', '.join(but) or 'nothing'}."
    return _source(f"{name}(table, source, to)", doc, kind, but, "to.{0} = source.{0}")


def clearing_source(name: str, kind: type[Any], *but: str) -> str:
    """Return the source of the kernel ``name(table, record)``, which sets a record to its defaults.

    It sets every field but those named, and of a list the cells that the rule set uses.
    """
    doc = f"Set a {kind.__name__} to its defaults, but for {', '.join(but) or 'nothing'}."
    return _source(f"{name}(table, record)", doc, kind, but, "record.{0} = {1}")


def _source(head: str, doc: str, kind: type[Any], but: Sequence[str], assign: str) -> str:
    """Return the source of a kernel that does one assignment for every cell of a record."""
    lines = [f"def {head}:", f'    """{doc}"""']
    loops: dict[str, list[str]] = {}
    for field in fields(kind):
        if field.name in but:
            continue
        if field.metadata:
            statement = assign.format(f"{field.name}[i]", field.metadata["start"])
            loops.setdefault(field.metadata["used"], []).append(statement)
        else:
            lines.append("    " + assign.format(field.name, field.default))
    for used, statements in loops.items():
        lines.append(f"    for i in range({used}):")
        lines += [f"        {statement}" for statement in statements]
    return "\n".join(lines) + "\n"
