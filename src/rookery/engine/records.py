"""NumPy records with the fields of the plain engine's dataclasses."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.rules.fields import layout


def dtype_of(record: type[Any]) -> np.dtype[Any]:
    """Return the aligned dtype of a record class: ``i8`` integers and ``i8`` arrays."""
    return np.dtype(
        [(name, "i8", (size,)) if size else (name, "i8") for name, size in layout(record)],
        align=True,
    )


def array_of(*records: Any) -> npt.NDArray[Any]:  # noqa: ANN401
    """Return a structured array, shape (n,), with the values of `records`, all of one class."""
    kind: type[Any] = type(records[0])
    rows = [tuple(getattr(r, name) for name, _ in layout(kind)) for r in records]
    return np.array(rows, dtype=dtype_of(kind))


def same(record: Any, row: Any) -> bool:  # noqa: ANN401
    """Return whether a NumPy record holds the very values of a plain one."""
    return all(
        list(row[name]) == list(getattr(record, name))
        if size
        else row[name] == getattr(record, name)
        for name, size in layout(type(record))
    )
