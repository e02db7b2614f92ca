"""What each card is worth with open hands is what the solver says of each hand by itself."""

from __future__ import annotations

import pytest
from tests.review.matches import played

from rookery.cards import parse_card
from rookery.game import Hand
from rookery.review import open_cards
from rookery.review.open_cards import OpenValues
from rookery.rules import load
from rookery.solver.solution import solve

GAMES = ["kd_tournament", "call_partner_5", "house_001"]


def late(name: str, seed: int) -> list[Hand]:
    """Return the positions of a hand's last tricks."""
    rules = load(name)
    bots = ["club", "random"] * rules.seats
    whole = played(rules, bots[: rules.seats], seed)
    length = len(whole.actions)
    return [played(rules, bots[: rules.seats], seed, at) for at in range(length - 16, length - 4)]


@pytest.mark.parametrize("name", GAMES)
def test_the_values_are_the_solvers_own(name: str) -> None:
    signs = set()
    values = OpenValues(late(name, 6)[0].table)
    for hand in late(name, 6):
        found = solve(hand)
        cards = [parse_card(one.card, hand.rules.pack) for one in found.cards]
        side = found.turn in found.side
        points = values.of(hand.state, [hand.hidden, hand.hidden], cards)
        assert points is not None
        wanted = [one.low if side else -one.low for one in found.cards]
        assert points.tolist() == [wanted, wanted]
        signs.add(side)
    assert signs == {True, False}


def test_what_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = played(load("kd_tournament"), ["club"] * 4, 6, 14)
    assert hand.phase == "play"
    cards = [parse_card(name, hand.rules.pack) for name in [one.card for one in solve(hand).cards]]
    assert OpenValues(hand.table).of(hand.state, [hand.hidden], cards) is not None  # the control
    monkeypatch.setattr(open_cards, "NODES", 1)
    assert OpenValues(hand.table).of(hand.state, [hand.hidden], cards) is None
