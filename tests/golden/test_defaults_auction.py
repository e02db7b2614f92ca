"""Defaults of the deal and the auction: who speaks, what may be bid, when it is dealt again."""

from __future__ import annotations

import pytest

from rookery.rules import load
from rookery.rules.chances import exactly

from .dealt import bids, bought, dealt, house, may_play, ready, refusal, said

REDEAL = {"all_pass": "redeal"}
DEALER = {"all_pass": "dealer"}
NO_CONTRACT = {"all_pass": "no_contract"}
POINTLESS = "R6-9 R11-13 G6 G7"  # nine cards without a counter


def test_d1_all_pass_gives_the_dealer_the_contract_at_the_minimum() -> None:
    hand = said(dealt(load("kd_tournament"), dealer=2), "pass", "pass", "pass")
    assert (hand.phase, hand.declarer, hand.bid) == ("nest", 2, 70)


def test_d1_all_pass_is_dealt_again_where_a_partner_is_called() -> None:
    three = said(dealt(load("call_partner_4")), "pass", "pass", "pass")
    assert (three.phase, three.to_act) == ("auction", 3)
    assert said(three, "pass").phase == "redealt"
    assert said(three, "bid 100").declarer == 3


def test_d1_option_redeal_and_option_no_contract_for_fixed_partners() -> None:
    passes = ["pass"] * 4
    assert said(dealt(house("kd_tournament", **REDEAL)), *passes).phase == "redealt"
    hand = said(dealt(house("kd_tournament", **NO_CONTRACT)), *passes)
    assert (hand.phase, hand.call, hand.declarer, hand.turn) == ("play", "notrump", None, 0)


def test_d1_option_the_dealer_declares_where_a_partner_is_called() -> None:
    hand = dealt(house("call_partner_4", **DEALER), dealer=2)
    assert said(hand, "pass", "pass", "pass").declarer == 2


def test_d2_a_hand_without_counters_may_be_dealt_again_or_played() -> None:
    hand = dealt(load("kd_tournament"), POINTLESS)
    assert {"redeal", "pass", "bid 70"} <= set(hand.legal().as_json())
    assert hand.act("0 redeal").phase == "redealt"
    assert hand.act("0 pass").phase == "auction"
    assert refusal(hand, "1 redeal") == "no-redeal"


def test_d2_a_redeal_may_be_demanded_out_of_turn_and_after_a_pass_until_the_auction_closes() -> (
    None
):
    hand = dealt(load("kd_tournament"), "", POINTLESS)
    assert hand.act("1 redeal").phase == "redealt"
    passed = said(hand, "bid 70", "pass", "bid 75")
    assert passed.legal(1).as_json() == ["redeal"]
    assert passed.act("1 redeal").phase == "redealt"
    assert refusal(said(passed, "pass", "pass"), "1 redeal") == "no-redeal"


def test_d2_about_one_hand_in_51_qualifies() -> None:
    counters = 4 * 3 + 1  # the 5s, 10s and 14s, and the Rook
    assert float(exactly(41, counters, 9, 0)) == pytest.approx(0.0197, abs=0.00005)


def test_d2_options_own_turn_automatic_and_none() -> None:
    own = dealt(house("kd_tournament", redeal="own_turn_no_counters"), "", POINTLESS)
    assert refusal(own, "1 redeal") == "no-redeal"
    assert "redeal" in said(own, "pass").legal().as_json()
    assert dealt(house("kd_tournament", redeal="auto"), "", POINTLESS).phase == "redealt"
    none = dealt(house("kd_tournament", redeal="none"), POINTLESS)
    assert "redeal" not in none.legal().as_json()
    assert refusal(none, "0 redeal") == "no-redeal"


def test_d6_without_the_rook_nine_cards_each_and_four_aside_are_bid_on_from_50_to_100() -> None:
    hand = dealt(load("kd_original"))
    assert [len(cards) for cards in hand.dealt] == [9, 9, 9, 9]
    assert len(hand.nest_dealt) == 4
    assert bids(hand) == list(range(50, 101, 5))
    assert sum(hand.rules.card_points.values()) == 100


def test_d9_buckeye_is_bid_from_70_to_180() -> None:
    assert bids(dealt(load("buckeye"))) == list(range(70, 181, 5))


def test_d9_option_from_100() -> None:
    assert bids(dealt(house("buckeye", bid_minimum=100)))[0] == 100


def test_d10_regular_partnership_is_bid_from_70_and_led_by_the_dealers_left() -> None:
    hand = dealt(load("regular_partnership"), dealer=0)
    assert bids(hand)[0] == 70
    assert said(bought(hand, 3), "trump red").turn == 1


def test_d14_one_high_deals_fourteen_each_and_one_card_to_change() -> None:
    hand = bought(dealt(load("one_high_partnership"), nest="Y9"), 0)
    assert [len(cards) for cards in hand.dealt] == [14, 14, 14, 14]
    assert hand.phase == "nest"
    assert "Y9" in may_play(hand)
    assert said(hand, "discard R1").phase == "trump"


def test_d14_option_thirteen_each_and_five() -> None:
    rules = house("one_high_partnership", hand_size=13, nest_size=5)
    choice = bought(dealt(rules), 0).legal().as_json()
    assert isinstance(choice, dict)
    assert choice["discard"] == 5


def test_d17_hoyle_deals_thirteen_each_and_one_with_the_joker_in_the_pack() -> None:
    hand = ready(load("hoyle_standard"), "SK", "JK", trump="spades")
    assert [len(cards) for cards in hand.dealt] == [13, 13, 13, 13]
    assert len(hand.nest_dealt) == 1
    assert hand.rules.cards == 53
    assert hand.rules.card_points[56] == 20


def test_d19_plain_call_partner_deals_eleven_each_and_two_and_is_bid_from_75_to_180() -> None:
    hand = dealt(load("call_partner_5_plain"))
    assert [len(cards) for cards in hand.dealt] == [11, 11, 11, 11, 11]
    assert len(hand.nest_dealt) == 2
    assert bids(hand) == list(range(75, 181, 5))
    assert (hand.rules.total_points, hand.rules.target) == (180, 500)


def test_d19_option_the_tournament_cards_eight_each_and_one() -> None:
    tournament = load("kd_tournament")
    rules = house(
        "call_partner_5_plain",
        **{key: getattr(tournament, key) for key in ("ranks", "ones", "counters", "bid_maximum")},
        hand_size=8,
        nest_size=1,
    )
    hand = dealt(rules)
    assert ([len(cards) for cards in hand.dealt], len(hand.nest_dealt)) == ([8] * 5, 1)
    assert rules.total_points == 120


def test_d23_call_partner_the_dealers_left_bids_first_and_from_100() -> None:
    hand = dealt(load("call_partner_4"), dealer=1)
    assert hand.to_act == 2
    assert bids(hand) == list(range(100, 201, 5))


def test_d23_options_the_dealer_bids_first_and_a_minimum_of_80() -> None:
    hand = dealt(house("call_partner_4", first_bidder="dealer", bid_minimum=80), dealer=1)
    assert hand.to_act == 1
    assert bids(hand)[0] == 80


def test_d41_the_papers_game_opens_at_70_and_nobody_has_to_bid() -> None:
    hand = dealt(load("kd_sim_paper"))
    assert bids(hand) == list(range(70, 121, 5))
    assert said(hand, "pass", "bid 75").legal(0).as_json() == []
    assert said(hand, "pass", "pass", "pass").declarer == 3


def test_d50_house_001_plays_with_all_57_cards() -> None:
    hand = dealt(load("house_001"), "R2 G3 Y4")
    assert [len(cards) for cards in hand.dealt] == [13, 13, 13, 13]
    assert len(hand.nest_dealt) == 5


def test_d50_option_45_cards() -> None:
    rules = house("house_001", ranks=[1, *range(5, 15)], hand_size=10)
    assert rules.cards == 45
    assert len(dealt(rules).nest_dealt) == 5


@pytest.mark.parametrize("dealer", [0, 1])
def test_d52_house_001_the_dealer_speaks_first(dealer: int) -> None:
    assert dealt(load("house_001"), dealer=dealer).to_act == dealer


def test_d53_house_001_the_highest_bid_is_120_and_closes_the_auction() -> None:
    hand = dealt(load("house_001"), dealer=0)
    assert bids(hand) == list(range(50, 121, 5))
    assert refusal(hand, "0 bid 125") == "bid-too-high"
    assert said(hand, "bid 120").declarer == 0


def test_d58_house_001_three_passes_leave_the_last_player_the_contract_at_50() -> None:
    hand = said(dealt(load("house_001"), dealer=0), "pass", "pass", "pass")
    assert (hand.phase, hand.declarer, hand.bid) == ("nest", 3, 50)


def test_d58_option_redeal() -> None:
    hand = said(dealt(house("house_001", **REDEAL), dealer=0), "pass", "pass", "pass")
    assert hand.to_act == 3
    assert said(hand, "pass").phase == "redealt"


def test_d67_the_sun_stands_above_180_and_closes_the_auction() -> None:
    hand = said(dealt(load("five_person_poker")), "bid 180")
    assert bids(hand) == []
    assert "bid sun" in hand.legal().as_json()
    sun = said(hand, "bid sun")
    assert (sun.declarer, sun.bid) == (1, "sun")


def test_d75_wanamingo_goes_round_and_round() -> None:
    hand = said(dealt(load("wanamingo")), "bid 75", "bid 80", "pass", "pass")
    assert (hand.phase, hand.to_act) == ("auction", 0)
    assert said(hand, "bid 85", "pass").declarer == 0


def test_d75_option_one_call_each() -> None:
    rules = house("wanamingo", auction_form="one_call_each")
    hand = said(dealt(rules), "bid 75", "bid 80", "pass", "pass")
    assert (hand.phase, hand.declarer, hand.bid) == ("nest", 1, 80)


def test_d76_wanamingo_takes_no_bid_below_75() -> None:
    assert refusal(dealt(load("wanamingo")), "0 bid 70") == "bid-too-low"
    assert said(dealt(load("wanamingo")), "bid 75").state.high == 75
