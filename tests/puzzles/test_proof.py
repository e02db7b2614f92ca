"""What is a puzzle and what is none: planted positions with known answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.puzzles.positions import SAMPLE, cannot_tell, closed
from tests.review.matches import played
from tests.search.test_secrets import exchanged

from rookery.cards import unpack
from rookery.game import Action, Hand
from rookery.puzzles import proof
from rookery.puzzles.proof import (
    POINTS,
    TURNS,
    NoPuzzle,
    Prover,
    is_choice,
    offered,
    stands_out,
)
from rookery.puzzles.puzzle import Puzzle
from rookery.puzzles.shelf import shelf
from rookery.review.inference import infer
from rookery.review.judge import Judge, Judgement, Weighed
from rookery.review.open_cards import OpenValues, solvable
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.state import equal

GAME = "kd_tournament"
FRESH = 987_654_321


@cache
def prover(name: str, seed: int = 1, rollouts: int = 4000) -> Prover:
    return Prover(load(name), seed, rollouts)


def sure_either_way() -> Iterator[Hand]:
    """Yield positions with two cards left that both take their tricks whatever others hold."""
    rules = load(GAME)
    for seed in range(80):
        for hand in played(rules, ["club"] * 4, seed).positions():
            late = hand.phase == "play" and rules.hand_size - len(hand.tricks) == 2
            if not late or hand.trick:
                continue
            known = infer(hand)
            cards = list(unpack(known.choice))
            others = known.with_others(-1 & (1 << 57) - 1)
            if all(map(known.sure, cards)) and not equal(
                hand.table, hand.state.row, cards[0], cards[1], others
            ):
                yield hand


def test_two_right_answers_are_refused() -> None:
    planted = [hand for hand, _ in zip(sure_either_way(), range(3), strict=False)]
    assert planted
    for hand in planted:
        assert is_choice(hand)
        assert not prover(GAME).candidate(hand, 1)
        with pytest.raises(NoPuzzle) as refused:
            prover(GAME).prove(hand, 1)
        assert refused.value.code == "two-answers"


def open_answer(hand: Hand) -> int | None:
    """Return the card that open hands make better than every other by the bar, if one is."""
    cards = list(unpack(infer(hand).choice))
    values = OpenValues(hand.table).of(hand.state, [hand.hidden], cards)
    if values is None or len(cards) < 2:
        return None
    order = values[0].argsort()
    ahead = values[0][order[-1]] - values[0][order[-2]]
    return cards[order[-1]] if ahead >= POINTS else None


def only_with_open_hands() -> Iterator[tuple[Hand, Hand]]:
    """Yield hands that their seat cannot tell apart, with different answers if they were open."""
    rules = load(GAME)
    for seed in range(1, 12):
        for hand in played(rules, ["club", "random"] * 2, seed).positions():
            late = hand.phase == "play" and 2 <= rules.hand_size - len(hand.tricks) <= 4
            if not late or not is_choice(hand) or not solvable(hand):
                continue
            one = open_answer(hand)
            for swap in combinations(closed(hand), 2) if one is not None else ():
                other = exchanged(hand, *swap)
                if other is None or not cannot_tell(hand, other):
                    continue
                if open_answer(other) not in (one, None):
                    yield hand, other
                    break


def test_open_hands_do_not_agree_to_what_gives_a_bonus_away() -> None:
    """Both cards bring as many points. After one nobody gets the 20 of the majority."""
    hand = played(load("regular_partnership"), ["random"] * 4, 47, 56)
    cards = [hand.parse(f"{hand.turn} play {name}") for name in ("G10", "R7")]
    judge = prover("regular_partnership")
    assert judge._open_agrees(hand, cards, 1)
    assert not judge._open_agrees(hand, cards[::-1], 1)


def test_what_only_open_hands_solve_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = [pair for pair, _ in zip(only_with_open_hands(), range(6), strict=False)]
    assert len(planted) == 6
    peeping = Prover(load(GAME), 1, 4000)
    peeping._first = peeping._second = Judge(load(GAME), 400, 1, perfect_information=True)
    monkeypatch.setattr(peeping, "_is_seconded", lambda hand, tried, place: True)
    seen = 0
    for pair in planted:
        refusals = 0
        for hand in pair:
            try:
                prover(GAME).prove(hand, 1)
            except NoPuzzle:
                refusals += 1
            try:
                peeping.prove(hand, 1)
                seen += 1
            except NoPuzzle:
                pass
        assert refusals >= 1  # the seat sees one position; at most one of two answers is its own
    assert seen > 6  # the control: whoever looks at the cards finds an answer in these


def test_a_decision_with_one_legal_card_is_no_puzzle() -> None:
    rules = load(GAME)
    last = played(rules, ["club"] * 4, 3, 44)
    assert not is_choice(last)
    with pytest.raises(NoPuzzle, match="no-choice"):
        prover(GAME).prove(last, 1)


def test_whoever_has_to_bid_or_does_not_know_their_partner_yet_has_no_choice() -> None:
    assert is_choice(Hand.shuffled(load(GAME), dealer=0, seed=7))
    for hand in played(load(GAME), ["club"] * 4, 3).positions():
        assert not is_choice(hand) or hand.phase in ("auction", "nest", "play")
    called = played(load("call_partner_4"), ["club"] * 4, 3)
    (discarding,) = (hand for hand in called.positions() if hand.phase == "nest")
    assert len(discarding.legal_numbers()) > 1
    assert not is_choice(discarding)
    for name in ("rook_1906_8", "call_partner_4"):
        hand = Hand.shuffled(load(name), dealer=0, seed=7)
        assert hand.phase == "auction"
        assert len(hand.legal_numbers()) > 1
        assert not is_choice(hand)


@pytest.mark.parametrize("looks", [True, False])
def test_a_discard_that_another_one_beats_is_refused(
    monkeypatch: pytest.MonkeyPatch, looks: bool
) -> None:
    """The second best of a puzzle passes for right where nobody names the best, but for a look."""
    puzzle = next(
        one
        for one in shelf()
        if one.part == "nest"
        and len(one.choices) > 2
        and one.choices[1].margin - one.choices[2].margin > 2 * POINTS
    )
    worse = [puzzle.action_of(one.actions[0]) for one in puzzle.choices[1:]]
    monkeypatch.setattr(proof, "discards_to_try", lambda judge, hand, place: worse)
    monkeypatch.setattr(Prover, "_near_misses", lambda self, hand, place: [])
    monkeypatch.setattr(Prover, "_open_agrees", lambda self, hand, tried, place: True)
    monkeypatch.setattr(Prover, "_is_seconded", lambda self, hand, tried, place: True)
    # The search finds none that is better either: an exchange of one card has to tell.
    monkeypatch.setattr(Judgement, "sure", False)
    here = prover(puzzle.rules_name)
    if looks:
        with pytest.raises(NoPuzzle, match="better-discard"):
            here.prove(puzzle.hand, 1)
    else:  # the control
        monkeypatch.setattr(proof, "exchanges", lambda judge, hand, discard, place: [])
        assert here.prove(puzzle.hand, 1)[0].actions == puzzle.choices[1].actions


def test_a_discard_nearly_as_good_is_left_out_but_not_once_it_is_a_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There always are some at first; where a second proof finds one, the puzzle falls."""
    hand = next(one.hand for one in shelf() if one.part == "nest" and one.rules_name == GAME)
    actions = [*islice(hand.legal(), 3)]
    tried = [
        Weighed(action, margin, error, None)
        for action, margin, error in zip(actions, (20.0, 19.0, 5.0), (0.0, 1.0, 1.0), strict=True)
    ]
    judge: Any = SimpleNamespace(among=lambda hand, actions, place: tried)
    monkeypatch.setattr(proof, "discards_to_try", lambda judge, hand, place: actions)
    assert prover(GAME)._tried(judge, hand, 1) == [tried[0], tried[2]]
    assert prover(GAME)._tried(judge, hand, 1, actions) == tried


def test_wrong_discards_lie_near_and_look_like_the_right_one() -> None:
    """They miss by the bar, and each of four has as many cards in common with the others."""
    squares = 0
    for puzzle in (one for one in shelf() if one.part == "nest"):
        cards = [set(one.actions[0].split()[1:]) for one in puzzle.choices]
        if len(cards) == 4:
            common = [sum(len(one & other) for other in cards) for one in cards]
            squares += len(set(common)) == 1
    assert squares > 50


def test_the_calls_that_are_offered_do_not_hang_on_the_answer() -> None:
    """Whatever is right: what is no bid in points, the lowest bid, and one higher on the ladder."""
    rng = Random(3)
    calls = ["pass", "redeal", *(f"bid {points}" for points in (70, 75, 80, 90, 105, 130, 170))]
    for right in calls:
        rest = [call for call in calls if call != right]
        rng.shuffle(rest)
        tried = [
            Weighed(Action.parse(f"0 {call}"), -5.0 * at, 1.0, None)
            for at, call in enumerate([right, *rest])
        ]
        listed = {one.action.words for one in offered(tried)}
        assert listed == {"pass", "redeal", "bid 70", "bid 130"}


def test_the_calls_that_ship_give_nothing_away() -> None:
    """Whoever sees the words of the choices alone finds no more than the commonest answer."""
    auctions = [one for one in shelf() if one.part == "auction"]
    shapes: dict[tuple[int, bool], Counter[str]] = {}
    for one in auctions:
        words = [choice.actions[0] for choice in one.choices]
        bids = sorted(int(call.split()[1]) for call in words if call[-1].isdigit())
        shape = len(bids), len(words) > len(bids)
        right = one.right.actions[0]
        shapes.setdefault(shape, Counter())[right if right == "pass" else "bid"] += 1
        if right != "pass":
            assert right in (f"bid {bids[0]}", f"bid {bids[-1]}")
    found = sum(max(some.values()) for some in shapes.values())
    assert found < 0.7 * len(auctions)


def planted_call(hand: Hand, right: str, better: str = "", ends: int = 1) -> list[Choice]:
    """Return what a judge might say: `right` is best of the usual ones, `better` still better."""
    choices = []
    for number in hand.legal_numbers():
        words = hand.action_of(number).words
        margin = 40.0 if words == better else 20.0 if words == right else -20.0
        choices.append(Choice(number, 1000, margin, 0.6, 500 * ends, 300 * ends, 0.1, 0.1))
    return sorted(choices, key=lambda one: -one.margin)


@pytest.mark.parametrize(
    ("calls", "right", "better", "ends", "code"),
    [
        ((), "pass", "", 1, None),
        ((), "bid 70", "", 1, None),
        ((), "bid 70", "bid 80", 1, "better-bid"),
        ((), "pass", "", 0, "empty-bid"),
        ((), "bid 70", "", 0, "empty-bid"),
        (("bid 70", "pass"), "pass", "", 1, None),
        (("pass", "bid 70", "pass"), "pass", "", 1, "partner-has-it"),
        (("pass", "bid 70", "pass"), "bid 75", "", 1, "partner-has-it"),
        (("bid 70", "pass", "bid 75", "pass"), "pass", "", 1, "partner-has-it"),
    ],
)
def test_a_call_is_refused_beside_a_better_one_or_if_it_is_no_question(
    monkeypatch: pytest.MonkeyPatch,
    calls: tuple[str, ...],
    right: str,
    better: str,
    ends: int,
    code: str | None,
) -> None:
    hand = Hand.shuffled(load(GAME), dealer=3, seed=7)
    for call in calls:
        hand = hand.act(f"{hand.turn} {call}")
    told = planted_call(hand, right, better, ends)
    monkeypatch.setattr(Judge, "choices", lambda self, hand, place, also=None: told)
    monkeypatch.setattr(Prover, "_open_agrees", lambda self, hand, tried, place: True)
    monkeypatch.setattr(Prover, "_is_seconded", lambda self, hand, tried, place: True)
    if code is None:
        assert prover(GAME).prove(hand, 1)[0].actions == (right,)
    else:
        with pytest.raises(NoPuzzle) as refused:
            prover(GAME).prove(hand, 1)
        assert refused.value.code == code


def test_the_bar() -> None:
    best = Weighed(Action.parse("0 pass"), 20.0, 0.0, 0.9)
    near = best._replace(margin=20.0 - POINTS)
    assert stands_out([best, near])
    assert not stands_out([best, near._replace(margin=near.margin + 0.1)])
    assert not stands_out([best, near._replace(error=0.1)])
    assert not stands_out([best, near, near._replace(margin=15.0)])
    turned = best._replace(margin=19.0, error=0.3, making=0.9 - TURNS)
    assert stands_out([best, turned])
    assert not stands_out([best, turned._replace(error=0.4)])
    assert not stands_out([best._replace(making=1.0), turned._replace(making=0.6)])
    assert not stands_out([best])


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", SAMPLE[::6], ids=lambda one: f"{one.rules_name}-{one.id}")
def test_a_fresh_seed_finds_the_same_answer_by_the_bar(puzzle: Puzzle) -> None:
    judge, hand = prover(puzzle.rules_name, FRESH), puzzle.hand
    listed = [puzzle.action_of(one.actions[0]) for one in puzzle.choices]
    again = judge._tried(judge._second, hand, 7, listed)
    assert again[0].action.words == puzzle.right.actions[0]
    assert stands_out(again, errors=0.0)
