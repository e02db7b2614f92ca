"""Defaults of the nest and the declaration: what is buried, said, called and passed."""

from __future__ import annotations

from rookery.game import Hand
from rookery.rules import Rules, load

from .dealt import bought, dealt, declared, held, house, may_play, played_out, refusal, said


def new_nest(rules: Rules, discard: str) -> str | int | None:
    """Return what is said after this discard out of an old nest of 65 points."""
    hand = dealt(rules, "R2-9 G2 G4 Y2 Y3 B2", nest="G1 Y1 B1 RK G3")
    return said(bought(hand, 0), f"discard {discard}").nest_statement


def test_d20_plain_call_partner_names_trump_then_the_card_then_discards() -> None:
    hand = bought(dealt(load("call_partner_5_plain"), "R2", "G1", nest="R3 R4"), 0)
    assert hand.phase == "trump"
    hand = said(hand, "trump red")
    assert hand.phase == "call"
    hand = said(hand, "call G1")
    assert hand.phase == "nest"
    assert said(hand, "discard R3 R4").phase == "play"


def test_d24_the_nest_statement_is_yes_or_no_about_the_new_nest() -> None:
    assert new_nest(load("call_partner_4"), "G1 R2 R3 R4 G2") == "points"
    assert new_nest(load("call_partner_4"), "R2 R3 R4 R6 R7") == "none"


def test_d24_option_the_amount() -> None:
    rules = house("call_partner_4", nest_statement="amount")
    assert new_nest(rules, "G1 RK R5 R2 R3") == 15 + 20 + 5
    assert new_nest(rules, "R2 R3 R4 R6 R7") == 0


def test_d26_both_called_cards_in_one_hand_make_two_against_four() -> None:
    hand = declared(dealt(load("call_partner_6"), "R2-10", "", "G1 Y1"), partner="G1 Y1")
    assert hand.sides is None
    assert played_out(hand).sides == ((0, 2), (1, 3, 4, 5))


def test_d26_two_called_cards_in_two_hands_make_three_against_three() -> None:
    hand = declared(dealt(load("call_partner_6"), "R2-10", "", "G1", "Y1"), partner="G1 Y1")
    assert played_out(hand).sides == ((0, 2, 3), (1, 4, 5))


def test_d27_calling_ones_own_card_or_a_nest_card_is_playing_alone() -> None:
    hand = dealt(load("call_partner_4"), "R2-13 R1", nest="G1 G2 G3 G4 G5")
    for own in ("R1", "G1"):
        alone = played_out(declared(hand, partner=own))
        assert alone.sides == ((0,), (1, 2, 3))


def test_d27_option_own_cards_are_forbidden() -> None:
    rules = house("call_partner_4", callable="unheld")
    hand = said(bought(dealt(rules, "R1", nest="G2-6"), 0), "discard G2 G3 G4 G5 G6")
    assert refusal(hand, "0 call R1") == "card-not-callable"
    assert refusal(hand, "0 call G2") == "card-not-callable"


def test_d70_five_with_a_poker_deck_call_no_card_of_the_thirteen_seen() -> None:
    hand = dealt(load("five_person_poker"), "SA", "JK", nest="HA")
    hand = said(bought(hand, 0), "trump spades")
    choice = hand.legal().as_json()
    assert isinstance(choice, dict)
    assert len(choice["call"]["from"]) == 53 - 13
    assert refusal(hand, "0 call SA") == "card-not-callable"
    assert refusal(hand, "0 call HA") == "card-not-callable"
    assert said(hand, "call JK").phase == "nest"


def test_d61_five_with_a_poker_deck_have_six_trump_calls() -> None:
    hand = bought(dealt(load("five_person_poker")), 0)
    calls = {action.call for action in hand.legal().actions}
    assert calls == {"spades", "hearts", "diamonds", "clubs", "notrump", "notrump-low"}


def test_d69_five_with_a_poker_deck_name_trump_and_card_and_discard_last() -> None:
    hand = bought(dealt(load("five_person_poker"), "S2", "HA", nest="S3 S4 S5"), 0)
    assert hand.phase == "trump"
    hand = said(hand, "trump spades")
    assert hand.phase == "call"
    hand = said(hand, "call HA")
    assert hand.phase == "nest"
    assert said(hand, "discard S3 S4 S5").phase == "leader"


def test_d72_five_with_a_poker_deck_the_declarer_leads_or_lets_his_left_lead() -> None:
    hand = said(
        bought(dealt(load("five_person_poker"), "S2", "HA", nest="S3-5"), 0), "trump hearts"
    )
    hand = said(hand, "call HA", "discard S3 S4 S5")
    assert hand.legal().as_json() == ["leader 0", "leader 1"]
    assert refusal(hand, "0 leader 2") == "call-not-allowed"
    assert said(hand, "leader 1").turn == 1
    assert said(hand, "leader 0").turn == 0


def test_d77_wanamingo_refuses_counters_in_the_discard() -> None:
    hand = bought(dealt(load("wanamingo"), "R14 G10 Y5 R2 R3 R4", nest="B2 B3 B4 B6"), 0)
    for counter in ("R14", "G10", "Y5"):
        assert refusal(hand, f"0 discard {counter} B2 B3 B4") == "discard-ban"
    assert said(hand, "discard R2 B2 B3 B4").phase == "trump"


def test_d77_wanamingo_can_always_discard_for_five_of_seventeen_are_no_counters() -> None:
    full = "R5 R10 R14 G5 G10 G14 Y5 Y10 Y14 B5 B10 B14 R2"
    hand = bought(dealt(load("wanamingo"), full, nest="B2 B3 B4 B6"), 0)
    assert may_play(hand) == {"R2", "B2", "B3", "B4", "B6"}


def at_the_circus(rules: Rules) -> Hand:
    """Let seat 0 call circus and seat 1 on its left, whose one red card is the 14, name red."""
    hand = dealt(rules, "G5-14", "R14 Y14 Y1 Y13 Y12 Y11 Y10 Y9 Y8 Y7", "B5-14", "R1 R5-13")
    hand = said(bought(hand, 0), f"discard {' '.join(hand.names(hand.nest_dealt))}")
    return said(hand, "trump circus", "trump red")


def test_d33_circus_all_four_pass_left_the_opponents_their_best_card() -> None:
    hand = at_the_circus(load("circus"))
    assert (hand.phase, hand.to_act) == ("circus", 1)
    hand = said(hand, "give R14", "give B5", "give R1", "give G5")
    assert "R14" in held(hand, 2)
    assert "B5" in held(hand, 3)
    assert "R1" in held(hand, 0)
    assert "G5" in held(hand, 1)
    assert [len(cards) for cards in hand.cards_held] == [10, 10, 10, 10]


def test_d33_circus_best_is_enforced_and_worst_is_free() -> None:
    hand = at_the_circus(load("circus"))
    assert may_play(hand) == {"R14"}
    hand = said(hand, "give R14")
    assert len(may_play(hand)) == 10
    hand = said(hand, "give B14")
    assert may_play(hand) == {"R1"}
    assert len(may_play(said(hand, "give R1"))) == 10


def test_d33_options_worst_enforced_and_best_free() -> None:
    rules = house("circus", circus_passing={"best": "free", "worst": "enforced"})
    hand = at_the_circus(rules)
    assert len(may_play(hand)) == 10
    hand = said(hand, "give Y7")
    assert may_play(hand) == {"B5"}
    assert may_play(said(hand, "give B5", "give R13")) == {"G5"}


def test_d34_circus_comes_after_nest_and_discard_and_the_left_may_make_any_of_ten_calls() -> None:
    hand = bought(dealt(load("circus"), nest="B5-9"), 0)
    assert hand.phase == "nest"
    hand = said(hand, "discard B5 B6 B7 B8 B9")
    assert (hand.phase, hand.to_act) == ("trump", 0)
    assert "trump circus" in hand.legal().as_json()
    hand = said(hand, "trump circus")
    assert (hand.phase, hand.to_act) == ("trump", 1)
    assert len(hand.legal().actions) == 10


def test_d34_circus_changes_neither_the_contract_nor_its_owner() -> None:
    hand = said(at_the_circus(load("circus")), "give R14", "give B5", "give R1", "give G5")
    assert (hand.declarer, hand.bid, hand.call, hand.sides) == (0, 100, "red", ((0, 2), (1, 3)))


def test_d35_circus_the_player_who_named_trump_leads() -> None:
    hand = said(at_the_circus(load("circus")), "give R14", "give B5", "give R1", "give G5")
    assert (hand.phase, hand.turn) == ("play", 1)
