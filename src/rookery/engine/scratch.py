"""Scratch paper for kernels: the same records for compiled code and for plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


class Scratch:
    """Lays records and numbers out as the code of one target takes them."""

    def __init__(self, target: str) -> None:
        """Take the target: plain objects where it is ``python``, else NumPy's."""
        self._plain = target == "python"

    def record(self, record: Any) -> Any:  # noqa: ANN401  (any of the engine's records)
        """Return a record: itself, or a copy that compiled code can write in.

        >>> from rookery.engine.state import Hidden
        >>> hidden = Hidden(rng=3)
        >>> Scratch("python").record(hidden) is hidden, int(Scratch("numba").record(hidden)["rng"])
        (True, 3)
        """
        if self._plain:
            return record
        from rookery.engine.records import array_of

        return array_of(record)[0]

    def records(self, records: Iterable[Any]) -> Any:  # noqa: ANN401
        """Return records of one class, shape (n,)."""
        many = list(records)
        if self._plain:
            return many
        from rookery.engine.records import array_of

        return array_of(*many)

    def numbers(self, numbers: Sequence[float]) -> Any:  # noqa: ANN401
        """Return a copy of numbers, shape (n,): int64, or float64 where they are floats."""
        if self._plain:
            return list(numbers)
        import numpy as np

        return np.array(numbers)


class Fields:
    """The fields of a record as attributes, be it compiled or plain."""

    def __init__(self, record: Any) -> None:  # noqa: ANN401
        """Take the record; what is set is set in it."""
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Return a field."""
        record = self._record
        return getattr(record, name) if hasattr(type(record), name) else record[name]

    def __setattr__(self, name: str, value: int) -> None:
        """Write a number into a field."""
        record = self._record
        if hasattr(type(record), name):
            setattr(record, name, value)
        else:
            record[name] = value
