"""A worker is told what its seat knows: worlds that the seat cannot tell apart look the same there.

Compared is every byte that goes to a worker.
"""

from __future__ import annotations

import pytest
from tests.search.test_secrets import twins

from rookery.bots.seat_info import SeatInfo
from rookery.game import Hand
from rookery.search.request import request_of
from rookery.server.bots import wire as bm
from rookery.server.bots.searching import question

GAMES = ["kd_tournament", "call_partner_5", "one_low_180", "wanamingo", "buckeye"]
OPTIONS = {"rollouts": "200", "ms": "500", "style": "steady"}


def told(hand: Hand) -> bytes:
    """Return all that a worker hears of a hand at the moment of a decision."""
    return bm.written(question(hand, SeatInfo(rng=11), OPTIONS, (5, 10) * 4, 700))


@pytest.mark.parametrize("name", GAMES)
def test_a_worker_is_told_the_same_of_worlds_that_its_seat_cannot_tell_apart(name: str) -> None:
    pairs = [pair for seed in (1, 2) for pair in twins(name, seed)]
    assert len(pairs) > 20
    for hand, other in pairs:
        assert told(hand) == told(other)


def test_a_question_that_tells_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control: the seat's own notes hold a card of another hand.
    def leaking(hand: Hand, mine: SeatInfo, totals: tuple[int, ...] = ()) -> object:
        seen = request_of(hand, mine, totals)
        seen.mine.memo[7] = hand.hidden.hand[((hand.to_act or 0) + 1) % hand.rules.seats]
        return seen

    monkeypatch.setattr("rookery.server.bots.searching.request_of", leaking)
    assert any(told(hand) != told(other) for hand, other in twins("kd_tournament", 1))


def test_a_question_holds_nothing_but_the_open_table_and_the_seats_own() -> None:
    for hand, _ in twins("kd_tournament", 1):
        asked = question(hand, SeatInfo(rng=11), OPTIONS, (), 700)
        seat, hidden = hand.to_act or 0, hand.hidden
        assert asked.request.state == hand.state
        own = hidden.hand[seat] | hidden.hand[hand.turn or 0]
        if seat == hand.state.declarer:
            own |= hidden.nest | hidden.pickup
        mine = asked.request.mine
        for held in (mine.hand, mine.cards, mine.nest, mine.pickup, *mine.memo):
            assert held & ~own == 0
