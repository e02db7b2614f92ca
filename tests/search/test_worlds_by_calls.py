"""Calls tell which worlds are likely, partners trust each other's bids, styles differ."""

from __future__ import annotations

import pytest
from tests.search.positions import searchers, seated_anew

from rookery.bots.club.calls import best_call
from rookery.bots.seat_info import SeatInfo, observe
from rookery.engine.actions import BID, PASS
from rookery.engine.state import Hidden
from rookery.game import Hand
from rookery.rules import load
from rookery.rules.table import compile_rules
from rookery.search.request import Call, calls_of
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.search.state import SearchState, note_calls
from rookery.search.worlds import calls_weight, draw_by_calls
from rookery.solver.constraints import Constraints, find_constraints
from rookery.solver.sample import ROOM, count_worlds, draw_world

RULES = load("kd_tournament")
TABLE = compile_rules(RULES)
SUITS = TABLE.calls & 15


def after(*actions: str, seed: int = 5) -> Hand:
    hand = Hand.shuffled(RULES, dealer=0, seed=seed)
    for action in actions:
        hand = hand.act(action)
    return hand


def hopes(hand: Hand, seat: int, *, heeded: bool) -> float:
    """Return what `seat` could hope for, the mean over worlds drawn by the seat to act."""
    search = SearchState()
    note_calls(TABLE, search, calls_of(hand))
    m, k, world, ways = SeatInfo(), Constraints(), Hidden(rng=3), [0.0] * ROOM
    state = hand.state
    observe(TABLE, state, hand.hidden, m)
    find_constraints(TABLE, state, m, k)
    assert count_worlds(k, ways)
    total = 0
    for _ in range(200):
        if heeded:
            draw_by_calls(TABLE, state, m.seat, k, world, search, ways)
        else:
            draw_world(TABLE, state, k, world, ways)
        total += best_call(TABLE, world.hand[seat], SUITS, seat) >> 4
    return total / 200


def test_a_high_bid_promises_and_an_early_pass_denies() -> None:
    hand = after("1 bid 95", "2 pass")
    assert hopes(hand, 1, heeded=True) > hopes(hand, 1, heeded=False) + 3
    assert hopes(hand, 2, heeded=True) < hopes(hand, 2, heeded=False) - 1


def test_a_seat_that_has_not_called_yet_says_nothing() -> None:
    # The control: of this seat all that is different is what the others leave it.
    hand = after("1 bid 95", "2 pass")
    assert abs(hopes(hand, 0, heeded=True) - hopes(hand, 0, heeded=False)) < 4


def test_a_world_fits_the_better_the_better_the_bidders_hand() -> None:
    hand = after("1 bid 95")
    state = SearchState()
    note_calls(TABLE, state, calls_of(hand))
    k, m, ways = Constraints(), SeatInfo(), [0.0] * ROOM
    observe(TABLE, hand.state, hand.hidden, m)
    find_constraints(TABLE, hand.state, m, k)
    assert count_worlds(k, ways)
    found = []
    world = Hidden(rng=9)
    for _ in range(100):
        draw_world(TABLE, hand.state, k, world, ways)
        hope = best_call(TABLE, world.hand[1], SUITS, 1) >> 4
        found.append((hope, calls_weight(TABLE, hand.state, k, world, state, m.seat)))
    found.sort()
    fits = [fit for _, fit in found]
    assert fits == sorted(fits)
    assert fits[0] < fits[-1]


def test_calls_are_read_from_what_was_done() -> None:
    hand = after("1 bid 75", "2 pass", "3 bid 80")
    assert calls_of(hand) == [Call(1, 75), Call(2, 0), Call(3, 80)]
    t = SearchState()
    note_calls(TABLE, t, calls_of(hand))
    assert (t.bid[3], t.bid_over[3], t.bid_over_partner[3]) == (80, 75, 1)
    assert (t.passed[2], t.pass_over[2], t.pass_over_partner[2]) == (80, 75, 0)
    note_calls(TABLE, t, [])
    assert (t.called, t.bid[3], t.passed[2]) == (0, 0, 0)


def over_partner(*, use_calls: bool) -> int:
    """Return how often a seat bids over its partner's bid of 95 or more in sixty auctions."""
    search = Search(TABLE)
    found = 0
    for deal in range(60):
        hand = Hand.shuffled(RULES, dealer=deal % 4, seed=deal)
        players = searchers(RULES, {"rollouts": "300", "ms": "600000"}, search)
        search.configure(use_calls=use_calls, defence=0)
        seated_anew(players, hand, deal)
        while hand.phase == "auction":
            state, seat = hand.state, hand.to_act or 0
            action = players[seat].weigh(hand)[0].action
            partner = state.bidder >= 0 and TABLE.partners[seat] >> state.bidder & 1
            found += bool(partner and state.high >= 95 and BID <= action < PASS)
            hand = hand.do(action)
    return found


def test_partners_leave_high_bids_to_each_other() -> None:
    assert over_partner(use_calls=True) == 0
    assert over_partner(use_calls=False) > 1  # the control: without the calls they do not


def bids(style: str) -> int:
    """Return the sum of what is bid in one place of many hands, 0 for a pass."""
    total = 0
    for seed in range(60):
        hand = after("1 bid 85", seed=seed)
        player = Searcher(RULES, 2, {"rollouts": "160", "ms": "600000", "style": style})
        player.begin(hand, 1 + seed)
        action = player.weigh(hand)[0].action
        total += TABLE.bid_minimum + TABLE.bid_step * (action - BID) if action < PASS else 0
    return total


def test_a_bold_bot_bids_more_than_a_cautious_one() -> None:
    assert bids("bold") > bids("steady") > bids("cautious")


@pytest.mark.parametrize("style", ["bold", "cautious"])
def test_a_style_changes_no_card(style: str) -> None:
    hand = after("1 bid 75", "2 pass", "3 pass", "0 pass")
    while hand.phase != "play":
        hand = hand.act(next(iter(hand.legal())))
    found = []
    for one in ("steady", style):
        player = Searcher(RULES, hand.to_act or 0, {"rollouts": "60", "style": one})
        player.begin(hand, 4)
        found.append(player.weigh(hand))
    assert found[0] == found[1]
