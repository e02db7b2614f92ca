"""What a table's snapshot has that the one before did not, for those who ask for no more."""

from __future__ import annotations

import zlib
from dataclasses import fields
from typing import Any, Final

import msgspec

from rookery.server.table import messages as ms
from rookery.server.table.projection import Snapshot
from rookery.view import View

# Both are the same in any two snapshots of a table: the rules, and that the score sheet is whole.
_SAME: Final = ("rules", "hands_from", "hands")
_FIELDS: Final = tuple(name for name in Snapshot.__struct_fields__ if name not in _SAME)
_OF_VIEW: Final = tuple(one.name for one in fields(View))


def changes(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """Return the fields of a snapshot that are not as they were, with whole score sheets in both.

    Of a view that was there before it has the fields that are new. Where the score sheet changed,
    `hands` begins at the hand number `hands_from` of the match.
    """
    found = _new(_FIELDS, before, after)
    if before.view is not None and after.view is not None and "view" in found:
        found["view"] = _new(_OF_VIEW, before.view, after.view)
    if before.hands != after.hands:
        pairs = zip(before.hands, after.hands, strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
        first = min(len(before.hands), len(after.hands)) if same is None else same
        found |= {"hands": after.hands[first:], "hands_from": first}
    return found


def _new(names: tuple[str, ...], before: object, after: object) -> dict[str, Any]:
    return {
        name: value for name in names if (value := getattr(after, name)) != getattr(before, name)
    }


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
