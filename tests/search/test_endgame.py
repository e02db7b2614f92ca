"""Where every card is known to lie the choices are exact, and only there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Literal

import pytest
from tests.search.positions import scripted
from tests.solver.positions import random_ending

from rookery.bots.club.counting import OWN
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.cards import unpack
from rookery.engine.card_sets import count
from rookery.engine.records import copy_of
from rookery.engine.score import side_of
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.trick import following, play
from rookery.game import Hand
from rookery.rules import load
from rookery.rules.table import RuleTable, compile_rules
from rookery.search import endgame
from rookery.search.choice import Choice
from rookery.search.endgame import exact_values, few_left, one_world_left, points_decide
from rookery.search.outcome import margin
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.search.state import SearchState
from rookery.solver.constraints import Constraints, find_constraints
from rookery.solver.sample import ROOM, count_worlds, draw_world

KNOWN = ("display", "boston", "regular_partnership")  # a dummy lies open, or there is no nest
Ends = tuple[int, int, int]


def late(name: str, seeds: range) -> Iterator[Hand]:
    """Yield decisions of scripted hands at which few cards are left."""
    for seed in seeds:
        for hand in scripted(Hand.shuffled(load(name), dealer=0, seed=seed)):
            if hand.phase == "play" and few_left(hand.table, hand.state):
                yield hand


def weighed(
    hand: Hand, version: str, target: Literal["python"] | None = None, rollouts: int = 24
) -> list[Choice]:
    options = {"rollouts": str(rollouts), "ms": "600000", "version": version}
    player = Searcher(hand.rules, hand.to_act or 0, options, Search(hand.table, target))
    player.begin(hand, 3)
    return player.weigh(hand)


def best_end(table: RuleTable, s: State, h: Hidden, seat: int) -> Ends:
    """Return points of the declarer's side, margin of a seat and whether the contract is made.

    Every line of play is looked at, as the engine plays it.
    """
    if s.phase == DONE:
        return s.points[s.declarer], margin(table, s, seat), s.made
    ends = []
    for card in unpack(following(table, s, h.hand[s.turn])):
        after, closed = copy_of(s), copy_of(h)
        play(table, after, closed, card)
        ends.append(best_end(table, after, closed, seat))
    return (max if h.allies >> s.turn & 1 else min)(ends)


def careless(name: str, seed: int) -> Iterator[Hand]:
    """Yield decisions late in a hand that was played at random."""
    rng = Random(seed)
    hand = Hand.shuffled(load(name), dealer=0, seed=seed)
    while not hand.over:
        state = hand.state
        if hand.phase == "play":
            if few_left(hand.table, state):
                yield hand
            legal = list(unpack(following(hand.table, state, hand.hidden.hand[state.turn])))
        else:
            legal = hand.legal_numbers()
        hand = hand.do(rng.choice(legal))


def judged(seeds: int = 20) -> tuple[int, int, int]:
    """Return how many exact choices there were, where it matters what is done, and the false."""
    exact = matters = false = 0
    for name in KNOWN:
        for hand in (one for seed in range(seeds) for one in careless(name, seed)):
            if sum(map(count, hand.hidden.hand)) > 10:
                continue
            choices = weighed(hand, "2")
            margins = [choice.margin for choice in choices if choice.exact]
            assert margins == sorted(margins, reverse=True)
            matters += len(set(margins)) > 1
            for choice in choices if margins else ():
                state, hidden = hand.state, hand.hidden
                play(hand.table, state, hidden, choice.action)
                _, worth, made = best_end(hand.table, state, hidden, hand.to_act or 0)
                exact += 1
                false += (choice.margin, choice.making) != (worth / 4, float(made))
                assert choice.error == 0
    return exact, matters, false


def test_an_exact_endgame_is_brute_force() -> None:
    exact, matters, false = judged()
    assert (exact > 20, matters > 3, false) == (True, True, 0)


def test_a_solver_that_errs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control: one that takes any card for the best is not brute force.
    monkeypatch.setattr(endgame, "best_cards", lambda w: w.equivalent[w.options - 1])
    assert judged(7)[2] > 1


@pytest.mark.parametrize("name", [*KNOWN, "kd_tournament", "rook_1906"])
def test_one_world_is_said_to_be_left_where_all_draws_are_the_same(name: str) -> None:
    said = []
    for hand in islice(late(name, range(3)), 0, None, 2):
        table, s, m, k, ways = hand.table, hand.state, SeatInfo(), Constraints(), [0.0] * ROOM
        observe_trick(table, s, hand.hidden, m)
        m.memo[OWN] = hand.hidden.hand[m.seat]
        find_constraints(table, s, m, k)
        assert count_worlds(k, ways)
        worlds = set()
        world = Hidden(rng=5)
        for _ in range(100):
            draw_world(table, s, k, world, ways)
            worlds.add((*world.hand, world.nest))
        said.append(one_world_left(table, s, k, ways))
        assert said[-1] == (len(worlds) == 1)
    assert not all(said)
    assert any(said) == (name != "kd_tournament")


def test_old_versions_and_unknown_endgames_have_no_exact_choice() -> None:
    known = next(h for h in late("display", range(6)) if weighed(h, "2")[0].exact)
    assert not weighed(known, "1")[0].exact
    unknown = list(late("kd_tournament", range(1)))
    assert unknown
    for hand in unknown:
        assert not any(choice.exact for choice in weighed(hand, "2", rollouts=8))


def test_both_targets_know_the_same_endgames() -> None:
    hands = [hand for hand in late("display", range(1)) if weighed(hand, "2")[0].exact]
    assert hands
    for hand in hands[:4]:
        assert weighed(hand, "2", "python", 4) == weighed(hand, "2", rollouts=4)


def test_rollouts_decide_if_points_are_not_all() -> None:
    swept = {"base": "kd_tournament", "sweep_value": {"add": 100}}
    table, hidden = compile_rules(load(swept)), Hidden(allies=0b0101)
    usual = State(phase=PLAY, declarer=0, tricks=3)
    usual.won[:2] = [2, 1]
    assert points_decide(table, usual, hidden)  # the control of what follows
    sun, none, sweep = (copy_of(usual) for _ in range(3))
    sun.sun, none.declarer, sweep.won[:2] = 1, -1, [3, 0]
    for state in (sun, none, sweep):
        assert not points_decide(table, state, hidden)
    plain = compile_rules(load("kd_tournament"))
    assert points_decide(plain, sweep, hidden)
    bonus = compile_rules(load("display"))  # 14 tricks, and nobody gets it with 7 each
    assert not points_decide(bonus, usual, hidden)
    usual.tricks, usual.won[:2] = 8, [8, 0]
    assert points_decide(bonus, usual, hidden)
    three_sides = compile_rules(load("rook_three_1914"))
    assert not points_decide(three_sides, usual, Hidden(allies=0b001))


def best_margin(table: RuleTable, s: State, h: Hidden, seat: int) -> int:
    """Return what a seat scores above the others at best, by looking at every line of play."""
    if s.phase == DONE:
        return margin(table, s, seat)
    ends = []
    for card in unpack(following(table, s, h.hand[s.turn])):
        after, closed = copy_of(s), copy_of(h)
        play(table, after, closed, card)
        ends.append(best_margin(table, after, closed, seat))
    return (max if side_of(table, h, seat) >> s.turn & 1 else min)(ends)


SWEPT: dict[str, object] = {"base": "kd_tournament", "sweep_value": {"replace": 60}}
LESS_FOR_MORE: list[dict[str, object]] = [
    {**SWEPT, "sweep_test": "all_points"},
    {**SWEPT, "sweep_test": "either_side_all_points"},
    {
        "base": "call_partner_4",
        "called_cards": 2,
        "partner_shares_set": False,
        "set_penalty": "double",
    },
]
NOT_LESS: list[dict[str, object]] = [
    SWEPT,  # only where all tricks are won
    {**SWEPT, "sweep_value": {"replace": 200}, "sweep_test": "either_side_all_points"},
    {**SWEPT, "sweep_value": {"add": 60}, "sweep_test": "all_points"},
    {**LESS_FOR_MORE[2], "set_penalty": "contract"},
]


@pytest.mark.parametrize("rules", [*LESS_FOR_MORE, *NOT_LESS], ids=str)
def test_the_solver_decides_only_where_more_points_never_score_less(
    rules: dict[str, object],
) -> None:
    table, rng, decided = compile_rules(load(rules)), Random(5), 0
    for played in range(400):
        _, s, h = random_ending(table, rng, 2, played)
        seat, cards = s.turn, list(unpack(following(table, s, h.hand[s.turn])))
        for card, exact in exact_values(table, s, h, seat, cards, SearchState()).items():
            after, closed = copy_of(s), copy_of(h)
            play(table, after, closed, card)
            assert exact.value == best_margin(table, after, closed, seat)
            decided += 1
    assert bool(decided) == (rules in NOT_LESS)
