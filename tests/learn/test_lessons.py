"""Tries that no seat plays by the network are those of the search, world by world."""

from __future__ import annotations

from dataclasses import dataclass

from tests.learn.networks import any_net
from tests.search.positions import scripted

from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.state import Hidden, State
from rookery.game import Hand
from rookery.learn.examples import try_cards
from rookery.learn.net import workspace_for
from rookery.rules import load
from rookery.rules.table import PLACES
from rookery.search.expert import begin_thought, try_worlds
from rookery.search.thought import Thought
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM


@dataclass
class Tried:
    """What came of some tries, and where the dice are then."""

    t: Thought
    rng: int
    worlds: list[int]


def tried(hand: Hand, by: str, learned: int = 0) -> Tried:
    """Return what comes of three worlds for the seat to act."""
    net = any_net(7)
    m, k, t, inner = SeatInfo(rng=11), Constraints(), Thought(heard=1), Thought()
    world, trial, closed = Hidden(), State(), Hidden()
    cast, ways = [SeatInfo() for _ in range(PLACES)], [0.0] * ROOM
    state = hand.state
    observe_trick(hand.table, state, hand.hidden, m)
    t.bid_at[state.declarer] = t.bid_price[state.declarer] = state.contract
    begin_thought(hand.table, state, m, k, world, t, ways)
    told = (hand.table, state, m, k, world, trial, closed, cast, t, ways, 3)
    if by == "search":
        try_worlds(*told[:-1], State(), told[-1])
    else:
        try_cards(*told, inner, net, workspace_for(net), learned)
    return Tried(t, m.rng, world.hand)


def test_tries_by_the_script_are_the_same_in_the_search_and_beside_the_network() -> None:
    looked_at = differs = 0
    for name in ("kd_tournament", "call_partner_5", "one_low_180"):
        for at, hand in enumerate(scripted(Hand.shuffled(load(name), dealer=0, seed=6))):
            if hand.phase != "play" or at % 6:
                continue
            expected = tried(hand, "search")
            if expected.t.count < 2:
                continue
            looked_at += 1
            assert tried(hand, "beside") == expected
            assert expected.t.tried[: expected.t.count] == [3] * expected.t.count
            # The control: where everybody plays on by the network, they come out otherwise.
            everybody = (1 << hand.rules.seats) - 1
            differs += tried(hand, "beside", everybody) != expected
    assert looked_at > 9
    assert differs > looked_at // 2
