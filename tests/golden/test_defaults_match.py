"""Defaults of the match: the target, ties, and who deals next."""

from __future__ import annotations

import pytest

from rookery.game import Match
from rookery.rules import load

from .deals import COLOUR_EACH_57, FIVE_FOUR, LAST_LOST, POKER, SIX_THEN_SEVEN, finished
from .dealt import house, resumed


def test_d3_equal_totals_play_another_hand() -> None:
    hand = finished(load("kd_tournament"), FIVE_FOUR)  # 70 and 50
    match = resumed(hand.rules, 230, 250, 230, 250).begin(hand)
    assert match.totals == (300, 300, 300, 300)
    assert match.winners is None
    assert match.shuffled(1).hand is not hand


@pytest.mark.parametrize(("tie", "winners"), [("shared", (0, 1, 2, 3)), ("declarer", (0, 2))])
def test_d3_options_shared_win_and_the_declarers_side(tie: str, winners: tuple[int, ...]) -> None:
    hand = finished(house("kd_tournament", tie=tie), FIVE_FOUR)
    assert resumed(hand.rules, 230, 250, 230, 250).begin(hand).winners == winners


def test_d4_three_hundred_is_enough() -> None:
    hand = finished(load("kd_tournament"), FIVE_FOUR)
    assert resumed(hand.rules, 230, 0, 230, 0).begin(hand).winners == (0, 2)
    assert resumed(hand.rules, 225, 0, 225, 0).begin(hand).winners is None


def test_d4_of_two_sides_at_300_the_higher_total_wins() -> None:
    hand = finished(load("kd_tournament"), FIVE_FOUR)
    assert resumed(hand.rules, 230, 255, 230, 255).begin(hand).winners == (1, 3)
    assert resumed(hand.rules, 235, 250, 235, 250).begin(hand).winners == (0, 2)


def test_d23_call_partner_ends_at_500_and_a_tie_plays_on() -> None:
    hand = finished(load("call_partner_4"), LAST_LOST, partner="Y14")  # seats 1 and 3: 115
    assert resumed(hand.rules, 0, 380, 0, 0).begin(hand).winners is None
    assert resumed(hand.rules, 0, 385, 0, 0).begin(hand).winners == (1,)
    assert resumed(hand.rules, 0, 385, 0, 385).begin(hand).winners is None


def test_d23_options_a_target_of_400_and_a_shared_win() -> None:
    hand = finished(house("call_partner_4", target=400, tie="shared"), LAST_LOST, partner="Y14")
    assert resumed(hand.rules, 0, 285, 0, 285).begin(hand).winners == (1, 3)


def test_d42_the_papers_game_is_won_by_both_partners() -> None:
    hand = finished(load("kd_sim_paper"), FIVE_FOUR)
    match = resumed(hand.rules, 230, 0, 230, 0).begin(hand)
    assert match.totals == (300, 50, 300, 50)
    assert match.winners == (0, 2)


def test_d52_house_001_seat_0_deals_and_speaks_first_and_both_move_left() -> None:
    match = Match(house("house_001", target=500)).shuffled(1)
    assert match.hand is not None
    assert (match.hand.dealer, match.hand.to_act) == (0, 0)
    done = Match(match.rules).begin(finished(match.rules, COLOUR_EACH_57, dealer=0)).shuffled(1)
    assert done.hand is not None
    assert (done.hand.dealer, done.hand.to_act) == (1, 1)


def test_d57_house_001_one_sweep_wins_the_match() -> None:
    hand = finished(load("house_001"), COLOUR_EACH_57, dealer=0)
    assert Match(hand.rules).begin(hand).winners == (0, 2)


def test_d57_option_a_target_of_500() -> None:
    hand = finished(house("house_001", target=500), COLOUR_EACH_57, dealer=0)
    assert Match(hand.rules).begin(hand).winners is None


def test_d71_at_minus_500_the_match_ends_and_the_highest_total_wins() -> None:
    hand = finished(load("five_person_poker"), POKER, "spades", seat=1, partner="DA")
    ended = resumed(hand.rules, 100, -425, 50, 20, 0).begin(hand)
    assert ended.totals == (280, -500, 230, -55, 180)
    assert ended.winners == (0,)
    assert resumed(hand.rules, 100, -420, 50, 20, 0).begin(hand).winners is None


def test_d71_option_no_end_from_below() -> None:
    rules = house("five_person_poker", negative_end="none")
    hand = finished(rules, POKER, "spades", seat=1, partner="DA")
    assert resumed(rules, 100, -425, 50, 20, 0).begin(hand).winners is None


def test_d73_five_with_a_poker_deck_share_a_tie() -> None:
    hand = finished(load("five_person_poker"), POKER, "spades", partner="HA")  # 0 and 2: 180
    assert resumed(hand.rules, 320, 0, 320, 0, 0).begin(hand).winners == (0, 2)


def test_d73_option_another_hand() -> None:
    rules = house("five_person_poker", tie="another_hand")
    hand = finished(rules, POKER, "spades", partner="HA")
    assert resumed(rules, 320, 0, 320, 0, 0).begin(hand).winners is None


def test_d79_wanamingo_both_at_500_the_higher_wins_and_a_tie_plays_on() -> None:
    hand = finished(load("wanamingo"), SIX_THEN_SEVEN, seat=3)  # 0 and 2: 35, 1 and 3: 85
    assert resumed(hand.rules, 0, 415, 0, 415).begin(hand).winners == (1, 3)
    assert resumed(hand.rules, 475, 420, 475, 420).begin(hand).winners == (0, 2)
    assert resumed(hand.rules, 470, 420, 470, 420).begin(hand).winners is None
    assert resumed(hand.rules, 460, 410, 460, 410).begin(hand).winners is None


def test_d82_the_same_dealer_deals_again_after_a_deal_that_nobody_bid_on() -> None:
    match = Match(load("call_partner_4")).shuffled(1)
    for seat in (1, 2, 3, 0):
        match = match.act(f"{seat} pass")
    assert match.hand is not None
    assert match.hand.phase == "redealt"
    assert match.dealer == 0
    assert match.totals == (0, 0, 0, 0)


def test_d82_the_deal_moves_left_after_a_hand_that_was_played() -> None:
    hand = finished(load("kd_tournament"), FIVE_FOUR)
    assert Match(hand.rules).begin(hand).dealer == (hand.dealer + 1) % 4
