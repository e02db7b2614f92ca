"""Every list and number of a rule set has a bound, and of all deals enough can be played."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.hands import ENDLESS, after

from rookery import record
from rookery.game import Hand
from rookery.rules import Rules, RulesError, catalog, load, rules_schema, stored, variant
from rookery.rules.chances import each_holds
from rookery.rules.check import excesses, unprepared

CODE = "too-many-redeals"


def code_of(written: dict[str, Any]) -> str | None:
    """Return the code of the one problem of some rules; None where they have none."""
    try:
        load(written)
    except RulesError as error:
        (problem,) = error.details
        return problem.code
    return None


COUNTED = [(6, 3, 2, 2), (7, 3, 1, 3), (8, 4, 2, 4), (5, 1, 2, 2)]


@pytest.mark.parametrize(("deck", "targets", "hand", "hands"), COUNTED)
def test_the_chance_is_that_of_all_deals_counted_one_by_one(
    deck: int, targets: int, hand: int, hands: int
) -> None:
    places = [set(range(at, at + hand)) for at in range(0, hand * hands, hand)]
    ways = [set(where) for where in combinations(range(deck), targets)]
    good = sum(all(where & place for place in places) for where in ways)
    assert each_holds(deck, targets, hand, hands) == Fraction(good, len(ways))


def test_rules_by_which_hardly_a_deal_can_be_played_are_refused_but_read_in_a_record() -> None:
    assert code_of(ENDLESS) == CODE
    rules = stored(ENDLESS)
    assert record.loads(record.dumps(record.Record(rules, ENDLESS))).rules == rules
    assert Rules.model_validate(rules.model_dump(mode="json")) == rules
    # With as many counters and any other kind of redeal it is a game like others.
    assert code_of({**ENDLESS, "redeal": "any_time_no_counters"}) is None


def test_the_bound_is_one_deal_in_ten() -> None:
    """Among all numbers of counters the check and deals that were dealt agree on which are few."""
    ranks = [str(rank) for rank in range(1, 15)]
    cards = [f"{suit}{rank}" for rank in ranks for suit in "RGYB"]
    refused = []
    for counters in range(8, 57):
        worth = dict.fromkeys(cards[:counters], 5)
        refused.append(code_of({**ENDLESS, "counters": worth}) == CODE)
    assert refused == sorted(refused, reverse=True)
    dice = Random(1)
    last = 8 + refused.index(False)
    for counters, few in ((last - 4, True), (last + 4, False)):
        dealt = (dice.sample(range(57), 8) for _ in range(4000))
        share = sum(max(hand) < counters for hand in dealt) / 4000
        assert (share < 0.1) == few, (counters, share)


# Each of three players holds one card, and a declarer sees all the others but two.
FEW: dict[str, Any] = {
    **{"partnership": "called", "totals": "player", "called_cards": 1, "callable": "no_trumps"},
    **{"seats": 3, "hand_size": 1, "nest_size": 38},
    "declaration_order": ["discard", "trump", "call"],
}


def test_rules_by_which_there_may_be_no_card_to_call_are_refused_but_read_in_a_record() -> None:
    assert code_of(FEW) == "only-trumps-to-call"
    rules = stored(FEW)
    cards = [f"{suit}{rank}" for suit in "RGYB" for rank in range(5, 15)]
    rest = [name for name in cards if name not in ("R5", "R6")]
    hand = Hand.deal(rules, 0, [["R5"], ["RK"], ["R6"]], rest)
    hand = after(hand, "1 bid 120", f"1 discard {' '.join(rest)}", "1 trump red")
    assert (hand.phase, hand.legal_numbers()) == ("call", [])  # such a hand stands still for ever
    # With eleven trumps, twelve cards that nobody has seen are enough.
    assert code_of({**FEW, "hand_size": 5, "nest_size": 26}) == "only-trumps-to-call"
    assert code_of({**FEW, "hand_size": 6, "nest_size": 23}) is None
    assert code_of({**FEW, "callable": "unheld"}) is None


@pytest.mark.parametrize("name", catalog())
def test_every_variant_of_the_catalogue_may_be_begun(name: str) -> None:
    assert excesses(variant(name)) == []
    assert unprepared(variant(name)) == []


def test_no_deals_are_prepared_by_rules_that_throw_in_nearly_all() -> None:
    few = {"base": "kd_tournament", "counters": {"R5": 5}, "bid_minimum": 5, "bid_maximum": 20}
    for redeal in ("any_time_no_counters", "own_turn_no_counters"):
        rules = load({**few, "redeal": redeal})
        [problem] = unprepared(rules)
        assert (problem.option, problem.code) == ("redeal", "none-to-prepare")
    assert unprepared(load({**few, "redeal": "none"})) == []
    assert unprepared(load({**few, "counters": {"5": 5, "10": 5}})) == []


MANY: list[tuple[str, object]] = [
    ("ranks", [5] * 15),
    ("ranks", list(range(5, 15)) * 500),
    ("extra_cards", [f"R{n}" for n in range(4_050)]),
    ("extra_cards", ["R" * 100_000]),
    ("special_bids", [{"name": "sun", "value": 1}, {"name": "moon", "value": 1}] * 2),
    ("discard_ban", ["rook"] * 5),
    ("declaration_order", ["trump"] * 5),
    ("trump_calls", ["suits"] * 6),
    ("counters", {str(n): 5 for n in range(4_050)}),
    ("counters", {"1" * 5_000: 5}),
    ("counters", {"5": 100_001}),
    ("target", 10**400),
]


@pytest.mark.parametrize("counters", [{"r10": 30, "R10": 5}, {"5": 5, 5: 10}, {"R1 ": 5, "R1": 5}])
def test_a_counter_has_one_value(counters: dict[object, int]) -> None:
    with pytest.raises(RulesError) as caught:
        load({"counters": counters})
    (problem,) = caught.value.details
    assert (problem.option, problem.code) == ("counters", "listed-twice")
    own = load({"counters": {"r10": 10, "5": 5}, "bid_maximum": 50, "bid_minimum": 5})
    assert own.counters == {"R10": 10, "5": 5}


EMPTY: list[tuple[str, object]] = [
    ("seats", None),
    ("nest_exchange", {"up_to": None}),
    ("counters", {"5": None}),
    ("special_bids", [{"name": "moon", "value": None}]),
]


@pytest.mark.parametrize(("option", "value"), EMPTY)
def test_a_field_that_was_left_empty_is_said_to_be_empty(option: str, value: object) -> None:
    with pytest.raises(RulesError) as caught:
        load({option: value})
    (problem,) = caught.value.details
    assert (problem.option, problem.code) == (option, "no-value")
    assert "null" not in problem.text("en") + problem.text("es")
    assert problem.text("es").startswith("falta un valor")


@pytest.mark.parametrize(("option", "value"), MANY)
def test_a_list_that_is_too_long_is_refused_and_the_limit_said(option: str, value: object) -> None:
    with pytest.raises(RulesError) as caught:
        load({option: value})
    (problem,) = caught.value.details
    assert (problem.option, problem.code) == (option, "wrong-value")
    for lang in ("en", "es"):
        assert len(problem.line(lang)) < 300


@pytest.mark.parametrize("option", ["ranks", "seats", "base", "xyzzy"])
def test_a_value_is_refused_however_deep_it_is_nested(option: str) -> None:
    value: object = 1
    for deep in range(1, 1_200):
        value = [value]
        if deep < 900:
            continue
        with pytest.raises(RulesError) as caught:
            load({option: value})
        for lang in ("en", "es"):
            assert len(caught.value.details[0].line(lang)) < 300


def shapes(schema: dict[str, Any], spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a part of a schema and all parts of it."""
    if "$ref" in spec:
        spec = schema["$defs"][spec["$ref"].rpartition("/")[2]]
    found = [spec]
    for inner in [
        *spec.get("anyOf", ()),
        *spec.get("oneOf", ()),
        *spec.get("properties", {}).values(),
        *[
            spec[key]
            for key in ("items", "additionalProperties")
            if isinstance(spec.get(key), dict)
        ],
    ]:
        found += shapes(schema, inner)
    return found


def test_no_list_table_or_number_is_without_a_bound() -> None:
    schema = rules_schema("en")
    options = {key: spec for key, spec in schema["properties"].items() if "group" in spec}
    assert len(options) > 60
    for key, option in options.items():
        for spec in shapes(schema, option):
            if spec.get("type") == "array":
                assert "maxItems" in spec, key
            if spec.get("type") == "integer" and "const" not in spec:
                assert {"minimum", "maximum"} <= spec.keys(), key
            if isinstance(spec.get("additionalProperties"), dict):
                assert "maxProperties" in spec, key
                assert "maxLength" in spec["propertyNames"], key
            if spec.get("type") == "string":
                assert {"maxLength", "enum", "const"} & spec.keys(), key


def test_an_unknown_option_is_named_shortly() -> None:
    with pytest.raises(RulesError) as error:
        load({"base": "kd_tournament", "x" * 30_000: 1})
    assert [(one.code, len(one.option) < 200) for one in error.value.details] == [
        ("unknown-option", True)
    ]
