"""Where the points of a hand came from, and what has been taken so far."""

from __future__ import annotations

from random import Random

import pytest
from tests.laws.playing import random_action

from rookery.cards import unpack
from rookery.game import Hand, IllegalAction
from rookery.rules import catalog, load, variant


def played(hand: Hand, seed: int) -> list[Hand]:
    """Return the positions of a hand that is played at random, the last one done."""
    rng, positions = Random(seed), [hand]
    while not positions[-1].over:
        positions.append(positions[-1].act(random_action(positions[-1], rng)))
    return positions


@pytest.mark.parametrize("name", catalog())
def test_the_sources_of_each_side_make_up_what_it_took(name: str) -> None:
    rules = variant(name)
    for seed in range(4):
        *before, last = played(Hand.shuffled(rules, 0, seed), seed)
        assert all(hand.sources is None and hand.made is None for hand in before)
        if last.phase != "done" or last.revoked:
            continue
        assert last.sources is not None
        assert last.sides is not None
        assert [sum(source) for source in last.sources] == last.points
        assert all(min(source) >= 0 for source in last.sources)
        nest = sum(rules.card_points.get(card, 0) for card in unpack(last.hidden.nest))
        got = [source.nest for source in last.sources if source.nest]
        # A blind hand may win the last trick, and nobody gets a nest that goes to nobody.
        assert got in ([nest], []) or not nest
        for side, source in zip(last.sides, last.sources, strict=True):
            assert sum(last.taken[seat] for seat in side) == source.tricks
        bonuses = sum(source.bonus for source in last.sources)
        assert bonuses <= rules.bonus_points
        assert last.made is None or last.made == bool(last.state.made)


def test_what_is_taken_so_far_is_what_lay_in_the_tricks() -> None:
    rules = load("kd_tournament")
    for hand in played(Hand.shuffled(rules, 0, 3), 3):
        worth = [0] * rules.seats
        for trick in hand.tricks:
            worth[trick.winner] += sum(rules.card_points.get(card, 0) for card in trick.cards)
        assert hand.taken == worth


def test_after_a_revoke_only_the_tricks_count() -> None:
    rules = load({"base": "kd_tournament", "renege": "penalised"})
    found = 0
    for seed in range(20):
        for hand in played(Hand.shuffled(rules, 0, seed), seed):
            for accused in range(1, rules.seats):
                try:
                    over = hand.act(f"0 challenge {accused}")
                except IllegalAction:
                    continue
                found += 1
                assert over.revoked
                assert over.made is None
                assert over.sources is not None
                assert [source.tricks for source in over.sources] == over.points
                assert all(source.nest == source.bonus == 0 for source in over.sources)
    assert found
