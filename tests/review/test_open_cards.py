"""With open cards: what the solver says of each position, and what its line scores."""

from __future__ import annotations

import pytest
from tests.hands import SMALL
from tests.review.matches import played

from rookery.cards import unpack
from rookery.engine.score import side_of
from rookery.engine.trick import following
from rookery.game import Hand
from rookery.review import open_cards
from rookery.review.hand_review import steps_of
from rookery.review.open_cards import OpenPlay, margin_of, solvable
from rookery.rules import catalog, load
from rookery.search.endgame import points_decide
from rookery.solver.solution import solve

GAMES = ["kd_tournament", "call_partner_5", "house_001", "display", "wanamingo"]


def walk(hand: Hand, last: int = 100) -> tuple[list[Hand], OpenPlay]:
    """Return a hand's positions in its play, the last so many cards, and what they were worth."""
    plays = [step for step in steps_of(hand) if step.action.verb == "play"][-last:]
    hands = [*(step.before for step in plays), hand]
    return hands, OpenPlay(hands, [step.action.cards[0] for step in plays])


@pytest.mark.parametrize("name", GAMES)
def test_the_values_along_the_play_are_those_of_the_solver(name: str) -> None:
    rules = load(name)
    hand = played(rules, ["club", "random"] * rules.seats, 6)
    hands, found = walk(hand, 12)
    for at, position in enumerate(hands[:-1]):
        assert found.values[at] == solve(position).points
    assert len(set(found.values)) > 1 or name != "kd_tournament"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_given_away_adds_up_to_how_the_hand_ended(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_cards, "IN_ALL", 1_000_000)
    rules = load(name)
    hand = played(rules, ["club", "random"] * rules.seats, 6)
    hands, found = walk(hand)
    seat = hand.declarer or 0
    known = [at for at, value in enumerate(found.values[:-1]) if value is not None]
    assert known
    moves = 0.0
    for at in known[:-1]:
        before, after = found.margin(at, seat), found.margin(at + 1, seat)
        if before is None or after is None:
            continue
        ours = hands[at].hidden.allies >> hands[at].state.turn & 1
        assert (after <= before) if ours else (after >= before)
        moves += after - before
    last = found.margin(known[-1], seat)
    assert last == margin_of(hand, hand.state, seat)
    if known == list(range(len(found.values) - 1)):
        assert (found.margin(0, seat) or 0) + moves == pytest.approx(last)


def best_score(hand: Hand, seat: int) -> float:
    """Return a seat's margin if everybody plays their best for the score: all lines are tried."""
    if hand.over:
        return margin_of(hand, hand.state, seat)
    s = hand.state
    lines = [
        best_score(hand.do(card), seat)
        for card in unpack(following(hand.table, s, hand.hidden.hand[s.turn]))
    ]
    return max(lines) if side_of(hand.table, hand.hidden, seat) >> s.turn & 1 else min(lines)


def title(rules: str | dict[str, object]) -> str:
    return rules if isinstance(rules, str) else " ".join(map(str, [*rules.values()][-2:]))


FEW = {**SMALL, "ranks": [8, 9, 14], "hand_size": 3}
SWEEPS = [
    {**FEW, "sweep_value": value, "sweep_test": test}
    for value in ({"add": 30}, {"replace": 200})
    for test in ("all_tricks", "all_points", "either_side_all_points")
]
TIES = {
    **SMALL,
    "ranks": [7, 8, 9, 14],
    "hand_size": 4,
    "trick_bonus": "majority",
    "trick_bonus_value": 20,
}


@pytest.mark.parametrize("rules", [*catalog(), *SWEEPS, TIES], ids=title)
def test_what_is_known_of_the_score_is_what_best_play_scores(
    rules: str | dict[str, object],
) -> None:
    game, seen, known = load(rules), 0, 0
    for seed in range(40 if isinstance(rules, dict) else 6):
        hand = played(game, ["random"] * game.seats, seed)
        if hand.declarer is None:
            continue
        hands, found = walk(hand, 2 * game.seats)
        decides = [points_decide(one.table, one.state, one.hidden) for one in hands]
        assert decides == sorted(decides), "once points decide, they do to the end"
        for at in range(len(hands) - 1):
            if solvable(hands[at]):
                seen += 1
                margin = found.margin(at, 0)
                if margin is not None:
                    assert margin == pytest.approx(best_score(hands[at], 0)), (seed, at)
                    known += 1
    assert known or not seen


def test_where_nobody_may_get_a_bonus_points_do_not_tell_the_score() -> None:
    """Seven tricks each, and nobody gets the 20 points of the majority: 20 points worse."""
    hand = played(load("regular_partnership"), ["random"] * 4, 47)
    hands, found = walk(hand, len(hand.actions) - 56)
    assert hand.actions[56].words == "play R7"
    assert best_score(hands[0], 2) - best_score(hands[1], 2) == 20
    assert solve(hands[0]).points == solve(hands[1]).points
    assert found.margin(0, 2) is None


def test_what_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_cards, "LEAST", 1)
    hand = played(load("kd_tournament"), ["club", "random"] * 2, 6)
    plays = [step for step in steps_of(hand) if step.action.verb == "play"]
    hands = [*(step.before for step in plays), hand]
    cards = [step.action.cards[0] for step in plays]
    calm = OpenPlay(hands, cards).values
    monkeypatch.setattr(open_cards, "NODES", 1)
    hurried = OpenPlay(hands, cards)
    assert hurried.values[0] is None
    assert hurried.margin(0, 0) is None
    assert calm.count(None) < hurried.values.count(None)  # the control


@pytest.mark.parametrize(
    ("rules", "two_sides"),
    [
        ({"base": "kd_tournament"}, True),
        ({"base": "call_partner_5"}, True),
        ({"base": "dixie_6"}, True),
        ({"base": "dixie_6", "partnership": "fixed_opposite"}, False),
        ({"base": "rook_three_1914"}, False),
        ({"base": "rook_two_1914"}, False),
    ],
)
def test_only_a_contest_of_two_sides_is_solved(rules: dict[str, object], two_sides: bool) -> None:
    game = load(rules)
    hand = played(game, ["club"] * game.seats, 3)
    assert hand.declarer is not None
    first = next(step for step in steps_of(hand) if step.action.verb == "play")
    assert solvable(first.before) == two_sides
    assert not solvable(hand)


def test_without_a_contract_nothing_is_solved() -> None:
    hand = Hand.shuffled(load({"base": "kd_tournament", "all_pass": "no_contract"}), 0, 1)
    for seat in (1, 2, 3, 0):
        hand = hand.act(f"{seat} pass")
    assert hand.phase == "play"
    assert not solvable(hand)


def test_a_card_thrown_away_shows() -> None:
    rules = load("kd_tournament")
    seen = 0
    for seed in range(4):
        hand = played(rules, ["random"] * 4, seed)
        steps = steps_of(hand)
        hands, found = walk(hand, 16)
        for at in range(15):
            if found.values[at] != found.values[at + 1]:
                best = {one.card: one.best for one in solve(hands[at]).cards}
                (card,) = hand.names(steps[len(hands[at].actions)].action.cards)
                assert not best[card]
                seen += 1
    assert seen > 3


def test_where_points_never_decide_only_the_contract_is_solved() -> None:
    """Nobody asks for the other values, and they are most of the work of a review."""
    prevented, rules = load("kd_tournament"), load({"base": "kd_tournament", "renege": "penalised"})
    hand = Hand.shuffled(prevented, 2, 6).act_all(
        played(prevented, ["club", "random"] * 2, 6).actions
    )
    same = Hand.shuffled(rules, 2, 6).act_all(hand.actions)
    (_, solved), (_, found) = walk(hand, 20), walk(same, 20)
    assert found.values == [solved.values[0], *[None] * 20]
    end, best = found.end(0), solved.end(0)
    assert end is not None
    assert best is not None
    assert (end.made, end.points) == (best.made, best.points)
