"""A hint's reason is true, says something of every move, and gives no hidden card away."""

from __future__ import annotations

from random import Random

import pytest
from tests.laws.playing import positions, random_action
from tests.test_view import exchanged, unknown_to

from rookery.bots.player import Player
from rookery.cards import unpack
from rookery.game import Hand
from rookery.rules import catalog, load, variant
from rookery.server.hints import REASONS, why


@pytest.mark.parametrize("name", sorted(catalog()))
def test_a_reason_stands_in_every_world_that_its_seat_cannot_tell_apart(name: str) -> None:
    rng = Random(name)
    for hand in positions(variant(name), 3):
        seat = hand.to_act
        if seat is None:
            continue
        text = random_action(hand, rng)
        hidden = list(unpack(unknown_to(hand, seat)))
        reason = why(hand, text)
        assert REASONS[reason.code] == reason.text
        if len(hidden) > 1 and hand.dummy is None:
            assert why(exchanged(hand, *rng.sample(hidden, 2)), text) == reason


def test_a_card_said_to_win_wins() -> None:
    seen: set[str] = set()
    players = [Player("club", seed=1, seat=seat) for seat in range(4)]
    for seed in range(25):
        hand = Hand.shuffled(load("kd_tournament"), seed % 4, seed)
        sure: int | None = None
        while not hand.over:
            seat = hand.to_act
            assert seat is not None
            after = players[seat].move(hand)
            code = why(hand, after.actions[-1]).code
            seen.add(code)
            if code in ("lead-sure", "win-last", "win-sure"):
                sure = seat
            if len(after.tricks) > len(hand.tricks):
                if sure is not None:
                    assert after.tricks[-1].winner == sure
                sure = None
            hand = after
    assert {"win-last", "lead-sure", "give-partner", "bid-worth", "pass-partner"} <= seen
