"""What a table's snapshot has that the one before did not, for those who ask for no more."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from rookery.server.table import messages as ms
from rookery.server.table.projection import Own, Shown, Snapshot
from rookery.view import OwnView, View

# What is the same in any two snapshots of a table, or told beside them, and what is a seat's own.
_APART: Final = ("rules", "hands_from", "seq", *Own._fields)
_FIELDS: Final = tuple(name for name in Snapshot.__struct_fields__ if name not in _APART)
_OF_VIEW: Final = tuple(one.name for one in fields(View) if one.name not in OwnView._fields)
_VALUES: Final[Callable[[Snapshot], tuple[Any, ...]]] = attrgetter(*_FIELDS)
_OF_VIEW_VALUES: Final[Callable[[View], tuple[Any, ...]]] = attrgetter(*_OF_VIEW)
_OWN: Final = Own._fields[:-1]  # all but the view

# Fields that are new; and of lists that go on how many are kept and what follows.
New = tuple[dict[str, Any], dict[str, Any]]
Common = tuple[New, New | None]  # what is new for everybody: of the table, and of the view in it


def _new(
    names: Sequence[str], before: Sequence[Any], after: Sequence[Any], known: New = ({}, {})
) -> New:
    """Return what is new behind what is `known` to be."""
    found, more = known[0].copy(), known[1].copy()
    for name, old, new in zip(names, before, after, strict=False):
        if new is old or new == old:
            continue
        kept = _kept(old, new) if isinstance(old, list) and isinstance(new, list) else 0
        if kept:
            more[name] = kept, new[kept:]
        else:
            found[name] = new
    return found, more


def _joined(found: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    return found | {"more": more} if more else found


def _kept(old: list[Any], new: list[Any]) -> int:
    """Return with how many of the same a list goes on."""
    kept = 0
    for one, other in zip(old, new, strict=False):
        if one is not other and one != other:
            break
        kept += 1
    return kept


def check(snapshot: Snapshot) -> int:
    """Return the CRC-32 of a snapshot without the rules, and with a whole score sheet, as JSON.

    A client that has changed its own copy by all that it was sent comes to the same number.
    """
    return zlib.crc32(bytes(ms.raw(snapshot)))


class Changes:
    """What is new for connections that know a table as it was; what all are told is found once."""

    def __init__(self) -> None:
        # By what was known: it is kept, as another snapshot could get its address.
        self._made: dict[tuple[int, int], tuple[Snapshot, Snapshot, Common]] = {}

    def between(self, before: Shown, after: Shown) -> dict[str, Any]:
        """Return the fields of a snapshot that are not as they were; score sheets are whole.

        Of a view that was there before it has the fields that are new. Lists that go on are in
        `more` instead: how many of the first are kept, and those that follow.
        """
        of_table, of_view = self._common(before.common, after.common)
        found = _joined(*_new(_OWN, before.own, after.own, of_table))
        old, new = before.own.view, after.own.view
        if of_view is not None and old is not None and new is not None:
            told = of_view if new is old else _new(OwnView._fields, old, new, of_view)
            if seen := _joined(*told):
                found["view"] = seen
        elif old is not new:
            found["view"] = after.whole().view
        return found

    def _common(self, before: Snapshot, after: Snapshot) -> Common:
        key = id(before), id(after)
        if key not in self._made:
            old, new, of_view = before.view, after.view, None
            if old is not None and new is not None:
                of_view = _new(_OF_VIEW, _OF_VIEW_VALUES(old), _OF_VIEW_VALUES(new))
            of_table = _new(_FIELDS, _VALUES(before), _VALUES(after))
            self._made[key] = before, after, (of_table, of_view)
        return self._made[key][2]
