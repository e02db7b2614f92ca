"""With open cards: what the solver says of each position, and what its line scores."""

from __future__ import annotations

import pytest
from tests.review.matches import played

from rookery.game import Hand
from rookery.review import open_cards
from rookery.review.hand_review import steps_of
from rookery.review.open_cards import OpenPlay, margin_of, solvable
from rookery.rules import load
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


def test_what_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_cards, "LEAST", 1)
    hand = played(load("kd_tournament"), ["club", "random"] * 2, 6)
    plays = [step for step in steps_of(hand) if step.action.verb == "play"]
    hands = [*(step.before for step in plays), hand]
    cards = [step.action.cards[0] for step in plays]
    calm = OpenPlay(hands, cards)
    monkeypatch.setattr(open_cards, "NODES", 1)
    hurried = OpenPlay(hands, cards)
    assert hurried.values[0] is None
    assert hurried.margin(0, 0) is None
    assert calm.values.count(None) < hurried.values.count(None)  # the control


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
