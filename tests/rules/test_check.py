"""Rule sets that do not fit together, each with the option to be named; and some that do."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from rookery.rules import RulesError, load
from rookery.rules.errors import Problem

Changes = dict[str, object]

FULL: Changes = {"base": "kd_full_57"}
CALLED: Changes = {"base": "call_partner_4"}
ALONE: Changes = {"base": "rook_1906"}
POKER: Changes = {"base": "five_person_poker"}
EIGHT: Changes = {"hand_size": 8, "nest_size": 9, "counters": {"14": 10, "10": 10}, "rook_value": 0,
                  "bid_minimum": 40, "bid_maximum": 80}  # fmt: skip
EXCHANGE: Changes = {"base": "rook_three_1914"}

BAD: list[tuple[str, Changes]] = [
    ("hand_size", {"hand_size": 8}),
    ("hand_size", {"nest_size": 4}),
    ("hand_size", {"seats": 6}),
    ("hand_size", {"rook_in_deck": False}),
    ("hand_size", {"base": "rook_two_1914", "dummy": "none"}),
    ("ranks", {"ranks": [5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}),
    ("ranks", {"ranks": [14, 13, 12, 11, 10, 9, 8, 7, 6, 5]}),
    ("ranks", {"pack": "standard"}),
    ("extra_cards", {"extra_cards": ["X1"]}),
    ("extra_cards", {"extra_cards": ["SA"]}),
    ("extra_cards", {"extra_cards": ["R5"]}),
    ("extra_cards", {"extra_cards": ["RK"]}),
    ("extra_cards", {"extra_cards": ["R1", "R1"], "nest_size": 7}),
    ("counters", {"counters": {"15": 5}}),
    ("counters", {"counters": {"0": 5}}),
    ("counters", {"counters": {"05": 5}}),
    ("counters", {"counters": {"X5": 5}}),
    ("counters", {"counters": {"RK": 5}}),
    ("counters", {**FULL, "counters": {str(rank): rank for rank in range(1, 11)}}),
    ("ones", {**FULL, "ones": "absent"}),
    ("ones", {"ones": "high"}),
    ("ones", {"base": "red_1", "ones": "low"}),
    ("red_1", {"red_1": "top_trump"}),
    ("red_1", {"base": "kd_standard_cards", "red_1": "top_trump"}),
    ("black_2", {"black_2": "beats_rook"}),
    ("black_2", {"base": "regular_partnership", "black_2": "beats_rook"}),
    ("red_2", {"red_2": "second_trump"}),
    ("red_2", {"base": "hoyle_standard", "red_2": "second_trump"}),
    ("rook_rank", {"base": "kd_original", "rook_rank": "declared"}),
    ("redeal", {"counters": {"R5": 50, "R6": 50}, "redeal": "auto"}),
    ("partnership", {"seats": 5, "hand_size": 8, "nest_size": 1}),
    ("partnership", {"seats": 2, "hand_size": 18}),
    ("partnership", {"partnership": "fixed_alternate_3"}),
    ("partnership", {**CALLED, "seats": 2, "hand_size": 26}),
    ("called_cards", {**CALLED, "called_cards": 0}),
    ("called_cards", {"called_cards": 1}),
    ("called_cards", {**CALLED, "seats": 3, "hand_size": 17, "nest_size": 6, "called_cards": 2}),
    ("totals", {**CALLED, "totals": "team"}),
    ("partner_shares_set", {"partner_shares_set": False}),
    ("partner_shares_set", {**ALONE, "partner_shares_set": False}),
    ("dummy", {**CALLED, "dummy": "partner"}),
    ("dummy", {"base": "dixie_6", "dummy": "partner"}),
    ("dummy", {**CALLED, "dummy": "blind", "hand_size": 10, "nest_size": 7}),
    ("rotation", {**ALONE, "rotation": "deal_left_partners_redrawn"}),
    ("bid_minimum", {"bid_minimum": 72}),
    ("bid_maximum", {"bid_maximum": 118}),
    ("bid_minimum", {"bid_minimum": 125}),
    ("bid_maximum", {"bid_maximum": 125}),
    ("bid_maximum", {"base": "regular_partnership", "trick_bonus": "none"}),
    ("bid_step", {**FULL, "bid_step": 1, "bid_minimum": 1, "bid_maximum": 129, "rook_value": 30}),
    ("first_bidder", {"first_bidder": 4}),
    ("first_bidder", {"auction_form": "dealer_opens"}),
    ("first_bidder", {"auction_form": "dealer_must_bid", "first_bidder": 0}),
    ("special_bids", {"special_bids": [{"name": "sun", "value": 180}] * 2}),
    ("declaration_order", {"declaration_order": ["trump"]}),
    ("declaration_order", {"declaration_order": ["discard"]}),
    ("declaration_order", {"declaration_order": ["discard", "trump", "trump"]}),
    ("declaration_order", {"rook_rank": "declared"}),
    ("declaration_order", {**CALLED, "declaration_order": ["discard", "rook", "trump"]}),
    ("declaration_order", {"base": "circus", "declaration_order": ["trump", "discard"]}),
    ("trump_calls", {"trump_calls": ["circus"]}),
    ("trump_calls", {"trump_calls": ["suits", "suits"]}),
    ("trump_calls", {**CALLED, "trump_calls": ["suits", "circus"]}),
    ("trump_calls", {**ALONE, "trump_calls": ["suits", "circus"]}),
    ("callable", {**CALLED, "callable": "no_trumps"}),
    ("rook_at_no_trump", {**POKER, "rook_at_no_trump": "red_10_5"}),
    ("rook_at_no_trump", {"base": "kd_original", "rook_at_no_trump": "red_10_5"}),
    ("nest_face_up", {"nest_face_up": 6}),
    ("nest_shown", {"base": "regular_partnership", "nest_shown": "after_auction"}),
    ("nest_statement", {"base": "regular_partnership", "nest_statement": "yes_no"}),
    ("nest_exchange", {"base": "regular_partnership", "nest_exchange": {"up_to": 1}}),
    ("discard_ban", {"discard_ban": ["rook", "rook"]}),
    ("discard_ban", {"discard_ban": ["counters"]}),
    ("discard_ban", {"discard_ban": ["trumps"]}),
    ("discard_ban", {"discard_ban": ["trumps"], "declaration_order": ["trump", "discard"]}),
    ("discard_ban", {**FULL, "discard_ban": ["trumps", "counters_unless_forced", "counters"]}),
    ("discard_ban", {**EIGHT, "discard_ban": ["counters", "rook"]}),
    ("discard_ban", {**EXCHANGE, "nest_exchange": {"up_to": 4}}),
    ("discard_ban", {**EXCHANGE, "discard_ban": ["counters_unless_forced"]}),
    (
        "callable",
        {**POKER, "nest_exchange": {"up_to": 3}, "declaration_order": ["trump", "call", "discard"]},
    ),
    ("discard_ban", {**EXCHANGE, "nest_exchange": {"exactly_or_none": 3}}),
    ("nest_exchange", {**EXCHANGE, "nest_exchange": {"exactly_or_none": 6}, "discard_ban": []}),
    ("trick_bonus", {"base": "call_partner_6_short", "trick_bonus": "first_to_six", "hand_size": 5,
                     "nest_size": 15}),
    ("tied_majority", {"base": "regular_partnership", "tied_majority": "split",
                       "trick_bonus_value": 25}),
    ("own_contract_to_go_out", {"own_contract_to_go_out": {"cap": 300}}),
]  # fmt: skip

GOOD: list[Changes] = [
    {"base": "call_partner_4", "rook_rank": "bottom"},
    {"base": "call_partner_4", "partnership": "fixed_opposite", "called_cards": 0},
    {"base": "regular_partnership", "declaration_order": ["discard", "trump"]},
    {"base": "regular_partnership", "declaration_order": ["trump"]},
    {"declaration_order": ["rook", "discard", "trump"], "rook_rank": "declared"},
    {"all_pass": "redeal"},
    {"all_pass": "no_contract", "trump_lead": "when_broken", "void_duty": "must_beat"},
    {"rook_rank": "12.5", "rook_any_time": True},
    {"hand_size": 10, "nest_size": 1},
    {"base": "kd_original", "hand_size": 8, "nest_size": 8},
    {"base": "red_1", "hand_size": 10, "nest_size": 2, "red_1": "top_trump_any_time"},
    {"base": "one_high_partnership", "hand_size": 13, "nest_size": 5, "trick_bonus": "last_trick"},
    {"base": "hoyle_standard", "hand_size": 12, "nest_size": 5},
    {"base": "dixie_6", "partnership": "fixed_opposite"},
    {"base": "dixie_6", "partnership": "fixed_opposite", "tied_majority": "split",
     "trick_bonus_value": 21},
    {**EIGHT, "discard_ban": ["counters"]},
    {**EIGHT, "discard_ban": ["rook"]},
    {"base": "house_001", "redeal": "auto", "sweep_test": "all_points", "target": 500},
    {"base": "wanamingo", "auction_form": "one_call_each", "trick_bonus": "first_to_six"},
    {"base": "wanamingo", "defenders_score": False, "hand_size": 14, "nest_size": 0},
    {"base": "call_partner_5_plain", "callable": "no_trumps", "partner_shares_set": False},
    {"base": "call_partner_6", "nest_statement": "amount", "partner_revealed": "at_once"},
    {"base": "five_person_poker", "special_bids": [{"name": "moon", "value": 200}]},
    {"base": "five_person_poker", "rook_at_no_trump": "loser", "low_order_one": "best"},
    {"base": "five_person_poker", "discard_ban": ["counters_unless_forced", "rook"]},
    {"base": "rook_two_1914", "nest_exchange": "all", "discard_ban": ["trumps"]},
    {"base": "rook_three_1914", "nest_exchange": {"exactly_or_none": 2}, "discard_ban": ["rook"]},
    {"base": "kd_full_57", "black_2": "top_trump", "red_2": "second_trump"},
    {"base": "buckeye", "red_1": "top_trump", "nest_face_up": 1, "first_lead": "declarer"},
    {"base": "kentucky_rook", "bid_step": 1, "first_bidder": 3, "set_penalty": "double"},
    {"extra_cards": ["r1"], "hand_size": 9, "nest_size": 6},
    {"partnership": "alone", "seats": 5, "hand_size": 8, "nest_size": 1},
    {"totals": "player"},
    {"base": "circus", "circus_passing": {"best": "free", "worst": "enforced"}},
    {"base": "circus", "circus_passing": {"best": "free"}},
    {"renege": "penalised", "return_after_pass": True, "own_contract_to_go_out": "yes"},
]  # fmt: skip


def problems_of(changes: Changes) -> dict[str, Problem]:
    """Return all that is wrong, by the codes."""
    try:
        load(changes)
    except RulesError as error:
        return {problem.code: problem for problem in error.details}
    return {}


@pytest.mark.parametrize(("option", "changes"), BAD)
def test_rules_that_do_not_fit_are_refused_by_the_option_at_fault(
    option: str, changes: Changes
) -> None:
    with pytest.raises(RulesError) as caught:
        load(changes)
    assert option in {line.partition(":")[0] for line in caught.value.problems}
    assert caught.value.option == option
    assert all("\n" not in line and "; " in line for line in caught.value.problems)


@pytest.mark.parametrize("changes", GOOD)
def test_sensible_house_rules_are_accepted(changes: Changes) -> None:
    written = {key: value for key, value in changes.items() if key != "base"}
    assert load(changes).options().keys() >= written.keys()


def test_every_problem_is_reported() -> None:
    with pytest.raises(RulesError) as caught:
        load({"hand_size": 8, "bid_maximum": 200, "target": 1, "called_cards": 1})
    assert [line.partition(":")[0] for line in caught.value.problems] == [
        "hand_size",
        "called_cards",
        "bid_maximum",
    ]
    assert caught.value.problems[0] == (
        "hand_size: 4 hands of 8 and a nest of 5 take 37 cards, but the deck has 41; "
        "nest_size = 9 would fit"
    )
    assert "at most 120" in caught.value.problems[2]
    order = ["discard", "call", "trump"]
    changes = {**CALLED, "callable": "no_trumps", "rook_rank": "declared"}
    codes = problems_of({**changes, "declaration_order": order}).keys()
    assert codes == {"missing-step", "trump-after-call"}


# What a problem says to write instead, by its code: the option, and the value under this name.
INSTEAD: dict[str, tuple[str, str]] = {
    "deal-does-not-add-up": ("nest_size", "rest"),
    "too-many-dealt": ("hand_size", "most"),
    "no-defender": ("called_cards", "most"),
    "no-such-seat": ("first_bidder", "last"),
    "not-a-step": ("", "near"),
    "minimum-above-maximum": ("bid_minimum", "high"),
    "more-than-a-hand": ("bid_maximum", "most"),
    "too-many-face-up": ("nest_face_up", "nest"),
    "swap-too-large": ("nest_exchange", "most"),
}


def test_what_a_problem_says_to_write_instead_would_fit_and_no_more() -> None:
    tried = set()
    for _, changes in BAD:
        with pytest.raises(RulesError) as caught:
            load(changes)
        for problem in caught.value.details:
            if problem.code not in INSTEAD:
                continue
            option, name = INSTEAD[problem.code]
            value = problem.values[name]
            assert isinstance(value, int)
            for more in (0, 1):
                count = value + more
                told = {"exactly_or_none": count} if option == "nest_exchange" else count
                codes = problems_of({**changes, (option or problem.option): told})
                assert (problem.code in codes) == bool(more), (problem, changes)
            tried.add(problem.code)
    assert tried == {*INSTEAD}


@pytest.mark.parametrize("kind", ["up_to", "exactly_or_none"])
@pytest.mark.parametrize(("nest", "hand"), [(2, 14), (5, 13), (14, 10)])
def test_a_swap_is_refused_where_the_banned_cards_can_lie_so_that_there_is_none(
    kind: str, nest: int, hand: int
) -> None:
    cards = [f"{suit}{rank}" for suit in "RGYB" for rank in range(4, 15)]
    fit, told = defaultdict[int, int](int), set()
    for swapped, banned in product(range(1, min(nest, hand) + 1), range(1, hand + 1)):
        counters = dict.fromkeys(cards[:banned], 5)
        sizes = {"hand_size": hand, "nest_size": nest, "counters": counters}
        found = problems_of({**EXCHANGE, **sizes, "nest_exchange": {kind: swapped}})
        # Those in the nest come out, and as many or, of an exact number, all are laid down.
        stuck = any(
            out > swapped or hand - (banned - out) < (out if kind == "up_to" else swapped)
            for out in range(1, min(banned, nest) + 1)
        )
        assert ("swap-too-small" in found) == stuck, (swapped, banned)
        if stuck:
            told.add((swapped, found["swap-too-small"].values["most"]))
        else:
            fit[swapped] = banned
    assert told
    assert told <= {*fit.items()}


def test_steps_that_the_game_lacks_are_skipped() -> None:
    assert load("regular_partnership").steps == ("trump",)
    rules = load({**CALLED, "rook_rank": "top"})
    assert rules.steps == ("discard", "call", "trump")


def test_an_entry_for_a_card_outside_the_deck_counts_nothing() -> None:
    rules = load({"counters": {"1": 15, "5": 5, "10": 10, "14": 10, "R1": 30}})
    assert rules.total_points == 120
