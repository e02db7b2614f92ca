"""The solver's play, card by card, is the engine's play."""

from __future__ import annotations

from random import Random

import pytest
from tests.solver.positions import Position, choices_of, every_kind, plain_memory, random_ending

from rookery.cards import unpack
from rookery.engine.actions import apply
from rookery.engine.state import DONE
from rookery.rules import Rules, load
from rookery.rules.table import compile_rules
from rookery.solver.answer import begin, step
from rookery.solver.ending import Ending
from rookery.solver.move import choices

WHOLE = dict.fromkeys(range(2, 9), 29)


def play_both(rules: Rules, position: Position, rng: Random) -> None:
    table, s, h = position
    w = Ending()
    begin(table, s, h, w, plain_memory(1))
    ours = w.ours
    while s.phase != DONE:
        assert w.turn[w.root] == s.turn, rules
        legal = choices_of(table, s, h)
        assert sorted(w.engine_card[i] for i in unpack(choices(table, w, w.root))) == legal, rules
        tricks = s.tricks
        card = rng.choice(legal)
        apply(table, s, h, card)
        step(table, w, w.solver_card[card])
        while w.root < w.cards and table.blind and w.turn[w.root] == table.seats:
            step(table, w, choices(table, w, w.root).bit_length() - 1)
        if s.tricks > tricks and s.phase != DONE:
            assert w.alive[w.depth[w.root]] == w.in_hands, rules
            assert w.turn[w.root] == s.leader, rules
    seat = next(seat for seat in unpack(ours))
    assert w.base + w.unit * w.units_before[w.tricks] == s.points[seat], rules
    assert w.left[w.tricks] == 0, rules


@pytest.mark.parametrize("changes", [0, 1, 6])
def test_legality_turns_winners_and_points_are_the_engines(changes: int) -> None:
    rng = Random(changes)
    for rules, position in every_kind(rng, 3, WHOLE, changes):
        play_both(rules, position, rng)


@pytest.mark.parametrize("seed", [265, 322, 433])
def test_a_duty_to_beat_counts_the_rook_and_the_black_2_that_meet(seed: int) -> None:
    rules, rng = load({"base": "black_2", "void_duty": "must_beat"}), Random(seed)
    play_both(rules, random_ending(compile_rules(rules), rng, 29, 0), rng)
