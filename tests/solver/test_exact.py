"""The solver against brute force, and against itself."""

from __future__ import annotations

from functools import cache
from operator import ne
from random import Random

import pytest
from tests.solver.minimax import plain_minimax
from tests.solver.positions import (
    BLIND,
    BRIDGE,
    FEW_TRICKS,
    MOST_TRICKS,
    Position,
    bridge_position,
    choices_of,
    every_kind,
    plain_memory,
    plain_value,
    random_ending,
)

from rookery.cards import parse_card, unpack
from rookery.engine.records import copy_of
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.trick import play
from rookery.rules import load
from rookery.rules.order import NOTRUMP
from rookery.rules.table import RuleTable, compile_rules
from rookery.solver import bounds, move, ordering, search, setup, transpositions
from rookery.solver.answer import BEST, EVERY, FIRST, begin, best_cards, solve_ending
from rookery.solver.ending import Ending
from rookery.solver.setup import side_solved

LONE_ROOK: dict[str, object] = {
    "base": "kd_full_57",
    "counters": {},
    "rook_value": 0,
    "trick_bonus": "per_trick",
    "trick_bonus_value": 1,
    "bid_minimum": 1,
    "bid_maximum": 13,
    "bid_step": 1,
    "trump_calls": ["notrump"],
    "rook_at_no_trump": "loser",
    "redeal": "none",
    "nest_points_to": "nobody",
    "target": 100,
}
SQUEEZED = ("R3 RK G10", "G13 Y13 B13", "R5 Y10 B10", "G1 Y1 B1")


@pytest.mark.parametrize("changes", [0, 6])
def test_plain_solver_is_brute_force(changes: int) -> None:
    for rules, position in every_kind(Random(11), 4, FEW_TRICKS, changes):
        assert plain_value(position) == plain_minimax(*position), rules


def test_counters_of_any_size_are_counted() -> None:
    dear = {"counters": {"14": 99_999, "10": 7, "6": 100_000}, "rook_value": 99_998}
    bonus = {"trick_bonus": "per_trick", "trick_bonus_value": 99_991}
    table = compile_rules(load({"base": "kd_tournament", **dear, **bonus}))
    for seed in range(12):
        position = random_ending(table, Random(seed), 3, seed)
        assert plain_value(position) == plain_minimax(*position)


@pytest.mark.numba
@pytest.mark.slow
@pytest.mark.parametrize("changes", [0, 1, 6])
def test_compiled_solver_is_brute_force(changes: int) -> None:
    from tests.solver.compiled import brute_force, solver

    for rules, position in every_kind(Random(5 + changes), 30, MOST_TRICKS, changes):
        assert solver()(position) == brute_force()(position), rules


@pytest.mark.numba
@pytest.mark.slow
def test_a_blind_hand_beside_three_is_solved() -> None:
    """A bound that held in all variants, of which none is like that, failed in some of these."""
    from tests.solver.compiled import brute_force, solver

    table, rng = compile_rules(load(BLIND)), Random(28)
    for played in range(4_000):
        position = random_ending(table, rng, 3, played)
        assert solver()(position) == brute_force()(position)


@pytest.mark.parametrize(("declarer", "tricks"), [(0, 3), (1, 0)])
def test_the_rook_as_a_suit_of_its_own_squeezes(declarer: int, tricks: int) -> None:
    """Its lead leaves seat 1 a card too few; a bound that counts on four suits misses that."""
    table = compile_rules(load(LONE_ROOK))
    s, h = State(), Hidden()
    s.phase, s.declarer, s.contract, s.sides_known = PLAY, declarer, 1, 1
    s.allies = h.allies = table.partners[declarer]
    s.call = s.row = NOTRUMP
    s.tricks = table.hand_size - 3
    for seat, names in enumerate(SQUEEZED):
        h.hand[seat] = sum(1 << parse_card(name) for name in names.split())
    assert plain_value((table, s, h)) == plain_minimax(table, s, h) == tricks


@pytest.mark.numba
@pytest.mark.slow
def test_every_card_is_worth_what_brute_force_says_of_the_position_after_it() -> None:
    from tests.solver.compiled import brute_force, card_values

    for rules, position in every_kind(Random(9), 3, MOST_TRICKS, 1):
        table, s, h = position
        found = card_values()(position)
        assert sorted(found) == choices_of(table, s, h), rules
        for card, value in found.items():
            state, hidden = copy_of(s), copy_of(h)
            play(table, state, hidden, card)
            if state.phase == DONE:
                assert value in state.points, rules
            else:
                ours = side_solved(table, s, h)
                assert value == brute_force()((table, state, hidden), ours), rules


def test_best_cards_are_those_whose_value_is_the_positions() -> None:
    for rules, (table, s, h) in every_kind(Random(6), 2, FEW_TRICKS, 1):
        w, notes = Ending(), plain_memory()
        value = solve_ending(table, s, h, w, notes, EVERY)
        best = {
            card
            for i in range(w.options)
            for card in unpack(w.equivalent[i])
            if w.base + w.unit * w.low[i] == value
        }
        for want in (BEST, EVERY):
            assert solve_ending(table, s, h, w, notes, want) == value
            assert set(unpack(best_cards(w))) == best, rules
        assert solve_ending(table, s, h, w, notes, FIRST) == value
        assert {*unpack(best_cards(w))} <= best, rules
        assert best_cards(w), rules


@pytest.mark.numba
@pytest.mark.slow
def test_a_memory_that_forgets_changes_nothing() -> None:
    from tests.solver.compiled import solver

    rng = Random(4)
    for name in ("kd_tournament", "call_partner_5", "black_2", "regular_partnership"):
        table = compile_rules(load(name))
        for _ in range(25):
            position = random_ending(table, rng, 6 if table.seats == 5 else 7, rng.randrange(4))
            assert solver()(position) == solver(1)(position)


def answers(position: Position) -> list[int]:
    """Return for each number of units whether the side reaches it, each asked afresh."""
    table, s, h = position
    found: list[int] = []
    left = 1
    while len(found) < left:
        w, notes = Ending(), plain_memory()
        begin(table, copy_of(s), copy_of(h), w, notes)
        left = w.left[0] + 1
        w.need[0] = len(found)
        found.append(search.search(table, w, notes))
    return found


def test_a_window_of_nothing_says_what_the_full_window_says() -> None:
    for name in ("kd_tournament", "wanamingo", "call_partner_5", "rook_two_1914"):
        table = compile_rules(load(name))
        for seed in range(6):
            position = random_ending(table, Random(seed), 2, seed)
            w = Ending()
            begin(table, position[1], position[2], w, plain_memory())
            units = (plain_minimax(*position) - w.base) // w.unit
            assert answers(position) == [int(need <= units) for need in range(w.left[0] + 1)]


@cache
def endings() -> tuple[Position, ...]:
    """Return endings of the size that the compiled solver is checked on."""
    rng = Random(2)
    tables = [compile_rules(load(name)) for name in ("kd_tournament", "wanamingo", "rook_1906")]
    counters = [random_ending(tables[i % 3], rng, 5, rng.randrange(4)) for i in range(24)]
    bridge = compile_rules(load(BRIDGE))
    return (*counters, *(bridge_position(bridge, rng, 6, 0) for _ in range(16)))


@cache
def sound() -> list[int]:
    return [plain_value(position) for position in endings()]


def mismatches() -> int:
    """Return how many endings the solver, as it now is, gets wrong."""
    return sum(map(ne, map(plain_value, endings()), sound()))


@pytest.mark.numba
@pytest.mark.slow
def test_the_endings_are_right_before_a_fault_is_planted() -> None:
    from tests.solver.compiled import brute_force

    assert [brute_force()(position) for position in endings()] == sound()


def test_cards_of_different_worth_taken_for_equal_are_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def one_kind(table: RuleTable, w: Ending) -> None:
        sort(table, w)
        w.kind = [0] * len(w.kind)

    sound()
    sort = setup.sort_kinds
    monkeypatch.setattr(setup, "sort_kinds", one_kind)
    assert mismatches()


def test_cards_apart_taken_for_neighbours_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    sound()
    monkeypatch.setattr(ordering, "rivals_of", lambda w, ply: 0)
    assert mismatches()


def test_a_hash_without_the_leader_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    sound()
    full = transpositions.full_key
    monkeypatch.setattr(transpositions, "full_key", lambda w, depth, leader: full(w, depth, 0))
    assert mismatches()


def test_ranks_that_do_not_count_as_relevant_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    sound()
    made = move.make

    def forgetful(table: RuleTable, w: Ending, ply: int, card: int) -> None:
        made(table, w, ply, card)
        w.decisive[ply] = 0

    monkeypatch.setattr(search, "make", forgetful)
    assert mismatches()


def test_a_bound_that_claims_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    sound()
    sure = bounds.at_least
    monkeypatch.setattr(bounds, "at_least", lambda w, depth, units: sure(w, depth, units + 1))
    assert mismatches()
