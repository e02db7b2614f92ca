"""Rule sets as somebody hostile would write them.

They hold whatever an option may be and more, lists without end, and games that fit together in
which hardly a deal can be played, or in which nobody has to act.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.laws.house import CHANGES
from tests.unicode.halves import HALVES

from rookery.rules import catalog, rules_schema

_OPTIONS: Final = {
    key: spec for key, spec in rules_schema("en")["properties"].items() if "group" in spec
}
_DEFS: Final = rules_schema("en")["$defs"]
# Texts as nobody would write them: halves of pairs, signs nobody sees, without end.
_ODD: Final = (*HALVES, "\0", "\u202eR1", "R1\u200d", "\u3164", "R" + "\u0301" * 300, "x" * 70_000)


def written(dice: Random) -> dict[str, Any]:
    """Return hostile rules, as a house-rule file would have them."""
    kind = dice.random()
    if kind < 0.35:
        return _hardly_dealt(dice)
    rules: dict[str, Any] = {"base": dice.choice(catalog())}
    if kind < 0.6:
        for change in dice.sample(CHANGES, dice.randint(1, 4)):
            rules |= change
    for key in dice.sample(sorted(_OPTIONS), dice.randint(0, 3)):
        rules[key] = _value(_OPTIONS[key], dice)
    if dice.random() < 0.1:
        rules[dice.choice(("name", "notes", "origin", *_ODD))] = dice.choice(_ODD)
    return rules


def _hardly_dealt(dice: Random) -> dict[str, Any]:
    """Return a game that fits together, of few or many cards, counters and seats."""
    ranks = sorted(dice.sample(range(1, 15), dice.randint(3, 14)))
    rook = dice.random() < 0.5
    cards = 4 * len(ranks) + rook
    alone = dice.random() < 0.2  # the partner bids and plays for a person, who does nothing
    pairs = alone or dice.random() < 0.3
    seats = 4 if alone else dice.choice((4, 6, 8)) if pairs else dice.randint(2, 8)
    most = max(1, min(29, cards // seats))
    hand = min(most, dice.choice((1, 1, 2, 3, dice.randint(1, most))))
    nest = cards - seats * hand
    deck = [f"{suit}{rank}" for rank in ranks for suit in "RGYB"]
    few = dice.choice((2 * seats, 4 * seats, len(deck)))
    counters = dice.sample(deck, dice.randint(1, min(few, len(deck))))
    worth = dice.choice((1, 5, 100_000))
    points = len(counters) * worth
    step = dice.choice((worth, min(100_000, points)))
    return {
        "base": "kd_tournament",
        "seats": seats,
        "partnership": "fixed_opposite" if pairs else "alone",
        "ranks": ranks,
        "ones": dice.choice(("high", "low")) if 1 in ranks else "absent",
        "rook_in_deck": rook,
        "rook_value": 0,
        "hand_size": hand,
        "nest_size": nest,
        "counters": dict.fromkeys(counters, worth),
        "redeal": dice.choice(("auto", "auto", "any_time_no_counters", "none")),
        "all_pass": dice.choice(("dealer", "last_player", "redeal", "no_contract")),
        "bid_minimum": step,
        "bid_maximum": step,
        "bid_step": step,
        "target": dice.choice((1, 300, 100_000)),
        "first_bidder": 2 if alone else dice.choice(("left_of_dealer", "dealer", seats // 2)),
        "dummy": "partner" if alone else "none",
        "declaration_order": ["discard", "trump"],
    }


def _value(spec: dict[str, Any], dice: Random) -> object:
    """Return what an option might be given: mostly of its shape, at the ends of what it may be."""
    if dice.random() < 0.05:
        return dice.choice(
            (None, True, -1, 1.5, 10**400, *_ODD, [], {}, [[]] * 4_000, {"a": {"b": []}})
        )
    if "$ref" in spec:
        return _value(_DEFS[spec["$ref"].rpartition("/")[2]], dice)
    for key in ("anyOf", "oneOf"):
        if key in spec:
            return _value(dice.choice(spec[key]), dice)
    if "enum" in spec or "const" in spec:
        return dice.choice(spec.get("enum", [spec.get("const")]))
    match spec.get("type"):
        case "integer":
            low, high = spec.get("minimum", 0), spec.get("maximum", 1 << 60)
            return dice.choice((low, low - 1, high, high + 1, dice.randint(low, high)))
        case "boolean":
            return dice.random() < 0.5
        case "array":
            many = dice.choice((0, 1, 2, 14, 5_000))
            return [_value(spec["items"], dice) for _ in range(many)]
        case "object" if "properties" in spec:
            return {name: _value(part, dice) for name, part in spec["properties"].items()}
        case "object":
            many = dice.choice((0, 1, 14, 5_000))
            return {_card(dice): dice.randint(0, 100_000) for _ in range(many)}
        case _:
            return _card(dice)


def _card(dice: Random) -> str:
    rank = dice.choice((dice.randint(1, 14), dice.randint(0, 1 << 40)))
    name = f"{dice.choice('RGYBrgybSHDC')}{rank}"
    if dice.random() < 0.02:
        return dice.choice(_ODD)
    return dice.choice((name, name, str(rank), "RK", "\u0665", "9" * 5_000))
