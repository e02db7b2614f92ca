"""What a kernel bot is handed besides the open table."""

from __future__ import annotations

import pytest

from rookery.bots.seat_info import SeatInfo, observe
from rookery.engine.records import copy_of
from rookery.engine.state import TRUMP_CALL
from rookery.game import Hand
from rookery.rules import variant


@pytest.mark.parametrize("name", ["rook_two_1914", "rook_three_1914"])
def test_a_nest_that_is_not_taken_up_yet_is_not_shown(name: str) -> None:
    hand = Hand.shuffled(variant(name), dealer=0, seed=3)
    while hand.phase == "auction":
        hand = hand.act(f"{hand.to_act} pass")
    state, hidden = hand.state, hand.hidden
    assert state.phase == TRUMP_CALL
    assert hidden.nest
    swapped = copy_of(hidden)
    other = (state.declarer + 1) % hand.rules.seats
    mine, theirs = hidden.nest & -hidden.nest, hidden.hand[other] & -hidden.hand[other]
    swapped.nest ^= mine | theirs
    swapped.hand[other] ^= mine | theirs
    seen = []
    for world in (hidden, swapped):
        m = SeatInfo()
        observe(hand.table, state, world, m)
        seen.append(m)
    assert seen[0] == seen[1]


def test_the_declarer_sees_the_discards() -> None:
    hand = Hand.shuffled(variant("kd_tournament"), dealer=0, seed=3)
    while hand.phase == "auction":
        hand = hand.act(f"{hand.to_act} pass")
    hand = hand.act(next(iter(hand.legal())))
    m = SeatInfo()
    observe(hand.table, hand.state, hand.hidden, m)
    assert m.nest == hand.hidden.nest != 0
