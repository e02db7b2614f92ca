"""What a table's snapshot has that the one before did not, for those who ask for no more."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

import msgspec

from rookery.server.table import messages as ms
from rookery.server.table.projection import Snapshot
from rookery.view import View

# What is the same in any two snapshots of a table, or told beside them.
_APART: Final = ("rules", "hands_from", "seq")
_FIELDS: Final = tuple(name for name in Snapshot.__struct_fields__ if name not in _APART)
_OF_VIEW: Final = tuple(one.name for one in fields(View))
_VALUES: Final[Callable[[Snapshot], tuple[Any, ...]]] = attrgetter(*_FIELDS)
_OF_VIEW_VALUES: Final[Callable[[View], tuple[Any, ...]]] = attrgetter(*_OF_VIEW)


def changes(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """Return the fields of a snapshot that are not as they were, with whole score sheets in both.

    Of a view that was there before it has the fields that are new. Lists that go on are in `more`
    instead: how many of the first are kept, and those that follow.
    """
    found = _new(_FIELDS, _VALUES(before), _VALUES(after))
    if before.view is not None and after.view is not None and "view" in found:
        found["view"] = _new(_OF_VIEW, _OF_VIEW_VALUES(before.view), _OF_VIEW_VALUES(after.view))
    return found


def _new(names: Sequence[str], before: Sequence[Any], after: Sequence[Any]) -> dict[str, Any]:
    found, more = dict[str, Any](), dict[str, tuple[int, list[Any]]]()
    for name, old, new in zip(names, before, after, strict=True):
        if new is old or new == old:
            continue
        kept = _kept(old, new) if isinstance(old, list) and isinstance(new, list) else 0
        if kept:
            more[name] = kept, new[kept:]
        else:
            found[name] = new
    return found | {"more": more} if more else found


def _kept(old: list[Any], new: list[Any]) -> int:
    """Return with how many of the same a list goes on."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def check(snapshot: Snapshot) -> int:
    """Return the CRC-32 of a snapshot without the rules, and with a whole score sheet, as JSON.

    A client that has changed its own copy by all that it was sent comes to the same number.
    """
    return zlib.crc32(bytes(ms.raw(snapshot)))


class Changes:
    """What is new for connections that know a table as it was, encoded once for all of a kind."""

    def __init__(self) -> None:
        """Begin with none."""
        # By what was known: it is kept, as another snapshot could get its address.
        self._made: dict[tuple[int, int], tuple[Snapshot, Snapshot, msgspec.Raw]] = {}

    def between(self, before: Snapshot, after: Snapshot) -> msgspec.Raw:
        """Return what `changes` does, already JSON."""
        key = id(before), id(after)
        if key not in self._made:
            self._made[key] = before, after, ms.raw(changes(before, after))
        return self._made[key][2]
