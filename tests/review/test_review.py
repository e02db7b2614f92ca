"""A review adds up, says the same every time, and works for whatever was played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import pytest
from tests.hands import CALLED, OPEN, after, dealt, small
from tests.review.matches import FEW, example, match_of, played, reviewed

from rookery.game import Hand, Match
from rookery.review import open_cards
from rookery.review.document import HandReview, Review
from rookery.review.hand_review import decisions_of, is_decision, judges_for, steps_of
from rookery.review.match_review import (
    accuracy,
    assembled,
    hand_of,
    review,
    totals_after,
    turning_points,
)
from rookery.rules import load


def test_every_decision_is_weighed_and_adds_up() -> None:
    found = reviewed()
    for hand in found.hands:
        for one in hand.decisions:
            actions = [alternative.action for alternative in one.alternatives]
            margins = [alternative.margin for alternative in one.alternatives]
            assert margins == sorted(margins, reverse=True)
            assert one.action in actions
            assert margins[actions.index(one.action)] == one.margin
            assert one.cost >= 0
            assert one.sure == (one.cost > 0) == (one.mistake is not None)
            assert one.best == (actions[0] if one.sure else one.action)
            if one.sure:
                assert one.cost == pytest.approx(margins[0] - one.margin, abs=0.02)
                assert one.cost > 3 * one.error - 0.02
            assert one.open_cost is None or one.open_cost >= 0
            assert (one.open_cost is None) == (one.open_by is None)
            assert one.making is None or 0 <= one.making <= 1
    for player in found.players:
        own = [one for hand in found.hands for one in hand.decisions if one.seat == player.seat]
        assert player.decisions == len(own) > 5
        assert player.mistakes == sum(one.sure for one in own)
        open_costs = [one.open_cost for one in own if one.open_cost is not None]
        assert player.open_cost == pytest.approx(sum(open_costs), abs=0.02)
        assert player.cost == pytest.approx(sum(one.cost for one in own), abs=0.02)
        assert player.accuracy == accuracy([one.cost for one in own], found.hand_points)


def test_who_plays_at_random_does_worse() -> None:
    first = reviewed().model_copy(update={"hands": reviewed().hands[:1]})
    costs = [0.0] * 4
    for one in first.hands[0].decisions:
        costs[one.seat] += one.cost
    assert min(costs[1], costs[3]) > max(costs[0], costs[2])
    assert any(one.mistake and one.mistake.code != "worse" for one in first.hands[0].decisions)


def test_choices_without_a_choice_are_left_out() -> None:
    hand = example().hands[0]
    judged = {one.action_index for one in reviewed().hands[0].decisions}
    steps = steps_of(hand)
    assert [step.action for step in steps] == list(hand.actions)
    lone = {step.index for step in steps if not is_decision(step)}
    assert lone
    assert not lone & judged
    assert len(judged) <= decisions_of(hand) == len(steps) - len(lone)


def test_the_outcome_of_each_hand_is_told() -> None:
    match, found = example(), reviewed()
    done, broken = found.hands
    assert (done.phase, broken.phase) == ("done", "play")
    assert done.made == bool(match.hands[0].state.made)
    assert match.hands[0].points is not None
    assert done.points == match.hands[0].points[0]
    assert done.totals == broken.totals == list(match.totals)
    assert (broken.made, broken.score, found.winners) == (None, None, None)
    for hand in found.hands:
        assert hand.winning[0] == hand.winning[2]
        assert hand.winning[0] + hand.winning[1] == pytest.approx(1, abs=0.001)
        assert hand.open is not None
        assert hand.auction is not None
        assert hand.auction.worth == pytest.approx(
            hand.auction.bought - hand.auction.left, abs=0.02
        )
    ahead = max(range(2), key=lambda seat: match.totals[seat])
    assert done.winning[ahead] > 0.5


def test_the_same_seed_gives_the_same_review_hand_by_hand() -> None:
    one = review(example(), rollouts=40, seed=2)
    assert review(example(), rollouts=40, seed=2).model_dump_json() == one.model_dump_json()
    alone = review(example(), rollouts=40, seed=2, hands=[1]).hands[0]
    unmarked = [d.model_copy(update={"turning": False}) for d in one.hands[1].decisions]
    assert [d.model_copy(update={"turning": False}) for d in alone.decisions] == unmarked
    other = review(example(), rollouts=40, seed=3, hands=[1]).hands[0]
    assert other.decisions != alone.decisions  # the control: another seed draws other worlds


def test_what_is_known_already_is_not_judged_again() -> None:
    told: list[tuple[int, int]] = []
    kept = {hand.hand: hand for hand in reviewed().hands[:1]}
    again = review(
        example(),
        rollouts=FEW,
        seed=5,
        kept=kept,
        progress=lambda done, all_: told.append((done, all_)),
    )
    assert again == reviewed()
    whole = decisions_of(example().hands[1])
    assert told == [(done, whole) for done in range(whole + 1)]
    assert assembled(example(), reviewed().hands, rollouts=FEW, seed=5) == reviewed()


def test_a_hand_that_is_judged_apart_comes_to_the_same() -> None:
    ticks: list[int] = []
    judges = judges_for(example().rules, FEW, 5)
    hands = [hand_of(example(), n, judges, partial(ticks.append, n)) for n in range(2)]
    assert assembled(example(), hands, rollouts=FEW, seed=5) == reviewed()
    assert [ticks.count(n) for n in range(2)] == [decisions_of(one) for one in example().hands]


def test_it_is_written_as_it_is_described() -> None:
    import jsonschema  # type: ignore[import-untyped]

    document = json.loads(reviewed().model_dump_json())
    jsonschema.validate(document, Review.model_json_schema())
    assert Review.model_validate(document) == reviewed()


def test_turning_points_are_few_large_and_marked() -> None:
    found = reviewed()
    marked = {
        (hand.hand, one.action_index)
        for hand in found.hands
        for one in hand.decisions
        if one.turning
    }
    assert marked == {(turn.hand, turn.action_index) for turn in found.turning}
    assert 1 <= len(found.turning) <= 4
    swings = [turn.swing for turn in found.turning]
    assert swings == sorted(swings, reverse=True)
    assert swings[-1] >= found.hand_points / 10
    assert (
        turning_points([hand.model_copy(update={"decisions": []}) for hand in found.hands], 120)
        == []
    )


def test_luck_is_no_blame() -> None:
    decisions = reviewed().hands[0].decisions
    lucky = decisions[0].model_copy(update={"cost": 0.0, "sure": False, "open_cost": 50.0})
    guilty = decisions[1].model_copy(update={"cost": 9.0, "sure": True, "open_cost": 70.0})
    unseen = decisions[2].model_copy(update={"cost": 30.0, "sure": True, "open_cost": None})
    harmless = decisions[3].model_copy(update={"cost": 40.0, "sure": True, "open_cost": 0.0})
    hands = [
        reviewed().hands[0].model_copy(update={"decisions": [lucky, guilty]}),
        reviewed().hands[1].model_copy(update={"decisions": [unseen, harmless]}),
    ]
    found = [(turn.swing, turn.blame) for turn in turning_points(hands, 120)]
    assert found == [(70.0, True), (50.0, False), (30.0, True)]


WAYS: list[tuple[str, dict[str, object], Sequence[str], int]] = [
    ("a dummy", {"base": "display"}, ["club", "random"], 60),
    ("called partners", {"base": "call_partner_5"}, ["random"], 60),
    ("three sides", {"base": "dixie_6"}, ["club", "random"], 40),
    ("each alone", {"base": "rook_1906"}, ["random"], 40),
    ("a blind hand", {"base": "rook_two_1914"}, ["random"], 60),
    ("circus and low cards", {"base": "circus"}, ["random"], 70),
    ("revokes that cost", {"base": "kd_tournament", "renege": "penalised"}, ["random"], 60),
    ("a nest in part", {"base": "kd_tournament", "nest_exchange": {"up_to": 2}}, ["random"], 60),
    ("broken off in the auction", {"base": "kd_tournament"}, ["club"], 2),
    ("broken off in the declaration", {"base": "call_partner_4"}, ["club"], 6),
    ("no bid at all", {"base": "kd_tournament", "all_pass": "no_contract"}, ["club"], 60),
]


@pytest.mark.parametrize(
    ("rules_", "bots", "actions"), [way[1:] for way in WAYS], ids=[w[0] for w in WAYS]
)
def test_whatever_was_played_can_be_looked_at(
    rules_: dict[str, object], bots: Sequence[str], actions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_cards, "IN_ALL", 200_000)  # little is solved, and all is looked at
    rules = load(rules_)
    hand = played(rules, [*bots] * rules.seats, 4, actions)
    found = review(match_of(rules, hand), rollouts=24).hands[0]
    assert found.phase == hand.phase
    assert len(found.decisions) > 0
    assert {one.seat for one in found.decisions} <= set(range(rules.seats))
    assert all(one.open_cost is not None for one in found.decisions)


def test_a_redealt_hand_and_an_empty_one_are_looked_at() -> None:
    rules = load("kd_tournament")
    poor = next(
        hand
        for seed in range(2000)
        for hand in [Hand.shuffled(rules, 0, seed)]
        if any(hand.may_redeal(seat) for seat in range(4))
    )
    seat = next(seat for seat in range(4) if poor.may_redeal(seat))
    redealt = match_of(rules, poor.act(f"{seat} redeal"), Hand.shuffled(rules, 0, 1))
    found = review(redealt, rollouts=24)
    assert [hand.phase for hand in found.hands] == ["redealt", "auction"]
    assert found.hands[1].decisions == []
    assert [player.accuracy for player in found.players].count(None) >= 3


def test_a_match_that_is_won_is_certain() -> None:
    rules = load({"base": "kd_tournament", "target": 10})
    hand = played(rules, ["club"] * 4, 3)
    match = match_of(rules, hand)
    assert match.winners is not None
    judged = review(match, rollouts=8)
    assert judged.winners == list(match.winners)
    assert judged.hands[0].winning == [float(seat in match.winners) for seat in range(4)]


def test_totals_are_those_after_each_hand() -> None:
    rules = load("kd_tournament")
    hands = [played(rules, ["club"] * 4, seed) for seed in (1, 2)]
    match = match_of(rules, *hands)
    assert totals_after(match, 0) == tuple(hands[0].score or ())
    assert totals_after(match, 1) == match.totals


# What was done in the small hand below, what was best, what it cost with open cards, and the words.
SMALL_HAND = [
    ("pass", "bid 10", 80.0, "search", "bid-worth", "pass-too-meek"),
    ("pass", "bid 10", 80.0, "search", "bid-worth", "pass-too-meek"),
    ("pass", "bid 10", 80.0, "search", "bid-worth", "pass-too-meek"),
    ("trump green", "trump green", 0.0, "search", "trump-longest", None),
    ("play R10", "play G14", 80.0, "solver", "lead-top-trump", "trumps-out"),
    ("play G10", "play G10", 0.0, "solver", "win-now", None),
]


def test_a_small_hand_is_judged_as_it_should_be() -> None:
    """Who takes it in the auction sweeps it. Seat 0 leads R10, and seat 1 trumps it with G10."""
    deal = [["R10", "G14"], ["G10", "Y14"], ["R14", "Y10"], ["B10", "B14"]]
    hand = after(small(deal, first_lead="declarer"), "1 pass", "2 pass", "3 pass", "0 trump green")
    hand = after(hand, "0 play R10", "1 play G10", "2 play R14", "3 play B10", "1 play Y14")
    found = judged_alone(after(hand, "2 play Y10", "3 play B14", "0 play G14"))
    told = [
        (one.action, one.best, one.open_cost, one.open_by, one.reason.code, one.mistake)
        for one in found.decisions
    ]
    assert [(*most, last.code if last else None) for *most, last in told] == SMALL_HAND
    assert (found.open and found.open.points, found.auction) == (80, None)


def judged_alone(hand: Hand) -> HandReview:
    return review(Match(hand.rules).begin(hand), rollouts=4000).hands[0]


def test_the_opening_bid_stands_in_the_auction() -> None:
    hand = after(small(), *OPEN)
    assert judged_alone(hand).auction is not None


def test_a_hand_that_a_revoke_has_ended_is_neither_made_nor_set() -> None:
    revoked = [*CALLED, "1 play G10", "2 play R7", "3 challenge 2"]
    hand = after(dealt(renege="penalised"), *revoked)
    found = review(match_of(hand.rules, hand), rollouts=FEW).hands[0]
    assert (found.phase, found.made, found.score) == ("done", None, hand.score)
