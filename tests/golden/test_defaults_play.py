"""Defaults of the play: who leads, what may be played, who wins the trick."""

from __future__ import annotations

import pytest

from rookery.cards import pack_cards
from rookery.rules import load

from .dealt import (
    bought,
    cards,
    dealt,
    declared,
    held,
    house,
    may_play,
    played,
    ready,
    refusal,
    said,
    won_by,
)


def test_d7_the_red_1_is_a_trump_and_no_red_card() -> None:
    hand = ready(load("red_1"), "R14", "R1 R5 G5-11", trump="yellow", nest="RK")
    assert may_play(played(hand, "R14")) == {"R5"}


def test_d7_the_red_1_follows_strictly_and_the_rook_alone_may_be_played_any_time() -> None:
    hand = ready(load("red_1"), "G14 Y14", "R1 RK G5-11", trump="yellow")
    assert may_play(played(hand, "G14")) == {*cards("G5-11", hand.rules), "RK"}
    assert may_play(played(hand, "Y14")) == {"R1", "RK"}


def test_d7_option_the_red_1_any_time() -> None:
    rules = house("red_1", red_1="top_trump_any_time")
    hand = ready(rules, "G14", "R1 RK G5-11", trump="yellow")
    assert {"R1", "RK"} <= may_play(played(hand, "G14"))


def test_d7_red_1_deals_nine_each_and_six() -> None:
    hand = dealt(load("red_1"))
    assert ([len(cards) for cards in hand.dealt], len(hand.nest_dealt)) == ([9, 9, 9, 9], 6)


def test_d8_the_red_1_takes_the_rook() -> None:
    hand = ready(load("red_1"), "Y13", "RK", "Y14", "R1", trump="yellow")
    done = played(hand, "Y13 RK Y14 R1")
    assert (done.tricks[-1].winner, done.tricks[-1].points) == (3, 20 + 10 + 30)


def test_d12_display_the_declarers_left_leads_and_then_the_dummy_lies_open() -> None:
    hand = declared(dealt(load("display"), "", "", "Y1-14", "B1-14", dealer=1))
    assert hand.turn == 1
    assert hand.state.exposed == 0
    hand = played(hand, "?")
    assert hand.state.exposed == pack_cards(hand.cards_held[2])
    assert (hand.turn, hand.to_act) == (2, 0)
    assert may_play(hand) == set(cards("Y1-14", hand.rules))


def test_d12_options_dummy_before_the_lead_and_the_dealers_left_leads() -> None:
    before = declared(dealt(house("display", dummy_exposed="before_lead")))
    assert before.state.exposed == pack_cards(before.cards_held[2])
    left = house("display", first_lead="left_of_dealer")
    assert declared(dealt(left, dealer=2)).turn == 3


def test_d13_boston_is_led_from_the_high_bidders_left_and_played_as_display() -> None:
    hand = declared(dealt(load("boston"), dealer=1))
    assert hand.turn == 1
    assert hand.state.exposed == 0
    assert played(hand, "?").to_act == 0
    assert load("boston").changes(load("display")) == {}


def test_d16_one_high_the_rook_may_not_be_played_by_one_who_can_follow() -> None:
    strict = ready(load("one_high_partnership"), "G14", "RK G5 B5")
    assert "RK" not in may_play(played(strict, "G14"))
    free = ready(house("one_high_partnership", rook_any_time=True), "G14", "RK G5 B5")
    assert "RK" in may_play(played(free, "G14"))


def test_d16_one_high_the_rook_is_the_lowest_trump() -> None:
    hand = ready(load("one_high_partnership"), "RK", "R2", "Y1-14", "B1-14")
    assert won_by(hand, "RK R2 Y1 B1") == 1


def test_d18_the_180_point_game_is_buckeye_under_another_name() -> None:
    assert load("partnership_180").changes(load("buckeye")) == {}
    hand = ready(load("partnership_180"), "G14", "G1", "G13", "G12")
    done = played(hand, "G14 G1 G13 G12")
    assert (done.tricks[-1].winner, done.tricks[-1].points) == (1, 25)


def test_d19_plain_call_partner_the_rook_is_high_and_free_and_a_1_beats_a_14() -> None:
    hand = ready(load("call_partner_5_plain"), "G14 R1", "G1 RK", "G5", "G6", "G7")
    assert "RK" in may_play(played(hand, "G14"))
    assert won_by(hand, "G14 G1 G5 G6 G7") == 1
    assert won_by(hand, "R1 RK ? ? ?") == 1


def test_d19_option_the_rook_low_and_strict() -> None:
    rules = house("call_partner_5_plain", rook_rank="bottom", rook_any_time=False)
    hand = ready(rules, "G14 R2", "G1 RK", "R3", "R4", "R5")
    assert "RK" not in may_play(played(hand, "G14"))
    assert won_by(hand, "R2 RK R3 R4 R5") == 4


def test_d22_call_partner_a_card_that_can_follow_has_to() -> None:
    hand = played(ready(load("call_partner_4"), "G14", "G5 B5 Y5 R5-14"), "G14")
    assert may_play(hand) == {"G5"}
    assert refusal(hand, "1 play B5") == "must-follow"


def test_d22_call_partner_a_void_player_plays_anything() -> None:
    hand = played(ready(load("call_partner_4"), "G14", "B5-14 R5-7"), "G14")
    assert may_play(hand) == held(hand, 1)


def test_d23_call_partner_the_dealers_left_leads() -> None:
    assert declared(dealt(load("call_partner_4"), dealer=1)).turn == 2


def test_d23_option_the_declarer_leads() -> None:
    assert declared(dealt(house("call_partner_4", first_lead="declarer"), dealer=1)).turn == 0


@pytest.mark.parametrize(("rook", "winner"), [("high", 2), ("low", 1)])
def test_d25_a_high_rook_stands_above_the_1_of_trump_and_of_no_other_colour(
    rook: str, winner: int
) -> None:
    hand = dealt(load("call_partner_4"), "R14 G14", "R1 G1", "RK G13", "R13 G12")
    hand = declared(hand, rook=rook)
    assert won_by(hand, "R14 R1 RK R13") == winner
    assert won_by(hand, "G14 G1 G13 G12") == 1


def test_d29_low_calls_with_2s_in_the_deck_the_2_is_best_and_the_1_worst() -> None:
    rules = house("low_card_no_trump", ranks=list(range(1, 15)), hand_size=13)
    hand = ready(rules, "G5 R5", "G2 R2", "G3 R3", "G4 R4", trump="red-low")
    assert won_by(hand, "G5 G2 G3 G4") == 1
    assert won_by(hand, "R5 R2 R3 R4") == 1


def test_d29_low_calls_the_1_loses_to_the_14() -> None:
    hand = ready(load("low_card_no_trump"), "G1", "G14", "Y5-14", "B5-14", trump="red-low")
    assert won_by(hand, "G1 G14 Y5 B5") == 1


def test_d29_option_the_1_is_best_in_low_calls() -> None:
    rules = house("low_card_no_trump", low_order_one="best")
    hand = ready(rules, "G5", "G1", "Y5-14", "B5-14", trump="red-low")
    assert won_by(hand, "G5 G1 Y5 B5") == 1


def test_d30_the_rook_is_ten_and_a_half_in_high_calls_too() -> None:
    hand = ready(load("low_card_no_trump"), "R10", "RK R9", "R11", "R5")
    assert won_by(hand, "R10 RK R11 R5") == 2
    assert won_by(hand, "R10 R9 R11 R5") == 2
    hand = ready(load("low_card_no_trump"), "R10", "RK R9", "R8", "R5")
    assert won_by(hand, "R10 RK R8 R5") == 1


def test_d31_at_no_trump_the_rook_is_a_red_card_and_has_to_follow_red() -> None:
    hand = ready(load("low_card_no_trump"), "R5 G14", "RK G5 Y5-12", trump="notrump")
    assert may_play(played(hand, "R5")) == {"RK"}
    assert may_play(played(hand, "G14")) == {"G5"}


def test_d31_at_no_trump_the_rook_wins_among_red_cards_only() -> None:
    hand = ready(load("low_card_no_trump"), "R10 G5", "RK Y5-13", "R5 G6", "R6 G7", trump="notrump")
    assert won_by(hand, "R10 RK R5 R6") == 1
    assert won_by(hand, "G5 RK G6 G7") == 3


def test_d31_option_sole_trump() -> None:
    rules = house("low_card_no_trump", rook_at_no_trump="sole_trump")
    hand = ready(rules, "G5", "RK Y5-13", "G14", "G13", trump="notrump")
    assert won_by(hand, "G5 RK G14 G13") == 1


def test_d36_the_black_2_beats_the_rook_in_the_same_trick() -> None:
    hand = ready(load("black_2"), "B5", "RK", "R5 G2-13", "B2", trump="red", nest="R14")
    assert won_by(hand, "B5 RK R5 B2") == 3


def test_d36_without_the_rook_the_black_2_is_an_ordinary_black_card() -> None:
    hand = ready(load("black_2"), "B5 G5", "B6 G6", "B7 G7", "B2 G8", trump="green")
    assert won_by(hand, "B5 B6 B7 B2") == 2
    assert "B2" in may_play(played(hand, "B5 B6 B7"))
    assert "B2" not in may_play(played(hand, "G5 G6 G7"))


def test_d36_the_black_2_and_the_rook_meet_under_a_duty_to_beat_too() -> None:
    rules = house("black_2", void_duty="must_beat")
    hand = ready(rules, "B2", "R14 G2-13", "R5 R6 RK Y2-11", trump="red")
    assert may_play(played(hand, "B2 R14")) == {"R5", "R6", "RK"}
    hand = ready(rules, "R7", "RK G2-13", "R1", "B3 B2 Y2-12", trump="black")
    assert may_play(played(hand, "R7 RK R1")) == {"B2"}


def test_d36_option_the_black_2_is_the_top_trump() -> None:
    hand = ready(house("black_2", black_2="top_trump"), "G1", "B2 B3", "G7", "G8", trump="green")
    assert won_by(hand, "G1 B2 G7 G8") == 1


def test_d37_the_red_2_is_second_only_to_the_rook_and_worth_nothing() -> None:
    hand = ready(load("red_2"), "G14", "R2", "G1 RK", "G13", trump="green")
    trick = played(hand, "G14 R2 G1 G13").tricks[-1]
    assert (trick.winner, trick.points) == (1, 10 + 15)
    assert won_by(hand, "G14 R2 RK G13") == 2


def test_d37_the_red_2_is_no_red_card() -> None:
    hand = ready(load("red_2"), "R14 G14", "R2 R5 B4-14", trump="green")
    assert may_play(played(hand, "R14")) == {"R5"}
    assert may_play(played(hand, "G14")) == {"R2"}


def test_d38_a_revoke_cannot_happen() -> None:
    hand = played(ready(load("kd_tournament"), "G14", "G5 B5"), "G14")
    assert "B5" not in may_play(hand)
    assert refusal(hand, "1 play B5") == "must-follow"


def test_d39_a_led_rook_leaves_those_without_trump_free() -> None:
    hand = ready(load("kd_tournament"), "RK", "G5-10 B5-7", "R5 Y5-12")
    hand = played(hand, "RK")
    assert may_play(hand) == held(hand, 1)
    assert may_play(played(hand, "?")) == {"R5"}


def test_d40_the_papers_rook_may_be_played_by_one_who_can_follow() -> None:
    hand = played(ready(load("kd_sim_paper"), "G14", "G5 RK"), "G14")
    assert {"G5", "RK"} <= may_play(hand)


def test_d51_house_001_a_1_is_high_and_worth_nothing() -> None:
    hand = ready(load("house_001"), "G14", "G1", "G5", "G6")
    trick = played(hand, "G14 G1 G5 G6").tricks[-1]
    assert (trick.winner, trick.points) == (1, 10 + 0 + 5)
    assert hand.rules.total_points == 120


def test_d51_option_a_1_worth_15() -> None:
    rules = house("house_001", counters={1: 15, 5: 5, 10: 10, 14: 10}, bid_maximum=180)
    trick = played(ready(rules, "G14", "G1", "G5", "G6"), "G14 G1 G5 G6").tricks[-1]
    assert trick.points == 10 + 15 + 5
    assert rules.total_points == 180


def test_d59_house_001_is_no_kentucky_rook_its_rook_is_the_lowest_trump() -> None:
    named = ("R5", "RK", "R6", "R7")
    assert won_by(ready(load("house_001"), *named), "R5 RK R6 R7") == 3
    assert won_by(ready(load("kentucky_rook"), *named), "R5 RK R6 R7") == 1


def test_d60_house_001_a_led_rook_asks_for_trumps() -> None:
    hand = ready(load("house_001"), "RK", "R5 G2-13", "G14 Y2-13")
    hand = played(hand, "RK")
    assert may_play(hand) == {"R5"}
    hand = played(hand, "R5")
    assert may_play(hand) == held(hand, 2)


def test_d62_a_poker_deck_counts_180() -> None:
    hand = ready(load("five_person_poker"), "HA", "HK", "H10", "H5", "H9", trump="spades")
    assert played(hand, "HA HK H10 H5 H9").tricks[-1].points == 15 + 10 + 10 + 5
    assert hand.rules.card_points[56] == 20
    assert hand.rules.total_points == 180


def test_d63_the_joker_is_the_lowest_trump_in_a_suit_call() -> None:
    hand = ready(load("five_person_poker"), "JK S3-10", "S2 SJ SQ SK SA", trump="spades")
    assert won_by(hand, "JK S2 ? ? ?") == 1


def test_d64_low_no_trump_runs_from_the_2_down_to_the_ace_and_the_joker_wins() -> None:
    hand = ready(
        *(load("five_person_poker"), "HA H2-10", "HK HQ HJ", "JK DA"),
        trump="notrump-low",
    )
    assert won_by(hand, "HA HK JK ? ?") == 2
    assert won_by(hand, "HA HK DA ? ?") == 1


def test_d65_at_no_trump_the_joker_is_the_only_trump_and_its_lead_is_answered_freely() -> None:
    hand = ready(load("five_person_poker"), "JK HA", "D2-10 H2", trump="notrump")
    asked = played(hand, "JK")
    assert may_play(asked) == held(asked, 1)
    assert won_by(hand, "JK ? ? ? ?") == 0


def test_d65_at_no_trump_the_joker_wins_any_trick_it_is_played_to() -> None:
    hand = ready(load("five_person_poker"), "HA", "JK D2-10", trump="notrump")
    assert won_by(hand, "HA JK ? ? ?") == 1


def test_d65_at_no_trump_the_joker_follows_no_suit_and_may_not_be_played_instead() -> None:
    hand = ready(load("five_person_poker"), "HA", "JK H2 D2-9", trump="notrump")
    assert may_play(played(hand, "HA")) == {"H2"}


def test_d80_wanamingo_is_led_from_the_declarers_left() -> None:
    hand = bought(dealt(load("wanamingo"), nest="R2 R3 R4 R6", dealer=1), 0)
    assert said(hand, "discard R2 R3 R4 R6", "trump red").turn == 1
