"""Hands that the engine has played, said as people say them: what they score is what it scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.house import CHANGES, with_changes
from tests.laws.playing import random_action

from rookery.cards import unpack
from rookery.engine.state import REDEALT
from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.tally import BadTally, Tally, askable, asked, has_rest, scored
from rookery.game import Hand, Match, Verb
from rookery.game.position import Bid
from rookery.rules import Rules, catalog, load, variant

KD = variant("kd_tournament")
VARIANTS = pytest.mark.parametrize("name", catalog())


def worth(rules: Rules, cards: Iterable[int]) -> int:
    """Return the points of some cards."""
    return sum(rules.card_points.get(card, 0) for card in cards)


def said_of(hand: Hand) -> Tally:
    """Return what people who have counted their tricks would say of a hand that is over."""
    rules = hand.rules
    if hand.phase == "redealt":
        return Tally(redealt=True)
    points, tricks = [0] * rules.hands, [0] * rules.hands
    for trick in hand.tricks:
        points[trick.winner] += worth(rules, trick.cards)
        tricks[trick.winner] += 1
    seats, last = range(rules.seats), hand.tricks[-1].winner if hand.tricks else 0
    partner_of = {seat: {seat} for seat in seats}
    if hand.sides is not None:
        partner_of = {seat: set(side) for side in hand.sides for seat in side}
    revoked = None
    if hand.actions[-1].verb is Verb.CHALLENGE:
        revoked = int(str(hand.actions[-1]).split()[-1])
    elif rules.nest_points_to == "last_trick":
        points[last] += worth(rules, unpack(hand.hidden.nest))
    elif rules.nest_points_to == "declarer" and hand.declarer is not None:
        points[hand.declarer] += worth(rules, unpack(hand.hidden.nest))
    first, won = None, dict.fromkeys(map(frozenset, partner_of.values()), 0)
    for trick in hand.tricks:
        if trick.winner < rules.seats:
            side = frozenset(partner_of[trick.winner])
            won[side] += 1
            if won[side] == 6 and first is None:
                first = trick.winner
    partners: tuple[int, ...] = ()
    if rules.partnership == "called" and hand.declarer is not None:
        partners = tuple(partner_of[hand.declarer] - {hand.declarer})
    return Tally(
        hand.declarer,
        hand.bid,
        partners,
        tuple(sum(points[other] for other in partner_of[seat]) for seat in seats),
        tuple(sum(tricks[other] for other in partner_of[seat]) for seat in seats),
        last if revoked is None else None,
        first,
        revoked,
    )


def just_as_asked(rules: Rules, tally: Tally) -> Tally:
    """Return a tally without what these rules do not ask for."""
    blank, wanted = Tally(), asked(rules, tally)
    assert {*wanted} <= {*askable(rules)}
    return replace(
        tally, **{part: getattr(blank, part) for part in blank.__slots__ if part not in wanted}
    )


def played(rules: Rules, rng: Random) -> Hand:
    hand = Hand.shuffled(rules, rng.randrange(rules.seats), rng.randrange(10**6))
    while not hand.over:
        hand = hand.act(random_action(hand, rng))
    return hand


def same(rules: Rules, hand: Hand, tally: Tally) -> None:
    state = scored(rules, tally)
    if hand.phase == "redealt":
        assert hand.score is None
        return
    assert state.score[: rules.seats] == hand.score
    assert state.points[: rules.seats] == hand.state.points[: rules.seats]
    if hand.declarer is not None:
        assert state.made == hand.state.made


@VARIANTS
def test_a_hand_scores_what_it_scored_when_it_was_played(name: str) -> None:
    rules, rng = variant(name), Random(name)
    for _ in range(8):
        hand = played(rules, rng)
        tally = said_of(hand)
        same(rules, hand, tally)
        same(rules, hand, just_as_asked(rules, tally))


@given(st.sampled_from(catalog()), st.lists(st.sampled_from(CHANGES), max_size=6), st.integers(0))
def test_so_it_does_by_house_rules(name: str, changes: list[dict[str, object]], seed: int) -> None:
    rules = with_changes(name, changes)
    hand = played(rules, Random(seed))
    same(rules, hand, just_as_asked(rules, said_of(hand)))


@VARIANTS
def test_a_sheet_ends_as_the_match_does(name: str) -> None:
    rules, rng = with_changes(name, [{"target": 150}]), Random(name)
    match = Match(rules)
    while match.winners is None and match.dealt < 20:
        match = match.shuffled(rng.randrange(10**6))
        while (hand := match.hand) is not None and not hand.over:
            match = match.act(random_action(hand, rng))
    sheet = ScoreSheet(rules)
    for hand in match.hands:
        assert sheet.dealer == hand.dealer
        sheet.write(just_as_asked(rules, said_of(hand)))
    assert sheet.totals == match.totals
    assert sheet.winners == (match.winners or ())
    assert [one.made for one in sheet.entries] == [hand.made for hand in match.hands]
    assert [one.line._replace(call=None) for one in sheet.entries] == [
        line._replace(call=None) for line in match.lines
    ]


def test_the_control_a_side_that_is_not_known_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.evening.tally._set_of", lambda side: 0)
    with pytest.raises(AssertionError):
        test_a_hand_scores_what_it_scored_when_it_was_played("kd_tournament")


CALLED, ALONE = variant("five_person_poker"), variant("rook_three_1914")
SEVEN = variant("rook_1906_7")
MAJORITY = load({"base": "kd_tournament", "trick_bonus": "majority"})
NOBODY = load({"base": "five_person_poker", "all_pass": "no_contract"})
NEST = load({"base": "house_001", "trick_bonus": "majority"})
LAST = load({"base": "kd_tournament", "trick_bonus": "last_trick"})
SIX = load({"base": "kd_tournament", "trick_bonus": "first_to_six"})
HALF = (65,)


@pytest.mark.parametrize(
    ("rules", "tally", "code", "reason"),
    [
        (KD, Tally(bid=80, points=HALF), "declarer", "somebody has the contract"),
        (KD, Tally(4, 80, points=HALF), "declarer", "no seat 4; expected 0 to 3"),
        (NOBODY, Tally(bid=80, points=HALF), "declarer", "there is a bid or a partner; expected"),
        (NOBODY, Tally(partners=(1,), points=HALF), "declarer", "there is a bid or a partner; exp"),
        (KD, Tally(0, points=HALF), "bid", "no bid; expected 70 to 120 in steps of 5"),
        (KD, Tally(0, 82, points=HALF), "bid", "82 cannot be bid"),
        (KD, Tally(0, "sun", points=HALF), "bid", "sun cannot be bid"),
        (CALLED, Tally(0, 20, points=HALF), "bid", "or sun"),
        (KD, Tally(0, 80, (2,), HALF), "partners", "no partner is called"),
        (CALLED, Tally(0, 100, (0,), HALF), "partners", "named twice, or is the declarer"),
        (CALLED, Tally(0, 100, (1, 1), HALF), "partners", "named twice, or is the declarer"),
        (CALLED, Tally(0, 100, (5,), HALF), "partners", "no seat 5; expected 0 to 4"),
        (CALLED, Tally(0, 100, (1, 2, 3), HALF), "partners", "3 partners; expected "),
        (KD, Tally(0, 80), "points", "expected those of seats 0 and 2"),
        (KD, Tally(0, 80, points=(63,)), "points", "no counters add up to 63; they"),
        (KD, Tally(0, 80, points=(65, 60)), "points", "65 + 60 make 125; expected 120"),
        (KD, Tally(0, 80, points=(65, 50)), "points", "65 + 50 make 115; expected 120"),
        (KD, Tally(0, 80, points=(125,)), "points", "125 make 125; expected 120 at most"),
        (KD, Tally(0, 80, points=(-5,)), "points", "-5; expected 0 or more"),
        (KD, Tally(0, 80, points=(65, None, 60)), "points", "0 and 2 play together, but 60 and 65"),
        (ALONE, Tally(0, 80, points=(65,)), "points", "expected those of seat 1"),
        (ALONE, Tally(0, 80, points=(65, 30, 10)), "points", "make 105; expected 100 at most"),
        # Each of the six has a five, and there are four.
        (SEVEN, Tally(0, 80, points=(*[15] * 6, 10)), "points", "cannot be parted into 15 and 15"),
        (MAJORITY, Tally(0, 80, points=HALF), "tricks", "expected those of seats 0 and 2"),
        (MAJORITY, Tally(0, 80, points=HALF, tricks=(5, 5)), "tricks", "5 + 5 make 10; expected 9"),
        (MAJORITY, Tally(0, 80, points=HALF, tricks=(9,)), "tricks", "55 points without a trick"),
        (MAJORITY, Tally(0, 80, points=HALF, tricks=(0,)), "tricks", "65 points without a trick"),
        (NEST, Tally(0, 80, points=(80,), tricks=(13,)), "tricks", "40 points without a trick"),
        (LAST, Tally(0, 80, points=HALF), "last-trick", "somebody won it"),
        (LAST, Tally(0, 80, points=HALF, last_trick=4), "last-trick", "no seat 4; expected 0 to 3"),
        (
            LAST,
            Tally(0, 80, points=(120,), tricks=(9,), last_trick=1),
            "last-trick",
            "seats 1 and 3 won no trick",
        ),
        (SIX, Tally(0, 80, points=HALF, first_to_six=7), "first-to-six", "no seat 7"),
        (KD, Tally(redealt=True), "redealt", "never"),
        (KD, Tally(0, 80, points=HALF, revoked=1), "revoked", "no revoke ends a hand"),
    ],
)
def test_what_cannot_be_is_refused(rules: Rules, tally: Tally, code: str, reason: str) -> None:
    if code == "redealt":
        rules = load({"base": "kd_tournament", "redeal": "none"})
    with pytest.raises(BadTally) as caught:
        scored(rules, tally)
    assert caught.value.code == code
    assert reason in caught.value.reason


def test_tricks_are_asked_for_where_they_count_alone() -> None:
    sweeps = variant("house_001")
    assert "tricks" not in asked(KD, Tally(0, 80, points=(120, 0)))
    assert "tricks" not in asked(sweeps, Tally(0, 80, points=(65, 55)))
    assert "tricks" not in asked(sweeps, Tally(0, 80, points=(65,)))
    assert "tricks" not in asked(sweeps, Tally(0, 80, points=(0,)))
    assert "tricks" not in asked(sweeps, Tally(0, 80, points=(None, 55)))
    assert "tricks" not in asked(sweeps, Tally(0, 80))
    for nobody in (None, 4):
        assert "tricks" not in asked(sweeps, Tally(nobody, 80, points=(120,)))
    assert scored(sweeps, Tally(0, 80, points=(65,))).score[:4] == [-80, 55, -80, 55]
    for points in ((120, 0), (120,), (None, 0), (120, 0, 120, 0)):
        assert "tricks" in asked(sweeps, Tally(0, 80, points=points))
        swept = scored(sweeps, Tally(0, 80, points=points, tricks=(sweeps.hand_size,)))
        assert swept.score[0] == 200
    assert "tricks" in asked(CALLED, Tally(0, "sun"))
    assert "tricks" in askable(CALLED)
    assert "tricks" in asked(MAJORITY)
    assert asked(KD, Tally(redealt=True)) == ("redealt",)


@pytest.mark.parametrize(
    ("changes", "tally", "parts"),
    [
        ({"base": "kd_tournament"}, Tally(0), "points tricks"),
        ({"base": "kd_tournament", "renege": "penalised"}, Tally(0), "points tricks"),
        ({"base": "kd_tournament", "renege": "penalised"}, Tally(0, revoked=1), "tricks"),
        ({"base": "kd_tournament", "all_pass": "no_contract"}, Tally(), "points tricks"),
        ({"base": "house_001", "all_pass": "no_contract"}, Tally(0), "points tricks"),
        ({"base": "house_001", "all_pass": "no_contract"}, Tally(), "tricks"),  # it has the nest
        ({"base": "wanamingo"}, Tally(0), "tricks"),  # nobody has the nest
        ({"base": "regular_partnership", "nest_points_to": "nobody"}, Tally(0), "points tricks"),
        ({"base": "rook_two_1914"}, Tally(0), ""),
        ({"base": "rook_two_1914", "nest_points_to": "last_trick"}, Tally(0), ""),  # blind hand
    ],
)
def test_a_side_that_says_nothing_has_the_rest_where_nobody_else_can_have_it(
    changes: dict[str, object], tally: Tally, parts: str
) -> None:
    rules = load(changes)
    assert " ".join(has_rest(rules, tally)) == parts
    bid = None if tally.declarer is None else 80
    few = replace(tally, bid=bid, points=(20, 10), tricks=(7, 6), last_trick=0)
    if "points" in parts:
        with pytest.raises(BadTally, match="20 \\+ 10 make 30; expected "):
            scored(rules, few)
    else:
        scored(rules, few)


def test_a_declarer_without_a_trick_has_what_lay_in_the_nest() -> None:
    assert scored(NEST, Tally(0, 80, points=(40,), tricks=(0,))).points[:2] == [40, 100]


@pytest.mark.parametrize(
    ("name", "points", "surely"),
    [
        ("kd_tournament", (20,), False),
        ("partnership_180", (20,), False),  # five and five
        ("kd_full_57", (20,), True),
        ("rook_three_1914", (20, 10, 0), False),
        ("rook_two_1914", (20, 10), False),  # a blind hand may have won them
    ],
)
def test_somebody_has_six_tricks_first_where_not_all_can_have_fewer(
    name: str, points: tuple[int, ...], surely: bool
) -> None:
    bid = variant(name).bid_minimum
    rules = load({"base": name, "trick_bonus": "first_to_six", "bid_maximum": bid})
    nobody = Tally(0, bid, points=points)
    somebody = scored(rules, replace(nobody, first_to_six=0)).points
    assert somebody[0] == 20 + rules.trick_bonus_value
    if surely:
        with pytest.raises(BadTally, match="one side has six tricks"):
            scored(rules, nobody)
    else:
        assert scored(rules, nobody).points[:2] == [20, somebody[1]]


def test_the_sun_needs_every_trick_and_points_alone_make_another_contract() -> None:
    for rules, said in ((KD, "in steps of 5$"), (CALLED, "in steps of 5 or sun$")):
        with pytest.raises(BadTally, match=said):
            scored(rules, Tally(0, 82, points=HALF))

    def score(bid: Bid, tricks: tuple[int, ...]) -> int:
        return scored(CALLED, Tally(0, bid, points=(180, 0), tricks=tricks)).score[0]

    every, nearly = (10, 0), (9, 1)
    assert (score("sun", every), score("sun", nearly)) == (180, -180)
    assert score(120, every) == score(120, nearly) == 180


def test_a_hand_without_a_contract_is_neither_made_nor_set() -> None:
    rules = load({"base": "kd_tournament", "all_pass": "no_contract"})
    [hand] = ScoreSheet(rules, [Tally(points=HALF)]).entries
    assert (hand.line.declarer, hand.points, hand.made) == (None, (65, 55), None)


@pytest.mark.parametrize("form", ["multi_round", "dealer_must_bid", "dealer_opens"])
def test_a_hand_in_which_the_dealer_bids_is_not_offered_as_redealt(form: str) -> None:
    changes = {"auction_form": form, "first_bidder": "dealer", "all_pass": "redeal"}
    rules = load({"base": "kd_tournament", "redeal": "none", **changes})
    assert ("redealt" in askable(rules)) == (form == "multi_round")
    # A sheet that was kept may say it.
    assert asked(rules, said := Tally(redealt=True)) == ("redealt",)
    assert scored(rules, said).phase == REDEALT
    # A deal without a counter may be thrown in all the same.
    thrown = load({"base": "kd_tournament", **changes})
    assert "redealt" in askable(thrown)


def test_a_hand_is_changed_and_all_that_follows_with_it() -> None:
    hands = [Tally(0, 80, points=(mine,)) for mine in (80, 100, 100)]
    assert ScoreSheet(KD, hands).totals == (280, 80, 280, 80)
    changed = ScoreSheet(KD, [Tally(1, 120, points=(None, 55)), *hands[1:]])
    assert changed.totals == (265, -80, 265, -80)
    assert [one.line.totals[0] for one in changed.entries] == [65, 165, 265]
    with pytest.raises(BadTally):
        ScoreSheet(KD, [hands[0], Tally(0, 80, points=(63,))])


def test_what_comes_after_the_end_counts_for_nothing() -> None:
    hands = [Tally(0, 80, points=(100,))] * 4
    sheet = ScoreSheet(KD, hands)
    assert sheet.winners == (0, 2)
    assert [one.extra for one in sheet.entries] == [False, False, False, True]
    assert sheet.totals == (300, 60, 300, 60)
    again = ScoreSheet(KD, [Tally(0, 120, points=(100,)), *hands[1:]])
    assert [one.extra for one in again.entries] == [False] * 4
    assert (again.totals, again.winners) == ((180, 80, 180, 80), ())


def test_a_game_of_so_many_hands_ends_after_them() -> None:
    sheet = ScoreSheet(KD, hands=2)
    for tally in (Tally(0, 80, points=(60,)), Tally(redealt=True), Tally(1, 80, points=(60,))):
        assert sheet.winners == ()
        sheet.write(tally)
    assert (sheet.totals, sheet.winners) == ((-20, -20, -20, -20), (0, 1, 2, 3))
    assert [one.line.dealer for one in sheet.entries] == [0, 1, 1]
