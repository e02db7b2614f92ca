"""What a table's snapshot has that the one before did not, for those who ask for no more."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final, NamedTuple

import msgspec

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


class New(NamedTuple):
    """Fields that are new, and of lists that go on how many are kept and what follows; as JSON."""

    found: dict[str, msgspec.Raw]
    more: dict[str, msgspec.Raw]


_NOTHING: Final = New({}, {})
Common = tuple[New, New | None]  # what is new for everybody: of the table, and of the view in it


def _new(names: Sequence[str], before: Sequence[Any], after: Sequence[Any]) -> New:
    found, more = dict[str, msgspec.Raw](), dict[str, msgspec.Raw]()
    fields = zip(names, before, after, strict=False)
    for name, old, new in compress(fields, map(is_not, before, after)):
        if new == old:
            continue
        kept = _kept(old, new) if isinstance(old, list) and isinstance(new, list) else 0
        if kept:
            more[name] = ms.raw((kept, new[kept:]))
        else:
            found[name] = ms.raw(new)
    return New(found, more)


def _joined(one: New, other: New) -> dict[str, Any]:
    more = one.more | other.more
    return one.found | other.found | ({"more": more} if more else {})


def _kept(old: list[Any], new: list[Any]) -> int:
    """Return with how many of the same a list goes on."""
    kept = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
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

    def between(self, before: Shown, after: Shown) -> msgspec.Raw:
        """Return the fields of a snapshot that are not as they were, JSON; score sheets are whole.

        Of a view that was there before it has the fields that are new. Lists that go on are in
        `more` instead: how many of the first are kept, and those that follow.
        """
        of_table, of_view = self._common(before.common, after.common)
        same = before.own[: len(_OWN)] == after.own[: len(_OWN)]
        found = _joined(of_table, _NOTHING if same else _new(_OWN, before.own, after.own))
        old, new = before.own.view, after.own.view
        if of_view is not None and old is not None and new is not None:
            own = _NOTHING if new is old else _new(OwnView._fields, old, new)
            if seen := _joined(of_view, own):
                found["view"] = seen
        elif old is not new:
            found["view"] = after.whole().view
        return ms.raw(found)

    def _common(self, before: Snapshot, after: Snapshot) -> Common:
        key = id(before), id(after)
        if key not in self._made:
            old, new, of_view = before.view, after.view, None
            if old is not None and new is not None:
                of_view = _new(_OF_VIEW, _OF_VIEW_VALUES(old), _OF_VIEW_VALUES(new))
            of_table = _new(_FIELDS, _VALUES(before), _VALUES(after))
            self._made[key] = before, after, (of_table, of_view)
        return self._made[key][2]
