"""Halves of surrogate pairs, put where a campaign has texts: in names, values, keys and addresses.

What is made here is found again by Python's own encoder, not by the program's.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

HALVES = ("\ud800", "\udfff", "\udbff\u0041", "\udc00\ud800", "A\ude00")
# Bytes that are no UTF-8: half a pair, a byte on its own, one too long, one cut off.
BYTES = ("%ED%A0%80", "%FF", "%C0%AF", "%F0%9F")


def halved(value: Any, dice: Random) -> Any:  # noqa: ANN401  (whatever JSON can hold)
    """Return a value of JSON in which a text, a value or a key holds half a surrogate pair."""
    half = dice.choice(HALVES)
    if isinstance(value, dict) and value:
        key, how = dice.choice(list(value)), dice.random()
        if how < 0.2:
            return {**value, half: 1}
        if how < 0.4:
            rest = {name: one for name, one in value.items() if name != key}
            return {**rest, f"{key}{half}": value[key]}
        return {**value, key: halved(value[key], dice)}
    if isinstance(value, list) and value:
        at = dice.randrange(len(value))
        return [*value[:at], halved(value[at], dice), *value[at + 1 :]]
    if isinstance(value, str):
        at = dice.randint(0, len(value))
        # Before the rest of a pair it would be a whole one.
        return f"{value[:at]}{half}-{value[at:]}"
    return half


def holds_half(text: str | bytes) -> bool:
    """Return whether a text is JSON that holds half a surrogate pair."""
    try:
        json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False
