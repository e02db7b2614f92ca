"""Tries of the training examples are the rollouts of the search, world by world."""

from __future__ import annotations

from dataclasses import dataclass

from tests.learn.networks import any_net
from tests.search.positions import scripted

from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.state import Hidden, State
from rookery.game import Hand
from rookery.learn.examples import try_cards
from rookery.learn.net import numbers_of
from rookery.learn.scoring import WORK
from rookery.rules import load
from rookery.rules.table import PLACES
from rookery.search.kernels import begin_search, run_rollouts
from rookery.search.state import SearchState
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM


@dataclass
class Tried:
    """The results of some tries, and the dice afterwards."""

    search: SearchState
    rng: int
    worlds: list[int]


def tried(hand: Hand, by: str, learned: int = 0) -> Tried:
    """Return the results of three worlds for the seat to act."""
    net = numbers_of(any_net(7))
    m, k, search, inner = SeatInfo(rng=11), Constraints(), SearchState(called=1), SearchState()
    world, trial, closed = Hidden(), State(), Hidden()
    seats, ways = [SeatInfo() for _ in range(PLACES)], [0.0] * ROOM
    state = hand.state
    observe_trick(hand.table, state, hand.hidden, m)
    search.bid[state.declarer] = search.bid_over[state.declarer] = state.contract
    begin_search(hand.table, state, m, k, world, search, ways)
    given = (hand.table, state, m, k, world, trial, closed, seats, search, ways, 3)
    if by == "search":
        run_rollouts(*given[:-1], State(), given[-1])
    else:
        try_cards(*given, inner, net, [0.0] * WORK, learned)
    return Tried(search, m.rng, world.hand)


def test_tries_by_the_script_are_the_same_in_the_search_and_beside_the_network() -> None:
    looked_at = differs = 0
    for name in ("kd_tournament", "call_partner_5", "one_low_180"):
        for at, hand in enumerate(scripted(Hand.shuffled(load(name), dealer=0, seed=6))):
            if hand.phase != "play" or at % 6:
                continue
            expected = tried(hand, "search")
            if expected.search.count < 2:
                continue
            looked_at += 1
            assert tried(hand, "beside") == expected
            assert expected.search.rollouts[: expected.search.count] == [3] * expected.search.count
            # The control: where everybody plays on by the network, the results differ.
            everybody = (1 << hand.rules.seats) - 1
            differs += tried(hand, "beside", everybody) != expected
    assert looked_at > 9
    assert differs > looked_at // 2
