"""Defaults of the score: bonuses, the nest, made and set, sweeps."""

from __future__ import annotations

import pytest

from rookery.rules import load

from .deals import (
    ALL_BUT_A_TRICK,
    COLOUR_EACH_45,
    COLOUR_EACH_57,
    DIXIE,
    EIGHT_SIX,
    FIVE_FOUR,
    HOYLE,
    LAST_LOST,
    ONE_HIGH,
    POKER,
    POKER_BUT_A_TRICK,
    SEVEN_SEVEN,
    SIX_THEN_SEVEN,
    finished,
)
from .dealt import dealt, declared, house, played, refusal


def test_d5_defenders_score_what_they_took_though_the_contract_is_made() -> None:
    assert finished(load("kd_tournament"), FIVE_FOUR, bid=70).score == [70, 50, 70, 50]
    assert finished(load("kd_tournament"), FIVE_FOUR, bid=75).score == [-75, 50, -75, 50]


def test_d5_option_defenders_score_only_against_a_set() -> None:
    rules = house("kd_tournament", defenders_score=False)
    assert finished(rules, FIVE_FOUR, bid=70).score == [70, 0, 70, 0]
    assert finished(rules, FIVE_FOUR, bid=75).score == [-75, 50, -75, 50]


def test_d10_regular_partnership_eight_tricks_are_the_majority_and_seven_are_nobodys() -> None:
    assert finished(load("regular_partnership"), EIGHT_SIX).points == [35 + 20, 65]
    assert finished(load("regular_partnership"), SEVEN_SEVEN).points == [35, 65]


def test_d10_option_seven_each_split_the_bonus() -> None:
    rules = house("regular_partnership", tied_majority="split")
    assert finished(rules, SEVEN_SEVEN).points == [35 + 10, 65 + 10]


def test_d11_dixie_the_nest_goes_with_the_last_trick_and_is_no_trick_itself() -> None:
    assert finished(load("dixie"), DIXIE).points == [35 + 20, 55 + 10]


def test_d15_majority_not_last_trick_in_one_high_and_hoyle() -> None:
    assert finished(load("one_high_partnership"), ONE_HIGH).points == [80 + 20, 80 + 20]
    assert finished(load("hoyle_standard"), HOYLE, "spades").points == [50 + 20, 110 + 20]


def test_d15_option_last_trick() -> None:
    one_high = house("one_high_partnership", trick_bonus="last_trick")
    assert finished(one_high, ONE_HIGH).points == [80, 80 + 20 + 20]
    hoyle = house("hoyle_standard", trick_bonus="last_trick")
    assert finished(hoyle, HOYLE, "spades").points == [50, 110 + 20 + 20]


def test_d21_call_partner_the_20_go_with_the_last_trick() -> None:
    hand = finished(load("call_partner_4"), LAST_LOST, partner="Y14")
    assert hand.sides == ((0, 2), (1, 3))
    assert hand.points == [85, 30 + 65 + 20]


def test_d28_call_partner_the_partner_loses_the_bid_too() -> None:
    hand = finished(load("call_partner_4"), LAST_LOST, bid=100, partner="Y14")
    assert hand.score == [-100, 115, -100, 115]


def test_d28_option_the_declarer_alone_loses_the_bid() -> None:
    rules = house("call_partner_4", partner_shares_set=False)
    assert finished(rules, LAST_LOST, bid=100, partner="Y14").score == [-100, 115, 0, 115]


@pytest.mark.parametrize("call", ["red", "red-low", "notrump", "notrump-low"])
def test_d32_low_and_no_trump_calls_cost_and_earn_no_more_than_others(call: str) -> None:
    rules = load("low_card_no_trump")
    assert finished(rules, COLOUR_EACH_45, call).score == [180, 0, 180, 0]
    assert finished(rules, COLOUR_EACH_45, call, seat=1).score == [180, -100, 180, -100]


def test_d38_option_a_proven_revoke_costs_the_contract_and_gives_neither_nest_nor_bonus() -> None:
    rules = house("kd_tournament", renege="penalised", trick_bonus="last_trick")
    hand = declared(dealt(rules, *FIVE_FOUR[0], nest=FIVE_FOUR[1]), bid=75)
    hand = played(hand, "R10 R6 Y14 B14 R11")
    assert refusal(hand, "0 challenge 1") == "no-revoke"
    hand = played(hand, "G10").act("0 challenge 1")
    assert (hand.phase, hand.score) == ("done", [30, -75, 30, -75])


def test_d38_option_the_defenders_revoke_or_the_declarers_costs_the_same() -> None:
    rules = house("kd_tournament", renege="penalised")
    hand = declared(dealt(rules, *FIVE_FOUR[0], nest=FIVE_FOUR[1]), seat=1, bid=75)
    hand = played(hand, "R10 R6 Y14 B14 R11 G10").act("2 challenge 1")
    assert hand.score == [30, -75, 30, -75]


def test_d49_the_papers_nest_goes_with_the_last_trick() -> None:
    assert finished(load("kd_sim_paper"), FIVE_FOUR).points == [70, 10 + 40]
    declarers = house("kd_sim_paper", nest_points_to="declarer")
    assert finished(declarers, FIVE_FOUR).points == [70 + 40, 10]


def test_d54_house_001_a_sweep_is_every_trick_not_every_point() -> None:
    rules = load("house_001")
    assert finished(rules, COLOUR_EACH_57, dealer=0).score == [200, 0, 200, 0]
    hand = finished(rules, ALL_BUT_A_TRICK, dealer=0)
    assert hand.points == [120, 0]
    assert hand.score == [120, 0, 120, 0]


def test_d54_option_all_points() -> None:
    rules = house("house_001", sweep_test="all_points")
    assert finished(rules, ALL_BUT_A_TRICK, dealer=0).score == [200, 0, 200, 0]


def test_d55_house_001_a_sweep_scores_200_in_place_of_the_points() -> None:
    assert finished(load("house_001"), COLOUR_EACH_57, dealer=0).score == [200, 0, 200, 0]
    added = house("house_001", sweep_value={"add": 200})
    assert finished(added, COLOUR_EACH_57, dealer=0).score == [320, 0, 320, 0]


def test_d56_house_001_the_declarer_keeps_what_he_buries_whoever_takes_the_last_trick() -> None:
    hand = finished(load("house_001"), COLOUR_EACH_57, "black", dealer=0)
    assert hand.points == [20, 100]
    last = house("house_001", nest_points_to="last_trick")
    assert finished(last, COLOUR_EACH_57, "black", dealer=0).points == [0, 120]


def test_d56_house_001_a_nest_counter_that_is_not_buried_has_to_be_won() -> None:
    plain = "R1 R2 G1 Y1 B1"
    hand = finished(load("house_001"), COLOUR_EACH_57, "black", discard=plain, dealer=0)
    assert hand.points == [0, 120]


def test_d66_five_with_a_poker_deck_both_lose_the_bid_and_the_others_score() -> None:
    hand = finished(load("five_person_poker"), POKER, "spades", seat=1, partner="DA")
    assert hand.score == [180, -75, 180, -75, 180]


def test_d67_the_sun_is_worth_180_and_asks_for_every_trick() -> None:
    rules = load("five_person_poker")
    made = finished(rules, POKER, "spades", bid="sun", partner="HA")
    assert made.score == [180, 0, 180, 0, 0]
    lost = finished(rules, POKER_BUT_A_TRICK, "spades", bid="sun", partner="HA")
    assert lost.points == [180, 0]
    assert lost.score == [-180, 0, -180, 0, 0]


@pytest.mark.parametrize(("value", "score"), [(360, 360), ("game", 500)])
def test_d67_options_the_sun_at_360_or_the_game(value: int | str, score: int) -> None:
    rules = house("five_person_poker", special_bids=[{"name": "sun", "value": value}])
    hand = finished(rules, POKER, "spades", bid="sun", partner="HA")
    assert hand.score == [score, 0, score, 0, 0]


def test_d68_a_bid_of_180_is_paid_by_its_points() -> None:
    rules = load("five_person_poker")
    for deal in (POKER, POKER_BUT_A_TRICK):
        hand = finished(rules, deal, "spades", bid=180, partner="HA")
        assert hand.score == [180, 0, 180, 0, 0]


def test_d68_option_a_premium_for_the_moon() -> None:
    rules = house("five_person_poker", special_bids=[{"name": "moon", "value": 360}])
    hand = finished(rules, POKER, "spades", bid=180, partner="HA")
    assert hand.score == [360, 0, 360, 0, 0]


def test_d74_wanamingo_the_book_is_seven_of_thirteen() -> None:
    hand = finished(load("wanamingo"), SIX_THEN_SEVEN, seat=3)
    assert hand.points == [65 + 20, 35]


def test_d74_option_the_first_side_to_six() -> None:
    hand = finished(house("wanamingo", trick_bonus="first_to_six"), SIX_THEN_SEVEN, seat=3)
    assert hand.points == [65, 35 + 20]


def test_d78_wanamingo_defenders_score_against_a_made_contract() -> None:
    assert finished(load("wanamingo"), SIX_THEN_SEVEN, seat=3, bid=85, dealer=2).score == [
        *(35, 85, 35, 85)
    ]


def test_d78_option_they_do_not() -> None:
    rules = house("wanamingo", defenders_score=False)
    hand = finished(rules, SIX_THEN_SEVEN, seat=3, bid=85, dealer=2)
    assert hand.score == [0, 85, 0, 85]


def test_d81_all_180_points_bring_no_premium() -> None:
    assert finished(load("buckeye"), COLOUR_EACH_45).score == [180, 0, 180, 0]


def test_d81_option_20_more_for_all_the_points() -> None:
    rules = house("buckeye", sweep_value={"add": 20}, sweep_test="all_points")
    assert finished(rules, COLOUR_EACH_45).score == [200, 0, 200, 0]
