"""The judge against a recorded match and against whole hands worked out on paper."""

import json
from pathlib import Path

from .defaults import KD_TOURNAMENT
from .games import ONE_COLOUR_EACH, act, refused, tiny
from .hand import JudgeHand
from .match import add_to_totals, match_winners

HERE = Path(__file__).parent


def test_it_replays_the_recorded_match() -> None:
    record = json.loads((HERE / "two_hands.json").read_text())
    expected = json.loads((HERE / "two_hands.replay.json").read_text())
    totals = [0, 0, 0, 0]
    results = []
    for each in record["hands"]:
        hand = JudgeHand(KD_TOURNAMENT, each["dealer"], each["deal"], each["nest"])
        result = act(hand, *each["actions"]).result()
        totals = add_to_totals(KD_TOURNAMENT, totals, result)
        results.append(result)
    winners = match_winners(KD_TOURNAMENT, totals, results[-1])
    assert {"hands": results, "score": totals, "winners": winners} == expected


def test_the_auction_refuses() -> None:
    hand = JudgeHand(tiny(bid_maximum=60), 3, ONE_COLOUR_EACH, [])
    assert refused(hand, "0 bid 5") == "bid-too-low"
    assert refused(hand, "0 bid 12") == "bid-step"
    assert refused(hand, "0 bid 65") == "bid-too-high"
    assert refused(hand, "1 pass") == "not-your-turn"
    assert refused(hand, "0 play R10") == "not-now"
    assert refused(hand, "0 dance") == "bad-action"
    assert refused(hand, "0 redeal") == "no-redeal"
    act(hand, "0 pass", "1 bid 30")
    assert refused(hand, "0 bid 40") == "already-passed"
    assert refused(hand, "2 bid 30") == "bid-too-low"
    assert hand.legal() == [*(f"bid {n}" for n in range(35, 65, 5)), "pass"]


def test_a_hand_without_counters_may_be_redealt() -> None:
    deal = [["R6", "G6"], ["R14", "G14"], ["Y14", "Y6"], ["B14", "B6"]]
    base = tiny(ranks=[6, 14], redeal="any_time_no_counters")
    hand = act(JudgeHand(base, 3, deal, []), "0 pass")
    assert hand.may_redeal(0)
    assert not hand.may_redeal(1)
    assert act(hand, "0 redeal").result()["phase"] == "redealt"
    assert refused(hand, "1 pass") == "hand-over"
    own = JudgeHand({**base, "redeal": "own_turn_no_counters"}, 3, deal, [])
    assert own.legal() == ["bid 10", "bid 15", "bid 20", "pass", "redeal"]
    assert refused(act(own, "0 pass"), "0 redeal") == "no-redeal"
    assert JudgeHand({**base, "redeal": "auto"}, 3, deal, []).phase == "redealt"


def test_a_circus() -> None:
    options = tiny(trump_calls=["suits", "circus"], first_lead="caller")
    hand = act(JudgeHand(options, 3, ONE_COLOUR_EACH, []), "0 bid 20", "0 trump circus")
    assert (hand.phase, hand.to_act) == ("trump", 1)
    assert hand.legal() == ["trump red", "trump green", "trump yellow", "trump black"]
    act(hand, "1 trump green")
    assert (hand.phase, hand.legal()) == ("circus", ["give G14"])
    act(hand, "1 give G14")
    assert hand.legal() == ["give Y10", "give Y14"]
    assert refused(act(hand, "2 give Y10"), "3 give B10") == "must-follow"
    act(hand, "3 give B14", "0 give R10")
    assert hand.hands == [["R14", "B14"], ["G10", "R10"], ["Y14", "G14"], ["B10", "Y10"]]
    act(hand, "1 play G10", "2 play G14", "3 play B10", "0 play B14")
    result = act(hand, "2 play Y14", "3 play Y10", "0 play R14", "1 play R10").result()
    assert (result["call"], result["points"]) == ("green", [80, 0])
    assert result["score"] == [80, 0, 80, 0]


def test_a_blind_dummy() -> None:
    two = {"seats": 2, "partnership": "alone", "dummy": "blind", "nest_size": 2}
    bids = {"auction_form": "dealer_opens", "declaration_order": ["trump", "discard"]}
    nest = {"nest_exchange": {"exactly_or_none": 2}, "nest_points_to": "nobody"}
    bonus = {"trick_bonus": "per_trick", "trick_bonus_value": 2}
    deal = [["R10", "G14"], ["G10", "B14"], ["R14", "Y10"]]
    hand = JudgeHand(tiny(**two, **bids, **nest, **bonus), 0, deal, ["Y14", "B10"])
    act(hand, "1 pass", "0 trump red")
    choice = {"discard": 2, "from": ["R10", "G14", "Y14", "B10"], "must": [], "swap": [0, 2]}
    assert hand.legal() == choice
    assert refused(hand, "0 discard R10 Y14") == "discard-count"
    act(hand, "0 discard Y14 B10", "1 play G10")
    assert (hand.to_act, hand.legal()) == (0, ["play G14"])
    act(hand, "0 play G14")
    assert hand.to_act == 1
    result = act(hand, "1 play B14", "0 play R10").result()
    first = {"leader": 1, "cards": ["G10", "R14", "G14"], "winner": 2, "points": 30}
    second = {"leader": 1, "cards": ["B14", "Y10", "R10"], "winner": 0, "points": 30}
    assert result["tricks"] == [first, second]
    assert (result["points"], result["score"]) == ([32, 0], [32, 0])


def test_a_revoke() -> None:
    deal = [["R10", "G10"], ["R14", "G14"], ["Y10", "B10"], ["Y14", "B14"]]
    hand = JudgeHand(tiny(renege="penalised"), 3, deal, [])
    act(hand, "0 bid 20", "0 trump yellow", "0 play R10")
    assert hand.legal() == ["play R14", "play G14"]
    act(hand, "1 play G14", "2 play Y10", "3 play B14")
    assert refused(hand, "1 challenge 2") == "no-revoke"
    assert refused(hand, "3 challenge 1") == "no-revoke"
    result = act(hand, "0 challenge 1").result()
    assert (result["phase"], result["points"]) == ("done", [40, 0])
    assert result["score"] == [40, -20, 40, -20]
    strict = act(JudgeHand(tiny(), 3, deal, []), "0 bid 20", "0 trump yellow", "0 play R10")
    assert refused(strict, "1 play G14") == "must-follow"
    assert refused(strict, "1 play B14") == "not-held"


CALLED = {"partnership": "called", "called_cards": 1, "declaration_order": ["trump", "call"]}


def test_a_called_partner_shows_himself() -> None:
    hand = JudgeHand(tiny(**CALLED), 3, ONE_COLOUR_EACH, [])
    act(hand, "0 bid 20", "0 trump red")
    others = ["G10", "G14", "Y10", "Y14", "B10", "B14"]
    assert hand.legal() == {"call": {"min": 1, "max": 1, "from": others}}
    assert refused(hand, "0 call R14") == "card-not-callable"
    act(hand, "0 call Y14", "0 play R14", "1 play G10", "2 play Y10", "3 play B10")
    assert hand.result()["sides"] is None
    assert act(hand, "0 play R10", "1 play G14", "2 play Y14").known_sides() == [[0, 2], [1, 3]]
    assert act(hand, "3 play B14").result()["score"] == [80, 0, 80, 0]


def test_a_self_call_and_a_partner_known_at_once() -> None:
    alone = JudgeHand(tiny(**CALLED, callable="any"), 3, ONE_COLOUR_EACH, [])
    act(alone, "0 bid 20", "0 trump red", "0 call R14")
    assert alone.known_sides() is None
    assert act(alone, "0 play R14").known_sides() == [[0], [1, 2, 3]]
    known = JudgeHand(tiny(**CALLED, partner_revealed="at_once"), 3, ONE_COLOUR_EACH, [])
    assert act(known, "0 bid 20", "0 trump red", "0 call B14").known_sides() == [[0, 3], [1, 2]]


def test_no_contract() -> None:
    hand = JudgeHand(tiny(**{"all_pass": "no_contract"}), 0, ONE_COLOUR_EACH, [])
    result = act(hand, "1 pass", "2 pass", "3 pass", "0 pass").result()
    told = (result["declarer"], result["bid"], result["call"], result["to_act"])
    assert told == (None, None, "notrump", 1)
    act(hand, "1 play G14", "2 play Y10", "3 play B10", "0 play R10")
    act(hand, "1 play G10", "2 play Y14", "3 play B14", "0 play R14")
    assert hand.result()["sides"] == [[1, 3], [0, 2]]
    assert hand.result()["score"] == [0, 80, 0, 80]


def test_an_open_dummy_and_a_chosen_leader() -> None:
    options = tiny(dummy="partner", first_lead="declarer_chooses")
    hand = act(JudgeHand(options, 3, ONE_COLOUR_EACH, []), "0 bid 20", "0 trump red")
    assert (hand.phase, hand.legal()) == ("leader", ["leader 0", "leader 1"])
    act(hand, "0 leader 1", "1 play G10")
    assert (hand.to_act, hand.legal()) == (0, ["play Y10", "play Y14"])
    assert refused(hand, "0 play R10") == "not-your-turn"
    assert act(hand, "2 play Y10").to_act == 3


def test_the_nest_statement() -> None:
    options = tiny(seats=3, partnership="alone", nest_size=2, nest_statement="yes_no")
    options["declaration_order"] = ["discard", "trump"]
    hand = act(JudgeHand(options, 2, ONE_COLOUR_EACH[:3], ["B10", "B14"]), "0 bid 20")
    assert hand.result()["nest_statement"] is None
    assert act(hand, "0 discard B10 R10").result()["nest_statement"] == "points"
    assert hand.result()["sides"] == [[0], [1], [2]]
