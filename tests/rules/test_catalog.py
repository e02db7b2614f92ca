"""The catalogue against a table of facts, written down from the variants' sheets."""

from __future__ import annotations

import json

import pytest

from rookery.rules import METADATA, OPTIONS, Rules, catalog, load, variant
from rookery.rules.source import FOLDER

# id: seats, cards, hand + nest, minimum, maximum, card points, trick points, target
FACTS: dict[str, tuple[int, int, str, int, int, int, int, int]] = {
    "kd_tournament": (4, 41, "9+5", 70, 120, 120, 0, 300),
    "kd_sim_paper": (4, 41, "9+5", 70, 120, 120, 0, 300),
    "kd_original": (4, 40, "9+4", 50, 100, 100, 0, 300),
    "red_1": (4, 42, "9+6", 70, 150, 150, 0, 300),
    "buckeye": (4, 45, "10+5", 70, 180, 180, 0, 300),
    "kd_full_57": (4, 57, "13+5", 70, 120, 120, 0, 300),
    "kd_standard_cards": (4, 41, "9+5", 70, 120, 120, 0, 300),
    "regular_partnership": (4, 56, "14+0", 70, 120, 100, 20, 300),
    "dixie": (4, 56, "13+4", 70, 120, 100, 20, 300),
    "dixie_6": (6, 56, "9+2", 70, 120, 100, 20, 300),
    "display": (4, 56, "14+0", 70, 120, 100, 20, 300),
    "boston": (4, 56, "14+0", 70, 120, 100, 20, 300),
    "one_high_partnership": (4, 57, "14+1", 70, 200, 180, 20, 500),
    "hoyle_standard": (4, 53, "13+1", 70, 200, 180, 20, 500),
    "partnership_180": (4, 45, "10+5", 70, 180, 180, 0, 300),
    "house_001": (4, 57, "13+5", 50, 120, 120, 0, 200),
    "wanamingo": (4, 56, "13+4", 75, 120, 100, 20, 500),
    "five_person_poker": (5, 53, "10+3", 75, 180, 180, 0, 500),
    "call_partner_4": (4, 57, "13+5", 100, 200, 180, 20, 500),
    "call_partner_4_short": (4, 45, "10+5", 100, 200, 180, 20, 500),
    "call_partner_5": (5, 57, "10+7", 100, 200, 180, 20, 500),
    "call_partner_5_short": (5, 45, "8+5", 100, 200, 180, 20, 500),
    "call_partner_6": (6, 57, "9+3", 100, 200, 180, 20, 500),
    "call_partner_6_short": (6, 45, "7+3", 100, 200, 180, 20, 500),
    "call_partner_5_plain": (5, 57, "11+2", 75, 180, 180, 0, 500),
    "low_card_no_trump": (4, 45, "10+5", 100, 180, 180, 0, 300),
    "circus": (4, 45, "10+5", 100, 180, 180, 0, 300),
    "black_2": (4, 57, "13+5", 100, 200, 180, 20, 500),
    "red_2": (4, 57, "13+5", 100, 200, 180, 20, 500),
    "kentucky_rook": (4, 45, "10+5", 100, 180, 180, 0, 300),
    "call_partner_pagat": (4, 57, "13+5", 5, 200, 180, 20, 500),
    "rook_two_1914": (2, 44, "13+5", 30, 125, 100, 26, 150),
    "rook_three_1914": (3, 44, "13+5", 50, 125, 100, 26, 200),
    "rook_1906": (4, 56, "14+0", 5, 100, 100, 0, 300),
    "rook_1906_7": (7, 56, "8+0", 5, 100, 100, 0, 300),
    "rook_1906_8": (8, 56, "7+0", 5, 100, 100, 0, 300),
    "pwinckles_57": (4, 57, "13+5", 75, 180, 180, 0, 500),
    "one_low_180": (4, 57, "13+5", 100, 180, 180, 0, 500),
}

RECONSTRUCTED = {
    *("kd_original", "red_1", "regular_partnership", "one_high_partnership", "hoyle_standard"),
    *("dixie_6", "display", "boston", "five_person_poker", "call_partner_5_plain"),
    *("low_card_no_trump", "circus", "black_2", "red_2", "rook_two_1914"),
    *("rook_1906", "rook_1906_7", "rook_1906_8"),
}

CALL_PARTNER = {name for name in FACTS if name.startswith("call_partner_")}
LONG_AND_SHORT = CALL_PARTNER - {"call_partner_5_plain", "call_partner_pagat"}
REGULAR = {"regular_partnership", "dixie", "dixie_6", "display", "boston"}
FIRST_1906 = {"rook_1906", "rook_1906_7", "rook_1906_8"}
BOOKLET_1914 = {"rook_two_1914", "rook_three_1914"}
LOW_ROOK = {
    *("house_001", "five_person_poker", "one_high_partnership"),
    *("hoyle_standard", "pwinckles_57", "one_low_180"),
}
MIDDLE_ROOK = {"call_partner_pagat", "low_card_no_trump", "circus"}

# option: {value: the variants that have it}; all the others have the tournament game's value.
DEPARTURES: dict[str, list[tuple[object, set[str]]]] = {
    "partnership": [
        ("fixed_alternate_3", {"dixie_6"}),
        ("called", {"five_person_poker"} | CALL_PARTNER),
        ("alone", FIRST_1906 | BOOKLET_1914),
    ],
    "pack": [("standard", {"kd_standard_cards", "hoyle_standard", "five_person_poker"})],
    "rook_in_deck": [
        (False, {"kd_original", "wanamingo"} | REGULAR | FIRST_1906 | BOOKLET_1914),
    ],
    "extra_cards": [(["R1"], {"red_1"})],
    "nest_shown": [("after_auction", {"one_low_180"})],
    "redeal": [
        (
            "none",
            {"kd_sim_paper", "house_001", "five_person_poker", "wanamingo", "black_2", "red_2"}
            | {"one_high_partnership", "hoyle_standard", "pwinckles_57"}
            | REGULAR
            | CALL_PARTNER
            | FIRST_1906
            | BOOKLET_1914,
        )
    ],
    "first_bidder": [("dealer", {"house_001", "call_partner_pagat"} | FIRST_1906 | BOOKLET_1914)],
    "auction_form": [("dealer_must_bid", FIRST_1906), ("dealer_opens", BOOKLET_1914)],
    "bid_step": [],
    "all_pass": [("redeal", {"pwinckles_57"} | CALL_PARTNER), ("last_player", {"house_001"})],
    "special_bids": [([{"name": "sun", "value": 180}], {"five_person_poker"})],
    "return_after_pass": [],
    "nest_exchange": [
        ({"exactly_or_none": 2}, {"rook_two_1914"}),
        ({"up_to": 5}, {"rook_three_1914"}),
    ],
    "discard_ban": [
        (["counters"], {"wanamingo", "rook_three_1914"}),
        (["counters_unless_forced"], {"one_low_180"}),
    ],
    "nest_statement": [("yes_no", LONG_AND_SHORT)],
    "declaration_order": [
        (["trump", "discard"], {"one_low_180"} | BOOKLET_1914),
        (["trump", "call", "discard"], {"five_person_poker", "call_partner_5_plain"}),
        (["discard", "call", "rook", "trump"], LONG_AND_SHORT),
        (["discard", "trump", "call"], {"call_partner_pagat"}),
    ],
    "trump_calls": [
        (["suits", "notrump", "notrump-low"], {"five_person_poker"}),
        (["suits", "suits-low", "notrump", "notrump-low"], {"low_card_no_trump", "pwinckles_57"}),
        (["suits", "suits-low", "notrump", "notrump-low", "circus"], {"circus"}),
    ],
    "low_order_one": [],
    "rook_at_no_trump": [("red_10_5", {"low_card_no_trump", "circus"})],
    "rook_rank": [("bottom", LOW_ROOK), ("declared", LONG_AND_SHORT), ("10.5", MIDDLE_ROOK)],
    "rook_any_time": [(False, LOW_ROOK | LONG_AND_SHORT | MIDDLE_ROOK)],
    "rook_value": [],
    "red_1": [("top_trump", {"red_1"})],
    "black_2": [("beats_rook", {"black_2"})],
    "red_2": [("second_trump", {"red_2"})],
    "nest_points_to": [
        ("declarer", {"house_001", "one_low_180"}),
        ("nobody", {"wanamingo"} | BOOKLET_1914),
    ],
    "trick_bonus": [
        ("majority", {"one_high_partnership", "hoyle_standard", "wanamingo"} | REGULAR),
        ("last_trick", {"black_2", "red_2", "call_partner_pagat"} | LONG_AND_SHORT),
        ("per_trick", BOOKLET_1914),
    ],
    "first_lead": [
        ("left_of_declarer", {"wanamingo", "display", "boston", "pwinckles_57", "rook_three_1914"}),
        ("declarer", {"one_low_180"}),
        ("declarer_chooses", {"five_person_poker"}),
        ("caller", {"circus"}),
    ],
    "dummy": [("partner", {"display", "boston"}), ("blind", {"rook_two_1914"})],
    "called_cards": [
        (2, {"call_partner_6", "call_partner_6_short"}),
        (1, CALL_PARTNER | {"five_person_poker"} - {"call_partner_6", "call_partner_6_short"}),
    ],
    "callable": [("any", CALL_PARTNER)],
    "sweep_value": [({"replace": 200}, {"house_001"}), ({"replace": 360}, {"one_low_180"})],
    "sweep_test": [("either_side_all_points", {"one_low_180"})],
    "tie": [("shared", {"five_person_poker"})],
    "negative_end": [(-500, {"five_person_poker"})],
    "own_contract_to_go_out": [({"cap": 430}, {"pwinckles_57"})],
    "totals": [("player", {"five_person_poker"} | CALL_PARTNER | FIRST_1906 | BOOKLET_1914)],
    "rotation": [("deal_left_partners_redrawn", {"wanamingo"})],
}

# What the table of facts and the two tests below tell of cards and points.
TOLD_ELSEWHERE = {
    *("seats", "ranks", "hand_size", "nest_size", "bid_minimum", "bid_maximum", "ones"),
    *("counters", "trick_bonus_value", "target"),
}

ONES = {
    "high": {
        *("buckeye", "partnership_180", "kd_standard_cards", "one_high_partnership"),
        *("hoyle_standard", "house_001", "five_person_poker", "low_card_no_trump", "circus"),
        *("black_2", "red_2", "kentucky_rook", "pwinckles_57"),
    }
    | CALL_PARTNER,
    "low": {"kd_full_57", "wanamingo", "one_low_180"} | REGULAR | FIRST_1906,
}

COUNTERS = {
    "5 10 14": {"kd_full_57", "regular_partnership", "house_001", "wanamingo", "rook_1906"},
    "5 10 13": {"dixie", "dixie_6"},
    "1 5 10 14": {"buckeye", "one_high_partnership", "call_partner_4", "black_2", "one_low_180"},
    "1 5 10": {"kd_standard_cards"},
    "1 5 10 13": {"hoyle_standard", "five_person_poker"},
}


def test_the_catalogue_holds_the_variants_of_the_reference_in_its_order() -> None:
    assert catalog() == tuple(FACTS)
    assert {path.stem for path in FOLDER.iterdir()} == set(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_a_variant_has_the_facts_of_its_sheet(name: str) -> None:
    rules = load(name)
    assert (
        rules.seats,
        rules.cards,
        f"{rules.hand_size}+{rules.nest_size}",
        rules.bid_minimum,
        rules.bid_maximum,
        sum(rules.card_points.values()),
        rules.bonus_points,
        rules.target,
    ) == FACTS[name]
    assert rules.total_points == rules.bonus_points + sum(rules.card_points.values())
    assert rules.hands * rules.hand_size + rules.nest_size == len(rules.deck)


def test_every_option_is_told_by_one_of_the_tables() -> None:
    plain = set(OPTIONS) - set(DEPARTURES) - TOLD_ELSEWHERE
    ours = load("kd_tournament").options()
    for name in FACTS:
        assert {key: load(name).options()[key] for key in plain} == {k: ours[k] for k in plain}


@pytest.mark.parametrize("option", DEPARTURES)
def test_an_option_departs_from_the_tournament_game_where_the_sheets_say(option: str) -> None:
    plain = load("kd_tournament").options()[option]
    for name in FACTS:
        expected = next((v for v, names in DEPARTURES[option] if name in names), plain)
        assert load(name).options()[option] == expected, name


@pytest.mark.parametrize("name", FACTS)
def test_the_ones_stand_where_the_sheet_says(name: str) -> None:
    rules = load(name)
    expected = next((place for place, names in ONES.items() if name in names), "absent")
    assert rules.ones == expected
    assert (1 in rules.ranks) == (expected != "absent")


@pytest.mark.parametrize("ranks", COUNTERS)
def test_the_counters_are_the_ranks_of_the_sheet(ranks: str) -> None:
    for name in COUNTERS[ranks]:
        assert sorted(map(int, load(name).counters)) == sorted(map(int, ranks.split()))


def test_single_values_of_the_sheets() -> None:
    assert load("red_1").card_points[0] == 30
    assert load("kd_standard_cards").card_points[0] == 10
    assert load("one_low_180").card_points[3] == 15
    assert 4 * 13 not in load("dixie").card_points
    assert load("dixie").card_points[4 * 12] == 10
    assert load("house_001").card_points.get(0) is None
    assert load("rook_two_1914").trick_bonus_value == 2


def test_reconstructed_variants_say_so_and_why_and_no_others_do() -> None:
    assert {name for name in FACTS if load(name).reconstructed} == RECONSTRUCTED
    for name in RECONSTRUCTED:
        reason = load(name).reconstructed
        assert reason is not None
        assert reason.endswith(".")
        assert len(reason) > 30


@pytest.mark.parametrize("name", FACTS)
def test_a_variant_knows_its_id_name_and_origin(name: str) -> None:
    rules = variant(name)
    assert rules.id == name
    assert rules.name
    assert rules.origin
    assert load(name) is rules


def test_no_two_variants_share_a_name() -> None:
    assert len({load(name).name for name in FACTS}) == len(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_the_options_of_a_variant_load_again_as_the_same_rules(name: str) -> None:
    rules = load(name)
    written = json.loads(json.dumps(rules.options()))
    assert tuple(written) == OPTIONS
    assert load(written).options() == rules.options()
    described = {key: getattr(rules, key) for key in METADATA}
    again = load({**written, **described})
    assert again == rules
    assert hash(again) == hash(rules)


def test_the_same_game_under_two_names_has_no_changes() -> None:
    assert load("partnership_180").changes(load("buckeye")) == {}
    assert load("boston").changes(load("display")) == {}
    assert load("kentucky_rook").changes(load("buckeye")) == {"bid_minimum": 100}


def test_a_deck_is_the_card_numbers_rising() -> None:
    deck = load("red_1").deck
    assert list(deck) == sorted(deck)
    assert deck[:2] == (0, 16)
    assert deck[-1] == 56


def test_the_tournament_game_is_what_nothing_said_means() -> None:
    assert Rules().options() == load("kd_tournament").options()
