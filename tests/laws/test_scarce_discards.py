"""Where hardly any card may be discarded, game and judge agree on which do."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from tests.laws.test_judge_agrees import disagreement

from rookery.rules import RulesError, load

# Of 21 cards 17 are counters. A declarer has nine cards and keeps six, so some counters have to go.
SCARCE: dict[str, Any] = {
    **{"base": "kd_tournament", "ranks": [5, 6, 7, 10, 14], "seats": 3, "partnership": "alone"},
    **{"totals": "player", "hand_size": 6, "nest_size": 3, "redeal": "none"},
    **{"counters": {"5": 5, "7": 5, "10": 10, "14": 10}, "bid_maximum": 140},
}
UNLESS = "counters_unless_forced"
BANS = [
    *([UNLESS], ["rook"], ["trumps"], [UNLESS, "rook"], [UNLESS, "trumps"], ["trumps", "rook"]),
    [UNLESS, "trumps", "rook"],
]
ORDERS = [["discard", "trump", "call", "rook"], ["trump", "discard", "call", "rook"]]
EXCHANGES = ["all", {"up_to": 1}, {"up_to": 2}, {"exactly_or_none": 1}, {"exactly_or_none": 2}]
HANDS = 25


def fits(rules: dict[str, Any]) -> bool:
    try:
        load(rules)
    except RulesError:
        return False
    return True


RULES = [
    rules
    for ban, order, exchange in product(BANS, ORDERS, EXCHANGES)
    if fits(
        rules := {
            **SCARCE,
            **{"discard_ban": ban, "declaration_order": order, "nest_exchange": exchange},
        }
    )
]


def test_most_of_these_rules_fit() -> None:
    assert len(RULES) == 18
    assert {len(rules["discard_ban"]) for rules in RULES} == {1, 2, 3}


@pytest.mark.parametrize("number", range(len(RULES)))
def test_what_may_and_has_to_be_discarded_is_what_the_judge_says(number: int) -> None:
    rules = load(RULES[number])
    assert [found for seed in range(HANDS) if (found := disagreement(rules, seed))] == []
