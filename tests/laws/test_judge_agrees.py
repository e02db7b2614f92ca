"""The game and a second reading of the rules, written apart from it, agree on every hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judge import JudgeError, JudgeHand, add_to_totals, match_winners
from tests.judge.defaults import KD_TOURNAMENT
from tests.laws.house import CHANGES, with_changes
from tests.laws.playing import random_action

from rookery.cards import CARDS, ROOK, pack_cards
from rookery.engine.card_sets import lowest
from rookery.game import BadAction, Hand, IllegalAction, Match
from rookery.game.legal import check_accuser
from rookery.game.revokes import shown_revoke
from rookery.rules import OPTIONS, Rules, catalog, load, variant
from rookery.rules.order import ROWS
from rookery.rules.table import LEAD_DECLARER, NEST_TO_DECLARER, RuleTable, compile_rules

STEPS = 2_000  # of every variant
UNPLAYED = {"nest_dealing", "several_over_target"}  # for a dealer by hand; it has one value
# The judge has fewer words for a refusal than the game, and the game reads a text before it judges.
UNREADABLE = {"bad-action", "unknown-card"}
SAME_CODE = {
    "call-not-allowed": {"bad-action", "call-not-allowed"},
    "not-now": {"bad-action"},
    "no-revoke": {"bad-action", "no-revoke"},
    "card-not-callable": {"bad-action", "card-not-callable"},
}


def comparable(status: dict[str, Any]) -> dict[str, Any]:
    """Return a status in which the order of what is legal no longer counts."""
    legal = status["legal"]
    if isinstance(legal, dict):
        legal = legal.get("call", legal)
        legal = {key: sorted(v) if isinstance(v, list) else v for key, v in legal.items()}
    return {**status, "legal": legal if isinstance(legal, dict) else sorted(legal)}


def judged(hand: Hand) -> JudgeHand:
    deal = [hand.names(cards) for cards in hand.dealt]
    return JudgeHand(hand.rules.options(), hand.dealer, deal, hand.names(hand.nest_dealt))


def wild_action(hand: Hand, rng: Random) -> str:
    """Return an action that is as likely as not against the rules."""
    seat = rng.randrange(hand.rules.seats) if rng.random() < 0.3 else hand.turn
    deck = hand.names(hand.rules.deck)
    near = rng.sample(deck, min(len(deck), hand.rules.nest_size or 1))
    verbs = {
        "auction": [
            f"bid {rng.randrange(1, 60) * 5}",
            f"bid {rng.randrange(300)}",
            "bid sun",
            "pass",
        ],
        "nest": [f"discard {' '.join(near)}", f"discard {near[0]}"],
        "trump": ["trump red", "trump red-low", "trump notrump", "trump circus"],
        "rook": ["rook high"],
        "call": [f"call {near[0]}", f"call {' '.join(near[:2])}"],
        "leader": [f"leader {rng.randrange(hand.rules.seats)}"],
        "circus": [f"give {near[0]}"],
        "play": [f"play {near[0]}", f"challenge {rng.randrange(hand.rules.seats)}"],
        "done": ["play R5"],
        "redealt": ["pass"],
    }
    phase = rng.choice(list(verbs)) if rng.random() < 0.1 else hand.phase
    verb = "redeal" if rng.random() < 0.1 else rng.choice(verbs[phase])
    return f"{0 if seat is None else seat} {verb}"


def both_act(hand: Hand, judge: JudgeHand, text: str) -> tuple[Hand, str | None, str | None]:
    """Return the hand after `text`, and the codes with which game and judge refuse it."""
    ours = theirs = None
    try:
        check_accuser(hand.table, *hand.records, hand.parse(text))
        hand = hand.act(text)
    except (IllegalAction, BadAction) as error:
        ours = error.code
    try:
        judge.act(text)
    except JudgeError as error:
        theirs = error.code
    return hand, ours, theirs


def disagreement(rules: Rules, seed: int) -> str | None:
    """Return where game and judge part in a hand played at random, or None."""
    return next((found for found in compared(rules, seed) if found is not None), None)


def compared(rules: Rules, seed: int) -> Iterator[str | None]:
    """Play a hand at random; yield None for every step on which game and judge agree.

    Where they part, that is yielded, and it ends.
    """
    rng = Random(seed)
    hand = Hand.shuffled(rules, seed % rules.seats, seed)
    judge = judged(hand)
    while True:
        ours, theirs = comparable(hand.status()), comparable(judge.result())
        if ours != theirs:
            parts = {k: (ours.get(k), theirs.get(k)) for k in {*ours, *theirs}}
            yield f"{hand.actions}: { {k: v for k, v in parts.items() if v[0] != v[1]} }"
            return
        for seat in range(rules.seats):
            if hand.may_redeal(seat) != judge.may_redeal(seat):
                yield f"{hand.actions}: redeal by {seat}"
                return
            if hand.phase == "play" and hand.may_accuse(seat) != judge.may_accuse(seat):
                yield f"{hand.actions}: whom {seat} may accuse"
                return
        if hand.over and rng.random() < 0.9:
            yield other_totals(hand, judge, rng)
            return
        wild = rng.random() < 0.2 or hand.over
        text = wild_action(hand, rng) if wild else random_action(hand, rng)
        hand, code, judges = both_act(hand, judge, text)
        if code != judges and not (judges and alike(code, judges)):
            yield f"{hand.actions}, then {text}: {code} and {judges}"
            return
        yield None


def alike(code: str | None, judges: str) -> bool:
    return code in UNREADABLE or (code is not None and judges in SAME_CODE.get(code, ()))


def other_totals(hand: Hand, judge: JudgeHand, rng: Random) -> str | None:
    """Return how the totals and winners differ after a finished hand, or None."""
    rules = hand.rules
    match = Match(rules)
    near = (rules.target + 200, rules.target, rules.target // 2, 0, -90)
    before = [rng.choice(near) - rng.choice((0, 5, 70)) for _ in range(rules.seats)]
    if rules.partnership.startswith("fixed"):
        partners = compile_rules(rules).partners
        before = [before[lowest(partners[seat])] for seat in range(rules.seats)]
    match.totals = tuple(before)
    match = match.begin(hand)
    result = judge.result()
    totals = add_to_totals(rules.options(), before, result)
    winners = match_winners(rules.options(), totals, result) if hand.phase == "done" else None
    ours = (list(match.totals), None if match.winners is None else list(match.winners))
    return (
        None
        if ours == (totals, winners)
        else f"{before} {hand.actions}: {ours}, {totals} {winners}"
    )


@pytest.mark.parametrize("name", catalog())
def test_every_variant_is_played_as_the_judge_plays_it(name: str) -> None:
    found = (one for seed in count() for one in compared(variant(name), seed))
    assert all(one is None for one in islice(found, STEPS))


@settings(max_examples=250)
@given(
    base=st.sampled_from(catalog()),
    changes=st.lists(st.sampled_from(CHANGES), max_size=8),
    seed=st.integers(0, 2**32),
)
def test_house_rules_are_played_as_the_judge_plays_them(
    base: str, changes: list[dict[str, Any]], seed: int
) -> None:
    assert disagreement(with_changes(base, changes), seed) is None


@pytest.mark.parametrize(
    "changes",
    [{}, {"base": "five_person_poker"}, {"base": "call_partner_5", "called_cards": 2}],
)
def test_where_revokes_are_punished_both_know_who_may_challenge_whom(
    changes: dict[str, object],
) -> None:
    rules = load({**changes, "renege": "penalised"})
    assert not any(disagreement(rules, seed) for seed in range(30))


def ended_by_revoke(rules: Rules, seed: int) -> tuple[Hand, JudgeHand] | None:
    """Return a hand at random that ends as soon as somebody may say that another revoked."""
    rng = Random(seed)
    hand = Hand.shuffled(rules, 0, seed)
    judge = judged(hand)
    while not hand.over:
        offender = shown_revoke(hand)
        text = random_action(hand, rng)
        if offender is not None:
            accuser = next(seat for seat in range(rules.seats) if offender in hand.may_accuse(seat))
            text = f"{accuser} challenge {offender}"
        hand, code, judges = both_act(hand, judge, text)
        assert code is judges is None
    return (hand, judge) if text.split()[1] == "challenge" else None


@pytest.mark.parametrize("own", ["yes", {"cap": 60}])
@pytest.mark.parametrize("tie", ["declarer", "shared"])
def test_whoever_has_revoked_has_made_no_contract(own: object, tie: str) -> None:
    few = {"ranks": [5, 6, 10, 14], "hand_size": 3, "nest_size": 5, "bid_minimum": 5}
    changes = {"own_contract_to_go_out": own, "tie": tie, "target": 120, "bid_maximum": 30}
    sun = {"special_bids": [{"name": "sun", "value": 35}]}
    rules = load({"renege": "penalised", **few, **changes, **sun})
    rng = Random(1)
    ended = [both for seed in range(100) if (both := ended_by_revoke(rules, seed))]
    assert len(ended) > 60
    for hand, judge in ended:
        assert comparable(hand.status()) == comparable(judge.result())
        assert [found for _ in range(10) if (found := other_totals(hand, judge, rng))] == []


def test_a_duty_to_beat_counts_the_rook_and_the_black_2_that_meet() -> None:
    few = {"ranks": [1, 2, 5, 10, 14], "hand_size": 4, "nest_size": 5}  # so that they often meet
    rules = load({"base": "black_2", "void_duty": "must_beat", **few})
    assert [found for seed in range(250) if (found := disagreement(rules, seed))] == []


@pytest.mark.parametrize("bid_maximum", [70, 75])
@pytest.mark.parametrize("exchange", ["all", {"up_to": 2}])
def test_a_deal_that_is_cancelled_by_itself_has_no_auction(
    bid_maximum: int, exchange: object
) -> None:
    rules = load(
        {
            "redeal": "auto",
            "counters": {"14": 20, "10": 10},
            "auction_form": "dealer_opens",
            "first_bidder": "dealer",
            "nest_exchange": exchange,
            "bid_minimum": 70,
            "bid_maximum": bid_maximum,
        }
    )
    cancelled = 0
    for seed in range(60):
        assert disagreement(rules, seed) is None
        hand = Hand.shuffled(rules, seed % rules.seats, seed)
        without = any(not pack_cards(cards) & hand.table.counters for cards in hand.dealt)
        assert (hand.phase == "redealt") == without
        if without:
            cancelled += 1
            assert (hand.state.bidder, hand.state.high, hand.state.calls) == (-1, 0, 0)
            assert (hand.state.declarer, hand.hidden.pickup) == (-1, 0)
            assert [pack_cards(cards) for cards in hand.dealt] == hand.hidden.hand[: rules.seats]
    assert 5 < cancelled < 55


def test_every_change_fits_some_variant() -> None:
    fits = [change for change in CHANGES if any(_fits(name, change) for name in catalog())]
    assert fits == CHANGES


def test_every_option_is_tried_and_the_judge_has_it() -> None:
    games = [variant(name).options() for name in catalog()]
    differ = {key for key in OPTIONS if any(game[key] != games[0][key] for game in games)}
    untried = set(OPTIONS) - differ - {key for change in CHANGES for key in change} - UNPLAYED
    assert not untried, f"add values to try to CHANGES in tests/laws/house.py: {sorted(untried)}"
    unknown = sorted(set(OPTIONS) - set(KD_TOURNAMENT))
    assert not unknown, f"play by them in tests/judge/, and add them to defaults.py: {unknown}"


def _fits(name: str, change: dict[str, Any]) -> bool:
    return with_changes(name, [change]) != variant(name)


def a_card_too_strong(table: RuleTable) -> dict[str, Any]:
    row = table.strength[: len(table.strength)]
    return {"strength": [99 if at % CARDS == ROOK - 12 else value for at, value in enumerate(row)]}


FAULTS: dict[str, Callable[[RuleTable], dict[str, Any]]] = {
    "a card that is too strong": a_card_too_strong,
    "the nest to the declarer": lambda table: {"nest_to": NEST_TO_DECLARER},
    "two card values exchanged": lambda table: {
        "group_value": [*table.group_value[1::-1], *table.group_value[2:]]
    },
    "partners side by side": lambda table: {
        "partners": [0b0011, 0b0011, 0b1100, 0b1100, *table.partners[4:]]
    },
    "another first lead": lambda table: {"first_lead": LEAD_DECLARER},
    "no privilege for the Rook": lambda table: {"any_time": [0] * ROWS},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_engine_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("kd_tournament")
    sound = compile_rules(rules)
    faulty = replace(sound, **FAULTS[fault](sound))
    monkeypatch.setattr("rookery.game.position.compile_rules", lambda _: faulty)
    assert any(disagreement(rules, seed) for seed in range(20))
