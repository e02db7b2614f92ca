"""`solve`: values of cards, lines of play, limits, and what it refuses."""

from __future__ import annotations

from random import Random

import pytest
from tests.laws.playing import random_action

from rookery.game import Hand
from rookery.rules import Rules, catalog, load
from rookery.solver import solution
from rookery.solver.solution import Unsolvable, solve


@pytest.fixture(autouse=True)
def nothing_is_compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "numba" not in request.keywords:
        monkeypatch.setattr(solution, "FEW_CARDS", 100)


def ending(rules: Rules, seed: int, tricks: int, played: int = 0) -> Hand:
    """Return a hand played at random until so many tricks are left."""
    rng = Random(seed)
    while True:
        hand = Hand.shuffled(rules, seed % rules.seats, rng.getrandbits(60))
        while not hand.over:
            late = len(hand.tricks) >= rules.hand_size - tricks
            if hand.phase == "play" and late and len(hand.trick) >= played:
                return hand
            hand = hand.act(random_action(hand, rng))


@pytest.mark.parametrize("name", sorted(catalog()))
def test_the_line_ends_with_the_value_in_every_variant(name: str) -> None:
    for seed in range(2):
        hand = ending(load(name), seed, 2, seed)
        found = solve(hand)
        assert found.points == found.low == found.high
        for action in found.line:
            hand = hand.act(action)
        assert hand.over
        assert {hand.state.points[seat] for seat in found.side} == {found.points}


def test_a_card_is_worth_what_the_position_after_it_is_worth() -> None:
    for name in ("kd_tournament", "five_person_poker", "rook_three_1914"):
        hand = ending(load(name), 4, 3, 1)
        found = solve(hand)
        assert {f"play {card.card}" for card in found.cards} == set(hand.legal().as_json())
        best = (max if hand.turn in found.side else min)(card.low for card in found.cards)
        assert best == found.points
        for card in found.cards:
            after = solve(hand.act(f"{hand.turn} play {card.card}"))
            assert card.low == card.high == after.points
            assert card.best == (card.low == best)


@pytest.mark.numba
@pytest.mark.slow
def test_compiled_and_plain_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("kd_tournament", "call_partner_5", "low_card_no_trump"):
        hand = ending(load(name), 6, 4, 1)
        compiled = solve(hand)
        with monkeypatch.context() as patch:
            patch.setattr(solution, "FEW_CARDS", 100)
            plain = solve(hand)
        for field in ("points", "cards", "line", "nodes"):
            assert getattr(compiled, field) == getattr(plain, field)


@pytest.mark.numba
@pytest.mark.slow
def test_bounds_close_in_while_time_runs() -> None:
    hand = ending(load("one_low_180"), 3, 13)
    spans = []
    for nodes in (100, 300_000, 3_000_000):
        found = solve(hand, nodes=nodes)
        assert 0 <= found.low <= found.high <= 180
        spans.append(found.high - found.low)
    assert spans == sorted(spans, reverse=True)
    assert spans[0] == 180 > spans[2]


def test_a_limit_leaves_bounds_that_hold() -> None:
    hand = ending(load("kd_tournament"), 8, 3)
    exact = solve(hand).points
    assert exact is not None
    for nodes in (1, 10, 30, 100):
        found = solve(hand, nodes=nodes)
        assert found.low <= exact <= found.high
        assert found.nodes <= nodes
        assert (found.points is None) == (found.low != found.high)
        for card in found.cards:
            assert card.low <= card.high
    assert solve(hand, nodes=1).points is None
    assert solve(hand, seconds=60).points == exact


# What is found depends on when another target is tried and, in the second, on the memory's size.
@pytest.mark.parametrize(
    ("name", "tricks", "nodes"),
    [("kd_tournament", 8, 6_000), ("rook_three_1914", 9, 150_000)],
)
def test_a_limit_of_nodes_says_the_same_whatever_runs_it(
    monkeypatch: pytest.MonkeyPatch, name: str, tricks: int, nodes: int
) -> None:
    monkeypatch.setattr(solution, "FEW_CARDS", 0)
    hand = ending(load(name), 2, tricks)
    told = []
    for target in ("native", "python"):
        monkeypatch.setattr(solution, "for_table", lambda *_, target=target: target)
        told.append(solve(hand, nodes=nodes).model_dump(exclude={"ms"}))
    assert told[0] == told[1]
    # Not settled, yet something is known.
    assert 0 < told[0]["low"] < told[0]["high"] < 120


def test_a_line_is_told_although_not_every_card_is_valued() -> None:
    hand = ending(load("kd_tournament"), 2, 5)
    whole = solve(hand)
    found = solve(hand, nodes=whole.nodes // 3)
    assert any(card.low < card.high for card in found.cards)
    assert found.points == whole.points
    first = next(card for card in found.cards if card.card == found.line[0].split()[-1])
    assert (first.low, first.high, first.best) == (found.points, found.points, True)
    assert len(found.line) == len(whole.line)


def test_the_contract_is_held_against_the_value() -> None:
    made = set()
    for seed in range(6):
        found = solve(ending(load("kd_tournament"), seed, 2))
        assert found.contract is not None
        assert found.points is not None
        assert found.made == (found.points >= found.contract)
        made.add(found.made)
    assert made == {True, False}


def test_without_a_contract_the_side_of_the_seat_to_act_is_solved() -> None:
    rules = load({"base": "kd_tournament", "all_pass": "no_contract"})
    hand = Hand.shuffled(rules, 0, 5)
    for seat in (1, 2, 3, 0):
        hand = hand.act(f"{seat} pass")
    rng = Random(1)
    while len(hand.tricks) < 7:
        hand = hand.act(random_action(hand, rng))
    found = solve(hand)
    assert (found.contract, found.made) == (None, None)
    assert found.to_act in found.side
    assert len(found.side) == 2


def test_a_dummys_card_is_the_declarers_decision() -> None:
    rules = load("display")
    hand = ending(rules, 3, 2)
    while hand.turn != hand.dummy:
        hand = ending(rules, Random(str(tuple(map(str, hand.actions)))).getrandbits(20), 2, 1)
    found = solve(hand)
    assert (found.to_act, found.turn) == (hand.declarer, hand.dummy)


def test_phases_without_play_are_refused_by_name() -> None:
    hand = Hand.shuffled(load("kd_tournament"), 0, 7)
    with pytest.raises(Unsolvable, match="in its auction; solving begins with the play"):
        solve(hand)
    for action in ("1 bid 120", "1 discard"):
        if action.endswith("discard"):
            with pytest.raises(Unsolvable, match="waiting for the discard"):
                solve(hand)
        else:
            hand = hand.act(action)
    rng = Random(1)
    while not hand.over:
        hand = hand.act(random_action(hand, rng))
    with pytest.raises(Unsolvable, match="over") as refused:
        solve(hand)
    assert refused.value.code == "hand-over"


@pytest.mark.parametrize(
    "limit",
    [
        {"seconds": 0.0},
        {"nodes": 0},
        {"seconds": float("nan")},
        {"seconds": "5"},
        {"nodes": float("inf")},
    ],
)
def test_a_limit_that_is_none_is_refused(limit: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(limit))} is .*; expected a .*number"):
        solve(ending(load("kd_tournament"), 1, 1), **limit)  # type: ignore[arg-type]
