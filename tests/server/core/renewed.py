"""A copy of a table that follows what it is sent, as docs/reference/socket.md says."""

from __future__ import annotations

from typing import Any


def renew(known: dict[str, Any], told: dict[str, Any]) -> None:
    """Change a table by a `change`, a message whose `table` is used up by it."""
    assert told["base"] == known["seq"]
    new = told["table"]
    if new.get("view") is not None and known["view"] is not None:
        _renew(known["view"], new.pop("view"))
    _renew(known, new)
    known["seq"] = told["seq"]


def _renew(known: dict[str, Any], new: dict[str, Any]) -> None:
    for name, (kept, follows) in new.pop("more", {}).items():
        assert 0 < kept <= len(known[name])
        known[name][kept:] = follows
    assert new.keys() <= known.keys()
    known.update(new)
