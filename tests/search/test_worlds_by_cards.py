"""The cards played say which worlds are likely, and the true world explains them all."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.search.positions import scripted, searchers

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.card_sets import count
from rookery.engine.state import Hidden, State
from rookery.game import Hand
from rookery.rules import load
from rookery.search.search import Search
from rookery.search.state import SearchState
from rookery.search.worlds import SURE, cards_weight, draw_likely_world
from rookery.solver.constraints import Constraints, find_constraints
from rookery.solver.sample import ROOM, count_worlds, draw_world

GAMES = ["kd_tournament", "house_001", "call_partner_5", "display", "one_low_180", "wanamingo"]


def seats() -> list[SeatInfo]:
    return [SeatInfo() for _ in range(9)]


def search_state(hand: Hand, odd_card: int) -> SearchState:
    search = SearchState(odd_card=odd_card, played=len(hand.played))
    search.card[: search.played] = hand.played
    return search


def positions(name: str, seeds: range) -> Iterator[Hand]:
    """Yield the positions of scripted hands in which some tricks have been played."""
    for seed in seeds:
        for hand in scripted(Hand.shuffled(load(name), dealer=0, seed=seed)):
            if hand.phase == "play" and hand.state.tricks:
                yield hand


def fit(hand: Hand, world: Hidden, odd_card: int = SURE // 2) -> int:
    begun = hand.begun
    assert begun is not None
    assert hand.to_act is not None
    s, search = hand.state, search_state(hand, odd_card)
    return cards_weight(
        hand.table, s, begun, world, State(), Hidden(), seats(), search, hand.to_act
    )


@pytest.mark.parametrize("name", GAMES)
def test_the_true_world_explains_what_the_script_has_played(name: str) -> None:
    fits = [fit(hand, hand.hidden) for hand in positions(name, range(3))]
    assert len(fits) > 40
    assert set(fits) == {SURE}


def test_a_world_in_which_somebody_would_have_played_another_card_fits_less() -> None:
    less = all_ = 0
    for hand in positions("kd_tournament", range(3)):
        s, m, k, ways = hand.state, SeatInfo(), Constraints(), [0.0] * ROOM
        observe_trick(hand.table, s, hand.hidden, m)
        m.memo[OWN] = hand.hidden.hand[m.seat]
        find_constraints(hand.table, s, m, k)
        assert count_worlds(k, ways)
        world = Hidden(rng=7)
        draw_world(hand.table, s, k, world, ways)
        found = fit(hand, world)
        assert found in {SURE >> strange for strange in range(40)}
        assert fit(hand, world, SURE) == SURE
        less += found < SURE
        all_ += 1
    assert less > all_ // 2


def test_worlds_drawn_so_are_nearer_to_the_truth() -> None:
    plain = told = 0
    for hand in positions("kd_tournament", range(2)):
        table, s, m, k, ways = hand.table, hand.state, SeatInfo(), Constraints(), [0.0] * ROOM
        observe_trick(table, s, hand.hidden, m)
        m.memo[OWN] = hand.hidden.hand[m.seat]
        find_constraints(table, s, m, k)
        assert count_worlds(k, ways)
        search, begun, truth = search_state(hand, SURE // 4), hand.begun, hand.hidden
        assert begun is not None
        one, other = Hidden(rng=11), Hidden(rng=11)
        for _ in range(8):
            draw_world(table, s, k, one, ways)
            draw_likely_world(
                table, s, m.seat, k, other, begun, State(), Hidden(), seats(), search, ways
            )
            for seat in range(4):
                plain += count(one.hand[seat] & truth.hand[seat] & k.unseen)
                told += count(other.hand[seat] & truth.hand[seat] & k.unseen)
                assert other.hand[seat] & ~k.known[seat] & ~k.possible[seat] == 0
    assert told > 1.05 * plain


def test_what_a_seat_gave_in_a_circus_lies_at_its_left_in_every_world() -> None:
    rules = load({"base": "circus", "trump_calls": ["notrump", "circus"]})
    hand = Hand.shuffled(rules, dealer=0, seed=2).act("1 bid 120")
    for seat in (2, 3, 0):
        hand = hand.act(f"{seat} pass")
    rng = Random(1)
    while hand.phase != "play":
        circus = "1 trump circus"
        called = hand.phase == "trump" and hand.to_act == 1
        hand = hand.act(circus if called else random_action(hand, rng))
    assert hand.state.circus
    seat = hand.to_act or 0
    searcher = searchers(rules, search=Search(hand.table, "python"))[seat]
    searcher.begin(hand, 1)
    gift = 1 << hand.hidden.gift[seat]
    worlds = searcher.worlds(hand, 20)
    assert all(world.hand[(seat + 1) % 4] & gift for world in worlds)
    assert len({world.hand[(seat + 1) % 4] for world in worlds}) > 10
